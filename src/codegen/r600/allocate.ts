/**
 * Allocation: a number for every register. What is read only by the bundle behind its own needs none, as that takes it from where it
 * was computed; what lives in one ALU clause goes to a clause temporary; everything else gets the lowest general register
 * in which its channel is free as long as it is needed, all registers of a group the same one.
 */
import type { Bundle } from './bundles.ts';
import { clauseTemporaries, usableRegisters } from './chips.ts';
import { R600Error } from './error.ts';
import type { Group, Register } from './operations.ts';
import { giveChannel, type ScheduledClause, type ScheduledItem } from './schedule.ts';

export type Location =
  | { readonly file: 'general' | 'temporary'; readonly index: number }
  | { readonly file: 'none' };

export interface Allocation {
  readonly locations: ReadonlyMap<Register, Location>;
  /** General registers used, those that the program begins with among them. */
  readonly registers: number;
  readonly temporaries: number;
}

/** One place in the program where registers are read, and then written. */
interface Point {
  readonly reads: readonly Register[];
  readonly writes: readonly Register[];
}

/** The registers that each bundle of a clause reads from where they are kept, not from the bundle before. */
export function keptReads(bundle: Bundle, previous: Bundle | undefined): readonly Register[] {
  const forwarded = new Set(previous?.slots.map(({ target }) => target));
  return bundle.slots.flatMap(({ sources }) =>
    sources.flatMap((source) =>
      source.kind === 'register' && !forwarded.has(source.register) ? [source.register] : [],
    ),
  );
}

/**
 * @param liveBehind of each item, as before scheduling, which moves nothing from one block to another
 * @param inputs registers that the program begins with take at least so many
 * @param most registers that there are
 * @throws R600Error if there are not enough
 */
export function allocate(
  items: readonly ScheduledItem[],
  liveBehind: readonly ReadonlySet<Register>[],
  inputs: number,
  most: number = usableRegisters,
): Allocation {
  const clauses = items.map((item) => (item.kind === 'block' ? item.clauses.map(pointsOf) : []));
  const all = clauses.flat(2);
  const kept = new Set(all.flatMap(({ reads }) => reads));
  const locations = new Map<Register, Location>();
  for (const { writes } of all)
    for (const register of writes) if (!kept.has(register)) locations.set(register, { file: 'none' });
  const temporaries = placeTemporaries(items, clauses, locations);
  const conflicts = findConflicts(clauses, liveBehind, locations);
  const registers = placeGroups(all, conflicts, locations, inputs, most);
  return { locations, registers, temporaries };
}

function pointsOf(clause: ScheduledClause): readonly Point[] {
  switch (clause.kind) {
    case 'alu':
      return clause.bundles.map((bundle, index) => ({
        reads: keptReads(bundle, clause.bundles[index - 1]),
        writes: bundle.slots.flatMap(({ target }) => target ?? []),
      }));
    case 'fetch':
      return clause.fetches.map(({ address, targets }) => ({
        reads: address,
        writes: targets.filter((target) => target !== undefined),
      }));
    case 'write': {
      const { data, index } = clause.write;
      const reads = data.filter((register) => register !== undefined);
      return [{ reads: index ? [...reads, index] : reads, writes: [] }];
    }
  }
}

/** Gives T0 to T3 to what is written and read in one ALU clause only. */
function placeTemporaries(
  items: readonly ScheduledItem[],
  clauses: readonly (readonly (readonly Point[])[])[],
  locations: Map<Register, Location>,
): number {
  const home = new Map<Register, readonly Point[] | undefined>();
  for (const points of clauses.flat()) {
    for (const { reads, writes } of points) {
      for (const register of [...reads, ...writes]) {
        if (!home.has(register)) home.set(register, points);
        else if (home.get(register) !== points) home.set(register, undefined);
      }
    }
  }
  let used = 0;
  for (const [at, item] of items.entries()) {
    if (item.kind !== 'block') continue;
    for (const [number, clause] of item.clauses.entries()) {
      if (clause.kind !== 'alu') continue;
      const points = clauses[at]![number]!;
      const spans = new Map<Register, { from: number; to: number }>();
      for (const [index, { reads, writes }] of points.entries()) {
        for (const register of reads) {
          const span = spans.get(register);
          // Read before it is written here: it comes from another iteration of a loop.
          if (span) span.to = index;
          else home.set(register, undefined);
        }
        for (const register of writes) {
          const span = spans.get(register);
          if (span) span.to = index;
          else spans.set(register, { from: index, to: index });
        }
      }
      const busy: number[] = Array(clauseTemporaries * 4).fill(-1);
      for (const [register, { from, to }] of spans) {
        if (home.get(register) !== points || locations.has(register)) continue;
        if (register.group.members.size > 1 || register.group.fixed !== undefined) continue;
        const channel = giveChannel(register);
        for (let index = 0; index < clauseTemporaries; index += 1) {
          const place = index * 4 + channel;
          // A bundle reads before it writes.
          if (busy[place]! > from) continue;
          busy[place] = to;
          locations.set(register, { file: 'temporary', index });
          used = Math.max(used, index + 1);
          break;
        }
      }
    }
  }
  return used;
}

function findConflicts(
  clauses: readonly (readonly (readonly Point[])[])[],
  liveBehind: readonly ReadonlySet<Register>[],
  locations: ReadonlyMap<Register, Location>,
): ReadonlyMap<Register, ReadonlySet<Register>> {
  const conflicts = new Map<Register, Set<Register>>();
  const add = (a: Register, b: Register): void => {
    if (a === b || a.channel !== b.channel) return;
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      const known = conflicts.get(one);
      if (known) known.add(other);
      else conflicts.set(one, new Set([other]));
    }
  };
  const isPlaced = (register: Register): boolean => !locations.has(register);
  for (const [index, item] of clauses.entries()) {
    const live = new Set([...liveBehind[index]!].filter(isPlaced));
    for (const register of live) giveChannel(register);
    for (const { reads, writes } of item.flat().reverse()) {
      const written = writes.filter(isPlaced);
      for (const register of written) {
        giveChannel(register);
        for (const other of live) add(register, other);
        for (const other of written) add(register, other);
      }
      for (const register of written) live.delete(register);
      for (const register of reads) {
        if (!isPlaced(register)) continue;
        giveChannel(register);
        live.add(register);
      }
    }
    if (index === 0) for (const a of live) for (const b of live) add(a, b);
  }
  return conflicts;
}

function placeGroups(
  points: readonly Point[],
  conflicts: ReadonlyMap<Register, ReadonlySet<Register>>,
  locations: Map<Register, Location>,
  inputs: number,
  most: number,
): number {
  const groups = new Set<Group>();
  for (const { reads, writes } of points) {
    for (const register of [...reads, ...writes]) if (!locations.has(register)) groups.add(register.group);
  }
  const order = [...groups].sort((a, b) => Number(b.fixed !== undefined) - Number(a.fixed !== undefined));
  let registers = inputs;
  for (const { members, fixed } of order) {
    const taken = new Set<number>();
    for (const member of members) {
      for (const other of conflicts.get(member) ?? []) {
        const location = locations.get(other);
        if (location?.file === 'general') taken.add(location.index);
      }
    }
    let index = fixed ?? 0;
    if (fixed === undefined) while (taken.has(index)) index += 1;
    for (const member of members) locations.set(member, { file: 'general', index });
    registers = Math.max(registers, index + 1);
  }
  if (registers > most) {
    throw new R600Error(
      `the kernel needs ${registers} registers at a time; there are ${most}`,
      undefined,
      true,
    );
  }
  return registers;
}
