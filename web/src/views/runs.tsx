/* The runs in all files: searched, and two of them picked to be compared. */
import { useState } from "preact/hooks";
import { useAnswer } from "../api";
import { brief, count, date, lastPart, ratio, seconds } from "../format";
import { SearchBox, Shown } from "../parts";
import { change, go, link, type Place } from "../router";
import type { RunInfo, Runs } from "../types";

interface Listed {
  key: string; // "1.3"
  file: string;
  run: RunInfo;
}

function list(runs: Runs): Listed[] {
  return runs.files.flatMap((file, index) =>
    (file.runs ?? []).map((run) => ({ key: `${index + 1}.${run.id}`, file: file.file, run })),
  );
}

function matches(item: Listed, search: string): boolean {
  const { run } = item;
  const text = [item.file, item.key, run.label, run.program, run.core, run.commit, run.region, date(run.started)].join(" ");
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));
}

function ended(run: RunInfo): string {
  return run.exit === "code" ? `exit ${run.exit_code}` : run.exit === "signal" ? `signal ${run.exit_code}` : run.exit;
}

function Line(props: { item: Listed; isPicked: boolean; onPick: () => void; hasFiles: boolean }) {
  const { item, isPicked } = props;
  const { run } = item;
  const name = `run ${run.id}${run.label ? ` (${run.label})` : ""}`;
  return (
    <tr>
      <td>
        <input type="checkbox" checked={isPicked} onChange={props.onPick} aria-label={`Pick ${name} to compare`} />
      </td>
      <td class="number">{run.id}</td>
      <td>
        <a href={link(["run", item.key, "overview"])}>
          <strong>{run.label || lastPart(run.program)}</strong>
        </a>
        {run.label && <span class="soft"> {lastPart(run.program)}</span>}
        {run.region && <span class="chip">{run.region}</span>}
      </td>
      {props.hasFiles && <td class="soft">{lastPart(item.file)}</td>}
      <td>{run.core || <span class="soft">none</span>}</td>
      <td class="number" title={count(run.cycles)}>
        {run.core ? brief(run.cycles) : "–"}
      </td>
      <td class="number">{run.core ? ratio(run.cycles, run.instructions) : "–"}</td>
      <td class="number">{run.core && run.clock_hz ? seconds(run.cycles / run.clock_hz) : "–"}</td>
      <td>{ended(run)}</td>
      <td class="soft number">{date(run.started)}</td>
      <td class="mono soft">{run.commit.slice(0, 10)}</td>
    </tr>
  );
}

function List({ runs, place }: { runs: Runs; place: Place }) {
  const [picked, pick] = useState<string[]>([]);
  const search = place.values.get("search") ?? "";
  const all = list(runs);
  const shown = all.filter((item) => matches(item, search)).reverse();
  const toggle = (key: string): void =>
    pick((old) => (old.includes(key) ? old.filter((one) => one !== key) : [...old, key].slice(-2)));
  const [before, after] = [...picked].sort((a, b) => all.findIndex((i) => i.key === a) - all.findIndex((i) => i.key === b));
  const hasFiles = runs.files.length > 1;
  return (
    <>
      <div class="tools">
        <SearchBox id="search" label="Search runs" value={search} onChange={(text) => change(place, { search: text })} />
        <span class="soft">
          {count(shown.length)} of {count(all.length)} runs
        </span>
      </div>
      {runs.files
        .filter((file) => file.error)
        .map((file) => (
          <div key={file.file} class="notice bad" role="alert">
            <h2>{lastPart(file.file)} cannot be read</h2>
            <p>{file.error}</p>
          </div>
        ))}
      {all.length === 0 ? (
        <div class="notice">
          <h2>There are no runs yet</h2>
          <p>
            <code>gumshoe run -o gumshoe.db PROGRAM</code> makes one; reload the page then.
          </p>
        </div>
      ) : (
        <div class="scroll" tabIndex={0} role="region" aria-label="Runs">
          <table>
            <thead>
              <tr>
                <th scope="col">
                  <span class="hidden-text">Compare</span>
                </th>
                <th scope="col" class="number">Run</th>
                <th scope="col">Label and program</th>
                {hasFiles && <th scope="col">File</th>}
                <th scope="col">Core</th>
                <th scope="col" class="number">Cycles</th>
                <th scope="col" class="number">CPI</th>
                <th scope="col" class="number">Time</th>
                <th scope="col">Ended</th>
                <th scope="col" class="number">Started (UTC)</th>
                <th scope="col">Commit</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((item) => (
                <Line key={item.key} item={item} hasFiles={hasFiles} isPicked={picked.includes(item.key)} onPick={() => toggle(item.key)} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {all.length > 1 && (
        <div class="picked" aria-live="polite">
          {before && after ? (
            <span>
              Run {before} before, run {after} after
            </span>
          ) : (
            <span class="soft">Pick two runs to compare them.</span>
          )}
          <button
            type="button"
            class="primary"
            disabled={!before || !after}
            onClick={() => before && after && go(link(["compare", before, after, "function"]))}
          >
            Compare
          </button>
        </div>
      )}
    </>
  );
}

export function RunsView({ place }: { place: Place }) {
  const answer = useAnswer<Runs>("/api/runs", true);
  return (
    <>
      <div class="head">
        <h1>Runs</h1>
      </div>
      <Shown answer={answer} what="the list of runs">
        {(runs) => <List runs={runs} place={place} />}
      </Shown>
    </>
  );
}
