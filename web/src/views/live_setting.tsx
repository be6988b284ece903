/* What a device is to count, and since when: counters, interval, start, stop. */
import { useState } from "preact/hooks";
import { address, Failure, post } from "../api";
import { EVERYWHERE, isEverywhere, PlaceBox, type Where } from "../places";
import type { LiveCounter, Named, Outcome, Stream } from "../types";

interface Counter {
  key: number; // of the line in the form
  signal: string;
  where: Where;
}

let lastKey = 0;

function lineOf(counter: LiveCounter): Counter {
  const at = counter.name.indexOf("@");
  return { key: ++lastKey, signal: counter.signal, where: { text: at < 0 ? "" : counter.name.slice(at + 1), first: Number(counter.first), last: Number(counter.last) } };
}

/* As `gumshoe unit stats` has it: addresses, which mean the same whatever functions are called. */
function optionsOf(counters: Counter[], interval: number): string {
  const hex = (value: number): string => "0x" + value.toString(16);
  const all = counters.map(({ signal, where }) => `count=${signal}` + (isEverywhere(where) ? "" : `@${hex(where.first)}-${hex(where.last + 1)}`));
  return [`interval=${interval}`, ...all].join(",");
}

function rangesOf(counters: Counter[]): number {
  return new Set(counters.map(({ where }) => `${where.first}-${where.last}`)).size;
}

/* What is wrong with the setting, in words; "" for nothing. */
function problemOf(counters: Counter[], interval: number, stream: Stream, wrong: ReadonlySet<number>): string {
  const { module } = stream;
  if (!Number.isInteger(interval) || interval < module.counters + 4 || interval > 0xffffffff)
    return `An interval has ${module.counters + 4} clocks at least, for ${module.counters} counters, and 4,294,967,295 at most.`;
  if (rangesOf(counters) > module.ranges) return `The module has ${module.ranges} range registers; everywhere takes one, too.`;
  if (counters.some(({ key }) => wrong.has(key))) return "One range is not chosen yet.";
  return "";
}

export function SettingForm(props: { stream: Stream; signals: Named[]; keepsIn: string; onStarted: (stream: string) => void }) {
  const { stream } = props;
  const [counters, setCounters] = useState<Counter[]>(() => stream.counters.map(lineOf));
  const [interval, setInterval] = useState(String(stream.interval));
  const [keep, setKeep] = useState(stream.file > 0 || !stream.live);
  const [wrong, setWrong] = useState<ReadonlySet<number>>(new Set());
  const [isBusy, setBusy] = useState(false);
  const [said, say] = useState<{ text: string; bad: boolean } | null>(null);
  const known = props.signals.filter((signal) => stream.module.signals.includes(signal.key));
  const problem = problemOf(counters, Number(interval), stream, wrong);
  const replace = (key: number, change: Partial<Counter>): void => setCounters((old) => old.map((one) => (one.key === key ? { ...one, ...change } : one)));

  const order = async (what: "start" | "stop"): Promise<void> => {
    setBusy(true);
    say(null);
    try {
      const url = address("/api/live/command", { stream: stream.name, order: what, keep: keep ? "1" : "0" });
      const answer = await post<Outcome>(url, what === "start" ? optionsOf(counters, Number(interval)) : "");
      const isDone = answer.outcome === "done";
      say({ text: isDone ? (what === "start" ? "Started." : "Stopped.") : `Not done: ${answer.text}.`, bad: !isDone });
      if (isDone && what === "start") props.onStarted(answer.stream);
    } catch (error) {
      say({ text: error instanceof Failure ? error.message : String(error), bad: true });
    }
    setBusy(false);
  };
  return (
    <form
      class="card setting"
      aria-label="What is counted"
      onSubmit={(event) => {
        event.preventDefault();
        if (!problem && !isBusy) void order("start");
      }}
    >
      <h2>What is counted</h2>
      <ol>
        {counters.map((counter, i) => (
          <li key={counter.key}>
            <select aria-label={`Signal of counter ${i + 1}`} value={counter.signal} onChange={(event) => replace(counter.key, { signal: event.currentTarget.value })}>
              {known.map((signal) => (
                <option key={signal.key} value={signal.key} title={signal.text}>
                  {signal.key}
                </option>
              ))}
            </select>
            <PlaceBox
              id={`place-${counter.key}`}
              label={`Where counter ${i + 1} counts`}
              stream={stream.name}
              value={counter.where}
              onChange={(where) => replace(counter.key, { where })}
              isWrong={(is) =>
                setWrong((old) => {
                  if (old.has(counter.key) === is) return old;
                  const next = new Set(old);
                  if (is) next.add(counter.key);
                  else next.delete(counter.key);
                  return next;
                })
              }
            />
            <button
              type="button"
              class="quiet"
              aria-label={`Remove counter ${i + 1}`}
              disabled={counters.length === 1}
              onClick={() => {
                setCounters((old) => old.filter((one) => one.key !== counter.key));
                setWrong((old) => new Set([...old].filter((key) => key !== counter.key)));
              }}
            >
              ✕
            </button>
          </li>
        ))}
      </ol>
      <p>
        <button
          type="button"
          disabled={counters.length >= stream.module.counters}
          onClick={() => setCounters((old) => [...old, { key: ++lastKey, signal: known[0]?.key ?? "cycle", where: EVERYWHERE }])}
        >
          Add a counter
        </button>{" "}
        <span class="soft">
          {counters.length} of {stream.module.counters}
        </span>
      </p>
      <p>
        <label for="interval">
          Interval, in clocks <input id="interval" inputMode="numeric" value={interval} onInput={(event) => setInterval(event.currentTarget.value.trim())} aria-invalid={problem !== "" && !Number.isInteger(Number(interval))} />
        </label>
      </p>
      <p>
        <label for="keep">
          <input id="keep" type="checkbox" checked={keep} onChange={(event) => setKeep(event.currentTarget.checked)} /> Record in <span class="mono">{props.keepsIn}</span>
        </label>
      </p>
      <p class="orders">
        <button type="submit" class="primary" disabled={isBusy || problem !== ""}>
          Start
        </button>
        <button type="button" disabled={isBusy || !stream.running} onClick={() => void order("stop")}>
          Stop
        </button>
      </p>
      <p class={problem || said?.bad ? "hint bad" : "hint"} role="status">
        {isBusy ? "Waiting for the device…" : problem || said?.text || "Start begins a new stream, with totals of 0."}
      </p>
    </form>
  );
}
