/** Quotients and remainders, by constants and not, and counts of bits, for whole numbers of several widths. */
import { type BenchKernel, count, type Data, wholes } from '../../frame/bench-kernel.ts';
import { near } from '../../frame/checks.ts';

interface Arithmetic {
  readonly name: string;
  /** Types of what is read and written. */
  readonly from: string;
  readonly to: string;
  /** What `x` becomes, in C. */
  readonly body: string;
  readonly input: (n: number) => Data;
  /** Of 32-bit results the low word, of 64-bit ones both. */
  readonly output: { new (length: number): Data; readonly BYTES_PER_ELEMENT: number };
  readonly expected: (input: Data, index: number) => number;
  /** Bytes of an element of the result, if they are not those of `output`. */
  readonly bytes?: number;
}

const words = (n: number): Int32Array => new Int32Array(wholes(n, 5, 2 ** 32).buffer);
const bytes = (n: number): Uint8Array => new Uint8Array(wholes(n / 4, 6, 2 ** 32).buffer);
const shorts = (n: number): Int16Array => new Int16Array(wholes(n / 2, 7, 2 ** 32).buffer);
const longs = (n: number): Uint32Array => wholes(2 * n, 8, 2 ** 32);

/** Both words of an unsigned number of 64 bits. */
const wide = (input: Data, index: number): bigint =>
  (BigInt(input[2 * index + 1]!) << 32n) | BigInt(input[2 * index]!);

function bitsOf(value: number): number {
  let found = 0;
  for (let rest = value >>> 0; rest !== 0; rest = (rest & (rest - 1)) >>> 0) found += 1;
  return found;
}

const kinds: readonly Arithmetic[] = [
  {
    name: 'int % 7',
    from: 'int',
    to: 'int',
    body: 'y = x % 7;',
    input: words,
    output: Int32Array,
    expected: (input, index) => input[index]! % 7,
  },
  {
    name: 'char / 3',
    from: 'char',
    to: 'char',
    body: 'y = x / 3;',
    input: bytes,
    output: Uint8Array,
    expected: (input, index) => Math.trunc(((input[index]! << 24) >> 24) / 3) & 255,
  },
  {
    name: 'ushort decimal digits',
    from: 'ushort',
    to: 'ushort',
    body: 'y = 0; for (int digit = 0; digit < 4; digit++) { y |= (ushort)((x % 10) << (4 * digit)); x /= 10; }',
    input: shorts,
    output: Int16Array,
    expected(input, index) {
      let [x, y] = [input[index]! & 0xffff, 0];
      for (let digit = 0; digit < 4; digit += 1) {
        y |= (x % 10) << (4 * digit);
        x = Math.floor(x / 10);
      }
      return (y << 16) >> 16;
    },
  },
  {
    name: 'ulong / 1000',
    from: 'ulong',
    to: 'uint',
    body: 'y = (uint)(x / 1000);',
    input: longs,
    output: Uint32Array,
    expected: (input, index) => Number((wide(input, index) / 1000n) & 0xffffffffn),
  },
  {
    name: 'ulong % variable',
    from: 'ulong',
    to: 'uint',
    body: 'y = (uint)(x % (ulong)((uint)(x >> 40) | 1));',
    input: longs,
    output: Uint32Array,
    expected: (input, index) =>
      Number(wide(input, index) % (((wide(input, index) >> 40n) & 0xffffffffn) | 1n)),
  },
  {
    name: 'popcount uint',
    from: 'uint',
    to: 'uint',
    body: 'y = popcount(x) + 100 * popcount(x & 0x0ff0f00f);',
    input: longs,
    output: Uint32Array,
    expected: (input, index) => bitsOf(input[index]!) + 100 * bitsOf(input[index]! & 0x0ff0f00f),
  },
  {
    name: 'popcount ulong',
    from: 'ulong',
    to: 'uint',
    body: 'y = (uint)popcount(x ^ (x >> 7));',
    input: longs,
    output: Uint32Array,
    expected(input, index) {
      const value = wide(input, index);
      const mixed = value ^ (value >> 7n);
      return bitsOf(Number(mixed & 0xffffffffn)) + bitsOf(Number(mixed >> 32n));
    },
  },
  {
    name: 'bits by n &= n - 1',
    from: 'uint',
    to: 'uint',
    body: 'y = 0; while (x) { x &= x - 1; y++; }',
    input: longs,
    output: Uint32Array,
    expected: (input, index) => bitsOf(input[index]!),
  },
  {
    name: 'greatest common divisor',
    from: 'uint',
    to: 'uint',
    body: 'uint a = x >> 12, b = x & 0xfffff; while (b) { uint rest = a % b; a = b; b = rest; } y = a;',
    input: longs,
    output: Uint32Array,
    expected(input, index) {
      let [a, b] = [input[index]! >>> 12, input[index]! & 0xfffff];
      while (b !== 0) [a, b] = [b, a % b];
      return a;
    },
  },
];

export const integerArithmetic: readonly BenchKernel[] = kinds.map(
  ({ name, from, to, body, input, output, expected }): BenchKernel => ({
    name,
    source: `
kernel void compute(global const ${from} *in, global ${to} *out) {
  size_t i = get_global_id(0);
  ${from} x = in[i];
  ${to} y;
  ${body}
  out[i] = y;
}`,
    prepare(size) {
      const n = size === 'full' ? 2 ** 21 : 2 ** 16;
      const data = input(n);
      return {
        size: count(n),
        buffers: { data, out: n * output.BYTES_PER_ELEMENT },
        launches: [{ kernel: 'compute', global: [n], local: [64], arguments: ['data', 'out'] }],
        work: { unit: 'M/s', amount: n },
        check: (result) => near(result('out', output), (index) => expected(data, index)),
      };
    },
  }),
);
