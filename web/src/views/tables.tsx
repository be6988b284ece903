/* Rows of one kind, sorted by any metric: functions, lines, loops, blocks, instructions, causes. */
import { address } from "../api";
import { amount, brief, count, share } from "../format";
import { Bar, MetricChoice, SearchBox, Stack, Tabs } from "../parts";
import { change, link, type Place as PlaceOfView } from "../router";
import { type Column, Table } from "../table";
import type { Metrics, Row, Rows, Session } from "../types";
import { Place, rowName, sourceLink } from "./overview";

export const KINDS: { key: string; text: string }[] = [
  { key: "function", text: "Functions" },
  { key: "line", text: "Lines" },
  { key: "loop", text: "Loops" },
  { key: "block", text: "Blocks" },
  { key: "instruction", text: "Instructions" },
  { key: "stall", text: "Causes" },
];

interface Context {
  run: string;
  metric: string;
  whole: number;
  session: Session;
  isTimed: boolean;
}

function nameColumn(context: Context, title: string): Column<Row> {
  return {
    key: "name",
    title,
    sort: "name",
    cell: (row) => {
      const to = sourceLink(context.run, row);
      return to ? (
        <a class="mono" href={to} title={row.function}>
          {row.function}
        </a>
      ) : (
        <span class="soft">{rowName(row)}</span>
      );
    },
  };
}

function costColumns(context: Context, hasInclusive: boolean): Column<Row>[] {
  const { metric, whole } = context;
  const columns: Column<Row>[] = [
    { key: "share", title: "Self", width: "84px", isNumber: true, sort: "self", cell: (row) => <Bar part={row.self[metric] ?? 0} whole={whole} /> },
    { key: "self", title: metric.replace("stall:", ""), width: "112px", isNumber: true, sort: "self", cell: (row) => amount(row.self[metric] ?? 0, metric) },
  ];
  if (hasInclusive)
    columns.push({
      key: "total",
      title: "Total",
      hint: "with everything that was called from there",
      width: "78px",
      isNumber: true,
      sort: "inclusive",
      cell: (row) => share(row.inclusive?.[metric] ?? 0, whole),
    });
  return columns;
}

function numberColumn(title: string, width: string, value: (row: Row) => number | undefined, sort?: string): Column<Row> {
  const column: Column<Row> = { key: title, title, width, isNumber: true, cell: (row) => (value(row) === undefined ? "–" : count(value(row) ?? 0)) };
  return sort === undefined ? column : { ...column, sort };
}

function causeColumn(context: Context): Column<Row>[] {
  if (!context.isTimed) return [];
  return [{ key: "causes", title: "By cause", width: "120px", cell: (row) => <Stack cost={row.self} whole={row.self["cycles"] ?? 0} /> }];
}

const place: Column<Row> = { key: "place", title: "Source", width: "136px", sort: "place", cell: (row) => <Place row={row} /> };

function trips(row: Row): string {
  if (row.mean_trips === undefined) return "–";
  const mean = brief(Math.round(row.mean_trips * 10) / 10);
  return row.min_trips === undefined || row.min_trips === row.max_trips ? mean : `${mean}  (${brief(row.min_trips)}–${brief(row.max_trips ?? 0)})`;
}

function columnsOf(kind: string, context: Context): Column<Row>[] {
  const cost = costColumns(context, kind === "function" || kind === "loop");
  const address: Column<Row> = { key: "address", title: "Address", width: "104px", cell: (row) => <span class="mono soft">{row.address}</span> };
  switch (kind) {
    case "line":
      return [
        { ...place, width: "auto", cell: (row) => <LineName row={row} run={context.run} /> },
        { key: "in", title: "Mostly in", width: "190px", sort: "name", cell: (row) => <span class="mono soft">{row.function}</span> },
        ...cost,
        numberColumn("Executions", "120px", (row) => row.executions, "count"),
        ...causeColumn(context),
      ];
    case "loop":
      return [
        nameColumn(context, "In function"),
        place,
        ...cost,
        { key: "depth", title: "Depth", width: "60px", isNumber: true, cell: (row) => row.depth ?? "" },
        numberColumn("Entries", "92px", (row) => row.entries, "other"),
        numberColumn("Iterations", "104px", (row) => row.iterations, "count"),
        { key: "trips", title: "Trips", hint: "iterations per entry: mean (fewest–most)", width: "130px", isNumber: true, sort: "trips", cell: trips },
        ...causeColumn(context),
      ];
    case "block":
      return [nameColumn(context, "In function"), place, address, ...cost, numberColumn("Executions", "120px", (row) => row.executions, "count"), ...causeColumn(context)];
    case "instruction":
      return [
        address,
        { key: "text", title: "Instruction", cell: (row) => <InstructionName row={row} run={context.run} /> },
        { key: "in", title: "In", width: "170px", sort: "name", cell: (row) => <span class="mono soft">{row.function}</span> },
        ...cost,
        numberColumn("Executions", "120px", (row) => row.executions, "count"),
        numberColumn("Taken", "110px", (row) => row.taken, "other"),
        ...causeColumn(context),
      ];
    case "stall":
      return [
        { key: "cause", title: "Cause", cell: (row) => <CauseName row={row} context={context} /> },
        ...costColumns({ ...context, metric: "cycles" }, false),
        { key: "in", title: "Mostly in", width: "230px", cell: (row) => <span class="mono soft">{row.function}</span> },
      ];
    default:
      return [nameColumn(context, "Function"), place, ...cost, numberColumn("Calls", "118px", (row) => row.calls, "count"), ...causeColumn(context)];
  }
}

function CauseName({ row, context }: { row: Row; context: Context }) {
  const key = row.cause === "none" ? "issue" : (row.cause ?? "");
  const text = context.session.causes.find((cause) => cause.key === key)?.text ?? "instructions going through";
  return (
    <a href={link(["run", context.run, "table", "function"], { metric: key === "issue" ? "instructions" : `stall:${key}` })}>
      <i class={`cause cause-${key}`} />
      {key === "issue" ? "issue" : key} <span class="soft">{text}</span>
    </a>
  );
}

function LineName({ row, run }: { row: Row; run: string }) {
  return row.file ? (
    <a class="mono" title={row.file} href={link(["run", run, "source", row.address ?? ""], { line: row.line })}>
      {row.file.split("/").slice(-2).join("/")}:{row.line}
    </a>
  ) : (
    <span class="soft">(no source line)</span>
  );
}

function InstructionName({ row, run }: { row: Row; run: string }) {
  return (
    <a class="mono" href={link(["run", run, "source", row.address ?? ""])} title={row.instruction}>
      {row.instruction}
    </a>
  );
}

export function TableView(props: { run: string; kind: string; session: Session; total: Metrics | null; isTimed: boolean; place: PlaceOfView }) {
  const { run, kind, session, place: at, isTimed, total } = props;
  const metric = at.values.get("metric") ?? (isTimed ? "cycles" : "instructions");
  const sort = at.values.get("sort") ?? "self";
  const reverse = at.values.get("reverse") === "1";
  const search = at.values.get("search") ?? "";
  const context: Context = { run, metric, whole: total?.[kind === "stall" ? "cycles" : metric] ?? 0, session, isTimed };
  const keep = { metric: at.values.get("metric") ?? undefined };
  const title = KINDS.find((one) => one.key === kind)?.text ?? "Rows";
  return (
    <>
      <div class="head">
        <h1>{title}</h1>
        <p>Every number is exact, and every table adds up to the same total</p>
      </div>
      <Tabs label="Kinds of rows" current={kind} items={KINDS.filter((one) => isTimed || one.key !== "stall").map((one) => ({ ...one, to: link(["run", run, "table", one.key], keep) }))} />
      <div class="tools">
        <SearchBox id="search" label="Search functions, files, text" value={search} onChange={(text) => change(at, { search: text })} />
        {kind !== "stall" && <MetricChoice id="metric" session={session} total={total} value={metric} onChange={(key) => change(at, { metric: key })} />}
      </div>
      <Table<Row>
        key={kind}
        label={title}
        columns={columnsOf(kind, context)}
        url={(offset, limit) => address("/api/rows", { run, by: kind, metric: kind === "stall" ? "cycles" : metric, sort, reverse, search, offset, limit })}
        rows={(answer) => answer as Rows}
        sort={sort}
        reverse={reverse}
        onSort={(key, isReverse) => change(at, { sort: key === "self" ? undefined : key, reverse: isReverse })}
        empty={search ? `Nothing matches “${search}”.` : "There are no such rows in this run."}
      />
    </>
  );
}
