/** Signs of floats that are turned round: which operations are left, and that no result changes but for a NaN's sign. */
import { describe, expect, it } from 'vitest';
import { cloneModule } from '../../src/ir/clone.ts';
import { walkFunction } from '../../src/ir/walk.ts';
import { optimise } from '../../src/passes/pipeline.ts';
import { buffer, compileForTest, runOnInterpreter, wasmRunner } from '../support/run-kernel.ts';

function kernelOf(expression: string): string {
  return `kernel void test(global const float *p, global float *out) {
    size_t i = get_global_id(0);
    float a = p[i % 9], b = p[i / 9];
    out[i] = ${expression};
  }`;
}

/** The operations on floats that are left of an expression. */
function operations(expression: string): string[] {
  const module = compileForTest(kernelOf(expression));
  optimise(module);
  const found: string[] = [];
  walkFunction(module.functions[0]!, (instruction) => {
    if ((instruction.op === 'binary' || instruction.op === 'unary') && instruction.fn.startsWith('f')) {
      found.push(instruction.fn);
    }
  });
  return found.sort();
}

const cases: readonly [expression: string, left: readonly string[]][] = [
  ['fabs(-a)', ['fabs']],
  ['-a * -b', ['fmul']],
  ['-a / -b', ['fdiv']],
  ['-a * 3.0f', ['fmul']],
  ['3.0f / -a', ['fdiv', 'fneg']],
  ['(a * -0.5f) * -b', ['fmul', 'fmul']],
  ['(-0.5f * a * a) - (-0.5f * -a * -a)', ['fmul', 'fmul', 'fsub']],
  ['a + -b', ['fsub']],
  ['-a + b', ['fsub']],
  ['a - -b', ['fadd']],
  ['-a - b', ['fneg', 'fsub']],
  ['-a * b + a', ['fmul', 'fsub']],
  ['a * -b', ['fmul', 'fneg']],
];

describe('signs', () => {
  it.each(cases)('%s', (expression, left) => {
    expect(operations(expression)).toEqual(left);
    const values = [
      0,
      -0,
      1,
      -1,
      1e-42,
      -3.5,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      Number.NaN,
    ];
    const input = Float32Array.from(values);
    const module = compileForTest(kernelOf(expression));
    const results = [new Float32Array(81), new Float32Array(81)] as const;
    const range = { global: [81], local: [27] };
    runOnInterpreter(module, 'test', range, [buffer(input), buffer(results[0])]);
    wasmRunner(cloneModule(module))('test', range, [buffer(input), buffer(results[1])]);
    // Object.is, so that zeros must have the same sign.
    results[0].forEach((result, at) => {
      expect(Object.is(results[1][at], result), `${at}: ${results[1][at]} for ${result}`).toBe(true);
    });
  });
});
