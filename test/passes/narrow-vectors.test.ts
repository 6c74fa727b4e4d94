/** Integers that vectors compute in fewer bits than C's promotions give them: what is narrowed, and that nothing else comes out. */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../samples/support/random.ts';
import { cloneModule } from '../../src/ir/clone.ts';
import { printModule } from '../../src/ir/print.ts';
import { optimise } from '../../src/passes/pipeline.ts';
import { wasm } from '../../src/target/wasm.ts';
import { buffer, compileForTest, runOnInterpreter, value, wasmRunner } from '../support/run-kernel.ts';

/** The vector types in which a kernel of bytes computes, by the operations. */
function computedIn(body: string, to = 'uchar'): Record<string, string[]> {
  const module = compileForTest(`
kernel void k(global const uchar *a, global const char *b, global ${to} *out, int n) {
  size_t i = get_global_id(0);
  ${body}
}`);
  optimise(module, { target: wasm, vectorise: { lanes: 16 } });
  const found: Record<string, Set<string>> = {};
  for (const [, fn, type] of printModule(module).matchAll(/= (\w+) (?:\w+ )*?%.*: (?:i|bool)(\d*)x16$/gm)) {
    found[fn!] ??= new Set();
    found[fn!]!.add(type!);
  }
  return Object.fromEntries(Object.entries(found).map(([fn, types]) => [fn, [...types]]));
}

describe('what is computed in fewer bits', () => {
  it('sums that are cut to bytes, in bytes', () => {
    expect(computedIn('out[i] = a[i] + b[i] + n;')['iadd']).toEqual(['8']);
  });
  it('averages, in 16 bits, without signs', () => {
    const made = computedIn('out[i] = (a[i] + a[i + 1] + 1) >> 1;');
    expect([made['iadd'], made['ushr'], made['sshr']]).toEqual([['16'], ['16'], undefined]);
  });
  it('quotients of signed bytes, in 16 bits', () => {
    expect(computedIn('out[i] = b[i] / 3;', 'char')['sdiv']).toEqual(['16']);
  });
  it('sums that are wanted whole where widening them pays', () => {
    expect(computedIn('out[i] = (a[i] + a[i + 1]) * 3 + (a[i + 2] ^ a[i + 3]) * 7;', 'int')['imul']).toEqual([
      '16',
    ]);
  });
  it('not what has no room there', () => {
    expect(computedIn('out[i] = (a[i] * a[i + 1] * n) >> 8;')['imul']).toContain('32');
    expect(computedIn('out[i] = (a[i] + n) / 3;')['iadd']).toEqual(['32']);
  });
});

/** An expression over bytes and shorts, of all operations that may be narrowed and some that may not. */
function expression(random: ReturnType<typeof createRandom>, depth: number): string {
  const pick = <T>(choices: readonly T[]): T => choices[random.below(choices.length)]!;
  if (depth === 0 || random.below(8) === 0)
    return pick([
      'a[i]',
      'b[i]',
      'c[i]',
      'd[i]',
      'a[i]',
      'b[i]',
      'n',
      String(random.below(300) - 100),
      '255',
      '32767',
    ]);
  const sub = (): string => expression(random, depth - 1);
  switch (random.below(12)) {
    case 0:
    case 1:
      return `(${sub()} + ${sub()})`;
    case 2:
      return `(${sub()} - ${sub()})`;
    case 3:
      return `(${sub()} * ${pick([sub(), '3', '-5', '17'])})`;
    case 4:
      return `(${sub()} ${pick(['&', '|', '^'])} ${sub()})`;
    case 5:
      return `(${sub()} << ${random.below(9)})`;
    case 6:
      return `(${sub()} >> ${random.below(9)})`;
    case 7:
      return `(${pick(['', '(uint)'])}${sub()} ${pick(['/', '%'])} ${pick([1, 3, 7, 9, 16, 100, 255])})`;
    case 8:
      return `${pick(['min', 'max'])}((${pick(['int', 'uint', 'short', 'uchar'])})${sub()}, 0 + (${pick(['int', 'int', 'short'])})${sub()})`.replace(
        /^(min|max)\(\((\w+)\)(.*), 0 \+ \(\w+\)(.*)\)$/s,
        '$1(($2)$3, ($2)$4)',
      );
    case 9:
      return `(${sub()} ${pick(['<', '<=', '>', '>=', '==', '!='])} ${sub()} ? ${sub()} : ${sub()})`;
    case 10:
      return `(${pick(['uchar', 'char', 'short', 'ushort', 'uint'])})${sub()}`;
    default:
      return `(~${sub()})`;
  }
}

describe('what comes out', () => {
  it.each(Array.from({ length: 40 }, (_, at) => at + 1))('of random expressions, seed %i', (seed) => {
    const random = createRandom(seed);
    const statements = ['uchar', 'short', 'int', 'ushort', 'char']
      .map((type, at) => `o${at}[i] = (${type})(${expression(random, 1 + random.below(4))});`)
      .join('\n  ');
    const source = `
kernel void k(global const uchar *a, global const char *b, global const ushort *c, global const short *d, int n,
              global uchar *o0, global short *o1, global int *o2, global ushort *o3, global char *o4) {
  size_t i = get_global_id(0);
  ${statements}
}`;
    const module = compileForTest(source);
    const count = 64;
    const bits = (words: number) => Uint32Array.from({ length: words }, () => random.below(2 ** 32)).buffer;
    const inputs = [bits(count / 4), bits(count / 4), bits(count / 2), bits(count / 2)].map(
      (each) => new Uint8Array(each),
    );
    // Both ends of each type.
    for (const bytes of inputs) bytes.set([0, 0, 255, 255, 128, 128, 127, 127, 0, 128, 255, 127]);
    const n = random.below(2000) - 1000;
    const run = (on: (args: Parameters<typeof runOnInterpreter>[3]) => void): Uint8Array[] => {
      const outputs = [1, 2, 4, 2, 1].map((bytes) => new Uint8Array(bytes * count));
      on([
        ...inputs.map((bytes) => buffer(bytes.slice())),
        value.int(n),
        ...outputs.map((bytes) => buffer(bytes)),
      ]);
      return outputs;
    };
    const range = { global: [count], local: [32] };
    const expected = run((args) => runOnInterpreter(module, 'k', range, args));
    for (const lanes of [8, 16] as const) {
      const found = run((args) => wasmRunner(cloneModule(module), { lanes })('k', range, args));
      expect(found, source).toEqual(expected);
    }
  });
});
