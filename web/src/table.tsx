/*
 * A table of any length: rows are asked for as they come into view, and only those are in the page.
 *
 * The first link of a row is what the arrow keys move along; Page Up and Down, Home and End go further.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Failure, getKept } from "./api";
import { Loading, Problem } from "./parts";
import { count } from "./format";

export const ROW = 28; // pixels, as in the style sheet
const PAGE = 100;
const AROUND = 8; // rows above and below what is seen

export interface Column<T> {
  key: string;
  title: string;
  hint?: string;
  width?: string;
  isNumber?: boolean;
  sort?: string; // what the server calls it
  cell: (row: T) => ComponentChildren;
}

interface Props<T> {
  label: string;
  columns: Column<T>[];
  url: (offset: number, limit: number) => string;
  rows: (answer: unknown) => { rows: T[]; found: number };
  onAnswer?: (answer: unknown) => void;
  sort: string;
  reverse: boolean;
  onSort: (sort: string, reverse: boolean) => void;
  empty: string;
}

interface Pages<T> {
  of: string;
  found: number | null;
  rows: Map<number, T[]>;
}

function usePages<T>(props: Props<T>, first: number, last: number) {
  const base = props.url(0, 0);
  const [pages, set] = useState<Pages<T>>({ of: base, found: null, rows: new Map() });
  const [failure, setFailure] = useState<Failure | null>(null);
  const [turn, setTurn] = useState(0);
  const shown = pages.of === base ? pages : { of: base, found: null, rows: new Map<number, T[]>() };
  const from = Math.floor(first / PAGE);
  const to = Math.floor(Math.max(first, last) / PAGE);
  useEffect(() => {
    const abort = new AbortController();
    let timer = 0;
    for (let page = from; page <= to; page++) {
      if (shown.rows.has(page)) continue;
      getKept(props.url(page * PAGE, PAGE), abort.signal).then(
        (answer) => {
          const { rows, found } = props.rows(answer);
          props.onAnswer?.(answer);
          setFailure(null);
          set((old) => {
            const kept = old.of === base ? old.rows : new Map<number, T[]>();
            return { of: base, found, rows: new Map(kept).set(page, rows) };
          });
        },
        (error: unknown) => {
          if (abort.signal.aborted) return;
          const why = error instanceof Failure ? error : new Failure("page", String(error));
          setFailure(why);
          if (why.kind === "gone") timer = window.setTimeout(() => setTurn((n) => n + 1), 1000);
        },
      );
    }
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [base, from, to, turn]);
  return { pages: shown, failure };
}

function Head<T>({ props }: { props: Props<T> }) {
  return (
    <thead>
      <tr>
        {props.columns.map((column) => {
          const isCurrent = column.sort !== undefined && column.sort === props.sort;
          const ascends = column.sort === "name" || column.sort === "place" ? !props.reverse : props.reverse;
          return (
            <th
              key={column.key}
              scope="col"
              class={column.isNumber ? "number" : undefined}
              style={column.width ? { width: column.width } : undefined}
              title={column.hint}
              aria-sort={isCurrent ? (ascends ? "ascending" : "descending") : undefined}
            >
              {column.sort === undefined ? (
                column.title
              ) : (
                <button type="button" onClick={() => props.onSort(column.sort ?? "", isCurrent ? !props.reverse : false)}>
                  {column.title}
                </button>
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

export function Table<T>(props: Props<T>) {
  const box = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState({ top: 0, height: 600 });
  const wanted = useRef<number | null>(null); // the row that is to have the focus once it is there
  const first = Math.max(0, Math.floor(seen.top / ROW) - AROUND);
  const last = Math.ceil((seen.top + seen.height) / ROW) + AROUND;
  const { pages, failure } = usePages(props, first, last);
  const found = pages.found ?? 0;
  const base = props.url(0, 0);

  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = (): void => setSeen({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, []);
  useEffect(() => {
    box.current?.scrollTo({ top: 0 });
  }, [base]);
  useEffect(() => {
    if (wanted.current === null) return;
    const link = box.current?.querySelector<HTMLElement>(`tr[data-row="${wanted.current}"] a`);
    if (!link) return;
    wanted.current = null;
    link.focus({ preventScroll: true });
  });

  const move = (event: KeyboardEvent): void => {
    const element = box.current;
    if (!element || pages.found === null) return;
    const row = (document.activeElement as HTMLElement | null)?.closest<HTMLElement>("tr[data-row]");
    const at = row ? Number(row.dataset["row"]) : -1;
    const page = Math.max(1, Math.floor(element.clientHeight / ROW) - 2);
    const steps: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: found - 1,
    };
    const to = steps[event.key];
    if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const goal = Math.max(0, Math.min(found - 1, to));
    const top = goal * ROW;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + 2 * ROW + 6 > element.scrollTop + element.clientHeight) element.scrollTop = top + 2 * ROW + 6 - element.clientHeight;
    wanted.current = goal;
    setSeen({ top: element.scrollTop, height: element.clientHeight });
  };

  if (failure && pages.found === null) return <Problem failure={failure} />;
  const rows: { index: number; row: T | undefined }[] = [];
  for (let index = first; index < Math.min(found, last); index++)
    rows.push({ index, row: pages.rows.get(Math.floor(index / PAGE))?.[index % PAGE] });
  const end = Math.min(found, last);
  return (
    <>
      <div class="scroll virtual" ref={box} onKeyDown={move} tabIndex={0} role="region" aria-label={props.label}>
        <table aria-rowcount={found + 1}>
          <Head props={props} />
          <tbody>
            {first > 0 && (
              <tr class="space" aria-hidden="true">
                <td colSpan={props.columns.length} style={{ height: `${Math.min(first, found) * ROW}px` }} />
              </tr>
            )}
            {rows.map(({ index, row }) => (
              <tr key={index} data-row={index} aria-rowindex={index + 2} class={row ? undefined : "waiting"}>
                {props.columns.map((column, number) => (
                  <td key={column.key} class={column.isNumber ? "number" : undefined}>
                    {row ? column.cell(row) : number === 0 ? "…" : ""}
                  </td>
                ))}
              </tr>
            ))}
            {end < found && (
              <tr class="space" aria-hidden="true">
                <td colSpan={props.columns.length} style={{ height: `${(found - end) * ROW}px` }} />
              </tr>
            )}
          </tbody>
        </table>
        {pages.found === null && <Loading what={props.label.toLowerCase()} />}
        {pages.found === 0 && <p class="soft" style={{ padding: "14px" }}>{props.empty}</p>}
      </div>
      <p class="soft" aria-live="polite">
        {pages.found === null ? "" : `${count(found)} rows`}
      </p>
    </>
  );
}
