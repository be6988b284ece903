/* A function: its source on one side, its instructions on the other, with what each of them cost. */
import { useEffect, useMemo, useRef } from "preact/hooks";
import { address, useAnswer } from "../api";
import { amount, brief, count, lastPart, share } from "../format";
import { Loading, MetricChoice, Shown, Stack } from "../parts";
import { change, link, type Place } from "../router";
import type { AnnotatedFunction, AnnotatedLine, Annotation, Instruction, Metrics, Session, Source } from "../types";

const CONTEXT = 3; // lines around the function's own

interface LineCost {
  self: number; // of the line and what was inlined there
  executions: number;
  inlined: Set<string>;
}

/* Where a row stands in the function's own file: its line, or the outermost call that was inlined. */
function ownLine(row: AnnotatedLine, file: string): number | null {
  const outermost = row.inlined[row.inlined.length - 1];
  if (outermost) return outermost.call_file === file ? (outermost.call_line ?? null) : null;
  return row.file === file ? (row.line ?? null) : null;
}

export function costs(of: AnnotatedFunction, metric: string): Map<number, LineCost> {
  const found = new Map<number, LineCost>();
  for (const row of of.lines) {
    const line = of.file ? ownLine(row, of.file) : null;
    if (line === null) continue;
    const cost = found.get(line) ?? { self: 0, executions: 0, inlined: new Set<string>() };
    cost.self += row.self[metric] ?? 0;
    if (row.inlined.length === 0) cost.executions = Math.max(cost.executions, row.executions);
    row.inlined.forEach((frame) => cost.inlined.add(frame.function));
    found.set(line, cost);
  }
  return found;
}

function heat(part: number, whole: number): Record<string, string> {
  return { "--heat": String(whole > 0 ? Math.round(90 * Math.sqrt(part / whole)) : 0) };
}

interface SideProps {
  of: AnnotatedFunction;
  metric: string;
  whole: number;
  chosen: number | null;
  choose: (line: number | null) => void;
}

function useChosenInView(chosen: number | null, side: string) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const active = document.activeElement;
    if (chosen === null || !box.current || (active && box.current.contains(active))) return;
    const row = box.current.querySelector<HTMLElement>("tr.chosen");
    if (row) box.current.scrollTop = row.offsetTop - box.current.clientHeight / 3;
  }, [chosen, side]);
  return box;
}

function SourceSide(props: SideProps & { source: Source | null; isLoading: boolean; why: string | null }) {
  const { of, metric, whole, source, chosen } = props;
  const byLine = useMemo(() => costs(of, metric), [of, metric]);
  const box = useChosenInView(chosen, source ? "there" : "");
  const most = Math.max(1, ...[...byLine.values()].map((cost) => cost.self));
  const first = source?.first ?? 1;
  if (!source?.lines) {
    return (
      <div class="side" tabIndex={0} role="region" aria-label="Source">
        <h2>Source</h2>
        <div style={{ padding: "16px" }}>
          {props.isLoading ? <Loading what="the source" /> : <p class="soft">{props.why}</p>}
        </div>
      </div>
    );
  }
  return (
    <div class="side" ref={box} tabIndex={0} role="region" aria-label="Source">
      <h2 title={source.path}>
        {lastPart(source.file)}
        {source.changed && <span class="chip"> changed since the program was built: lines may not fit</span>}
      </h2>
      <table class="code">
        <thead class="hidden-text">
          <tr>
            <th scope="col">Share</th>
            <th scope="col">Executions</th>
            <th scope="col">Line</th>
            <th scope="col">Source</th>
          </tr>
        </thead>
        <tbody>
          {source.lines.map((text, i) => {
            const line = first + i;
            const cost = byLine.get(line);
            const pick = (): void => props.choose(chosen === line ? null : line);
            return (
              <tr key={line} data-line={line} class={[cost ? "" : "cold", chosen === line ? "chosen" : ""].join(" ").trim() || undefined} onClick={cost ? pick : undefined}>
                <td class="heat" style={cost ? heat(cost.self, most) : undefined}>
                  {cost && cost.self > 0 ? share(cost.self, whole) : ""}
                </td>
                <td class="line">{cost && cost.executions > 0 ? brief(cost.executions) : ""}</td>
                <td class="line">
                  {cost ? (
                    <a
                      href="#line"
                      aria-label={`Line ${line}: show its instructions`}
                      onClick={(event) => {
                        event.preventDefault();
                        event.stopPropagation();
                        pick();
                      }}
                    >
                      {line}
                    </a>
                  ) : (
                    line
                  )}
                </td>
                <td class="text">
                  {text}
                  {cost && cost.inlined.size > 0 && <span class="chip">inlined: {[...cost.inlined].join(", ")}</span>}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function stallsOf(cost: Metrics): [string, number][] {
  return Object.entries(cost)
    .filter(([key, value]) => key.startsWith("stall:") && value > 0)
    .map(([key, value]): [string, number] => [key.slice("stall:".length), value])
    .sort((a, b) => b[1] - a[1]);
}

interface Placed {
  instruction: Instruction;
  row: AnnotatedLine;
  line: number | null;
}

function Calls({ instruction, run }: { instruction: Instruction; run: string }) {
  const of = (call: { inclusive: Record<string, number> }): string => ("cycles" in call.inclusive ? "cycles" : "instructions");
  return (
    <>
      {(instruction.calls ?? []).slice(0, 6).map((call, i) => (
        <tr key={i} class="inlined">
          <td colSpan={3} />
          <td colSpan={2}>
            → {call.function ? <a href={link(["run", run, "table", "function"], { search: call.function })}>{call.function}</a> : "(no function)"}
            {`, ${count(call.calls)} calls, ${brief(call.inclusive[of(call)] ?? 0)} ${of(call)} there`}
          </td>
        </tr>
      ))}
    </>
  );
}

function DisassemblySide(props: SideProps & { run: string }) {
  const { of, metric, whole, chosen, run } = props;
  const box = useChosenInView(chosen, "");
  const placed = useMemo(() => {
    const all: Placed[] = of.lines.flatMap((row) =>
      row.instructions.map((instruction) => ({ instruction, row, line: of.file ? ownLine(row, of.file) : null })),
    );
    return all.sort((a, b) => (a.instruction.address < b.instruction.address ? -1 : 1));
  }, [of]);
  const most = Math.max(1, ...placed.map((one) => one.instruction.self[metric] ?? 0));
  return (
    <div class="side" ref={box} tabIndex={0} role="region" aria-label="Disassembly">
      <h2>
        {of.address} – {of.end}, {count(placed.length)} executed instructions
      </h2>
      <table class="code">
        <thead class="hidden-text">
          <tr>
            <th scope="col">Share</th>
            <th scope="col">Cycles by cause</th>
            <th scope="col">Executions</th>
            <th scope="col">Address</th>
            <th scope="col">Instruction</th>
          </tr>
        </thead>
        <tbody>
          {placed.map(({ instruction, row, line }, i) => {
            const previous = placed[i - 1];
            const isNew = !previous || previous.row !== row;
            const cost = instruction.self[metric] ?? 0;
            const stalls = stallsOf(instruction.self);
            const frames = row.inlined.map((frame) => `${frame.function}${frame.call_line ? ` (called in line ${frame.call_line})` : ""}`).join(" in ");
            return [
              isNew && (
                <tr key={`head${i}`} class="line-head">
                  <td colSpan={5}>
                    {row.file ? `${lastPart(row.file)}:${row.line ?? ""}` : "no source line"}
                    {frames && ` — inlined: ${frames}`}
                  </td>
                </tr>
              ),
              <tr key={i} data-line={line ?? undefined} class={line !== null && line === chosen ? "chosen" : undefined} onClick={line === null ? undefined : () => props.choose(chosen === line ? null : line)}>
                <td class="heat" style={heat(cost, most)}>
                  {cost > 0 ? share(cost, whole) : ""}
                </td>
                <td class="lost" title={stalls.map(([key, value]) => `${key}: ${count(value)}`).join(", ")}>
                  {stalls.length > 0 && <Stack cost={instruction.self} whole={instruction.self["cycles"] ?? 0} />}
                </td>
                <td class="line">{brief(instruction.executions)}</td>
                <td class="line">{instruction.address.replace(/^0x/, "")}</td>
                <td class="text">
                  {instruction.instruction}
                  {instruction.target?.function && <span class="soft"> &lt;{instruction.target.function}{instruction.target.offset ? `+${instruction.target.offset}` : ""}&gt;</span>}
                  {instruction.taken > 0 && instruction.taken < instruction.executions && <span class="soft"> taken {share(instruction.taken, instruction.executions, 0)}</span>}
                </td>
              </tr>,
              instruction.calls && <Calls key={`calls${i}`} instruction={instruction} run={run} />,
            ];
          })}
        </tbody>
      </table>
    </div>
  );
}

function Sides(props: { of: AnnotatedFunction; annotation: Annotation; run: string; session: Session; place: Place }) {
  const { of, annotation, run, session, place } = props;
  const lines = of.lines.map((row) => (of.file ? ownLine(row, of.file) : null)).filter((line): line is number => line !== null);
  const first = Math.max(1, Math.min(of.line || Infinity, ...lines) - CONTEXT);
  const last = Math.max(of.line ?? 0, ...lines) + CONTEXT;
  const source = useAnswer<Source>(of.file && lines.length > 0 ? address("/api/source", { run, file: of.file, first, last }) : null);
  const chosen = Number(place.values.get("line")) || null;
  const missing = annotation.sources.find((one) => one.file === of.file)?.missing;
  const why = !of.file
    ? "The program has no line information: compile it with -g."
    : session.sources.length === 0
      ? `${of.file} is not shown, because the server was told of no directory with sources. Start it with: gumshoe serve --sources DIR`
      : `${of.file}: ${missing ?? "not found"}.`;
  const side = { of, metric: annotation.metric, whole: annotation.total[annotation.metric] ?? 0, chosen, choose: (line: number | null) => change(place, { line: line ?? undefined }) };
  return (
    <div class="sides">
      <SourceSide {...side} source={source.value} isLoading={source.isLoading} why={why} />
      <DisassemblySide {...side} run={run} />
    </div>
  );
}

export function SourceView(props: { run: string; at: string; session: Session; total: Metrics | null; isTimed: boolean; place: Place }) {
  const { run, at, session, place } = props;
  const metric = place.values.get("metric") ?? (props.isTimed ? "cycles" : "instructions");
  const answer = useAnswer<Annotation>(address("/api/function", { run, address: at, metric }));
  return (
    <Shown answer={answer} what="the function">
      {(annotation) => {
        const of = annotation.functions[0];
        if (!of) return <p class="soft">This function was not executed.</p>;
        const whole = annotation.total[annotation.metric] ?? 0;
        return (
          <>
            <div class="head">
              <h1 class="mono" style={{ fontSize: "18px", overflowWrap: "anywhere" }}>{of.function}</h1>
              <p>
                {share(of.self[annotation.metric] ?? 0, whole)} self, {share(of.inclusive[annotation.metric] ?? 0, whole)} with what it calls; {count(of.calls)} calls;{" "}
                {amount(of.self[annotation.metric] ?? 0, annotation.metric)} {annotation.metric}
              </p>
            </div>
            <div class="tools">
              <MetricChoice id="metric" session={session} total={props.total} value={metric} onChange={(key) => change(place, { metric: key })} />
              <a class="button" href={link(["run", run, "flame"], { search: of.function })}>In the flame graph</a>
              <a class="button" href={link(["run", run, "table", "loop"], { search: of.function })}>Its loops</a>
              <a class="button" href={link(["run", run, "table", "instruction"], { search: of.function })}>Its instructions</a>
            </div>
            <Sides of={of} annotation={annotation} run={run} session={session} place={place} />
          </>
        );
      }}
    </Shown>
  );
}
