/* The call tree as a table whose rows open. Parts too small to be sent at first are asked for then. */
import { useMemo, useRef, useState } from "preact/hooks";
import { address, getKept, useAnswer } from "../api";
import { amount, count, share } from "../format";
import { layOut, nameOf } from "../flamechart";
import { Bar, MetricChoice, Shown } from "../parts";
import { change, link, type Place } from "../router";
import type { Metrics, Session, Tree } from "../types";
import { join, wayTo } from "./flame";

interface Branch {
  tree: Tree;
  node: number;
  root: string; // how the server knows where `tree` begins
}

interface Line {
  branch: Branch;
  way: string; // ids from the beginning, or its place where there are none
  depth: number;
  isOpen: boolean;
  isLeaf: boolean;
}

const OPEN_SHARE = 0.2; // open at first: what costs that much of all
const OPEN_DEPTH = 12;

function Lines(props: { tree: Tree; parameters: Record<string, string | boolean>; run: string; inverted: boolean }) {
  const { tree, run, inverted } = props;
  const charts = useRef(new Map<Tree, ReturnType<typeof layOut>>());
  const [fetched, setFetched] = useState(new Map<string, Tree>());
  const [toggled, toggle] = useState(new Map<string, boolean>());
  const body = useRef<HTMLTableSectionElement>(null);
  const chartOf = (of: Tree): ReturnType<typeof layOut> => {
    const known = charts.current.get(of) ?? layOut(of);
    charts.current.set(of, known);
    return known;
  };
  const lines = useMemo(() => {
    const found: Line[] = [];
    const add = (branch: Branch, depth: number, path: string): void => {
      const ids = wayTo(branch.tree, branch.node);
      const way = ids === null ? path : join(branch.root, ids);
      const more = branch.node !== 0 || branch.root === "" ? fetched.get(way) : undefined;
      const from: Branch = more ? { tree: more, node: 0, root: way } : branch;
      const below = chartOf(from.tree).children.get(from.node) ?? [];
      const { nodes } = branch.tree;
      const cost = nodes.inclusive[branch.node] ?? 0;
      const isLeaf = below.length === 0 && (inverted || cost <= (nodes.self[branch.node] ?? 0) || branch.tree.omitted === 0);
      const isOpen = toggled.get(way) ?? (depth === 0 || (cost >= OPEN_SHARE * tree.total && depth < OPEN_DEPTH && !inverted));
      found.push({ branch, way, depth, isOpen: isOpen && !isLeaf, isLeaf });
      if (isOpen) below.forEach((child, i) => add({ ...from, node: child }, depth + 1, `${path}.${i}`));
    };
    if (tree.count > 0) add({ tree, node: 0, root: "" }, 0, "");
    return found;
  }, [tree, fetched, toggled]);
  const open = (line: Line, isOpen: boolean): void => {
    toggle((old) => new Map(old).set(line.way, isOpen));
    const chart = chartOf(line.branch.tree);
    if (!isOpen || fetched.has(line.way) || (chart.children.get(line.branch.node)?.length ?? 0) > 0) return;
    void getKept<Tree>(address("/api/tree", { ...props.parameters, run, root: line.way })).then((more) =>
      setFetched((old) => new Map(old).set(line.way, more)),
    );
  };
  const onKey = (event: KeyboardEvent): void => {
    const rows = [...(body.current?.querySelectorAll<HTMLElement>("button.fold, a.leaf") ?? [])];
    const at = rows.findIndex((row) => row.closest("tr") === (event.target as HTMLElement).closest("tr"));
    const line = lines[at];
    if (event.key === "ArrowDown") rows[at + 1]?.focus();
    else if (event.key === "ArrowUp") rows[at - 1]?.focus();
    else if (event.key === "ArrowRight" && line && !line.isLeaf) open(line, true);
    else if (event.key === "ArrowLeft" && line && !line.isLeaf) open(line, false);
    else return;
    event.preventDefault();
  };
  return (
    <div class="scroll tree" tabIndex={0} role="region" aria-label="Call tree">
      <table>
        <thead>
          <tr>
            <th scope="col">{inverted ? "Function, and what called it" : "Function"}</th>
            <th scope="col" class="number">Total</th>
            <th scope="col" class="number">{tree.metric}</th>
            <th scope="col" class="number">Self</th>
            <th scope="col" class="number">Calls</th>
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={onKey}>
          {lines.map((line) => {
            const { tree: of, node } = line.branch;
            const name = of.names[of.nodes.name[node] ?? 0];
            const cost = of.nodes.inclusive[node] ?? 0;
            const text = line.depth === 0 ? "all" : nameOf(of, node);
            return (
              <tr key={line.way + "/" + line.depth}>
                <td class="name" style={{ paddingLeft: `${8 + Math.min(line.depth, 40) * 16}px` }} title={text}>
                  {line.isLeaf ? null : (
                    <button type="button" class="fold" aria-expanded={line.isOpen} aria-label={`${text}: calls`} onClick={() => open(line, !line.isOpen)}>
                      {line.isOpen ? "▾" : "▸"}
                    </button>
                  )}
                  {name?.address === undefined || line.depth === 0 ? (
                    <span class="mono">{text}</span>
                  ) : (
                    <a class={line.isLeaf ? "leaf" : undefined} style={line.isLeaf ? { marginLeft: "20px" } : undefined} href={link(["run", run, "source", `0x${name.address.toString(16).padStart(8, "0")}`])}>
                      {text}
                    </a>
                  )}
                  {name?.inlined && <span class="chip"> inlined</span>}
                </td>
                <td class="number">
                  <Bar part={cost} whole={tree.total} />
                </td>
                <td class="number">{amount(cost, tree.metric)}</td>
                <td class="number">{share(of.nodes.self[node] ?? 0, tree.total)}</td>
                <td class="number">{(of.nodes.calls[node] ?? 0) > 0 ? count(of.nodes.calls[node] ?? 0) : ""}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

export function CallTreeView(props: { run: string; session: Session; total: Metrics | null; isTimed: boolean; place: Place }) {
  const { run, place } = props;
  const metric = place.values.get("metric") ?? (props.isTimed ? "cycles" : "instructions");
  const inverted = place.values.get("inverted") === "1";
  const parameters = { metric, inverted };
  const answer = useAnswer<Tree>(address("/api/tree", { run, ...parameters, limit: 2000 }));
  return (
    <>
      <div class="head">
        <h1>Call tree</h1>
        <p>Arrow keys move, and open and close what was called</p>
      </div>
      <div class="tools">
        <MetricChoice id="metric" session={props.session} total={props.total} value={metric} onChange={(key) => change(place, { metric: key })} />
        <button type="button" aria-pressed={inverted} onClick={() => change(place, { inverted: !inverted })}>
          Callers
        </button>
      </div>
      <Shown answer={answer} what="call paths">
        {(tree) => <Lines key={`${metric}${String(inverted)}`} tree={tree} parameters={parameters} run={run} inverted={inverted} />}
      </Shown>
    </>
  );
}
