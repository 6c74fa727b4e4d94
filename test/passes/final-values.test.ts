/** Loops that only count the steps in which a number goes to zero. */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../samples/support/random.ts';
import { printFunction } from '../../src/ir/print.ts';
import { assertValid } from '../../src/ir/verify.ts';
import { foldConstants } from '../../src/passes/scalar/constant-folding/constant-folding.ts';
import { computeFinalValues } from '../../src/passes/scalar/final-values.ts';
import { gvn } from '../../src/passes/scalar/gvn.ts';
import { mem2reg } from '../../src/passes/scalar/mem2reg.ts';
import { sroa } from '../../src/passes/scalar/sroa.ts';
import { buffer, compileForTest, runOnInterpreter, value } from '../support/run-kernel.ts';

interface Case {
  readonly name: string;
  readonly type: 'uint' | 'int' | 'ulong' | 'long';
  /** What `x` becomes `y` by. */
  readonly body: string;
  /** The same in JavaScript, on the bits of x as an unsigned number. */
  readonly expected: (x: bigint, bits: number) => bigint;
}

/** Steps until a number is zero, by doing them. */
function steps(x: bigint, bits: number, step: (x: bigint) => bigint): bigint {
  let count = 0n;
  for (let rest = x; rest !== 0n; rest = BigInt.asUintN(bits, step(rest))) count += 1n;
  return count;
}
const atLeastOne = (count: bigint): bigint => (count > 0n ? count : 1n);
const lowest = (x: bigint): bigint => x & (x - 1n);

const counted: readonly Case[] = [
  {
    name: 'bits',
    type: 'uint',
    body: 'while (x) { x &= x - 1; y++; }',
    expected: (x, n) => steps(x, n, lowest),
  },
  {
    name: 'bits of signed numbers, the other way round',
    type: 'int',
    body: 'for (y = 7; x != 0; y += 3) x = (x - 1) & x;',
    expected: (x, n) => 7n + 3n * steps(x, n, lowest),
  },
  {
    name: 'bits of 64-bit numbers, counted in 32',
    type: 'ulong',
    body: 'int c = 0; while (x > 0) { x &= x - 1; c--; } y = c;',
    expected: (x, n) => -steps(x, n, lowest),
  },
  {
    name: 'bits, tested behind the step',
    type: 'uint',
    body: 'do { x &= x - 1; y++; } while (x);',
    expected: (x, n) => atLeastOne(steps(x, n, lowest)),
  },
  {
    name: 'digits in base 2',
    type: 'uint',
    body: 'while (x != 0) { x >>= 1; y++; }',
    expected: (x, n) => steps(x, n, (rest) => rest >> 1n),
  },
  {
    name: 'digits in base 8, and another sum',
    type: 'ulong',
    body: 'ulong z = 5; while (x) { x >>= 3; y++; z += 100; } y += z;',
    expected: (x, n) => 5n + 101n * steps(x, n, (rest) => rest >> 3n),
  },
  {
    name: 'steps to the left',
    type: 'int',
    body: 'do { x <<= 1; y++; } while (x != 0);',
    expected: (x, n) => atLeastOne(steps(x, n, (rest) => rest << 1n)),
  },
  {
    name: 'by what is only known at run time',
    type: 'uint',
    body: 'while (x) { x &= x - 1; y += n; }',
    expected: (x, n) => 37n * steps(x, n, lowest),
  },
  {
    name: 'what the number is in the end',
    type: 'uint',
    body: 'while (x) { x &= x - 1; y++; } y += x;',
    expected: (x, n) => steps(x, n, lowest),
  },
];

const kept: readonly (readonly [name: string, type: Case['type'], body: string])[] = [
  ['a number that is shifted with its sign', 'int', 'while (x > 0) { x >>= 1; y++; }'],
  ['a step that depends on the number', 'uint', 'while (x) { y += x; x &= x - 1; }'],
  ['a second way out', 'uint', 'while (x) { x &= x - 1; y++; if (y == 5) break; }'],
  ['a store in each step', 'uint', 'while (x) { x &= x - 1; y++; out[get_global_id(0)] = y; }'],
  ['bits above the lowest', 'uint', 'while (x) { x &= x - 2; y++; if (y > 40) break; }'],
  [
    'the number from before the last step',
    'uint',
    'uint last = 0; do { last = x; x &= x - 1; } while (x); y = last;',
  ],
];

const kernelOf = (type: string, body: string): string => `
kernel void test(global const ${type} *in, global ${type} *out, int n) {
  size_t i = get_global_id(0);
  ${type} x = in[i], y = 0;
  ${body}
  out[i] = y;
}`;

/** The kernel as a module, and whether it has a loop behind the pass. */
function passed(type: string, body: string) {
  const module = compileForTest(kernelOf(type, body));
  const fn = module.functions.find(({ name }) => name === 'test')!;
  sroa(fn, 32);
  mem2reg(fn, 32);
  foldConstants(fn, 32);
  gvn(fn, 32);
  computeFinalValues(fn, 32);
  assertValid(module, 'final-values');
  return { module, hasLoop: /\bloop @/.test(printFunction(fn)) };
}

function inputs(bits: number): bigint[] {
  const random = createRandom(bits);
  const any = Array.from({ length: 200 }, () => {
    const word = (BigInt(random.below(2 ** 32)) << 32n) | BigInt(random.below(2 ** 32));
    return BigInt.asUintN(bits, word >> BigInt(random.below(64)));
  });
  return [0n, 1n, 2n, 1n << BigInt(bits - 1), (1n << BigInt(bits)) - 1n, ...any];
}

describe('what becomes a computation', () => {
  it.each(counted)('$name', ({ type, body, expected }) => {
    const { module, hasLoop } = passed(type, body);
    expect(hasLoop).toBe(false);
    const bits = type.endsWith('long') ? 64 : 32;
    const numbers = inputs(bits);
    const make = (values: readonly bigint[]) =>
      bits === 64 ? BigUint64Array.from(values) : Uint32Array.from(values, Number);
    const out = make(numbers.map(() => 0n));
    runOnInterpreter(module, 'test', { global: [numbers.length], local: [1] }, [
      buffer(make(numbers)),
      buffer(out),
      value.int(37),
    ]);
    expect([...out].map(BigInt)).toEqual(numbers.map((x) => BigInt.asUintN(bits, expected(x, bits))));
  });
});

describe('what stays a loop', () => {
  it.each(kept)('%s', (_, type, body) => {
    expect(passed(type, body).hasLoop).toBe(true);
  });
});
