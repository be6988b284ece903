/* What a run did when: phases as shares of the costliest functions, and the cost of an instruction. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { address, useAnswer } from "../api";
import { amount, count, ratio, share } from "../format";
import { MetricChoice, Shown } from "../parts";
import { change, link, type Place } from "../router";
import { themeColour, useTheme } from "../theme";
import type { Metrics, Session, Timeline } from "../types";

const BANDS = 300; // pixels
const RATE = 90;
const GAP = 26;

/* Told apart by hue and lightness; the last one is for the others. */
const COLOURS = ["#4477aa", "#ee8866", "#44aa99", "#cc6677", "#ddcc77", "#88ccee", "#aa4499", "#117733", "#bb9977", "#99ddff", "#bbcc33", "#a5adb0"];

/* Of each column; the last one is for the others. `names` are those that have colours already, in their order. */
function coloursOf(timeline: Timeline, names?: string[]): string[] {
  const others = COLOURS.length - 1;
  return timeline.columns.map(({ name }, i) => {
    const place = names ? names.indexOf(name) : i;
    return (i === timeline.columns.length - 1 || place < 0 ? COLOURS[others] : COLOURS[place % others]) ?? "#a5adb0";
  });
}

interface Slot {
  start: number;
  end: number;
  value: number;
  cycles: number;
  instructions: number;
  lost: number;
  parts: number[];
}

/* At most `most` slots: neighbours are added up. */
function slotsOf(timeline: Timeline, most: number): Slot[] {
  const all = timeline.intervals;
  const per = Math.max(1, Math.ceil(all.length / Math.max(1, most)));
  const slots: Slot[] = [];
  for (let i = 0; i < all.length; i += per) {
    const group = all.slice(i, i + per);
    const sum = (of: (one: Slot) => number): number => group.reduce((total, one) => total + of(one), 0);
    slots.push({
      start: group[0]?.start ?? 0,
      end: group[group.length - 1]?.end ?? 0,
      value: sum((one) => one.value),
      cycles: sum((one) => one.cycles),
      instructions: sum((one) => one.instructions),
      lost: sum((one) => one.lost),
      parts: timeline.columns.map((_, c) => sum((one) => one.parts[c] ?? 0)),
    });
  }
  return slots;
}

function draw(canvas: HTMLCanvasElement, timeline: Timeline, colours: string[], slots: Slot[], width: number, cursor: number): void {
  const scale = window.devicePixelRatio || 1;
  const height = BANDS + GAP + RATE + 22;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const to = canvas.getContext("2d");
  if (!to) return;
  to.scale(scale, scale);
  const first = slots[0]?.start ?? 0;
  const whole = (slots[slots.length - 1]?.end ?? 1) - first;
  const x = (cycle: number): number => ((cycle - first) / whole) * width;
  const most = Math.max(...slots.map((slot) => (slot.instructions ? slot.cycles / slot.instructions : 0)), 1);
  for (const slot of slots) {
    const from = x(slot.start);
    const wide = Math.max(0.5, x(slot.end) - from) + 0.3;
    let top = BANDS;
    slot.parts.forEach((part, c) => {
      const high = slot.value > 0 ? (part / slot.value) * BANDS : 0;
      top -= high;
      to.fillStyle = colours[c] ?? "#a5adb0";
      to.fillRect(from, top, wide, high + 0.3);
    });
    const rate = slot.instructions ? slot.cycles / slot.instructions : 0;
    const high = (rate / most) * RATE;
    const lost = slot.cycles ? high * (slot.lost / slot.cycles) : 0;
    to.fillStyle = themeColour("--cause-issue");
    to.fillRect(from, BANDS + GAP + RATE - high, wide, high);
    to.fillStyle = themeColour("--cause-branch");
    to.fillRect(from, BANDS + GAP + RATE - lost, wide, lost);
  }
  to.font = "12px system-ui, sans-serif";
  to.fillStyle = themeColour("--soft");
  to.fillText(`cycles per instruction, up to ${most.toFixed(2)}; lower part: lost`, 6, BANDS + GAP - 9);
  to.fillText(`cycle ${count(first)}`, 6, height - 5);
  const end = `cycle ${count(first + whole)}`;
  to.fillText(end, width - to.measureText(end).width - 6, height - 5);
  to.strokeStyle = themeColour("--ink");
  to.setLineDash([3, 3]);
  for (const marker of timeline.markers.slice(0, 500)) {
    const at = x(marker.cycle ?? marker.instruction);
    to.strokeRect(at, 0, 0, BANDS);
  }
  to.setLineDash([]);
  const slot = slots[cursor];
  if (slot) {
    to.strokeStyle = themeColour("--ink");
    to.strokeRect(x(slot.start) + 0.5, 0.5, Math.max(1, x(slot.end) - x(slot.start) - 1), height - 20);
  }
}

export function Chart({ timeline, run, names }: { timeline: Timeline; run: string; names?: string[] }) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useTheme();
  const [width, setWidth] = useState(0);
  const [cursor, setCursor] = useState(-1);
  const colours = useMemo(() => coloursOf(timeline, names), [timeline, names]);
  const slots = useMemo(() => slotsOf(timeline, Math.max(50, width)), [timeline, width]);
  useEffect(() => {
    if (!box.current) return undefined;
    const observer = new ResizeObserver(() => setWidth(box.current?.clientWidth ?? 0));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (canvas.current && width > 0) draw(canvas.current, timeline, colours, slots, width, cursor);
  }, [timeline, colours, slots, width, cursor, theme]);
  const total = timeline.columns.reduce((sum, column) => sum + column.sum, 0);
  const slot = slots[cursor];
  const largest = slot ? slot.parts.map((part, c): [number, number] => [part, c]).sort((a, b) => b[0] - a[0]).filter(([part]) => part > 0).slice(0, 4) : [];
  const onMove = (event: MouseEvent): void => {
    const first = slots[0]?.start ?? 0;
    const whole = (slots[slots.length - 1]?.end ?? 1) - first;
    const cycle = first + (event.offsetX / width) * whole;
    setCursor(slots.findIndex((one) => cycle >= one.start && cycle < one.end));
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = event.shiftKey ? 10 : 1;
    if (event.key === "ArrowRight") setCursor(Math.min(slots.length - 1, cursor + step));
    else if (event.key === "ArrowLeft") setCursor(Math.max(0, cursor - step));
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div class="picture" ref={box}>
        <canvas ref={canvas} tabIndex={0} role="application" aria-label={`Timeline of ${timeline.intervals.length} intervals`} onMouseMove={onMove} onMouseLeave={() => setCursor(-1)} onKeyDown={onKey} />
      </div>
      <div class="details" aria-live="polite">
        {slot ? (
          <>
            Cycles {count(slot.start)} to {count(slot.end)}: {ratio(slot.cycles, slot.instructions)} per instruction, {share(slot.lost, slot.cycles)} lost;{" "}
            {largest.map(([part, c]) => `${timeline.columns[c]?.name ?? ""} ${share(part, slot.value)}`).join(", ")}
          </>
        ) : (
          <span class="soft">Point at the picture, or move with the arrow keys.</span>
        )}
      </div>
      <ul class="legend">
        {timeline.columns.map((column, i) => (
          <li key={i}>
            <i class="cause" style={{ background: colours[i] }} />
            {column.address ? <a class="mono" href={link(["run", run, "source", column.address])}>{column.name}</a> : column.name}
            <b title={amount(column.sum, timeline.metric)}>{share(column.sum, total)}</b>
          </li>
        ))}
      </ul>
    </>
  );
}

export function TimelineView(props: { run: string; session: Session; total: Metrics | null; isTimed: boolean; place: Place }) {
  const metric = props.place.values.get("metric") ?? (props.isTimed ? "cycles" : "instructions");
  const answer = useAnswer<Timeline>(address("/api/timeline", { run: props.run, metric }));
  return (
    <>
      <div class="head">
        <h1>Timeline</h1>
        <p>What each interval of the run went to: phases show as blocks of one colour</p>
      </div>
      <div class="tools">
        <MetricChoice id="metric" session={props.session} total={props.total} value={metric} onChange={(key) => change(props.place, { metric: key })} />
      </div>
      {answer.failure?.kind === "not-found" ? (
        <div class="notice">
          <h2>This run has no timeline</h2>
          <p>
            It is kept if it is asked for: <code>gumshoe run --timeline 10K -o FILE PROGRAM</code>
          </p>
        </div>
      ) : (
        <Shown answer={answer} what="the timeline">
          {(timeline) => <Chart timeline={timeline} run={props.run} />}
        </Shown>
      )}
    </>
  );
}
