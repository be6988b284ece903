/* Two runs beside each other: causes of lost cycles, call tree, the lines of a function, timelines. */
import { useMemo, useState } from "preact/hooks";
import { address, type Answer, useAnswer } from "../api";
import { layOut, nameOf } from "../flamechart";
import { amount, count, lastPart, share, signed, signedShare } from "../format";
import { Shown, Stack } from "../parts";
import { link } from "../router";
import type { AnnotatedFunction, Annotation, DifferenceTree, Metrics, Rows, Session, Side, Source, Timeline } from "../types";
import { costs } from "./source";
import { Chart } from "./timeline";

export function Change({ before, after, text }: { before: number; after: number; text: string }) {
  return <span class={after > before ? "up" : after < before ? "down" : "soft"}>{text}</span>;
}

/* The last four cells of a row: before, after, and the change. */
export function ChangeCells({ before, after, metric }: { before: number; after: number; metric: string }) {
  return (
    <>
      <td class="number">{amount(before, metric)}</td>
      <td class="number">{amount(after, metric)}</td>
      <td class="number">
        <Change before={before} after={after} text={metric === "energy-fj" ? "" : signed(after - before)} />
      </td>
      <td class="number">
        <Change before={before} after={after} text={signedShare(before, after)} />
      </td>
    </>
  );
}

function ChangeHeads({ first }: { first: string }) {
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        <th scope="col" class="number">Before</th>
        <th scope="col" class="number">After</th>
        <th scope="col" class="number">Change</th>
        <th scope="col" class="number">Relative</th>
      </tr>
    </thead>
  );
}

/* -- causes --------------------------------------------------------------------------------- */

function issued(total: Metrics): number {
  const lost = Object.entries(total).reduce((sum, [key, value]) => (key.startsWith("stall:") ? sum + value : sum), 0);
  return (total["cycles"] ?? 0) - lost;
}

export function CausesDifference({ before, after, session }: { before: Side; after: Side; session: Session }) {
  const whole = Math.max(before.total["cycles"] ?? 0, after.total["cycles"] ?? 0);
  if (whole === 0)
    return (
      <div class="notice">
        <h2>These runs have no cycles</h2>
        <p>They were not timed: run the program on a core.</p>
      </div>
    );
  const causes = session.causes
    .map((cause) => ({ ...cause, was: before.total[`stall:${cause.key}`] ?? 0, is: after.total[`stall:${cause.key}`] ?? 0 }))
    .filter(({ was, is }) => was + is > 0)
    .sort((a, b) => Math.abs(b.is - b.was) - Math.abs(a.is - a.was));
  return (
    <>
      <section class="card" style={{ marginBottom: "14px" }}>
        {([["Before", before], ["After", after]] as const).map(([text, side]) => (
          <div key={text} class="pair">
            <span class="soft">{text}</span>
            <Stack cost={side.total} whole={whole} tall />
          </div>
        ))}
      </section>
      <div class="scroll" tabIndex={0} role="region" aria-label="Causes">
        <table>
          <ChangeHeads first="Cycles" />
          <tbody>
            <tr>
              <td>
                <i class="cause cause-issue" />
                instructions issued
              </td>
              <ChangeCells before={issued(before.total)} after={issued(after.total)} metric="cycles" />
            </tr>
            {causes.map(({ key, text, was, is }) => (
              <tr key={key}>
                <td title={text}>
                  <i class={`cause cause-${key}`} />
                  {text}
                </td>
                <ChangeCells before={was} after={is} metric="cycles" />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/* -- call tree ------------------------------------------------------------------------------ */

const OPEN_SHARE = 0.2; // open at first: where that much of the whole change is

function TreeLines({ tree }: { tree: DifferenceTree }) {
  const chart = useMemo(() => layOut({ ...tree, way: [], total: tree.after.total[tree.metric] ?? 0 }), [tree]);
  const [toggled, toggle] = useState(new Map<number, boolean>());
  const { nodes } = tree;
  const changeOf = (node: number): number => Math.abs((nodes.inclusive[node] ?? 0) - (nodes.before?.[node] ?? 0));
  const most = Math.max(1, changeOf(0));
  const lines: { node: number; depth: number; below: number[]; isOpen: boolean }[] = [];
  const waiting = tree.count > 0 ? [{ node: 0, depth: 0 }] : [];
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    const below = [...(chart.children.get(at.node) ?? [])].sort((a, b) => changeOf(a) - changeOf(b));
    const isOpen = below.length > 0 && (toggled.get(at.node) ?? (at.depth === 0 || (changeOf(at.node) >= OPEN_SHARE * most && at.depth < 12)));
    lines.push({ ...at, below, isOpen });
    const depth = at.depth + 1;
    if (isOpen) waiting.push(...below.map((node) => ({ node, depth })));
  }
  return (
    <div class="scroll tree" tabIndex={0} role="region" aria-label="Changed call paths">
      <table>
        <ChangeHeads first="Function" />
        <tbody>
          {lines.map(({ node, depth, below, isOpen }) => {
            const text = depth === 0 ? "all" : nameOf(chart.tree, node);
            return (
              <tr key={node}>
                <td class="name" style={{ paddingLeft: `${8 + Math.min(depth, 40) * 16}px` }} title={text}>
                  {below.length > 0 ? (
                    <button type="button" class="fold" aria-expanded={isOpen} aria-label={`${text}: calls`} onClick={() => toggle(new Map(toggled).set(node, !isOpen))}>
                      {isOpen ? "▾" : "▸"}
                    </button>
                  ) : (
                    <span class="fold" />
                  )}
                  <span class="mono">{text}</span>
                </td>
                <ChangeCells before={nodes.before?.[node] ?? 0} after={nodes.inclusive[node] ?? 0} metric={tree.metric} />
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

export function TreeDifference(props: { before: string; after: string; metric: string }) {
  const answer = useAnswer<DifferenceTree>(address("/api/difference/tree", { ...props, limit: 5000 }));
  return (
    <Shown answer={answer} what="call paths of both runs">
      {(tree) => <TreeLines key={tree.metric} tree={tree} />}
    </Shown>
  );
}

/* -- source --------------------------------------------------------------------------------- */

function useFunction(run: string, name: string, metric: string) {
  const rows = useAnswer<Rows>(name ? address("/api/rows", { run, by: "function", search: name, limit: 100 }) : null);
  const at = rows.value?.rows.find((row) => row.function === name)?.address;
  const answer = useAnswer<Annotation>(at ? address("/api/function", { run, address: at, metric }) : null);
  return { answer, isThere: rows.value === null || at !== undefined, at };
}

/* The file of the newer run: what a line costs in the older one stands beside the same number. */
function LinesOf(props: { run: string; was: AnnotatedFunction | undefined; is: AnnotatedFunction | undefined; metric: string }) {
  const { was, is, metric } = props;
  const one = is ?? was;
  const [old, now] = [was ? costs(was, metric) : new Map<number, { self: number }>(), is ? costs(is, metric) : new Map<number, { self: number }>()];
  const numbers = [...new Set([...old.keys(), ...now.keys()])].sort((a, b) => a - b);
  const [first, last] = [numbers[0] ?? 1, numbers[numbers.length - 1] ?? 1];
  const source = useAnswer<Source>(one?.file && numbers.length > 0 ? address("/api/source", { run: props.run, file: one.file, first, last }) : null);
  if (!one || numbers.length === 0) return <p class="soft">No line of it is known in either run.</p>;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Lines">
      <table>
        <ChangeHeads first={`Line of ${lastPart(one.file ?? "")}`} />
        <tbody>
          {numbers.map((line) => (
            <tr key={line}>
              <td>
                <span class="mono soft">{String(line).padStart(5)} </span>
                <code class="mono text">{source.value?.lines?.[line - (source.value.first ?? first)] ?? ""}</code>
              </td>
              <ChangeCells before={old.get(line)?.self ?? 0} after={now.get(line)?.self ?? 0} metric={metric} />
            </tr>
          ))}
        </tbody>
      </table>
      {source.value?.missing && <p class="soft" style={{ padding: "0 12px" }}>{source.value.missing}</p>}
    </div>
  );
}

export function SourceDifference(props: { before: string; after: string; name: string; metric: string }) {
  const { before, after, name, metric } = props;
  const was = useFunction(before, name, metric);
  const is = useFunction(after, name, metric);
  if (!name) return <p class="soft">Choose a function in the list of functions.</p>;
  if (!was.isThere && !is.isThere) return <p class="soft">Neither run has executed a function of this name.</p>;
  const waits = (one: typeof was): boolean => one.isThere && one.answer.value === null && one.answer.failure === null;
  const done = !waits(was) && !waits(is);
  return (
    <>
      <h2 class="mono">{name}</h2>
      <p class="soft">
        {was.at ? <a href={link(["run", before, "source", was.at], { metric })}>with its instructions before</a> : "not executed before"},{" "}
        {is.at ? <a href={link(["run", after, "source", is.at], { metric })}>and after</a> : "not executed after"}
      </p>
      {done ? <LinesOf run={is.at ? after : before} was={was.answer.value?.functions[0]} is={is.answer.value?.functions[0]} metric={metric} /> : <div class="loading">Reading the function…</div>}
    </>
  );
}

/* -- timelines ------------------------------------------------------------------------------ */

function OneTimeline({ run, answer, names, title }: { run: string; answer: Answer<Timeline>; names: string[]; title: string }) {
  return (
    <section style={{ marginBottom: "18px" }}>
      <h2>{title}</h2>
      {answer.failure?.kind === "not-found" ? (
        <p class="soft">This run has no timeline: it is kept with gumshoe run --timeline.</p>
      ) : (
        <Shown answer={answer} what="the timeline">
          {(timeline) => (
            <>
              <p class="soft">
                {count(timeline.intervals[timeline.intervals.length - 1]?.end ?? 0)} cycles, {share(timeline.intervals.reduce((sum, one) => sum + one.lost, 0), timeline.intervals.reduce((sum, one) => sum + one.cycles, 0))} lost
              </p>
              <Chart timeline={timeline} run={run} names={names} />
            </>
          )}
        </Shown>
      )}
    </section>
  );
}

/* A function has the same colour in both. */
export function TimelineDifference({ before, after, metric }: { before: string; after: string; metric: string }) {
  const was = useAnswer<Timeline>(address("/api/timeline", { run: before, metric }));
  const is = useAnswer<Timeline>(address("/api/timeline", { run: after, metric }));
  const names = useMemo(() => [...new Set([was, is].flatMap((one) => (one.value?.columns ?? []).slice(0, -1).map((column) => column.name)))], [was.value, is.value]);
  return (
    <>
      <OneTimeline run={before} answer={was} names={names} title="Before" />
      <OneTimeline run={after} answer={is} names={names} title="After" />
    </>
  );
}
