/**
 * Sums along rows that may be added up in any order: which loops are taken, that only the build option allows it, and that
 * the sums are right for rows of all lengths. The numbers are whole and small, so that every order gives the very same sum.
 */
import { describe, expect, it } from 'vitest';
import { optimise } from '../../src/passes/pipeline.ts';
import { wasm } from '../../src/target/wasm.ts';
import {
  compileForTest,
  runOnInterpreter,
  type TestArgument,
  value,
  wasmRunner,
} from '../support/run-kernel.ts';

const relaxed = '-cl-unsafe-math-optimizations';
const [width, height] = [13, 6];
const range = { global: [width, height], local: [width, 3] };
/** So long are rows; iterations are done four, or two, at a time. */
const lengths = [0, 1, 3, 4, 5, 8, 11];
const longest = 11;

function kernel(body: string, type = 'float'): string {
  return `kernel void test(global const ${type} *a, global const ${type} *b, global ${type} *out, int n, ${type} f) {
    int x = get_global_id(0), y = get_global_id(1), at = y * ${width} + x;
    ${type} s = b[at];
    ${body}
    out[at] += s;
  }`;
}

function outputOf(isDouble: boolean, n: number, run: (args: TestArgument[]) => void): number[] {
  const array = (length: number, number: (at: number) => number): Float32Array | Float64Array => {
    const numbers = Array.from({ length }, (_, at) => number(at));
    return isDouble ? Float64Array.from(numbers) : Float32Array.from(numbers);
  };
  const numbers = (factor: number) => array(width * longest * 2, (at) => ((at * factor) % 23) - 11);
  const out = array(width * height, (at) => at);
  const bytes = (array: ArrayBufferView) => ({ buffer: new Uint8Array(array.buffer) });
  const factor = isDouble ? value.double(3) : value.float(3);
  run([bytes(numbers(7919)), bytes(numbers(104729)), bytes(out), value.int(n), factor]);
  return [...out];
}

function isAlongRows(source: string, options: string): boolean {
  const module = compileForTest(source, options);
  let isSo = false;
  const onDecision = ({ outcome }: { outcome: object }): void => {
    isSo ||= 'report' in outcome && JSON.stringify(outcome.report).includes('along rows');
  };
  optimise(module, { target: wasm, vectorise: { lanes: 4, onDecision } });
  return isSo;
}

const taken: readonly { name: string; source: string; isDouble?: boolean }[] = [
  { name: 'a row times a vector', source: kernel('for (int k = 0; k < n; k++) s += a[x * n + k] * b[k];') },
  {
    name: 'two rows, of which one is everybody’s',
    source: kernel('for (int k = 0; k < n; k++) s += f * a[y * n + k] * a[x * n + k];'),
  },
  {
    name: 'two terms an iteration, and a factor of each work-item',
    source: kernel(`float g = b[x]; for (int k = 0; k < n; k++) {
      s += a[y * n + k] * b[x * n + k]; s += g * (b[y * n + k] - a[x * n + k]); }`),
  },
  {
    name: 'two sums',
    source: kernel(`float t = 1; for (int k = 0; k < n; k++) { s += a[x * n + k] * b[k]; t += b[x * n + k]; }
      s = s * 2 - t;`),
  },
  { name: 'what is taken away', source: kernel('for (int k = 0; k < n; k++) s -= fabs(a[x * n + k]) * f;') },
  { name: 'mad', source: kernel('for (uint k = 0; k < (uint)n; k++) s = mad(a[x * n + k], f, s);') },
  {
    name: 'neighbours in a row',
    source: kernel('for (int k = 1; k < n; k++) s += a[x * n + k] * a[x * n + k - 1] + a[x + k];'),
  },
  {
    name: 'a guard',
    source: kernel('if (x < 10) for (int k = 0; k < n; k++) s += a[x * n + k] * b[k];'),
  },
  {
    name: 'doubles',
    source: kernel('for (int k = 0; k < n; k++) s += a[x * n + k] * b[y * n + k];', 'double'),
    isDouble: true,
  },
];

const left: readonly { name: string; source: string }[] = [
  { name: 'a product', source: kernel('for (int k = 0; k < n; k++) s *= a[x * n + k];') },
  { name: 'the largest', source: kernel('for (int k = 0; k < n; k++) s = fmax(s, a[x * n + k]);') },
  { name: 'a sum that is taken away', source: kernel('for (int k = 0; k < n; k++) s = a[x * n + k] - s;') },
  {
    name: 'a sum of the sums so far',
    source: kernel('float t = 0; for (int k = 0; k < n; k++) { t += a[x * n + k]; s += t; } s += t;'),
  },
  {
    name: 'a sum that is written down every time',
    source: kernel('for (int k = 0; k < n; k++) { s += a[x * n + k]; out[at] = s; }'),
  },
  { name: 'terms that count', source: kernel('for (int k = 0; k < n; k++) s += a[x * n + k] * k;') },
  {
    name: 'columns next to rows',
    source: kernel('for (int k = 0; k < n; k++) s += a[x * n + k] * a[k * 2 + x];'),
  },
  {
    name: 'a count that differs between work-items',
    source: kernel('for (int k = x; k < x + n; k++) s += a[x * 2 + k];'),
  },
  { name: 'every other element', source: kernel('for (int k = 0; k < n; k += 2) s += a[x * n + k];') },
];

describe.each(taken)('sums along rows: $name', ({ source, isDouble = false }) => {
  it('are taken where the order is free', () => {
    expect(isAlongRows(source, relaxed)).toBe(true);
    expect(isAlongRows(source, '-cl-fast-relaxed-math')).toBe(true);
    expect(isAlongRows(source, '-cl-mad-enable -cl-no-signed-zeros')).toBe(false);
  });

  const isRight = (lanes: 4 | 8, rows?: number): void => {
    const run = wasmRunner(compileForTest(source, relaxed), { lanes, ...(rows ? { rows } : {}) });
    for (const n of lengths) {
      const found = outputOf(isDouble, n, (args) => run('test', range, args));
      expect(found, `${n} elements`).toEqual(expected(n));
    }
  };
  const known = new Map<number, number[]>();
  const expected = (n: number): number[] => {
    const output =
      known.get(n) ??
      outputOf(isDouble, n, (args) => runOnInterpreter(compileForTest(source), 'test', range, args));
    known.set(n, output);
    return output;
  };
  it('are right in vectors', () => {
    isRight(4);
    isRight(8);
  });
  it('are right in vectors of several rows', () => {
    isRight(4, 2);
    isRight(8, 3);
  });
});

describe.each(left)('no sums along rows: $name', ({ source }) => {
  it('stays as it is', () => {
    expect(isAlongRows(source, relaxed)).toBe(false);
    const run = wasmRunner(compileForTest(source, relaxed), { lanes: 4 });
    const expected = outputOf(false, 7, (args) =>
      runOnInterpreter(compileForTest(source), 'test', range, args),
    );
    expect(outputOf(false, 7, (args) => run('test', range, args))).toEqual(expected);
  });
});
