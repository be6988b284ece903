/* Curves of a stream's counters, which are drawn again at most once per frame as points come. */
import { useEffect, useImperativeHandle, useRef, useState } from "preact/hooks";
import type { Ref } from "preact";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { brief, count } from "./format";
import type { Columns, Series } from "./series";
import { themeColour, useTheme } from "./theme";

const HEIGHT = 340;

/* Told apart in both themes, and by people with any colour vision as far as so many can be. */
const COLOURS = ["#3f72af", "#d9682c", "#2fa594", "#aa4499", "#b8860b", "#c4321b", "#20803f", "#7a6ff0", "#a98467", "#e0406f", "#6b8e23", "#5f9ea0", "#8b5a9f", "#cd853f", "#4682b4", "#708090"];

export function curveColour(index: number): string {
  return COLOURS[index % COLOURS.length] ?? "#708090";
}

export type Scale = "interval" | "clock" | "most";

export interface Curve {
  index: number; // of the counter
  name: string;
}

export interface Canvas {
  draw: () => void; // soon
}

/* In the unit that was chosen; `interval` is in clocks. */
function scaled(columns: Columns, curves: Curve[], scale: Scale, interval: number): uPlot.AlignedData {
  const [x, ...all] = columns;
  const shown = curves.map(({ index }) => {
    const column = all[index] ?? x.map(() => null);
    if (scale === "interval") return column;
    let whole = interval;
    if (scale === "most") whole = column.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
    return column.map((value) => (value === null ? null : whole > 0 ? value / whole : 0));
  });
  return [x, ...shown];
}

function options(width: number, curves: Curve[], scale: Scale): Omit<uPlot.Options, "hooks"> {
  const ink = themeColour("--soft");
  const grid = { stroke: themeColour("--line"), width: 1 };
  const font = "12px system-ui, sans-serif";
  const text = (value: number): string => (scale === "interval" ? brief(value) : scale === "most" ? `${Math.round(100 * value)}%` : String(+value.toPrecision(3)));
  return {
    width,
    height: HEIGHT,
    pxAlign: 0,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { size: 7 } },
    scales: { x: { time: false }, y: { range: (_, __, most) => [0, most > 0 ? most * 1.05 : 1] } },
    axes: [
      { stroke: ink, grid, ticks: grid, font, values: (_, ticks) => ticks.map((tick) => brief(tick)), label: "clocks of the device", labelFont: font, labelSize: 20, size: 34 },
      { stroke: ink, grid, ticks: grid, font, values: (_, ticks) => ticks.map(text), size: 62 },
    ],
    series: [{}, ...curves.map(({ index, name }): uPlot.Series => ({ label: name, stroke: curveColour(index), width: 1.5, points: { show: false }, spanGaps: false }))],
  };
}

export function Curves(props: {
  series: Series;
  curves: Curve[];
  scale: Scale;
  last: number;
  interval: number;
  hasEnded: boolean;
  canvas: Ref<Canvas>;
  onCursor: (cycle: number | null, values: (number | null)[]) => void;
}) {
  const { series, curves, scale, last, interval, hasEnded } = props;
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const frame = useRef(0);
  const [width, setWidth] = useState(0);
  const theme = useTheme();
  const now = useRef(props);
  now.current = props;
  const key = curves.map(({ index, name }) => `${index}:${name}`).join(" ");

  const drawNow = (): void => {
    frame.current = 0;
    const p = now.current;
    plot.current?.setData(scaled(p.series.columns(p.last, p.hasEnded), p.curves, p.scale, p.interval));
  };
  const draw = (): void => {
    if (!frame.current) frame.current = requestAnimationFrame(drawNow);
  };
  useImperativeHandle(props.canvas, () => ({ draw }), []);
  useEffect(() => {
    if (!box.current) return undefined;
    const observer = new ResizeObserver(() => setWidth(box.current?.clientWidth ?? 0));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (!box.current || width === 0) return undefined;
    const tell = (u: uPlot): void => {
      const at = u.cursor.idx;
      const cycle = at === null || at === undefined ? null : (u.data[0][at] ?? null);
      now.current.onCursor(cycle, cycle === null || at === null || at === undefined ? [] : u.data.slice(1).map((column) => column[at] ?? null));
    };
    const made = new uPlot({ ...options(width, curves, scale), hooks: { setCursor: [tell] } }, scaled(series.columns(last, hasEnded), curves, scale, interval), box.current);
    plot.current = made;
    return () => {
      cancelAnimationFrame(frame.current);
      frame.current = 0;
      made.destroy();
      plot.current = null;
    };
  }, [width, theme, key, scale]);
  useEffect(draw, [series, last, interval, hasEnded]);

  const onKey = (event: KeyboardEvent): void => {
    const u = plot.current;
    if (!u || !["ArrowLeft", "ArrowRight", "Escape"].includes(event.key)) return;
    event.preventDefault();
    const x = u.data[0];
    if (event.key === "Escape" || x.length === 0) {
      u.setCursor({ left: -10, top: -10 });
      return;
    }
    const step = (event.shiftKey ? 10 : 1) * (event.key === "ArrowRight" ? 1 : -1);
    const at = Math.max(0, Math.min(x.length - 1, (u.cursor.idx ?? x.length) + step));
    u.setCursor({ left: u.valToPos(x[at] ?? 0, "x"), top: 10 });
  };
  return (
    <div
      class="picture curves"
      ref={box}
      tabIndex={0}
      role="application"
      aria-label={`Curves of ${curves.length} counters: ${curves.map((curve) => curve.name).join(", ")}. Arrow keys move along them.`}
      data-points={count(series.received)}
      onKeyDown={onKey}
    />
  );
}
