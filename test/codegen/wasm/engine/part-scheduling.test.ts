/** Straight code in vectors: one register of each vector after another up to its store, few constants loaded once a call. */
import { describe, expect, it } from 'vitest';
import { compileModule } from '../../../../src/codegen/wasm/module/compile-module.ts';
import { listModule } from '../../../../src/codegen/wasm/module/listing.ts';
import { cloneModule } from '../../../../src/ir/clone.ts';
import { optimise } from '../../../../src/passes/pipeline.ts';
import { wasm } from '../../../../src/target/wasm.ts';
import { buffer, compileForTest, runOnInterpreter, wasmRunner } from '../../../support/run-kernel.ts';

function kernelOf(body: string): string {
  return `kernel void test(global const float *in, global float *out, global float *more) {
    size_t i = get_global_id(0);
    ${body}
  }`;
}

/** What the vector form does in memory: L for a load of a vector, S for a store. */
function accesses(body: string, lanes: 8 | 16 = 8): string {
  const module = compileForTest(kernelOf(body));
  optimise(module, { target: wasm, vectorise: { lanes } });
  const text = listModule(compileModule(module, { shared: false }).bytes);
  return [...text.matchAll(/v128\.(load|store)\b/g)]
    .map(([, name]) => (name === 'load' ? 'L' : 'S'))
    .join('');
}

describe('the order of accesses', () => {
  it.each([
    ['one part after another', 'out[i] = in[i] + in[i + 1];', 'LLSLLS', 8],
    ['four parts', 'out[i] = in[i];', 'LSLSLSLS', 16],
    ['two stores with a load in common', 'out[i] = in[i]; more[i] = in[i] + in[i + 7];', 'LSLLSLSLLS', 8],
    ['a load behind a store', 'out[i] = in[i]; more[i] = out[i] * out[i + 1];', 'LSLSLSLS', 8],
    ['a constant, loaded once for all', 'out[i] = in[i] * 3.0f;', 'LLSLS', 8],
    ['vectors as a whole', 'out[i] = in[i]; more[i] = in[2 * i];', 'LSLS', 8],
  ] as const)('%s', (_, body, expected, lanes) => {
    expect(accesses(body, lanes)).toContain(expected);
  });

  it('stays as it was where each part would load many constants', () => {
    const terms = Array.from({ length: 14 }, (_, at) => `s = s * in[i] + ${at + 1.5}f;`).join(' ');
    expect(accesses(`float s = in[i]; ${terms} out[i] = s;`)).toMatch(/LSS$/);
  });
});

describe.each([
  ['stencils', 'out[i] = 0.25f * in[i] + 0.5f * in[i + 1] + in[i + 2]; more[i] = in[i + 1] - in[i];'],
  ['in place', 'out[i] = in[i]; out[i] += in[i + 3]; more[i] = out[i] * 2.0f; out[i] -= more[i];'],
  ['choices', 'float a = in[i], b = in[i + 5]; out[i] = a < b ? a : b + 1; more[i] = a > 50 ? out[i] : b;'],
  ['other widths', 'int k = in[i]; out[i] = (short)(k * 3); more[i] = (char)k + out[i];'],
  ['what all lanes share', 'float a = in[3]; out[i] = a; more[i] = a * 2 + in[i]; more[i] += in[4];'],
  ['what is used behind', 'float a = in[i]; out[i] = a; if (in[i + 1] > 40) more[i] = a + in[i];'],
  ['lanes that do not', 'if (i < 37) { out[i] = in[i]; more[i] = out[i] + in[i + 1]; }'],
])('%s', (_, body) => {
  it.each([8, 16] as const)('%i lanes compute what the interpreter does', (lanes) => {
    const module = compileForTest(kernelOf(body));
    const input = Float32Array.from({ length: 80 }, (_value, at) => (at * 37) % 101);
    const range = { global: [52], local: [26] };
    const run = (on: (args: { buffer: Uint8Array }[]) => void): Float32Array[] => {
      const [out, more] = [new Float32Array(80), new Float32Array(80)];
      on([buffer(input), buffer(out), buffer(more)]);
      return [out, more];
    };
    const expected = run((args) => runOnInterpreter(cloneModule(module), 'test', range, args));
    const compiled = wasmRunner(module, { lanes });
    expect(run((args) => compiled('test', range, args))).toEqual(expected);
  });
});

/** What is there is moved on by half a vector, so that the whole of it must be loaded before any of it is stored. */
describe("vectors of the program's own", () => {
  const moved = (from: number, by: number): string => `
    float8 v = vload8(0, p + ${from} * 16);
    vstore8(v + ${by}, 0, p + ${from} * 16 + 4);`;

  it.each([
    [
      'of work-items that no vector takes',
      `p[i * 16 + 15] = i; ${moved(0, 1).replaceAll('0 * 16', 'i * 16')}`,
    ],
    ['of one work-item of a vector', `count[i] += i; if (get_local_id(0) == 2) { ${moved(1, 1)} }`],
    [
      'of work-items that read ahead',
      `int sum = 0;
      for (int k = count[i]; k < count[i + 1]; k++) sum += count[k];
      double4 v = vload4(0, (global double *)p + i * 8);
      vstore4(v + sum, 0, (global double *)p + i * 8 + 2);`,
    ],
  ])('%s', (_, body) => {
    const module = compileForTest(`kernel void test(global float *p, global int *count) {
      int i = get_global_id(0);
      ${body}
    }`);
    const range = { global: [15], local: [15] };
    for (const lanes of [4, 8, 'chosen'] as const) {
      const [expected, found] = [0, 1].map(() => [
        Float64Array.from({ length: 128 }, (_value, at) => at),
        Int32Array.from({ length: 64 }, (_value, at) => at >> 1),
      ]);
      runOnInterpreter(module, 'test', range, expected!.map(buffer));
      wasmRunner(cloneModule(module), { lanes })('test', range, found!.map(buffer));
      expect(found).toEqual(expected);
    }
  });
});
