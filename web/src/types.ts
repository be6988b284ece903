/* What the API answers: docs/api.md, as types. Only what the page reads. */
export type Metrics = Readonly<Record<string, number>>;

export interface Named {
  key: string;
  text: string;
}

export interface Session {
  version: string;
  live: boolean;
  files: number;
  sources: string[];
  metrics: Named[];
  causes: Named[];
}

export interface RunInfo {
  id: number;
  label: string;
  program: string;
  core: string;
  isa: string;
  environment: string;
  region: string;
  commit: string;
  version: string;
  started: string;
  exit: string;
  exit_code: number;
  clock_hz: number;
  cycles: number;
  instructions: number;
}

export interface RunFile {
  file: string;
  error?: string;
  runs?: RunInfo[];
}

export interface Runs {
  files: RunFile[];
}

export interface Run {
  id: number;
  program: string;
  label: string;
  core: string;
  isa: string;
  environment: string;
  region: string;
  commit: string;
  clock_hz: number;
  desyncs: number;
  started: number;
}

/* A row of any kind; which members it has depends on the kind. */
export interface Row {
  name?: string;
  function?: string;
  file?: string;
  line?: number;
  address?: string;
  end?: string;
  instruction?: string;
  cause?: string;
  outer?: string;
  depth?: number;
  calls?: number;
  executions?: number;
  taken?: number;
  entries?: number;
  iterations?: number;
  min_trips?: number;
  mean_trips?: number;
  max_trips?: number;
  inlined?: Inlined[];
  self: Metrics;
  inclusive?: Metrics;
}

export interface Inlined {
  function: string;
  call_file?: string;
  call_line?: number;
}

export interface Overview {
  run: Run;
  metric: string;
  total: Metrics;
  issue_cycles: number;
  causes: { key: string; cycles: number }[];
  counts: Record<string, number>;
  insights?: { rule: string; text: string }[]; // these are not in what is asked for first
  functions?: Row[];
  loops?: Row[];
}

export interface Rows {
  by: string;
  metric: string;
  total: Metrics;
  row_count: number;
  offset: number;
  rows: Row[];
  found: number;
}

export interface TreeName {
  name: string;
  id?: number;
  address?: number;
  inlined?: boolean;
}

export interface Tree {
  metric: string;
  total: number;
  inverted: boolean;
  way: string[];
  count: number;
  omitted: number;
  names: TreeName[];
  nodes: {
    name: number[];
    parent: number[];
    self: number[];
    inclusive: number[];
    calls: number[];
    cycles: number[];
    lost: number[];
    cause: number[];
    estimated: number[];
    before?: number[];
    before_self?: number[];
  };
}

export interface Side {
  run: Run;
  total: Metrics;
}

export interface DifferenceTree extends Tree {
  before: Side;
  after: Side;
}

export interface DifferenceRow {
  name?: string;
  function?: string;
  file?: string;
  line?: number;
  before?: { self: Metrics; inclusive?: Metrics };
  after?: { self: Metrics; inclusive?: Metrics };
}

export interface Difference {
  by: string;
  metric: string;
  before: Side;
  after: Side;
  rows: DifferenceRow[];
  found: number;
}

export interface Call {
  function?: string;
  calls: number;
  inclusive: Metrics;
}

export interface Instruction {
  address: string;
  instruction: string;
  target?: { address: string; function?: string; offset?: number };
  executions: number;
  taken: number;
  self: Metrics;
  calls?: Call[];
}

export interface AnnotatedLine {
  file?: string;
  line?: number;
  source?: string;
  inlined: Inlined[];
  executions: number;
  self: Metrics;
  inclusive: Metrics;
  estimated: boolean;
  instructions: Instruction[];
}

export interface AnnotatedFunction {
  function: string;
  file?: string;
  line?: number;
  address: string;
  end: string;
  calls: number;
  self: Metrics;
  inclusive: Metrics;
  lines: AnnotatedLine[];
}

export interface Annotation {
  metric: string;
  total: Metrics;
  functions: AnnotatedFunction[];
  sources: { file: string; path?: string; changed?: boolean; missing?: string }[];
}

export interface Source {
  file: string;
  missing?: string;
  path?: string;
  changed?: boolean;
  first?: number;
  lines?: string[];
}

export interface Timeline {
  metric: string;
  columns: { name: string; address?: string; sum: number }[];
  intervals: {
    start: number;
    end: number;
    instructions: number;
    cycles: number;
    lost: number;
    value: number;
    parts: number[];
  }[];
  markers: { value: number; instruction: number; cycle?: number }[];
}

export interface Pipeline {
  from: number;
  rows: {
    number: number;
    address: string;
    instruction: string;
    stages: { stage: string; first: number; last: number }[];
    stalls: Record<string, number>;
  }[];
}

export interface Energy {
  core: string;
  source: string;
  energy_j: number;
  energy_fj: number;
  stall_percent: number;
  seconds?: number;
  average_mw?: number;
  groups: { name: string; power_mw: number; instructions: number; cycles_lost: number; energy_fj: number }[];
  functions: { function: string; self_fj: number; total_fj: number }[];
}

export interface CacheGeometry {
  [key: string]: string | number | boolean | null;
}

export interface Core {
  name: string;
  summary: string;
  isa: string;
  clock_hz: number;
  pipeline: string;
  verified: boolean;
  icache?: CacheGeometry | null;
  dcache?: CacheGeometry | null;
}

/* Streams of intervals: what is live, and what has been collected. */
export interface LiveCounter {
  name: string;
  signal: string;
  first: string;
  last: string;
  total: number;
}

export interface Stream {
  name: string; // DEVICE-SESSION-STREAM
  device: string;
  stream: string;
  address: string;
  program: string;
  program_file?: string;
  live: boolean; // received by this server
  running: boolean;
  file: number; // in which it is kept, from 1; 0: in none
  clock_hz: number;
  interval: number;
  cycle: number;
  received: number;
  lost: number;
  late: number;
  doubled: number;
  unsent: number;
  strangers: number;
  old: number;
  repeated: number;
  began_us: number;
  heard_us: number;
  ended: boolean;
  program_ended: boolean;
  module: { counters: number; ranges: number; width: number; signals: string[] };
  counters: LiveCounter[];
}

export interface Streams {
  signals: Named[];
  listens_at?: string;
  keeps_in?: string;
  problem?: string;
  refused?: { foreign: number; forged: number; unanswered: number; overrun: number };
  streams: Stream[];
}

/* Points of a stream, a column for each property; value[counter][point] is a sum over `count` intervals. */
export interface Points {
  begins: boolean;
  first: number[];
  end: number[];
  count: number[];
  cycle: number[];
  value: number[][];
}

export interface Place {
  kind: string;
  text: string;
  first: string;
  last: string;
}

export interface Places {
  has_program: boolean;
  places: Place[];
  problem?: string;
}

export interface Outcome {
  outcome: string;
  text: string;
  stream: string;
}
