/* Caches and memory; energy. */
import { address, useAnswer } from "../api";
import { count, hertz, joules, lastPart, share } from "../format";
import { Bar, Shown } from "../parts";
import { link } from "../router";
import type { CacheGeometry, Core, Energy, Metrics, Rows } from "../types";

const MEMORY_CAUSES = ["i-miss", "d-read-miss", "d-write"];

function Geometry({ title, cache, misses, metric, run }: { title: string; cache: CacheGeometry | null | undefined; misses: number; metric: string; run: string }) {
  const facts = Object.entries(cache ?? {}).filter(([key, value]) => typeof value !== "object" && key !== "why" && value !== "");
  return (
    <section class="card half">
      <h2>
        {title} <a href={link(["run", run, "table", "function"], { metric })}>by function</a>
      </h2>
      {cache ? (
        <>
          <dl class="facts">
            <div>
              <dt>Misses</dt>
              <dd>{count(misses)}</dd>
            </div>
          </dl>
          <ul class="legend">
            {facts.map(([key, value]) => (
              <li key={key}>
                <span class="soft">{key.replace(/_/g, " ")}</span> <b>{typeof value === "number" ? count(value) : String(value)}</b>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p class="soft">The core has no such cache.</p>
      )}
    </section>
  );
}

function Worst({ run, metric, title, by }: { run: string; metric: string; title: string; by: "function" | "line" }) {
  const answer = useAnswer<Rows>(address("/api/rows", { run, by, metric, limit: 10 }));
  return (
    <section class="card half">
      <h2>
        {title} <a href={link(["run", run, "table", by], { metric })}>all</a>
      </h2>
      <Shown answer={answer} what="rows">
        {(rows) => {
          const some = rows.rows.filter((row) => (row.self[metric] ?? 0) > 0);
          const whole = rows.total[metric] ?? 0;
          return some.length === 0 ? (
            <p class="soft">None.</p>
          ) : (
            <table>
              <thead>
                <tr>
                  <th scope="col">{by === "line" ? "Line" : "Function"}</th>
                  <th scope="col" class="number">Count</th>
                  <th scope="col" class="number">Share</th>
                </tr>
              </thead>
              <tbody>
                {some.map((row, i) => (
                  <tr key={i}>
                    <td class="name">
                      {row.address && (row.function || row.file) ? (
                        <a href={link(["run", run, "source", row.address], { line: by === "line" ? row.line : undefined, metric })}>
                          {by === "line" && row.file ? `${lastPart(row.file)}:${row.line}` : row.function}
                        </a>
                      ) : (
                        <span class="soft">(unknown)</span>
                      )}
                    </td>
                    <td class="number">{count(row.self[metric] ?? 0)}</td>
                    <td class="number">
                      <Bar part={row.self[metric] ?? 0} whole={whole} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          );
        }}
      </Shown>
    </section>
  );
}

export function CachesView({ run, total }: { run: string; total: Metrics | null }) {
  const core = useAnswer<Core>(address("/api/core", { run }));
  const cycles = total?.["cycles"] ?? 0;
  return (
    <>
      <div class="head">
        <h1>Caches and memory</h1>
        {core.value && (
          <p>
            {core.value.name}, {hertz(core.value.clock_hz)}: {core.value.summary}
          </p>
        )}
      </div>
      <Shown answer={core} what="the core">
        {(described) => (
          <div class="grid">
            <section class="card wide">
              <h2>Cycles lost to memory</h2>
              <dl class="facts" style={{ margin: 0 }}>
                {MEMORY_CAUSES.map((key) => (
                  <div key={key}>
                    <dt>
                      <i class={`cause cause-${key}`} />
                      {key}
                    </dt>
                    <dd>
                      {share(total?.[`stall:${key}`] ?? 0, cycles, 2)} <small>{count(total?.[`stall:${key}`] ?? 0)} cycles</small>
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
            <Geometry title="Instruction cache" cache={described.icache} misses={total?.["i-misses"] ?? 0} metric="i-misses" run={run} />
            <Geometry title="Data cache" cache={described.dcache} misses={total?.["d-misses"] ?? 0} metric="d-misses" run={run} />
            {(total?.["d-misses"] ?? 0) > 0 && <Worst run={run} metric="d-misses" by="function" title="Functions with most data misses" />}
            {(total?.["d-misses"] ?? 0) > 0 && <Worst run={run} metric="d-misses" by="line" title="Lines with most data misses" />}
            {(total?.["i-misses"] ?? 0) > 0 && <Worst run={run} metric="i-misses" by="function" title="Functions with most instruction misses" />}
            {(total?.["stall:d-write"] ?? 0) > 0 && <Worst run={run} metric="stall:d-write" by="line" title="Lines that wait for stores" />}
          </div>
        )}
      </Shown>
    </>
  );
}

export function EnergyView({ run }: { run: string }) {
  const answer = useAnswer<Energy>(address("/api/energy", { run, limit: 20 }));
  return (
    <>
      <div class="head">
        <h1>Energy</h1>
        {answer.value?.source && <p>Table: {answer.value.source}</p>}
      </div>
      {answer.failure?.kind === "unsupported" ? (
        <div class="notice">
          <h2>This core has no energy table</h2>
          <p>{answer.failure.message}.</p>
        </div>
      ) : (
        <Shown answer={answer} what="energies">
          {(energy) => (
            <>
              <dl class="facts">
                <div>
                  <dt>In all</dt>
                  <dd>{joules(energy.energy_j)}</dd>
                </div>
                {energy.average_mw !== undefined && (
                  <div>
                    <dt>On average</dt>
                    <dd>{energy.average_mw.toPrecision(4)} mW</dd>
                  </div>
                )}
                <div>
                  <dt>Of its cycles, stalling</dt>
                  <dd>{energy.stall_percent.toFixed(1)}%</dd>
                </div>
              </dl>
              <div class="grid">
                <section class="card half">
                  <h2>Groups of instructions</h2>
                  <table>
                    <thead>
                      <tr>
                        <th scope="col">Group</th>
                        <th scope="col" class="number">Energy</th>
                        <th scope="col" class="number">Share</th>
                        <th scope="col" class="number">Instructions</th>
                        <th scope="col" class="number">mW</th>
                      </tr>
                    </thead>
                    <tbody>
                      {energy.groups.map((group) => (
                        <tr key={group.name}>
                          <td>{group.name}</td>
                          <td class="number">{joules(group.energy_fj * 1e-15)}</td>
                          <td class="number">
                            <Bar part={group.energy_fj} whole={energy.energy_fj} />
                          </td>
                          <td class="number">{count(group.instructions)}</td>
                          <td class="number">{group.power_mw.toPrecision(4)}</td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </section>
                <section class="card half">
                  <h2>
                    Functions <a href={link(["run", run, "table", "function"], { metric: "energy-fj" })}>all</a>
                  </h2>
                  <table>
                    <thead>
                      <tr>
                        <th scope="col">Function</th>
                        <th scope="col" class="number">Self</th>
                        <th scope="col" class="number">Share</th>
                        <th scope="col" class="number">Total</th>
                      </tr>
                    </thead>
                    <tbody>
                      {energy.functions.map((row, i) => (
                        <tr key={i}>
                          <td class="name">
                            <a href={link(["run", run, "table", "function"], { metric: "energy-fj", search: row.function })}>{row.function}</a>
                          </td>
                          <td class="number">{joules(row.self_fj * 1e-15)}</td>
                          <td class="number">
                            <Bar part={row.self_fj} whole={energy.energy_fj} />
                          </td>
                          <td class="number">{share(row.total_fj, energy.energy_fj)}</td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </section>
              </div>
            </>
          )}
        </Shown>
      )}
    </>
  );
}
