/** What a program consists of, and what a thread carries out of it. */
import { slotNames } from '../codegen/r600/bundles.ts';
import type { ControlFlow, FetchInstruction, Program } from '../codegen/r600/program.ts';

/** Bundles, fetches and bytes of one instruction of control flow, when it is carried out once. */
export interface Cost {
  readonly instructions: number;
  readonly slots: number;
  readonly fetches: number;
  /** Those of them that the input cache serves: neither group memory nor registers in scratch memory. */
  readonly cachedFetches: number;
  readonly cachedBytes: number;
  /** From memory, with the cached ones. */
  readonly bytesRead: number;
  readonly bytesWritten: number;
}

const none: Cost = {
  instructions: 0,
  slots: 0,
  fetches: 0,
  cachedFetches: 0,
  cachedBytes: 0,
  bytesRead: 0,
  bytesWritten: 0,
};

/** Fetches that go through the input cache. */
const isCached = ({ name }: FetchInstruction): boolean =>
  name === 'SAMPLE' || name === 'LD' || name === 'VFETCH';

const bytesOf = (fetches: readonly FetchInstruction[]): number =>
  fetches.reduce((sum, { bytes }) => sum + bytes, 0);

export function costOf(one: ControlFlow): Cost {
  switch (one.kind) {
    case 'alu':
      return {
        ...none,
        instructions: one.bundles.length,
        slots: one.bundles.reduce((sum, { instructions }) => sum + instructions.length, 0),
      };
    case 'fetch': {
      const fromMemory = one.fetches.filter(
        ({ name }) => name !== 'LOCAL_DS_READ' && name !== 'GET_TEXTURE_RESINFO',
      );
      const cached = one.fetches.filter(isCached);
      return {
        ...none,
        fetches: one.fetches.length,
        cachedFetches: cached.length,
        cachedBytes: bytesOf(cached),
        bytesRead: bytesOf(fromMemory),
      };
    }
    case 'write': {
      const words = one.write.channels.filter((channel) => channel !== undefined).length;
      return { ...none, bytesWritten: one.write.name === 'LOCAL_DS_WRITE' ? 0 : words * 4 };
    }
    case 'branch':
      return none;
  }
}

/** The sum over a program, each instruction of control flow as often as the counts say. */
export function totalCost({ controlFlow }: Program, counts: readonly number[]): Cost {
  const total: Record<keyof Cost, number> = { ...none };
  for (const [index, one] of controlFlow.entries()) {
    const cost = costOf(one);
    const times = counts[index]!;
    for (const key of Object.keys(total) as (keyof Cost)[]) total[key] += cost[key] * times;
  }
  return total;
}

/** How often each instruction is carried out, if every loop turns so often and every side of a branch is taken. */
export function assumedCounts({ controlFlow }: Program, turns: number): readonly number[] {
  let times = 1;
  return controlFlow.map((one) => {
    if (one.kind !== 'branch') return times;
    if (one.name === 'LOOP_DX10') {
      times *= turns;
      return times / turns;
    }
    if (one.name !== 'ENDLOOP') return times;
    times /= turns;
    return times * turns;
  });
}

export interface InstructionMix {
  /** Instructions in slots, and how full bundles are on average, of five. */
  readonly bundles: number;
  readonly slots: number;
  readonly slotsPerBundle: number;
  /** In each of x y z w t. */
  readonly bySlot: Readonly<Record<string, number>>;
  /** Floats, words, transcendental functions and what else only t can do, doubles, moves. */
  readonly byKind: Readonly<
    Record<'float' | 'integer' | 'transcendental' | 'double' | 'move' | 'predicate', number>
  >;
  readonly fetches: number;
  readonly writes: number;
  readonly branches: number;
}

export function instructionMix({ controlFlow }: Program): InstructionMix {
  const bySlot = Object.fromEntries(slotNames.map((slot) => [slot, 0])) as Record<string, number>;
  const byKind = { float: 0, integer: 0, transcendental: 0, double: 0, move: 0, predicate: 0 };
  let bundles = 0;
  let slots = 0;
  for (const one of controlFlow) {
    if (one.kind !== 'alu') continue;
    bundles += one.bundles.length;
    for (const { slot, opcode } of one.bundles.flatMap(({ instructions }) => instructions)) {
      slots += 1;
      bySlot[slot]! += 1;
      const kind =
        opcode.name === 'MOV'
          ? 'move'
          : opcode.isPredicate
            ? 'predicate'
            : opcode.units === 'pair' || opcode.units === 'quad'
              ? 'double'
              : opcode.units === 'trans'
                ? 'transcendental'
                : opcode.takesFloats
                  ? 'float'
                  : 'integer';
      byKind[kind] += 1;
    }
  }
  const kinds = (kind: ControlFlow['kind']): readonly ControlFlow[] =>
    controlFlow.filter((one) => one.kind === kind);
  return {
    bundles,
    slots,
    slotsPerBundle: bundles === 0 ? 0 : slots / bundles,
    bySlot,
    byKind,
    fetches: kinds('fetch').reduce((sum, one) => sum + (one.kind === 'fetch' ? one.fetches.length : 0), 0),
    writes: kinds('write').length,
    branches: kinds('branch').length,
  };
}
