/**
 * Random kernels, vectorised: they must leave in memory what they leave one work-item at a time, on the interpreter and as
 * WebAssembly, with local sizes that vectors do not fill.
 */
import { describe, expect, it } from 'vitest';
import { cloneModule } from '../../src/ir/clone.ts';
import type * as ir from '../../src/ir/ir.ts';
import { printModule } from '../../src/ir/print.ts';
import { assertValid } from '../../src/ir/verify.ts';
import { optimise } from '../../src/passes/pipeline.ts';
import { wasm } from '../../src/target/wasm.ts';
import { launch } from '../codegen/wasm/harness.ts';
import { randomKernel } from './random-kernel.ts';
import { type Arguments, numbers, outputOf, type Range } from './run-stages.ts';

const ranges: readonly Range[] = [
  { global: [22], local: [11] },
  { global: [12, 2], local: [6, 2] },
  { global: [5, 2, 4], local: [5, 2, 2] },
  { global: [32], local: [16] },
];

const rowRanges: readonly Range[] = [
  { global: [10, 6], local: [5, 3] },
  { global: [5, 4, 4], local: [5, 4, 2] },
  { global: [8, 10], local: [4, 5] },
];

/** MILLRACE_SEEDS=from-to runs others than the usual ones. */
const { MILLRACE_SEEDS: seeds = '1-40' } = process.env;
const [from, to] = seeds.split('-').map(Number) as [number, number];

const product = (sizes: readonly number[]): number => sizes.reduce((a, b) => a * b, 1);

function wasmOutputOf(module: ir.Module, range: Range, args: Arguments): Int32Array {
  const output = new Uint8Array(product(range.global) * 16);
  const input = new Uint8Array(args.input.slice().buffer);
  const local = args.local ?? product(range.local) * 4;
  launch(module, 'test', range, [input, output, args.n, { local }]);
  return new Int32Array(output.buffer);
}

function expectSameVectorised(
  module: ir.Module,
  lanes: 2 | 4 | 8,
  rows: number,
  range: Range,
  args: Arguments,
): void {
  const vectorised = cloneModule(module);
  optimise(vectorised, { verify: assertValid, target: wasm, vectorise: { lanes, rows } });
  const single = cloneModule(module);
  optimise(single);
  let text = '';
  const same = (run: () => Int32Array, reference: Int32Array): boolean => {
    try {
      return run().every((value, at) => value === reference[at]);
    } catch (error) {
      text = String(error);
      return false;
    }
  };
  if (!same(() => outputOf(vectorised, range, args), outputOf(module, range, args))) {
    expect.fail(`interpreted: ${text}\n${printModule(vectorised)}`);
  }
  // Not what the interpreter computes: local memory that nobody wrote is not zero here.
  if (!same(() => wasmOutputOf(vectorised, range, args), wasmOutputOf(single, range, args))) {
    expect.fail(`compiled: ${text}\n${printModule(vectorised)}`);
  }
}

describe('random kernels do the same when they are vectorised', () => {
  for (let seed = from; seed <= to; seed += 1) {
    it(`seed ${seed}`, () => {
      const range = ranges[seed % ranges.length]!;
      const lanes = seed % 3 === 0 ? 2 : seed % 3 === 1 ? 4 : 8;
      const options = [{}, { unrolledLoops: true }, { freelySet: true }][seed % 5] ?? {};
      const args = { input: numbers(256, seed), n: seed % 7 };
      expectSameVectorised(randomKernel(seed, options), lanes, 2, range, args);
    });
  }
});

describe('random kernels do the same when their rows run together', () => {
  for (let seed = from; seed <= to / 2; seed += 1) {
    it(`seed ${seed}`, () => {
      const range = rowRanges[seed % rowRanges.length]!;
      const lanes = seed % 2 === 0 ? 2 : 4;
      const options = {
        byDimension: true,
        ...([{}, { unrolledLoops: true }, { freelySet: true }][seed % 5] ?? {}),
      };
      const args = { input: numbers(256, seed), n: seed % 7 };
      expectSameVectorised(randomKernel(seed, options), lanes, 2 + (seed % 3), range, args);
    });
  }
});
