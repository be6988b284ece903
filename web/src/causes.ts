/* Causes of lost cycles: their colours, told apart by people with any colour vision, and by name. */
import { themeColour } from "./theme";

/* "load-use" is --cause-load-use in the style sheet; issue is the one that is no loss. */
export function causeColour(key: string): string {
  return themeColour(`--cause-${key}`) || themeColour("--cause-issue");
}

export function causeClass(key: string): string {
  return `cause cause-${key}`;
}

/* Between two colours "#rrggbb". */
export function mix(a: string, b: string, part: number): string {
  const channel = (at: number): number => {
    const from = parseInt(a.slice(at, at + 2), 16);
    const to = parseInt(b.slice(at, at + 2), 16);
    return Math.round(from + (to - from) * part);
  };
  return `rgb(${channel(1)},${channel(3)},${channel(5)})`;
}
