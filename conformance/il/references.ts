/**
 * What public IL programs compute, in JavaScript: for files of certain names, a launch with made-up data and what must come
 * out. The programs themselves are not in this repository (docs/il.md says where they are from).
 */
import type { IlRun, TestResource } from '../../test/support/launch-il.ts';
import { Random } from '../../test/support/random.ts';
import { starCounts } from './milkyway.ts';

/** Runs the program; what it writes is changed in place. */
export type Launch = (run: IlRun) => void;

export interface Reference {
  /** What the file's name contains. */
  readonly file: RegExp;
  /** Runs the program and returns what is wrong with the result; undefined if nothing is. */
  readonly check: (launch: Launch) => string | undefined;
}

const one = { type: 'float32', components: 1 } as const;
const double = { type: 'float64', components: 1 } as const;

/** The first number that differs by more than so much of the largest one. */
function differs(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  tolerance: number,
): string | undefined {
  const largest = Array.from(expected).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  for (let index = 0; index < expected.length; index += 1) {
    if (!(Math.abs(actual[index]! - expected[index]!) <= tolerance * largest)) {
      return `element ${index} is ${actual[index]}, not ${expected[index]}`;
    }
  }
  return undefined;
}

/** Numbers between -1 and 1. */
function numbers<T extends Float32Array | Float64Array>(array: T, seed: number): T {
  const random = new Random(seed);
  for (let index = 0; index < array.length; index += 1) array[index] = random.next() * 2 - 1;
  return array;
}

/** A bitonic network, a launch for each step: ascending at its end. */
function bitonicSort(launch: Launch): string | undefined {
  const [width, height] = [16, 16];
  const count = width * height;
  let from = numbers(new Float32Array(count), 1);
  const expected = from.slice().sort();
  const everywhere = (value: number): number[] => [value, value, value, value];
  for (let stage = 0; 1 << (stage + 1) <= count; stage += 1) {
    for (let step = stage; step >= 0; step -= 1) {
      const to = new Float32Array(count);
      launch({
        domain: [0, 0, width, height],
        constants: {
          0: Int32Array.from([stage + 1, 1 << step, 2 << step, width].flatMap(everywhere)),
        },
        inputs: { 0: { width, height, format: one, data: from } },
        outputs: { 0: { width, height, format: one, data: to } },
      });
      from = to;
    }
  }
  return differs(from, expected, 0);
}

/** C = A B of square matrices, the size in cb0[0].x. */
function matrixProduct(launch: Launch, isDouble: boolean): string | undefined {
  const n = 19;
  const array = (): Float32Array | Float64Array =>
    isDouble ? new Float64Array(n * n) : new Float32Array(n * n);
  const [a, b, c] = [numbers(array(), 2), numbers(array(), 3), array()];
  const resource = (data: Float32Array | Float64Array): TestResource => ({
    width: n,
    height: n,
    format: isDouble ? double : one,
    data,
  });
  launch({
    domain: [0, 0, n, n],
    constants: { 0: Float32Array.of(n, n, n, n) },
    inputs: { 0: resource(a), 1: resource(b) },
    outputs: { 0: resource(c) },
  });
  const expected = Array.from({ length: n * n }, (_, index) => {
    let sum = 0;
    for (let k = 0; k < n; k += 1) sum += a[n * Math.floor(index / n) + k]! * b[n * k + (index % n)]!;
    return sum;
  });
  return differs(c, expected, isDouble ? 1e-14 : 1e-5);
}

/**
 * Transforms of 64 complex numbers, eight a group and two in the halves of each element, through group memory: number n of
 * transform t is element 64 floor(n / 8) + 8 t + n mod 8 of the group's.
 */
function fourier(launch: Launch): string | undefined {
  const [length, perGroup, groups] = [64, 512, 2];
  const global = numbers(new Float32Array(perGroup * groups * 4), 4);
  const source = global.slice();
  launch({ groups: [groups], global });
  const expected = new Float64Array(global.length);
  for (let transform = 0; transform < 16; transform += 1) {
    const [group, within] = [Math.floor(transform / 8), transform % 8];
    for (const half of [0, 2]) {
      const at = (n: number): number =>
        (group * perGroup + 64 * Math.floor(n / 8) + 8 * within + (n % 8)) * 4 + half;
      for (let k = 0; k < length; k += 1) {
        for (let n = 0; n < length; n += 1) {
          const angle = (-2 * Math.PI * ((k * n) % length)) / length;
          const [re, im] = [source[at(n)]!, source[at(n) + 1]!];
          expected[at(k)]! += re * Math.cos(angle) - im * Math.sin(angle);
          expected[at(k) + 1]! += re * Math.sin(angle) + im * Math.cos(angle);
        }
      }
    }
  }
  return differs(global, expected, 1e-5);
}

/** Copies a part of an array, shifted by cb0[0].xy. */
function shiftedCopy(launch: Launch): string | undefined {
  const [width, height] = [21, 9];
  const data = numbers(new Float32Array(width * height * 4), 5);
  const out = new Float32Array(10 * 4 * 4);
  launch({
    domain: [1, 1, 8, 3],
    constants: { 0: Float32Array.of(5, 2, 0, 0) },
    inputs: { 0: { width, height, data } },
    outputs: { 0: { width: 10, height: 4, data: out } },
  });
  const expected = new Float32Array(out.length);
  for (let y = 1; y < 4; y += 1) {
    for (let x = 1; x < 9; x += 1) {
      for (let c = 0; c < 4; c += 1)
        expected[(y * 10 + x) * 4 + c] = data[((y + 2) * width + x + 5) * 4 + c]!;
    }
  }
  return differs(out, expected, 0);
}

/** An operation of each number of an array with one number: its type and which operation are constants. */
function withScalar(launch: Launch): string | undefined {
  const [width, height] = [32, 16];
  const operations: readonly [code: number, of: (a: number, b: number) => number][] = [
    [1, (a, b) => a + b],
    [8, (a, b) => a * b],
    [9, (a, b) => a / b],
  ];
  for (const [code, of] of operations) {
    for (const type of [5, 6]) {
      const isDouble = type === 6;
      const size = width * height * (isDouble ? 2 : 4);
      const data = numbers(isDouble ? new Float64Array(size) : new Float32Array(size), code);
      const global = isDouble ? new Float64Array(size) : new Float32Array(size);
      const scalar = isDouble ? Float64Array.of(0.75, 0.75) : Float32Array.of(0.75, 0.75, 0.75, 0.75);
      const format = { type: isDouble ? 'float64' : 'float32', components: isDouble ? 2 : 4 } as const;
      launch({
        groups: [(width * height) / 4 / 64],
        constants: { 0: Int32Array.of(width, type, code, 0), 1: scalar },
        inputs: { 0: { width, height, format, data } },
        global,
      });
      const expected = Array.from(data, (value) => of(value, 0.75));
      const wrong = differs(global, expected, isDouble ? 1e-15 : 1e-6);
      if (wrong !== undefined) return `operation ${code} of type ${type}: ${wrong}`;
    }
  }
  return undefined;
}

/** Each thread's part of an inner product, four sums of every fourth number. */
function innerProduct(launch: Launch): string | undefined {
  const [width, block] = [64, 8];
  const height = 8;
  const [a, b] = [6, 7].map((seed) => numbers(new Float32Array(width * height * 4), seed));
  const global = new Float32Array(64 * 4);
  launch({
    groups: [1],
    constants: { 0: Int32Array.of(width, 5, block, 0) },
    inputs: { 0: { width, height, data: a! }, 1: { width, height, data: b! } },
    global,
  });
  const expected = new Float64Array(global.length);
  for (const [index, value] of a!.entries()) {
    const thread = Math.floor(index / 4 / block);
    expected[thread * 4 + (index % 4)]! += value * b![index]!;
  }
  return differs(global, expected, 1e-5);
}

/** An element with constants. */
function plusConstant(launch: Launch): string | undefined {
  const data = Float32Array.from({ length: 16 }, (_, index) => Math.floor(index / 4));
  const [out, global] = [new Float32Array(16), new Float32Array(16)];
  launch({
    domain: [0, 0, 4, 1],
    constants: { 0: Float32Array.of(1, 2, 3, 4) },
    inputs: { 0: { width: 4, data } },
    outputs: { 0: { width: 4, data: out } },
    global,
  });
  return differs(
    out,
    data.map((value, index) => value + (index % 4) + 1),
    0,
  );
}

/**
 * caldgemm's product of doubles, four rows and four columns a position, times a factor. Two numbers that are neighbours among the rows
 * (`isTransposed`) or among the terms of a sum lie in one element; elements of the first two rows or columns of a block are in one input,
 * those of the others in the next. Output i + 4 has the third and fourth column of row i.
 */
function blockedProduct(launch: Launch, isTransposed: boolean, factor: number): string | undefined {
  const [rows, columns, terms] = [12, 20, 14];
  const a = numbers(new Float64Array(rows * terms), 8); // a[row * terms + k]
  const b = numbers(new Float64Array(columns * terms), 9); // b[column * terms + k]
  const pairs = { type: 'float64', components: 2 } as const;

  /** Lines `half` and `half + 1` of each block of four, as an input. */
  const input = (lines: Float64Array, count: number, half: number): TestResource => {
    const blocks = count / 4;
    const [width, height] = isTransposed ? [blocks, terms] : [terms, blocks];
    const data = new Float64Array(width * height * 2);
    for (let block = 0; block < blocks; block += 1) {
      for (const line of [0, 1]) {
        for (let k = 0; k < terms; k += 1) {
          const value = lines[(4 * block + half + line) * terms + k]!;
          if (isTransposed) data[(k * width + block) * 2 + line] = value;
          else data[(block * width + (k & ~1) + line) * 2 + (k & 1)] = value;
        }
      }
    }
    return { width, height, format: pairs, data };
  };

  const [width, height] = [columns / 4, rows / 4];
  const outputs = Array.from({ length: 8 }, () => new Float64Array(width * height * 2));
  const constants = new Float64Array(8);
  new Float32Array(constants.buffer)[4] = terms; // cb0[1].x
  constants[3] = factor; // cb0[1].zw
  launch({
    domain: [0, 0, width, height],
    constants: { 0: constants },
    inputs: { 0: input(a, rows, 0), 1: input(a, rows, 2), 2: input(b, columns, 0), 3: input(b, columns, 2) },
    outputs: Object.fromEntries(
      outputs.map((data, index) => [index, { width, height, format: pairs, data }]),
    ),
  });
  const [actual, expected] = [new Float64Array(rows * columns), new Float64Array(rows * columns)];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const [x, y] = [Math.floor(column / 4), Math.floor(row / 4)];
      const output = outputs[(row % 4) + (column % 4 < 2 ? 0 : 4)]!;
      actual[row * columns + column] = output[(y * width + x) * 2 + (column & 1)]!;
      for (let k = 0; k < terms; k += 1) {
        expected[row * columns + column]! += factor * a[row * terms + k]! * b[column * terms + k]!;
      }
    }
  }
  return differs(actual, expected, 1e-14);
}

/** caldgemm's change of layout: two elements' first halves become one element, of two inputs. */
function joinedHalves(launch: Launch): string | undefined {
  const [width, height] = [7, 5];
  const sources = [10, 11].map((seed) => numbers(new Float32Array(2 * width * height * 4), seed));
  const targets = sources.map(() => new Float32Array(width * height * 4));
  const resources = (arrays: readonly Float32Array[], columns: number) =>
    Object.fromEntries(arrays.map((data, index) => [index, { width: columns, height, data }]));
  launch({
    domain: [0, 0, width, height],
    inputs: resources(sources, 2 * width),
    outputs: resources(targets, width),
  });
  for (const [index, target] of targets.entries()) {
    const expected = target.map(
      (_, at) => sources[index]![Math.floor(at / 2) * 4 + (at % 2)]!, // every other pair of numbers
    );
    const wrong = differs(target, expected, 0);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

export const references: readonly Reference[] = [
  { file: /amdspl.*BitonicILAT_il/, check: bitonicSort },
  { file: /amdspl-008-fft/, check: fourier },
  { file: /amdspl.*ProgramManagerTests/, check: plusConstant },
  { file: /a2-001/, check: shiftedCopy },
  { file: /a2-010/, check: withScalar },
  { file: /a2-054/, check: innerProduct },
  {
    file: /caldgemm.*-44_TRANSPOSED_A(_DUAL_ENTRY)?\.il/,
    check: (launch) => blockedProduct(launch, true, 0.75),
  },
  {
    file: /caldgemm.*-44_TRANSPOSED_A(_DUAL_ENTRY)?_ALPHA1/,
    check: (launch) => blockedProduct(launch, true, 1),
  },
  { file: /caldgemm.*-44_TRANSPOSED_B\.il/, check: (launch) => blockedProduct(launch, false, 0.75) },
  { file: /caldgemm.*-44_TRANSPOSED_B_ALPHA1/, check: (launch) => blockedProduct(launch, false, 1) },
  { file: /caldgemm-048-cal/, check: joinedHalves },
  { file: /milkyway-001/, check: starCounts },
  { file: /brcc.*-205-simple_matmult/, check: (launch) => matrixProduct(launch, false) },
  { file: /brcc.*double_precision_simple_matmult/, check: (launch) => matrixProduct(launch, true) },
];
