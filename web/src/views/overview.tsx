/* Where the cycles of a run went, at a glance; everything leads to more. */
import { address, useAnswer } from "../api";
import { brief, count, joules, lastPart, ratio, seconds, share } from "../format";
import { Bar, Loading, Shown, Stack } from "../parts";
import { link } from "../router";
import type { Overview, Row, Session } from "../types";

export function rowName(row: Row): string {
  return row.function ?? row.name ?? row.cause ?? "(no function)";
}

export function sourceLink(run: string, row: Row): string | null {
  return row.address && row.function ? link(["run", run, "source", row.address]) : null;
}

export function Place({ row }: { row: Row }) {
  return row.file ? (
    <span class="soft mono" title={`${row.file}:${row.line ?? ""}`}>
      {lastPart(row.file)}:{row.line}
    </span>
  ) : null;
}

/* A sentence with the names of functions in it as links. */
function Sentence({ text, rows, run }: { text: string; rows: Row[]; run: string }) {
  const known = new Map(rows.filter((row) => row.function && row.address).map((row) => [row.function as string, row]));
  const names = [...known.keys()].sort((a, b) => b.length - a.length);
  const parts: (string | Row)[] = [text];
  for (const name of names) {
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i];
      if (typeof part !== "string") continue;
      const at = part.search(new RegExp(`(?<![\\w.])${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?!\\w)`));
      const row = known.get(name);
      if (at < 0 || !row) continue;
      parts.splice(i, 1, part.slice(0, at), row, part.slice(at + name.length));
    }
  }
  return (
    <>
      {parts.map((part, i) =>
        typeof part === "string" ? (
          part
        ) : (
          <a key={i} href={sourceLink(run, part) ?? "#/"}>
            {part.function}
          </a>
        ),
      )}
    </>
  );
}

function Facts({ overview }: { overview: Overview }) {
  const { run, total } = overview;
  const cycles = total["cycles"] ?? 0;
  const instructions = total["instructions"] ?? 0;
  const energy = total["energy-fj"] ?? 0;
  const facts: [string, string, string][] = [];
  if (run.core) facts.push(["Cycles", count(cycles), ""]);
  facts.push(["Instructions", count(instructions), ""]);
  if (run.core) {
    facts.push(["Cycles per instruction", ratio(cycles, instructions), ""]);
    if (run.clock_hz) facts.push(["Time", seconds(cycles / run.clock_hz), ` at ${run.clock_hz / 1e6} MHz`]);
    facts.push(["Cycles lost", share(cycles - overview.issue_cycles, cycles), ""]);
  }
  if (energy) facts.push(["Energy", joules(energy * 1e-15), ""]);
  return (
    <dl class="facts">
      {facts.map(([name, value, more]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value}
            <small>{more}</small>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Causes({ overview, session, run }: { overview: Overview; session: Session; run: string }) {
  const cycles = overview.total["cycles"] ?? 0;
  const text = new Map(session.causes.map((cause) => [cause.key, cause.text]));
  const causes = [...overview.causes].sort((a, b) => b.cycles - a.cycles);
  return (
    <section class="card wide">
      <h2>
        Cycles by cause <a href={link(["run", run, "table", "stall"])}>all causes</a>
      </h2>
      <Stack cost={overview.total} whole={cycles} tall />
      <ul class="legend">
        <li>
          <i class="cause cause-issue" />
          instructions issued <b>{share(overview.issue_cycles, cycles)}</b>
        </li>
        {causes.map((cause) => (
          <li key={cause.key} title={`${count(cause.cycles)} cycles`}>
            <i class={`cause cause-${cause.key}`} />
            <a href={link(["run", run, "table", "function"], { metric: `stall:${cause.key}` })}>{text.get(cause.key) ?? cause.key}</a>
            <b>{share(cause.cycles, cycles)}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Functions({ overview, rows, run }: { overview: Overview; rows: Row[]; run: string }) {
  const metric = overview.metric;
  const whole = overview.total[metric] ?? 0;
  return (
    <section class="card two-thirds">
      <h2>
        Hottest functions <a href={link(["run", run, "table", "function"])}>all {count(overview.counts["functions"] ?? 0)}</a>
      </h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Function</th>
            <th scope="col" class="number">Self</th>
            <th scope="col" class="number">Total</th>
            <th scope="col" class="number">Calls</th>
            <th scope="col" style={{ width: "22%" }}>By cause</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>
              <td class="name" title={rowName(row)}>
                {row.address && row.function ? <a href={sourceLink(run, row) ?? "#/"}>{row.function}</a> : <span class="soft">{rowName(row)}</span>}
              </td>
              <td class="number">
                <Bar part={row.self[metric] ?? 0} whole={whole} />
              </td>
              <td class="number">{share(row.inclusive?.[metric] ?? 0, whole)}</td>
              <td class="number">{brief(row.calls ?? 0)}</td>
              <td>{overview.run.core && <Stack cost={row.self} whole={row.self["cycles"] ?? 0} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Loops({ overview, rows, run }: { overview: Overview; rows: Row[]; run: string }) {
  const metric = overview.metric;
  const whole = overview.total[metric] ?? 0;
  return (
    <section class="card third">
      <h2>
        Hottest loops <a href={link(["run", run, "table", "loop"])}>all {count(overview.counts["loops"] ?? 0)}</a>
      </h2>
      {rows.length === 0 ? (
        <p class="soft">No loop was executed.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">Loop</th>
              <th scope="col" class="number">Self</th>
              <th scope="col" class="number">Trips</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, i) => (
              <tr key={i}>
                <td class="name">
                  <a href={link(["run", run, "table", "loop"], { search: row.function ?? "" })} title={rowName(row)}>
                    {rowName(row)}
                  </a>{" "}
                  <Place row={row} />
                </td>
                <td class="number">
                  <Bar part={row.self[metric] ?? 0} whole={whole} />
                </td>
                <td class="number">{row.mean_trips === undefined ? "–" : brief(Math.round(row.mean_trips * 10) / 10)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

export function OverviewView({ run, session }: { run: string; session: Session }) {
  const first = useAnswer<Overview>(address("/api/overview", { run, brief: true }));
  const whole = useAnswer<Overview>(address("/api/overview", { run }));
  return (
    <Shown answer={whole.value || whole.failure ? whole : first} what="the run">
      {(overview) => (
        <>
          <h1 class="hidden-text">Overview</h1>
          <Facts overview={overview} />
          {overview.run.desyncs > 0 && (
            <div class="notice">
              <h2>{count(overview.run.desyncs)} returns fit no call</h2>
              <p>The program plays with its stack: call paths are right up to those places only.</p>
            </div>
          )}
          <div class="grid">
            {overview.run.core && <Causes overview={overview} session={session} run={run} />}
            {overview.insights && overview.insights.length > 0 && (
              <section class="card wide">
                <h2>What stands out</h2>
                <ul class="insights">
                  {overview.insights.map((insight) => (
                    <li key={insight.rule}>
                      <Sentence text={insight.text} rows={overview.functions ?? []} run={run} />
                    </li>
                  ))}
                </ul>
              </section>
            )}
            {overview.functions ? <Functions overview={overview} rows={overview.functions} run={run} /> : <Loading what="functions and loops" />}
            {overview.loops && <Loops overview={overview} rows={overview.loops} run={run} />}
          </div>
        </>
      )}
    </Shown>
  );
}
