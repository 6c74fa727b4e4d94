/** Quotients and remainders of chars and shorts by constants: of all chars, and of shorts next to where they change. */
import { expect, it } from 'vitest';
import { cloneModule } from '../../../../src/ir/clone.ts';
import { Random } from '../../../support/random.ts';
import { buffer, compileForTest, wasmRunner } from '../../../support/run-kernel.ts';

const random = new Random(5);

const kinds = {
  char: {
    array: Int8Array,
    least: -128,
    most: 127,
    divisors: [2, 3, 5, 6, 7, 10, 11, 25, 64, 100, 126, 127, -3, -10, -127],
  },
  uchar: {
    array: Uint8Array,
    least: 0,
    most: 255,
    divisors: [2, 3, 5, 6, 7, 10, 11, 28, 100, 127, 128, 129, 254, 255],
  },
  short: {
    array: Int16Array,
    least: -32768,
    most: 32767,
    divisors: [3, 7, 10, 641, 1000, 4096, 32767, -3, -1000],
  },
  ushort: {
    array: Uint16Array,
    least: 0,
    most: 65535,
    divisors: [3, 7, 10, 28, 641, 1000, 4096, 32768, 32769, 65535],
  },
} as const;

/** So many numbers of the range: all of a byte's, or its ends and numbers around multiples. */
function dividends(divisor: number, least: number, most: number): number[] {
  if (most - least === 255) return Array.from({ length: 256 }, (_, at) => least + at);
  const found = [least, least + 1, most, most - 1, 0, 1, divisor, divisor - 1, divisor + 1];
  while (found.length < 256) {
    const multiple = divisor * Math.trunc((least + random.next() * (most - least)) / divisor);
    found.push(multiple + Math.floor(random.next() * 3) - 1);
  }
  return found.map((one) => Math.min(Math.max(one, least), most));
}

it.each(['char', 'uchar', 'short', 'ushort'] as const)('%s', (type) => {
  const { array, least, most, divisors } = kinds[type];
  for (const divisor of divisors) {
    // In ints that become narrow again, and in narrow lanes.
    const module = compileForTest(`
kernel void test(global const ${type} *in, global ${type} *out) {
  int i = get_global_id(0);
  out[i] = in[i] / ${divisor};
  out[256 + i] = in[i] % ${divisor};
  ${type}8 eight = vload8(i % 32, in);
  vstore8(eight / (${type})(${divisor}), i % 32, out + 512);
  vstore8(eight % (${type})(${divisor}), i % 32, out + 768);
}`);
    const input = dividends(divisor, least, most);
    const quotients = input.map((one) => Math.trunc(one / divisor) + 0);
    const rests = input.map((one) => (one % divisor) + 0);
    const expected = [...array.from([...quotients, ...rests, ...quotients, ...rests])];
    for (const lanes of [4, 8, 16] as const) {
      const out = new array(1024);
      wasmRunner(cloneModule(module), { lanes, verify: false })('test', { global: [256], local: [256] }, [
        buffer(array.from(input)),
        buffer(out),
      ]);
      expect([...out], `by ${divisor}`).toEqual(expected);
    }
  }
});
