/* What changed from one run to another: in all, by cause, function, loop, line and call path, and over time. */
import { useState } from "preact/hooks";
import { address, useAnswer } from "../api";
import { amount, count, lastPart, ratio, signed, signedShare } from "../format";
import { MetricChoice, SearchBox, Shown, Tabs } from "../parts";
import { change, link, type Place } from "../router";
import { type Column, Table } from "../table";
import type { Difference, DifferenceRow, Session, Side } from "../types";
import { CausesDifference, Change, ChangeCells, SourceDifference, TimelineDifference, TreeDifference } from "./compare_more";
import { DifferenceFlame } from "./flame";

const KINDS = [
  { key: "function", text: "Functions" },
  { key: "loop", text: "Loops" },
  { key: "line", text: "Lines" },
  { key: "source", text: "Source" },
  { key: "cause", text: "Causes" },
  { key: "flame", text: "Flame graph" },
  { key: "tree", text: "Call tree" },
  { key: "timeline", text: "Timelines" },
];
export const COMPARED = KINDS.map(({ key }) => key);
const TABLES = ["function", "loop", "line"];

function runTitle(side: Side): string {
  return side.run.label || `run ${side.run.id}`;
}

function Totals({ before, after, session }: { before: Side; after: Side; session: Session }) {
  const all = session.metrics.filter(({ key }) => (before.total[key] ?? 0) > 0 || (after.total[key] ?? 0) > 0);
  const keys = all.filter(({ key }) => before.total[key] !== after.total[key]);
  const timed = "cycles" in before.total && "cycles" in after.total;
  const cpi = (side: Side): number => (side.total["cycles"] ?? 0) / Math.max(1, side.total["instructions"] ?? 1);
  return (
    <details class="card" style={{ marginBottom: "16px" }}>
      <summary>
        <strong>Totals</strong>{" "}
        <span class="soft">
          {signedShare(before.total["cycles"] || before.total["instructions"] || 0, after.total["cycles"] || after.total["instructions"] || 0)}
          {timed && `, CPI ${ratio(before.total["cycles"] ?? 0, before.total["instructions"] ?? 0)} → ${ratio(after.total["cycles"] ?? 0, after.total["instructions"] ?? 0)} (${signedShare(cpi(before), cpi(after))})`}
        </span>
      </summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Metric</th>
            <th scope="col" class="number">{runTitle(before)}</th>
            <th scope="col" class="number">{runTitle(after)}</th>
            <th scope="col" class="number">Change</th>
            <th scope="col" class="number">Relative</th>
          </tr>
        </thead>
        <tbody>
          {keys.map(({ key, text }) => {
            const was = before.total[key] ?? 0;
            const is = after.total[key] ?? 0;
            return (
              <tr key={key}>
                <td>{text}</td>
                <ChangeCells before={was} after={is} metric={key} />
              </tr>
            );
          })}
        </tbody>
      </table>
      <p class="soft" style={{ margin: "8px 10px 0" }}>
        {keys.length < all.length && `${all.length - keys.length} metrics are the same in both: ${all.filter((one) => !keys.includes(one)).map((one) => one.key).join(", ")}.`}
      </p>
    </details>
  );
}

function nameOf(row: DifferenceRow): string {
  return row.function ?? row.name ?? "(no function)";
}

function columns(kind: string, metric: string, before: string, after: string): Column<DifferenceRow>[] {
  const value = (side: DifferenceRow["before"]): number => side?.self[metric] ?? 0;
  const place: Column<DifferenceRow> = {
    key: "place",
    title: kind === "line" ? "Line" : "Source",
    ...(kind === "line" ? {} : { width: "160px" }),
    cell: (row) => (row.file ? <span class="mono soft" title={row.file}>{lastPart(row.file)}:{row.line}</span> : ""),
  };
  const name: Column<DifferenceRow> = {
    key: "name",
    title: kind === "loop" ? "Loop in" : kind === "line" ? "Mostly in" : "Function",
    ...(kind === "line" ? { width: "240px" } : {}),
    cell: (row) => <a class="mono" href={link(["compare", before, after, "source"], { function: nameOf(row), metric })}>{nameOf(row)}</a>,
  };
  return [
    ...(kind === "line" ? [place, name] : [name, place]),
    { key: "before", title: "Before", width: "130px", isNumber: true, cell: (row) => (row.before ? amount(value(row.before), metric) : "–") },
    { key: "after", title: "After", width: "130px", isNumber: true, cell: (row) => (row.after ? amount(value(row.after), metric) : "–") },
    {
      key: "change",
      title: "Change",
      width: "130px",
      isNumber: true,
      cell: (row) => <Change before={value(row.before)} after={value(row.after)} text={signed(value(row.after) - value(row.before))} />,
    },
    {
      key: "share",
      title: "Relative",
      width: "100px",
      isNumber: true,
      cell: (row) => <Change before={value(row.before)} after={value(row.after)} text={signedShare(value(row.before), value(row.after))} />,
    },
  ];
}

function Rows(props: { before: string; after: string; kind: string; metric: string; search: string }) {
  const { before, after, kind, metric, search } = props;
  return (
    <Table<DifferenceRow>
      key={kind}
      label={KINDS.find((one) => one.key === kind)?.text ?? "Rows"}
      columns={columns(kind, metric, before, after)}
      url={(offset, limit) => address("/api/difference", { before, after, by: kind, metric, search, offset, limit })}
      rows={(answer) => answer as Difference}
      sort=""
      reverse={false}
      onSort={() => undefined}
      empty={search ? `Nothing that changed matches “${search}”.` : "Nothing changed: both runs cost the same here."}
    />
  );
}

/* What the source is shown of, if nothing else is asked for: the function that changed most. */
function largest(difference: Difference | null): string {
  const row = difference?.rows[0];
  return row ? nameOf(row) : "";
}

export function CompareView(props: { before: string; after: string; kind: string; session: Session; place: Place }) {
  const { before, after, kind, session, place } = props;
  const [metric, setMetric] = useState(place.values.get("metric") ?? "cycles");
  const search = place.values.get("search") ?? "";
  const answer = useAnswer<Difference>(address("/api/difference", { before, after, by: "function", metric, limit: 1 }));
  return (
    <>
      <div class="head">
        <h1>What changed</h1>
        {answer.value && (
          <p>
            from <a href={link(["run", before, "overview"])}>{runTitle(answer.value.before)}</a> to <a href={link(["run", after, "overview"])}>{runTitle(answer.value.after)}</a>
            {": "}
            {lastPart(answer.value.after.run.program)}
            {answer.value.after.run.core && ` on ${answer.value.after.run.core}`}
          </p>
        )}
        <span class="spacer" />
        <a class="button" href={link(["compare", after, before, kind])}>Swap</a>
      </div>
      <Shown answer={answer} what="both runs">
        {(difference) => <Totals before={difference.before} after={difference.after} session={session} />}
      </Shown>
      <Tabs label="Kinds of changes" current={kind} items={KINDS.map((one) => ({ ...one, to: link(["compare", before, after, one.key], { metric: place.values.get("metric") ?? undefined }) }))} />
      <div class="tools">
        {[...TABLES, "flame"].includes(kind) && <SearchBox id="search" label="Search" value={search} onChange={(text) => change(place, { search: text })} />}
        {kind !== "cause" && (
          <MetricChoice
            id="metric"
            session={session}
            total={answer.value?.after.total ?? null}
            value={metric}
            onChange={(key) => {
              setMetric(key);
              change(place, { metric: key });
            }}
          />
        )}
        {TABLES.includes(kind) && answer.value && <span class="soft">the largest change first; {count(answer.value.found)} functions changed</span>}
      </div>
      {kind === "flame" && <DifferenceFlame before={before} after={after} metric={metric} session={session} search={search} />}
      {kind === "tree" && <TreeDifference before={before} after={after} metric={metric} />}
      {kind === "timeline" && <TimelineDifference before={before} after={after} metric={metric} />}
      {kind === "source" && <SourceDifference before={before} after={after} metric={metric} name={place.values.get("function") ?? largest(answer.value)} />}
      {kind === "cause" && <Shown answer={answer} what="both runs">{(found) => <CausesDifference before={found.before} after={found.after} session={session} />}</Shown>}
      {TABLES.includes(kind) && <Rows before={before} after={after} kind={kind} metric={metric} search={search} />}
    </>
  );
}
