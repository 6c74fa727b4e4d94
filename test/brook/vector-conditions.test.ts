/**
 * Vectors as conditions without strong type checking (`brcc -a`): `?:` chooses component by component, as in Brook before Brook+;
 * conditions of statements mean the first component (A.2 of the guide). Expected values are those of a reference in JavaScript; every
 * kernel runs on the interpreter, on the wasm device, on the machine's OpenCL driver, and as IL through CAL.
 */
import { type BrookDevice, getDevices } from 'millrace/brook';
import * as cal from 'millrace/cal';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { compileBrook } from '../../src/brook/compile.ts';
import { begin, end } from '../api/cal/il-programs.ts';
import { type KernelResults, type KernelRun, runOnBrook, runThroughCal } from './run-through-cal.ts';

const [own] = getDevices('cal');
const [interpreter] = getDevices('cpu');
const driver = getDevices('cal').find(({ device }) => device.platform !== own!.device.platform);
const devices = [own, interpreter, driver].filter((device): device is BrookDevice => device !== undefined);

beforeAll(() => {
  cal.calChooseDevices('webassembly');
});
afterEach(() => end());
afterAll(() => {
  cal.calShutdown();
  for (const device of devices) device.close();
});

/** What the kernel `f` leaves, which is the same everywhere. */
function run(source: string, data: KernelRun): KernelResults {
  end();
  const found = runThroughCal(begin(), source, data, false);
  for (const device of devices) expect(runOnBrook(device, source, data, false)).toEqual(found);
  return found;
}

/** What the compiler says of the body of a kernel. */
function said(body: string, strongTypes: boolean): readonly string[] {
  const source = `kernel void f(float2 a<>, float2 b<>, out float2 c<>) { ${body} }`;
  return compileBrook('k.br', source, { kernelsOnly: true, strongTypes }).diagnostics.list.map(
    ({ severity, message }) => `${severity}: ${message}`,
  );
}

const scalars = ['char', 'uchar', 'short', 'ushort', 'int', 'uint', 'float', 'double'] as const;
type Scalar = (typeof scalars)[number];
const named = (scalar: Scalar, width: number): string => (width === 1 ? scalar : `${scalar}${width}`);
const widest = (scalar: Scalar): number => (scalar === 'double' ? 2 : 4);

/** Numbers that every scalar has, zeros among them. */
const numbersFor = (count: number, seed: number): number[] =>
  Array.from({ length: count }, (_, index) => ((index + seed) * 7 + ((index * seed) >> 1)) % 5);

/** Elements of `width` components as lists. */
const elements = (list: readonly number[], width: number): number[][] =>
  Array.from({ length: list.length / width }, (_, index) => list.slice(index * width, (index + 1) * width));

describe('?: with a vector for a condition', () => {
  const count = 3;
  /** Components of the condition and of what is chosen. */
  const shapes = [
    [4, 4],
    [2, 2],
    [4, 1],
    [3, 3],
    [2, 4],
    [3, 2],
  ] as const;
  // Each scalar as a condition of itself and of another one, in shapes by turns.
  const cases = scalars.flatMap((condition, index) =>
    [0, 3].map((step) => {
      const scalar = scalars[(index + step) % scalars.length]!;
      const fits = shapes.filter(([width, of]) => width <= widest(condition) && of <= widest(scalar));
      const [width, of] = fits[(index + step) % fits.length]!;
      return [named(condition, width), named(scalar, of), scalar, width, of] as const;
    }),
  );
  it.each(cases)('%s chooses %s', (p, q, scalar, width, of) => {
    // Of scalars there is one for each component of the condition, but a double has no third.
    const size = of === 1 ? Math.min(width, widest(scalar)) : Math.min(width, of);
    const source = `kernel void f(${p} a<>, ${p} b<>, ${q} y<>, ${q} n<>, out ${named(scalar, size)} c<>, out ${named(scalar, size)} d<>, out ${named(scalar, size)} e<>) {
        c = a < b ? y : n;
        d = a ? y : n;
        e = !a ? y : n;
      }`;
    const data = (seed: number, components: number): { sizes: number[]; numbers: number[] } => ({
      sizes: [count],
      numbers: numbersFor(count * components, seed),
    });
    const [a, b, y, n] = [data(1, width), data(2, width), data(3, of), data(9, of)];
    const nothing = { sizes: [count], numbers: new Array<number>(count * size).fill(0) };
    const found = run(source, { a, b, y, n, c: nothing, d: nothing, e: nothing });
    const chosen = (holds: (left: number, right: number) => boolean): number[] =>
      elements(a.numbers, width).flatMap((left, index) =>
        left.slice(0, size).map((one, place) => {
          const from = holds(one, b.numbers[index * width + place]!) ? y : n;
          return elements(from.numbers, of)[index]![of === 1 ? 0 : place]!;
        }),
      );
    expect(found).toEqual({
      c: chosen((left, right) => left < right),
      d: chosen((one) => one !== 0),
      e: chosen((one) => one === 0),
    });
  });

  it('takes comparisons joined by && and ||, and chooses inside of choices', () => {
    const source = `kernel void f(float4 a<>, float4 b<>, float k, out float4 c<>, out float4 d<>, out float4 e<>, out float4 g<>) {
      c = a < b && b > 2.0 ? a : b;
      d = a == b || !(a > k) ? 1 : a < b ? 2 : 3;
      e = (a < b) * 10 + (k > a);
      g = k > 2.0 ? a : b;
    }`;
    const a = [0, 1, 2, 3, 4, 5, 6, 7];
    const b = [3, 1, 3, 0, 4, 6, 1, 9];
    const k = 2.5;
    const nothing = { sizes: [2], numbers: new Array<number>(8).fill(0) };
    const found = run(source, {
      a: { sizes: [2], numbers: a },
      b: { sizes: [2], numbers: b },
      k: { numbers: [k] },
      c: nothing,
      d: nothing,
      e: nothing,
      g: nothing,
    });
    const each = (value: (x: number, y: number) => number): number[] =>
      a.map((one, index) => value(one, b[index]!));
    expect(found).toEqual({
      c: each((x, y) => (x < y && y > 2 ? x : y)),
      d: each((x, y) => (x === y || !(x > k) ? 1 : x < y ? 2 : 3)),
      e: each((x, y) => Number(x < y) * 10 + Number(k > x)),
      g: a,
    });
  });

  it('takes what is no number for true, as C does', () => {
    const source = 'kernel void f(float4 a<>, out float4 c<>) { c = a ? 1 : 2; }';
    const found = run(source, {
      a: { sizes: [1], numbers: [Number.NaN, -0, Number.POSITIVE_INFINITY, 1e-30] },
      c: { sizes: [1], numbers: [0, 0, 0, 0] },
    });
    expect(found['c']).toEqual([1, 2, 1, 1]);
  });
});

describe('conditions of statements', () => {
  it('are the first components of vectors', () => {
    const source = `kernel void f(int2 a<>, out int4 c<>) {
      int2 n = a;
      c = 0;
      if (a > 1) c.x = 1;
      while (n > 0) { n -= 1; c.y += 1; }
      do { n += 1; c.z += 1; } while (n < 3);
      for (n = 0; n < a; n += 1) c.w += 1;
    }`;
    const a = [2, 0, 0, 5, 1, 9];
    const found = run(source, {
      a: { sizes: [3], numbers: a },
      c: { sizes: [3], numbers: new Array<number>(12).fill(0) },
    });
    expect(found['c']).toEqual(elements(a, 2).flatMap(([x]) => [Number(x! > 1), x, 3, x]));
  });
});

describe('what is said', () => {
  const words = 'conditional expression must be a scalar data type.';

  it.each([
    ['c = a < b ? a : b;', 'each component decides for itself'],
    ['if (a < b) c = a; else c = b;', 'the first component decides'],
    ['while (a) c = a;', 'the first component decides'],
    ['do c = a; while (a);', 'the first component decides'],
    ['for (; a; ) c = a;', 'the first component decides'],
  ])('%s', (body, rule) => {
    expect(said(body, true)).toEqual([`error: ${words}`]);
    expect(said(body, false)).toEqual([`warning: ${words} Without strong type checking ${rule}`]);
  });

  it('arrays are not chosen', () => {
    const source = 'kernel void f(float a[], out float c<>) { c = 1 ? a : a; }';
    const { log } = compileBrook('k.br', source, { kernelsOnly: true });
    expect(log).toContain('Problem with expression in kernel: Illegal to use array type as left operand');
  });
});
