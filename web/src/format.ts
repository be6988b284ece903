/* Numbers for people. */
const digits = new Intl.NumberFormat("en-US");
const short = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });

export function count(value: number): string {
  return digits.format(value);
}

/* 69.4M */
export function brief(value: number): string {
  return Math.abs(value) < 10000 ? digits.format(value) : short.format(value);
}

export function share(part: number, whole: number, places = 1): string {
  if (whole === 0) return "–";
  const percent = (100 * part) / whole;
  if (part !== 0 && Math.abs(percent) < 0.05 && places === 1) return "<0.1%";
  return percent.toFixed(places) + "%";
}

export function signed(value: number): string {
  return (value > 0 ? "+" : value < 0 ? "−" : "") + digits.format(Math.abs(value));
}

export function signedShare(before: number, after: number): string {
  if (before === 0) return after === 0 ? "same" : "new";
  if (after === 0) return "gone";
  const percent = (100 * (after - before)) / before;
  if (percent === 0) return "same";
  if (percent >= 1000) return "×" + (after / before).toPrecision(3);
  return (percent > 0 ? "+" : percent < 0 ? "−" : "") + Math.abs(percent).toFixed(Math.abs(percent) < 10 ? 2 : 1) + "%";
}

export function ratio(a: number, b: number): string {
  return b === 0 ? "–" : (a / b).toFixed(3);
}

function scaled(value: number, unit: string, steps: [number, string][]): string {
  for (const [size, prefix] of steps) {
    if (Math.abs(value) >= size) return (value / size).toPrecision(4) + " " + prefix + unit;
  }
  return value.toPrecision(4) + " " + unit;
}

const SMALL: [number, string][] = [
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
  [1e-9, "n"],
  [1e-12, "p"],
  [1e-15, "f"],
];

export function seconds(value: number): string {
  return value === 0 ? "0 s" : scaled(value, "s", SMALL);
}

export function joules(value: number): string {
  return value === 0 ? "0 J" : scaled(value, "J", SMALL);
}

export function hertz(value: number): string {
  return scaled(value, "Hz", [
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
    [1, ""],
  ]).replace(/\.?0+ /, " ");
}

export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function date(text: string | number): string {
  const when = new Date(typeof text === "number" ? text * 1000 : text);
  return isNaN(when.getTime()) ? "" : when.toISOString().slice(0, 16).replace("T", " ");
}

/* In a metric's own unit. */
export function amount(value: number, metric: string): string {
  return metric === "energy-fj" ? joules(value * 1e-15) : count(value);
}
