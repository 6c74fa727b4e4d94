/** Programs of thousands of functions and branches, through the built package: they run, and compute what they say. */
import { compile, devices, type Program } from 'millrace';
import { afterEach, describe, expect, it } from 'vitest';

let program: Program | undefined;
afterEach(() => program?.release());

const repeated = (count: number, text: (index: number) => string, between = '\n'): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(between);

/** What a kernel `k` makes of the first element of its buffer, for each input. */
async function results(source: string, inputs: readonly number[], device = devices()[0]!): Promise<number[]> {
  program = await compile(source, { device });
  const outputs: number[] = [];
  for (const input of inputs) {
    const buffer = Int32Array.of(input);
    await program.kernel('k')({ global: [1] }, buffer);
    outputs.push(buffer[0]!);
  }
  return outputs;
}

const wasm = devices().find(({ id }) => id === 'wasm')!;

describe('functions that call the next', () => {
  const length = 5000;
  const chain = (start: string): string =>
    `int f0(int x) { ${start} return x + 1; }
${repeated(length, (n) => `int f${n + 1}(int x) { return f${n}(x) * 3 + ${n}; }`)}
kernel void k(global int *p) { p[0] = f${length}(p[0]); }`;
  const expected = (x: number): number => {
    let value = (x + 1) | 0;
    for (let n = 0; n < length; n += 1) value = (Math.imul(value, 3) + n) | 0;
    return value;
  };

  it.each(devices().map((device) => [device.id, device] as const))('%s', async (_id, device) => {
    expect(await results(chain(''), [0, 7, -3], device)).toEqual([0, 7, -3].map(expected));
  });

  it('with a barrier in the last', async () => {
    expect(await results(chain('barrier(CLK_LOCAL_MEM_FENCE);'), [5], wasm)).toEqual([expected(5)]);
  });

  it('and return early', async () => {
    const source = `int f0(int x) { return x; }
${repeated(2000, (n) => `int f${n + 1}(int x) { if (x == ${n}) return ${n * 5}; return f${n}(x) + 1; }`)}
kernel void k(global int *p) { p[0] = f2000(p[0]); }`;
    const reference = (x: number): number => (x >= 0 && x < 2000 ? x * 5 + 1999 - x : x + 2000);
    const inputs = [-1, 0, 1, 1000, 1998, 1999, 2000];
    expect(await results(source, inputs, wasm)).toEqual(inputs.map(reference));
  });
});

describe('branches', () => {
  const arms = 1200;

  it('else-if', async () => {
    const source = `kernel void k(global int *p) { int x = p[0], y = 1;
${repeated(arms, (n) => `if (x == ${n * 3}) { y = ${n + 10}; if (x & 1) y++; }`, ' else ')}
else y = 2; p[0] = y; }`;
    const reference = (x: number): number =>
      x % 3 === 0 && x >= 0 && x < arms * 3 ? x / 3 + 10 + (x & 1) : 2;
    const inputs = [0, 1, 3, 192, 195, 198, 3000, 3 * arms - 3, 3 * arms, -3];
    expect(await results(source, inputs, wasm)).toEqual(inputs.map(reference));
  });

  it('else-if of which some are known and some jump', async () => {
    const source = `kernel void k(global int *p) { int x = p[0], y = 0;
for (int i = 0; i < 5; i++) {
${repeated(200, (n) => `if (x == ${n}) { ${['y += 1;', 'break;', 'continue;', 'goto end;', 'y += 7; return;'][n % 5]} }`, ' else ')}
else if (0) y = 100; else if (1) y += 1000; else y = 5;
x++; }
end: p[0] = y; }`;
    const reference = (input: number): number => {
      let [x, y] = [input, 0];
      for (let i = 0; i < 5; i += 1) {
        if (x < 0 || x >= 200) y += 1000;
        else if (x % 5 === 0) y += 1;
        else if (x % 5 === 1) break;
        else if (x % 5 === 2) continue;
        else if (x % 5 === 3) return y;
        else return input;
        x += 1;
      }
      return y;
    };
    const inputs = [0, 1, 2, 3, 4, 100, 195, 199, 200, -2];
    expect(await results(source, inputs, wasm)).toEqual(inputs.map(reference));
  });

  it('conditional operators', async () => {
    const source = `kernel void k(global int *p) { int x = p[0];
p[0] = ${repeated(900, (n) => `x == ${n} ? ${n * n}`, ' : ')} : -1; }`;
    const inputs = [0, 1, 63, 64, 65, 899, 900, -1];
    const reference = (x: number): number => (x >= 0 && x < 900 ? x * x : -1);
    expect(await results(source, inputs, wasm)).toEqual(inputs.map(reference));
  });
});
