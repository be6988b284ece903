/* Drawing call paths on a canvas, and finding one under the pointer or beside another. */
import { causeColour, mix } from "./causes";
import { themeColour } from "./theme";
import type { Tree } from "./types";

export const LEVEL = 20; // pixels

export type Colouring = "cause" | "name" | "change";

export interface Chart {
  tree: Tree;
  depth: Uint16Array;
  start: Float64Array; // of the whole width, which is 1
  width: Float64Array;
  levels: number;
  children: Map<number, number[]>;
}

/* What a node is as wide as: what it costs, or the larger of before and after for what it did itself. */
function sizes(tree: Tree): Float64Array {
  const { nodes } = tree;
  const size = Float64Array.from(nodes.inclusive);
  if (!nodes.before || !nodes.before_self) return size;
  for (let i = 0; i < tree.count; i++) size[i] = Math.max(nodes.self[i] ?? 0, nodes.before_self[i] ?? 0);
  for (let i = tree.count - 1; i > 0; i--) {
    const parent = nodes.parent[i] ?? 0;
    size[parent] = (size[parent] ?? 0) + (size[i] ?? 0);
  }
  return size;
}

export function layOut(tree: Tree, root = 0): Chart {
  const size = sizes(tree);
  const { parent } = tree.nodes;
  const children = new Map<number, number[]>();
  for (let i = 1; i < tree.count; i++) {
    const above = parent[i] ?? 0;
    const list = children.get(above);
    if (list) list.push(i);
    else children.set(above, [i]);
  }
  const chart: Chart = {
    tree,
    children,
    depth: new Uint16Array(tree.count),
    start: new Float64Array(tree.count),
    width: new Float64Array(tree.count),
    levels: 0,
  };
  const whole = size[root] || 1;
  chart.width[root] = tree.count ? 1 : 0;
  const waiting = tree.count ? [root] : [];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const depth = chart.depth[node] ?? 0;
    chart.levels = Math.max(chart.levels, depth + 1);
    let at = chart.start[node] ?? 0;
    const below = (children.get(node) ?? []).sort((a, b) => (size[b] ?? 0) - (size[a] ?? 0));
    for (const child of below) {
      chart.depth[child] = depth + 1;
      chart.start[child] = at;
      chart.width[child] = (size[child] ?? 0) / whole;
      at += chart.width[child] ?? 0;
      waiting.push(child);
    }
  }
  return chart;
}

export function nameOf(tree: Tree, node: number): string {
  const name = tree.names[tree.nodes.name[node] ?? 0];
  return (tree.nodes.parent[node] ?? -1) < 0 && !tree.way.length ? "all" : (name?.name ?? "");
}

/* The same colour for a name in every picture. */
function nameColour(name: string, dark: boolean): string {
  let hash = 2166136261;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 16777619);
  const hue = 18 + ((hash >>> 8) % 40);
  return `hsl(${hue} ${dark ? 45 : 74}% ${dark ? 30 + ((hash >>> 20) % 12) : 66 + ((hash >>> 20) % 14)}%)`;
}

interface Palette {
  causes: string[];
  calm: string;
  worse: string;
  better: string;
  dark: boolean;
}

function palette(causes: string[], dark: boolean): Palette {
  return {
    causes: causes.map(causeColour),
    calm: dark ? "#3d4a4f" : "#e3e6e4",
    worse: dark ? "#e0693f" : "#d9531e",
    better: dark ? "#3f9bd0" : "#2b7bba",
    dark,
  };
}

function colourOf(tree: Tree, node: number, colouring: Colouring, p: Palette): string {
  const { nodes } = tree;
  if (colouring === "name") return nameColour(nameOf(tree, node), p.dark);
  if (colouring === "change") {
    const before = nodes.before?.[node] ?? 0;
    const after = nodes.inclusive[node] ?? 0;
    const change = (after - before) / Math.max(before, after, 1);
    return change === 0 ? p.calm : mix(p.calm, change > 0 ? p.worse : p.better, Math.min(1, 0.25 + Math.abs(change) * 1.5));
  }
  const cause = nodes.cause[node] ?? -1;
  const lost = (nodes.lost[node] ?? 0) / Math.max(1, nodes.cycles[node] ?? 1);
  return cause < 0 ? p.calm : mix(p.calm, p.causes[cause] ?? p.calm, Math.min(0.92, 0.12 + lost * 1.5));
}

export interface Look {
  colouring: Colouring;
  causes: string[];
  dark: boolean;
  upwards: boolean; // the first level at the bottom
  selected: number;
  matches: (name: string) => boolean;
  isSearching: boolean;
}

export function draw(canvas: HTMLCanvasElement, chart: Chart, width: number, look: Look): void {
  const scale = window.devicePixelRatio || 1;
  const height = Math.max(1, chart.levels) * LEVEL + 2;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const to = canvas.getContext("2d");
  if (!to) return;
  const colours = palette(look.causes, look.dark);
  const mark = themeColour("--mark");
  to.scale(scale, scale);
  to.font = "12px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
  to.textBaseline = "middle";
  const letter = to.measureText("m").width;
  for (let node = 0; node < chart.tree.count; node++) {
    const wide = (chart.width[node] ?? 0) * width;
    if (wide < 0.4) continue;
    const level = chart.depth[node] ?? 0;
    const x = (chart.start[node] ?? 0) * width;
    const y = 1 + (look.upwards ? chart.levels - 1 - level : level) * LEVEL;
    const name = nameOf(chart.tree, node);
    const isMatch = look.isSearching && look.matches(name);
    to.globalAlpha = look.isSearching && !isMatch ? 0.35 : 1;
    to.fillStyle = isMatch ? mark : colourOf(chart.tree, node, look.colouring, colours);
    to.fillRect(x, y, Math.max(0.6, wide - (wide > 3 ? 1 : 0)), LEVEL - 1);
    to.globalAlpha = 1;
    if (node === look.selected) {
      to.strokeStyle = themeColour("--focus");
      to.lineWidth = 2;
      to.strokeRect(x + 1, y + 1, Math.max(1, wide - 3), LEVEL - 3);
    }
    const room = Math.floor((wide - 8) / letter);
    if (room < 3) continue;
    to.fillStyle = look.dark ? "#f2f5f4" : "#161d20";
    to.fillText(name.length <= room ? name : name.slice(0, room - 1) + "…", x + 4, y + LEVEL / 2);
  }
}

export function find(chart: Chart, x: number, y: number, width: number, upwards: boolean): number {
  const row = Math.floor((y - 1) / LEVEL);
  const level = upwards ? chart.levels - 1 - row : row;
  const at = x / width;
  for (let node = 0; node < chart.tree.count; node++) {
    const start = chart.start[node] ?? 0;
    if (chart.depth[node] === level && at >= start && at < start + (chart.width[node] ?? 0)) return node;
  }
  return -1;
}

/* The node that an arrow key leads to. */
export function neighbour(chart: Chart, node: number, key: string, upwards: boolean): number {
  const parent = chart.tree.nodes.parent[node] ?? -1;
  const inwards = upwards ? "ArrowUp" : "ArrowDown";
  const outwards = upwards ? "ArrowDown" : "ArrowUp";
  const siblings = parent >= 0 ? (chart.children.get(parent) ?? []) : [node];
  const place = siblings.indexOf(node);
  if (key === inwards) return chart.children.get(node)?.[0] ?? node;
  if (key === outwards) return parent >= 0 && (chart.width[parent] ?? 0) > 0 ? parent : node;
  if (key === "ArrowLeft") return siblings[place - 1] ?? node;
  if (key === "ArrowRight") return siblings[place + 1] ?? node;
  return node;
}
