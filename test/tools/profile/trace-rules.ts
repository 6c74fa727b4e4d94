/**
 * The rules of the Trace Event Format (the document of chrome://tracing, which Perfetto follows), as far as our traces use it: what a
 * viewer needs to show every event in its place.
 */

interface Event {
  readonly ph: string;
  readonly name: string;
  readonly cat?: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly id?: number | string;
  readonly bp?: string;
  readonly args?: Readonly<Record<string, unknown>>;
}

/** What is wrong with a trace; empty if nothing is. */
export function traceProblems(trace: unknown): string[] {
  const events = (trace as { traceEvents?: unknown }).traceEvents;
  if (!Array.isArray(events)) return ['traceEvents is no list'];
  const malformed = events.flatMap((event: Event, index) =>
    shapeProblems(event).map((why) => `${index}: ${why}`),
  );
  if (malformed.length > 0) return malformed;
  return [...nameProblems(events), ...nestingProblems(events), ...flowProblems(events)];
}

function shapeProblems(event: Event): string[] {
  const problems: string[] = [];
  if (!['X', 's', 'f', 'M'].includes(event.ph)) problems.push(`ph is ${event.ph}`);
  if (typeof event.name !== 'string' || event.name === '') problems.push('no name');
  if (!(Number.isFinite(event.ts) && event.ts >= 0)) problems.push(`ts is ${event.ts}`);
  if (!Number.isInteger(event.pid)) problems.push(`pid is ${event.pid}`);
  if (!Number.isInteger(event.tid)) problems.push(`tid is ${event.tid}`);
  if (event.ph === 'X' && !(Number.isFinite(event.dur) && event.dur! >= 0))
    problems.push(`dur is ${event.dur}`);
  if ((event.ph === 's' || event.ph === 'f') && event.id === undefined) problems.push('a flow without an id');
  if (event.ph === 'M' && !event.args) problems.push('metadata without args');
  return problems;
}

/** Every process and every track has a name, once. */
function nameProblems(events: readonly Event[]): string[] {
  const named = (what: string, of: (event: Event) => string): string[] =>
    events.filter(({ ph, name }) => ph === 'M' && name === what).map(of);
  const process = ({ pid }: Event) => `process ${pid}`;
  const track = ({ pid, tid }: Event) => `track ${pid}.${tid}`;
  const names = [...named('process_name', process), ...named('thread_name', track)];
  const problems = names
    .filter((name, index) => names.indexOf(name) !== index)
    .map((name) => `${name} has two names`);
  const used = events.filter(({ ph }) => ph !== 'M').flatMap((event) => [process(event), track(event)]);
  return [
    ...problems,
    ...[...new Set(used)].filter((name) => !names.includes(name)).map((name) => `${name} has no name`),
  ];
}

/** Of two things on one track, one is inside the other or they are apart. */
function nestingProblems(events: readonly Event[]): string[] {
  const problems: string[] = [];
  const open = new Map<string, number[]>();
  const slices = events.filter(({ ph }) => ph === 'X');
  for (const event of slices.sort((a, b) => a.ts - b.ts || b.dur! - a.dur!)) {
    const track = `${event.pid}.${event.tid}`;
    const ends = open.get(track) ?? [];
    open.set(track, ends);
    while (ends.length > 0 && ends.at(-1)! <= begin(event)) ends.pop();
    if (ends.length > 0 && end(event) > ends.at(-1)!)
      problems.push(`${event.name} at ${event.ts} overlaps another`);
    ends.push(end(event));
  }
  return problems;
}

/** An arrow has one beginning and one end, not before it, each at something that is under way then. */
function flowProblems(events: readonly Event[]): string[] {
  const problems: string[] = [];
  const slices = events.filter(({ ph }) => ph === 'X');
  const arrows = new Map<string, Event[]>();
  for (const event of events) {
    if (event.ph !== 's' && event.ph !== 'f') continue;
    const key = `${event.cat} ${event.name} ${event.id}`;
    arrows.set(key, [...(arrows.get(key) ?? []), event]);
    const lies = slices.some(
      (slice) =>
        slice.pid === event.pid &&
        slice.tid === event.tid &&
        begin(slice) <= begin(event) &&
        begin(event) < end(slice),
    );
    if (!lies) problems.push(`the flow ${key} (${event.ph}) is at nothing`);
  }
  for (const [key, ends] of arrows) {
    const [from, to] = [ends.filter(({ ph }) => ph === 's'), ends.filter(({ ph }) => ph === 'f')];
    if (from.length !== 1 || to.length !== 1)
      problems.push(`the flow ${key} has ${from.length} s and ${to.length} f`);
    else if (to[0]!.ts < from[0]!.ts) problems.push(`the flow ${key} goes back in time`);
    else if (to[0]!.bp !== 'e') problems.push(`the flow ${key} binds to the next slice`);
  }
  return problems;
}

// In whole nanoseconds, as viewers count: sums of fractions of microseconds are not exact.
function begin({ ts }: Event): number {
  return Math.round(ts * 1000);
}

function end(event: Event): number {
  return begin(event) + Math.round(event.dur! * 1000);
}
