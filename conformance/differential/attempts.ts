/**
 * How to launch a kernel that nobody describes: guesses, from the most telling to the most careful. The interpreter
 * tries one after another until the kernel neither leaves its buffers nor depends on the order of its work-items.
 */
import type { KernelFacts } from './kernel-facts.ts';

/** One guess. */
export interface Attempt {
  readonly global: readonly number[];
  readonly local: readonly number[];
  /** Integers in buffers: all values of their type; small ones that may serve as indices; these without 0. */
  readonly integers: 'any' | 'small' | 'positive';
  /** Elements of each buffer. */
  readonly elements: number;
  /** Bytes of each local pointer argument. */
  readonly localBytes: number;
  /** What an integer argument is that is not named like a size: a few units, or always this. */
  readonly other: 'few' | number;
}

/** What a person has said about the launch. */
export interface GivenSizes {
  readonly global?: readonly number[] | undefined;
  readonly local?: readonly number[] | undefined;
}

const globals: Readonly<Record<number, readonly number[]>> = { 1: [64], 2: [16, 16], 3: [8, 8, 4] };
const locals: Readonly<Record<number, readonly (readonly number[])[]>> = {
  1: [[16], [64], [8], [32]],
  2: [
    [8, 8],
    [16, 16],
    [4, 4],
    [16, 1],
  ],
  3: [
    [4, 4, 2],
    [8, 8, 4],
    [2, 2, 1],
    [4, 4, 4],
  ],
};

/** The guesses for a kernel. */
export function attemptsFor(facts: KernelFacts, given: GivenSizes): Attempt[] {
  const dimensions = given.global?.length ?? given.local?.length ?? (facts.dimensions || 1);
  const single = Array.from({ length: dimensions }, () => 1);
  const groups: (readonly number[])[] = given.local
    ? [given.local]
    : facts.requiredWorkGroupSize
      ? [facts.requiredWorkGroupSize.slice(0, dimensions)]
      : facts.dimensions === 0 && !given.global
        ? [single]
        : [...locals[dimensions]!];
  const rangeOf = (local: readonly number[]): readonly number[] => {
    if (given.global) return given.global;
    if (facts.dimensions === 0) return local;
    // Whole groups, and at least two of them in the first dimension.
    return globals[dimensions]!.map((size, axis) => {
      const group = local[axis]!;
      return Math.max(Math.ceil(size / group), axis === 0 ? 2 : 1) * group;
    });
  };
  const fits = (local: readonly number[]) => rangeOf(local).every((size, axis) => size % local[axis]! === 0);
  const usable = groups.filter(fits);
  const [first = single] = usable;
  const guess = (local: readonly number[], changes: Partial<Attempt> = {}): Attempt => ({
    global: rangeOf(local),
    local,
    integers: 'small',
    elements: elementsFor(rangeOf(local)),
    localBytes: 32768,
    other: 'few',
    ...changes,
  });
  const all = [
    guess(first, { integers: 'any' }),
    guess(first),
    guess(first, { integers: 'positive' }),
    ...usable.slice(1).map((local) => guess(local)),
    guess(first, { other: 1, elements: 8 * elementsFor(rangeOf(first)) }),
    guess(first, { other: Math.max(...rangeOf(first)), elements: 8 * elementsFor(rangeOf(first)) }),
    guess(first, { other: 0 }),
  ];
  return all;
}

/** The last guesses: a launch of one work-item. Not for a kernel that races, which would be hidden by it. */
export function lonelyAttempts(facts: KernelFacts, given: GivenSizes): Attempt[] {
  if (given.local || given.global || facts.requiredWorkGroupSize) return [];
  const single = Array.from({ length: facts.dimensions || 1 }, () => 1);
  const attempt: Attempt = {
    global: single,
    local: single,
    integers: 'small',
    elements: elementsFor([64]),
    localBytes: 32768,
    other: 'few',
  };
  return [attempt, { ...attempt, other: 1 }];
}

/** Room for a matrix or a picture of the launch's size with a margin. */
function elementsFor(global: readonly number[]): number {
  const widest = Math.max(...global);
  const items = global.reduce((product, size) => product * size, 1);
  return Math.max(items * widest, 4096) + widest + 64;
}

const sizeNames =
  /^(n|m|k|l|nx|ny|nz|ni|nj|nk|nl|nm|dim[xyz]?|ld[abc]?|w|h)$|num|count|size|len|width|height|depth|cols?|columns?|rows?|stride|pitch|limit|total|elements|items|bound|max_?(index|id)/i;

/** The size that an integer argument of this name is likely to be, or undefined. */
export function likelySize(name: string, global: readonly number[]): number | undefined {
  if (!sizeNames.test(name)) return undefined;
  if (/height|rows?$|^h$|^ny$/i.test(name)) return global[1] ?? global[0]!;
  if (/depth|^nz$/i.test(name)) return global[2] ?? global[0]!;
  if (/total|elements|items/i.test(name)) return global.reduce((product, size) => product * size, 1);
  return global[0]!;
}
