/* How some instructions went through the pipeline: a row for each, a column per cycle. */
import { useState } from "preact/hooks";
import { address, useAnswer } from "../api";
import { count } from "../format";
import { Shown } from "../parts";
import { change, type Place } from "../router";
import type { Metrics, Pipeline } from "../types";

const LINE = 20;
const CYCLE = 16;
const LEFT = 330;
const COLOURS: Record<string, string> = { F: "#88ccee", D: "#b5cf78", X: "#f0c75e", E: "#f0c75e", M: "#e29a6f", W: "#c8b0d8" };

/* The number of the cycle as a column: those in which nothing moves are left out but for one. */
function columnsOf(pipeline: Pipeline): { at: Map<number, number>; count: number; folded: Set<number> } {
  const moves = new Set<number>();
  let first = Infinity;
  let last = 0;
  for (const row of pipeline.rows) {
    for (const stage of row.stages) {
      moves.add(stage.first);
      moves.add(stage.last + 1);
      first = Math.min(first, stage.first);
      last = Math.max(last, stage.last);
    }
  }
  const at = new Map<number, number>();
  const folded = new Set<number>();
  let column = 0;
  let quiet = 0;
  for (let cycle = first; cycle <= last; cycle++) {
    quiet = moves.has(cycle) ? 0 : quiet + 1;
    if (quiet > 3) folded.add(column - 1);
    else column++;
    at.set(cycle, column - 1);
  }
  return { at, count: column, folded };
}

function Drawing({ pipeline }: { pipeline: Pipeline }) {
  const columns = columnsOf(pipeline);
  const width = LEFT + columns.count * CYCLE + 220;
  const height = (pipeline.rows.length + 1) * LINE + 10;
  const first = pipeline.rows[0]?.stages[0]?.first ?? 0;
  return (
    <div class="picture pipeline" tabIndex={0} role="region" aria-label="Pipeline">
      <svg width={width} height={height} role="img" aria-label={`${pipeline.rows.length} instructions from number ${count(pipeline.from)}`}>
        <text x={8} y={15} class="soft">number, address, instruction</text>
        <text x={LEFT} y={15} class="soft">from cycle {count(first)}</text>
        {pipeline.rows.map((row, i) => {
          const y = (i + 1) * LINE + 4;
          const end = Math.max(...row.stages.map((stage) => columns.at.get(stage.last) ?? 0));
          const stalls = Object.entries(row.stalls).map(([key, cycles]) => `${key} ${cycles}`).join(", ");
          return (
            <g key={row.number} data-number={row.number}>
              <text x={8} y={y + 13}>
                <tspan class="soft">{row.number}  {row.address.slice(2)}</tspan>  {row.instruction.length > 22 ? row.instruction.slice(0, 21) + "…" : row.instruction}
                <title>{row.instruction}</title>
              </text>
              {row.stages.map((stage) => {
                const from = columns.at.get(stage.first) ?? 0;
                const to = columns.at.get(stage.last) ?? 0;
                return (
                  <g key={stage.stage}>
                    <rect x={LEFT + from * CYCLE} y={y} width={(to - from + 1) * CYCLE - 1} height={LINE - 3} rx={3} fill={COLOURS[stage.stage] ?? "#c9cfd1"}>
                      <title>{`${stage.stage}: cycles ${count(stage.first)} to ${count(stage.last)}`}</title>
                    </rect>
                    <text class="on" x={LEFT + from * CYCLE + 4} y={y + 13}>{stage.stage}</text>
                  </g>
                );
              })}
              {stalls && (
                <text class="soft" x={LEFT + (end + 1) * CYCLE + 8} y={y + 13}>{stalls}</text>
              )}
            </g>
          );
        })}
        {[...columns.folded].map((column) => (
          <line key={column} x1={LEFT + column * CYCLE + CYCLE / 2} x2={LEFT + column * CYCLE + CYCLE / 2} y1={LINE} y2={height - 8} stroke="currentColor" stroke-dasharray="1 4" opacity="0.5" />
        ))}
      </svg>
    </div>
  );
}

export function PipelineView(props: { run: string; total: Metrics | null; place: Place }) {
  const { run, place } = props;
  const from = Number(place.values.get("from") ?? 0);
  const rows = Number(place.values.get("count") ?? 60);
  const [fromText, setFrom] = useState(String(from));
  const answer = useAnswer<Pipeline>(address("/api/pipeline", { run, from, count: rows }));
  const last = (props.total?.["instructions"] ?? 1) - 1;
  const move = (to: number): void => {
    const goal = Math.max(0, Math.min(last, to));
    setFrom(String(goal));
    change(place, { from: goal });
  };
  return (
    <>
      <div class="head">
        <h1>Pipeline</h1>
        <p>The program is run again up to there, as it was then: without arguments, input and files</p>
      </div>
      <form
        class="tools"
        onSubmit={(event) => {
          event.preventDefault();
          move(Math.round(Number(fromText.replace(/[,_ ]/g, ""))) || 0);
        }}
      >
        <label for="from">
          From instruction
          <input id="from" inputMode="numeric" size={12} value={fromText} onInput={(event) => setFrom(event.currentTarget.value)} />
        </label>
        <span class="soft">of {count(last + 1)}</span>
        <label for="count">
          Rows
          <select id="count" value={rows} onChange={(event) => change(place, { count: event.currentTarget.value })}>
            {[30, 60, 120, 240].map((n) => (
              <option key={n} value={n}>{n}</option>
            ))}
          </select>
        </label>
        <button type="submit" class="primary">Draw</button>
        <button type="button" onClick={() => move(from - rows)} disabled={from === 0}>Earlier</button>
        <button type="button" onClick={() => move(from + rows)} disabled={from + rows > last}>Later</button>
      </form>
      <Shown answer={answer} what="the pipeline: the program runs">
        {(pipeline) => <Drawing pipeline={pipeline} />}
      </Shown>
    </>
  );
}
