/*
 * The points of a stream as curves need them, in a bounded space: the last ones as they came, and the whole, in which
 * neighbours are added up whenever there are too many.
 */
import type { Points } from "./types";

const RECENT = 2000;
const WHOLE = 2000;

interface Point {
  first: number; // sequence
  end: number;
  count: number; // intervals that have come
  cycle: number; // at the end
  value: number[];
}

function join(a: Point, b: Point): Point {
  return { first: a.first, end: b.end, count: a.count + b.count, cycle: b.cycle, value: a.value.map((value, i) => value + (b.value[i] ?? 0)) };
}

/* What uPlot draws: cycles, then a row per counter; null breaks a curve. */
export type Columns = [number[], ...(number | null)[][]];

export class Series {
  private recent: Point[] = [];
  private whole: Point[] = [];
  private perPoint = 1;
  received = 0; // points, since it was opened

  add(points: Points): void {
    if (points.begins) {
      this.recent = [];
      this.whole = [];
      this.perPoint = 1;
    }
    points.first.forEach((first, i) => {
      const point: Point = {
        first,
        end: points.end[i] ?? first + 1,
        count: points.count[i] ?? 1,
        cycle: points.cycle[i] ?? 0,
        value: points.value.map((column) => column[i] ?? 0),
      };
      this.recent.push(point);
      this.addToWhole(point);
    });
    this.received += points.first.length;
    if (this.recent.length > 1.25 * RECENT) this.recent = this.recent.slice(-RECENT);
  }

  private addToWhole(point: Point): void {
    const last = this.whole[this.whole.length - 1];
    if (last && last.count < this.perPoint) {
      this.whole[this.whole.length - 1] = join(last, point);
      return;
    }
    if (this.whole.length >= WHOLE) {
      const half: Point[] = [];
      for (let i = 0; i < this.whole.length; i += 2) {
        const [a, b] = [this.whole[i], this.whole[i + 1]];
        if (a) half.push(b ? join(a, b) : a);
      }
      this.whole = half;
      this.perPoint *= 2;
    }
    this.whole.push(point);
  }

  get isEmpty(): boolean {
    return this.recent.length === 0;
  }

  /* Per interval; `last` points, 0: of the whole stream. Where intervals are missing the curves are broken. The last
   * interval of a stream that has ended is cut short, and left out. */
  columns(last: number, hasEnded: boolean): Columns {
    const points = (last ? this.recent.slice(-last) : this.whole).slice(0, hasEnded ? -1 : undefined);
    const counters = points[0]?.value.length ?? 0;
    const x: number[] = [];
    const y: (number | null)[][] = Array.from({ length: counters }, () => []);
    let before: Point | undefined;
    for (const point of points) {
      if (before && point.first !== before.end) {
        x.push((before.cycle + point.cycle) / 2);
        for (const column of y) column.push(null);
      }
      x.push(point.cycle);
      for (let i = 0; i < counters; i++) y[i]?.push((point.value[i] ?? 0) / point.count);
      before = point;
    }
    return [x, ...y];
  }

  latest(): number[] {
    const point = this.recent[this.recent.length - 1];
    return point ? point.value.map((value) => value / point.count) : [];
  }
}
