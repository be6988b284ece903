/* The flame graph: call paths as wide as what they cost. Of one run, or the difference of two. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { address, useAnswer } from "../api";
import { amount, count, share, signed, signedShare } from "../format";
import { type Chart, type Colouring, draw, find, layOut, nameOf, neighbour } from "../flamechart";
import { MetricChoice, SearchBox, Shown } from "../parts";
import { change, go, link, type Place } from "../router";
import { useTheme } from "../theme";
import type { DifferenceTree, Metrics, Session, Tree } from "../types";

function useWidth(): [(element: HTMLDivElement | null) => void, number] {
  const [element, set] = useState<HTMLDivElement | null>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return [set, width];
}

/* The ids of the functions on the way to a node, as the server wants them. */
export function wayTo(tree: Tree, node: number): string | null {
  const ids: number[] = [];
  for (let at = node; (tree.nodes.parent[at] ?? -1) >= 0; at = tree.nodes.parent[at] ?? -1) {
    const id = tree.names[tree.nodes.name[at] ?? 0]?.id;
    if (id === undefined) return null;
    ids.unshift(id);
  }
  return ids.join(".");
}

export function join(root: string, more: string): string {
  return root && more ? `${root}.${more}` : root || more;
}

function Details({ tree, node, session }: { tree: Tree; node: number; session: Session }) {
  const { nodes } = tree;
  if (node < 0) return <div class="details soft">Point at a frame, or move with the arrow keys; Enter zooms in, Escape out.</div>;
  const value = nodes.inclusive[node] ?? 0;
  const cause = session.causes[nodes.cause[node] ?? -1];
  const name = tree.names[nodes.name[node] ?? 0];
  const before = nodes.before?.[node];
  return (
    <div class="details" aria-live="polite">
      <strong>{nameOf(tree, node)}</strong>
      {name?.inlined && <span class="chip"> inlined</span>} {amount(value, tree.metric)} {tree.metric}
      {before === undefined ? ` (${share(value, tree.total)})` : `, before ${amount(before, tree.metric)} (${signed(value - before)}, ${signedShare(before, value)})`}
      {", self "}
      {amount(nodes.self[node] ?? 0, tree.metric)}
      {(nodes.calls[node] ?? 0) > 0 && `, ${count(nodes.calls[node] ?? 0)} ${nodes.calls[node] === 1 ? "call" : "calls"}`}
      {cause && (nodes.lost[node] ?? 0) > 0 && (
        <span class="soft">
          ; {share(nodes.lost[node] ?? 0, nodes.cycles[node] ?? 0)} of its cycles lost, mostly to <i class={`cause cause-${cause.key}`} />
          {cause.key}
        </span>
      )}
      {nodes.estimated[node] ? <span class="soft">; estimated: shared out as on all paths of its function</span> : null}
    </div>
  );
}

interface PictureProps {
  tree: Tree;
  session: Session;
  colouring: Colouring;
  search: string;
  onZoom: (node: number, chart: Chart) => void;
  onOut: () => void;
  root?: number;
  upwards: boolean;
}

function Picture(props: PictureProps) {
  const { tree, session, colouring, search, upwards } = props;
  const [box, width] = useWidth();
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useTheme();
  const chart = useMemo(() => layOut(tree, props.root ?? 0), [tree, props.root]);
  const [hover, setHover] = useState(-1);
  const [selected, select] = useState(-1);
  useEffect(() => {
    select(-1);
    setHover(-1);
  }, [tree]);
  const matches = useMemo(() => {
    const wanted = search.toLowerCase();
    return (name: string): boolean => name.toLowerCase().includes(wanted);
  }, [search]);
  useEffect(() => {
    if (!canvas.current || width === 0) return;
    const look = { colouring, causes: session.causes.map((cause) => cause.key), dark: theme === "dark", upwards, selected, matches, isSearching: search !== "" };
    draw(canvas.current, chart, width, look);
  }, [chart, width, colouring, search, theme, selected, upwards]);
  useEffect(() => {
    const element = canvas.current?.parentElement;
    if (element && upwards) element.scrollTop = element.scrollHeight;
  }, [chart, width]);
  const under = (event: MouseEvent): number => find(chart, event.offsetX, event.offsetY, width, upwards);
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && selected >= 0) props.onZoom(selected, chart);
    else if (event.key === "Escape") props.onOut();
    else if (event.key.startsWith("Arrow")) select(selected < 0 ? (props.root ?? 0) : neighbour(chart, selected, event.key, upwards));
    else return;
    event.preventDefault();
  };
  const matched = search ? tree.nodes.name.filter((name) => matches(tree.names[name]?.name ?? "")).length : 0;
  return (
    <>
      <div class="picture flame" ref={box}>
        <canvas
          ref={canvas}
          tabIndex={0}
          role="application"
          aria-label={`Flame graph of ${tree.metric}: ${tree.count} call paths`}
          data-frames={tree.count}
          onKeyDown={onKey}
          onMouseMove={(event) => setHover(under(event))}
          onMouseLeave={() => setHover(-1)}
          onClick={(event) => {
            const node = under(event);
            if (node >= 0) props.onZoom(node, chart);
          }}
        />
      </div>
      <Details tree={tree} node={hover >= 0 ? hover : selected} session={session} />
      <p class="soft">
        {search && `${count(matched)} frames match. `}
        {tree.omitted > 0 && `${count(tree.omitted)} smaller call paths are not drawn: zoom in to see them.`}
      </p>
    </>
  );
}

function Colours(props: { value: Colouring; onChange: (value: Colouring) => void }) {
  return (
    <label for="colours">
      Colours
      <select id="colours" value={props.value} onChange={(event) => props.onChange(event.currentTarget.value as Colouring)}>
        <option value="cause">by cause of lost cycles</option>
        <option value="name">by name</option>
      </select>
    </label>
  );
}

function CauseLegend({ session, tree }: { session: Session; tree: Tree }) {
  const shown = new Set(tree.nodes.cause);
  return (
    <ul class="legend">
      <li>
        <i class="cause cause-issue" />
        few cycles lost
      </li>
      {session.causes.map((cause, index) =>
        shown.has(index) ? (
          <li key={cause.key}>
            <i class={`cause cause-${cause.key}`} />
            mostly {cause.key}
          </li>
        ) : null,
      )}
    </ul>
  );
}

export function FlameView(props: { run: string; session: Session; total: Metrics | null; isTimed: boolean; place: Place }) {
  const { run, session, place } = props;
  const metric = place.values.get("metric") ?? (props.isTimed ? "cycles" : "instructions");
  const inverted = place.values.get("inverted") === "1";
  const inlines = place.values.get("inlines") === "1";
  const root = place.values.get("root") ?? "";
  const search = place.values.get("search") ?? "";
  const colouring: Colouring = place.values.get("colours") === "name" || !props.isTimed ? "name" : "cause";
  const answer = useAnswer<Tree>(address("/api/tree", { run, metric, inverted, inlines, root }));
  const set = (values: Record<string, string | boolean | undefined>): void => change(place, values);
  const zoomTo = (to: string): void => go(link(place.parts, { ...Object.fromEntries(place.values), root: to }));
  return (
    <>
      <div class="head">
        <h1>Flame graph</h1>
        <p>{inverted ? "Functions with their own cost, and below them where they were called from" : "Call paths, as wide as what they cost"}</p>
      </div>
      <div class="tools">
        <SearchBox id="search" label="Search functions" value={search} onChange={(text) => set({ search: text })} />
        <MetricChoice id="metric" session={session} total={props.total} value={metric} onChange={(key) => set({ metric: key })} />
        <Colours value={colouring} onChange={(value) => set({ colours: value === "name" ? "name" : undefined })} />
        <button type="button" aria-pressed={inverted} onClick={() => set({ inverted: !inverted, root: undefined })}>
          Callers
        </button>
        <button type="button" aria-pressed={inlines} onClick={() => set({ inlines: !inlines, root: undefined })}>
          Inlined calls
        </button>
        <button type="button" disabled={!root} onClick={() => zoomTo("")}>
          Zoom out
        </button>
      </div>
      <Shown answer={answer} what="call paths">
        {(tree) => (
          <>
            {tree.way.length > 0 && (
              <div class="way" aria-label="Zoomed in to">
                <button type="button" onClick={() => zoomTo("")}>
                  all
                </button>
                {tree.way.map((name, i) => (
                  <button key={i} type="button" title={name} onClick={() => zoomTo(root.split(".").slice(0, i + 1).join("."))}>
                    {name}
                  </button>
                ))}
              </div>
            )}
            <Picture
              tree={tree}
              session={session}
              colouring={colouring}
              search={search}
              upwards={!inverted}
              onZoom={(node) => {
                const way = wayTo(tree, node);
                if (way !== null) zoomTo(join(root, way));
              }}
              onOut={() => zoomTo(root.split(".").slice(0, -1).join("."))}
            />
            {colouring === "cause" && <CauseLegend session={session} tree={tree} />}
          </>
        )}
      </Shown>
    </>
  );
}

export function DifferenceFlame(props: { before: string; after: string; metric: string; session: Session; search: string }) {
  const { before, after, metric } = props;
  const [root, setRoot] = useState(0);
  const answer = useAnswer<DifferenceTree>(address("/api/difference/tree", { before, after, metric }));
  useEffect(() => setRoot(0), [before, after, metric]);
  return (
    <Shown answer={answer} what="call paths of both runs">
      {(tree) => {
        const whole: Tree = { ...tree, way: [], inverted: false, total: tree.after.total[metric] ?? 0 };
        return (
          <>
            <div class="tools">
              <button type="button" disabled={root === 0} onClick={() => setRoot(0)}>
                Zoom out
              </button>
              <span class="soft">Frames are as wide as the larger of before and after; orange costs more now, blue costs less.</span>
            </div>
            <MemoPicture whole={whole} of={tree} session={props.session} search={props.search} root={root} onRoot={setRoot} />
          </>
        );
      }}
    </Shown>
  );
}

function MemoPicture(props: { whole: Tree; of: Tree; session: Session; search: string; root: number; onRoot: (node: number) => void }) {
  const tree = useMemo(() => props.whole, [props.of]);
  return (
    <Picture
      tree={tree}
      session={props.session}
      colouring="change"
      search={props.search}
      upwards={true}
      root={props.root}
      onZoom={(node) => props.onRoot(node)}
      onOut={() => props.onRoot(Math.max(0, tree.nodes.parent[props.root] ?? 0))}
    />
  );
}
