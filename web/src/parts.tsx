/* Parts that several views are made of. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Answer, Failure } from "./api";
import { share } from "./format";
import type { Metrics, Session } from "./types";

const TITLES: Record<string, string> = {
  gone: "The server does not answer",
  token: "This page has no access",
  "not-found": "Not found",
  unsupported: "This run does not have that",
};

export function Problem({ failure }: { failure: Failure }) {
  return (
    <div class="notice bad" role="alert">
      <h2>{TITLES[failure.kind] ?? "That did not work"}</h2>
      <p>{failure.message}</p>
      {failure.kind === "gone" && <p class="soft">Trying again until it is back.</p>}
      {failure.kind === "token" && (
        <p class="soft">A server that is started again has a new address, unless it is told to keep it: <code>--token-file</code>.</p>
      )}
    </div>
  );
}

export function Loading({ what }: { what: string }) {
  return (
    <div class="loading" role="status">
      Reading {what}…
    </div>
  );
}

/* The view of an answer: loading, a problem, or what `children` make of it. */
export function Shown<T>(props: { answer: Answer<T>; what: string; children: (value: T) => ComponentChildren }) {
  const { answer, what, children } = props;
  if (answer.failure && answer.value === null) return <Problem failure={answer.failure} />;
  if (answer.value === null) return <Loading what={what} />;
  return <div class={answer.isLoading ? "stale" : ""}>{children(answer.value)}</div>;
}

export function Bar({ part, whole }: { part: number; whole: number }) {
  const percent = whole > 0 ? Math.min(100, (100 * part) / whole) : 0;
  return (
    <span class="bar" style={{ "--part": `${percent.toFixed(1)}%` }}>
      {share(part, whole)}
    </span>
  );
}

/* Cycles of a row by cause, as one bar; `whole` is what the full width stands for. */
export function Stack({ cost, whole, tall }: { cost: Metrics; whole: number; tall?: boolean }) {
  const cycles = cost["cycles"] ?? 0;
  const parts: [string, number][] = Object.entries(cost)
    .filter(([key, value]) => key.startsWith("stall:") && value > 0)
    .map(([key, value]) => [key.slice("stall:".length), value]);
  const lost = parts.reduce((sum, [, value]) => sum + value, 0);
  parts.sort((a, b) => b[1] - a[1]);
  parts.unshift(["issue", cycles - lost]);
  const words = parts.map(([key, value]) => `${key} ${share(value, cycles)}`).join(", ");
  return (
    <span class={tall ? "stack tall" : "stack"} role="img" aria-label={words} title={words}>
      {parts.map(([key, value]) => (
        <i key={key} class={`cause-${key}`} style={{ width: `${whole > 0 ? (100 * value) / whole : 0}%` }} />
      ))}
    </span>
  );
}

export function MetricChoice(props: { session: Session; total: Metrics | null; value: string; onChange: (key: string) => void; id: string }) {
  const known = props.session.metrics.filter((metric) => !props.total || (props.total[metric.key] ?? 0) > 0 || metric.key === props.value);
  return (
    <label for={props.id}>
      Metric
      <select id={props.id} value={props.value} onChange={(event) => props.onChange(event.currentTarget.value)}>
        {known.map((metric) => (
          <option key={metric.key} value={metric.key}>
            {metric.text}
          </option>
        ))}
      </select>
    </label>
  );
}

/* Text that is looked for once typing pauses. */
export function SearchBox(props: { value: string; onChange: (text: string) => void; label: string; id: string }) {
  const [text, set] = useState(props.value);
  useEffect(() => set(props.value), [props.value]);
  useEffect(() => {
    if (text === props.value) return undefined;
    const timer = window.setTimeout(() => props.onChange(text), 200);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label for={props.id}>
      <span class="hidden-text">{props.label}</span>
      <input
        id={props.id}
        type="search"
        placeholder={props.label}
        value={text}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => set(event.currentTarget.value)}
      />
    </label>
  );
}

export function Tabs(props: { label: string; items: { key: string; text: string; to: string }[]; current: string }) {
  return (
    <nav class="tabs" aria-label={props.label}>
      {props.items.map((item) => (
        <a key={item.key} href={item.to} aria-current={item.key === props.current ? "page" : undefined}>
          {item.text}
        </a>
      ))}
    </nav>
  );
}
