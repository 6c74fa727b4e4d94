/** Runs a kernel before and after passes on the interpreter and compares what it leaves in memory. */
import { expect } from 'vitest';
import { cloneModule } from '../../src/ir/clone.ts';
import { Interpreter } from '../../src/ir/interpreter.ts';
import type * as ir from '../../src/ir/ir.ts';
import { parseModule } from '../../src/ir/parse.ts';
import { printFunction, printModule } from '../../src/ir/print.ts';
import { assertValid } from '../../src/ir/verify.ts';
import { optimise } from '../../src/passes/pipeline.ts';

export interface Range {
  readonly global: readonly number[];
  readonly local: readonly number[];
}

/** The arguments of kernels that kernel-writer.ts writes. */
export interface Arguments {
  readonly input: Int32Array;
  readonly n: number;
  /** Bytes of local memory. */
  readonly local?: number;
}

const product = (sizes: readonly number[]): number => sizes.reduce((a, b) => a * b, 1);

/** What the kernel leaves in its output: four integers a work-item. */
export function outputOf(module: ir.Module, range: Range, args: Arguments): Int32Array {
  const output = new Int32Array(product(range.global) * 4);
  const machine = new Interpreter(module, { maximumSteps: 20_000_000 });
  const bytesOf = (array: Int32Array): Uint8Array =>
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  machine.launch('test', { globalSize: [...range.global], localSize: [...range.local] }, [
    { kind: 'address', address: machine.allocate('global', bytesOf(args.input.slice())) },
    { kind: 'address', address: machine.allocate('global', bytesOf(output)) },
    { kind: 'bytes', bytes: bytesOf(Int32Array.of(args.n)) },
    { kind: 'local', size: args.local ?? product(range.local) * 4 },
  ]);
  return output;
}

/** Numbers that look random and are always the same. */
export function numbers(length: number, seed = 1): Int32Array {
  let state = seed;
  return Int32Array.from({ length }, () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state >> 8;
  });
}

/** Fails unless every stage of the pipeline, and the short pipeline, leave the same as the module given. */
export function expectSameThroughout(
  module: ir.Module,
  range: Range,
  args: Arguments,
  expected?: Int32Array,
): void {
  const reference = expected ?? outputOf(module, range, args);
  const stages: { name: string; module: ir.Module }[] = [];
  const copy = cloneModule(module);
  optimise(copy, {
    verify: assertValid,
    after: (name, state) => {
      stages.push({ name, module: cloneModule(state) });
    },
  });
  let reached = expected === undefined;
  for (const [index, stage] of stages.entries()) {
    // Kernels that part at barriers mean something only from there on.
    reached ||= stage.name === 'form-work-item-loops';
    if (!reached) continue;
    let result: Int32Array;
    try {
      result = outputOf(stage.module, range, args);
    } catch (error) {
      throw new Error(`after ${stage.name} (${index}): ${error}\n${printModule(stage.module)}`);
    }
    if (!sameNumbers(result, reference)) {
      expect(result, `after ${stage.name} (${index})\n${printModule(stage.module)}`).toEqual(reference);
    }
  }
  const short = cloneModule(module);
  optimise(short, { verify: assertValid, disabled: true });
  expect(outputOf(short, range, args), 'with passes disabled').toEqual(reference);
}

function sameNumbers(a: Int32Array, b: Int32Array): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}

/** Reads IR text, runs one pass on its kernel and prints it; both forms must be valid. */
export function afterPass(text: string, pass: (fn: ir.Function, addressBits: 32 | 64) => void): string {
  const module = parseModule(`module address=32\n${text}`, 'test.ir');
  assertValid(module, 'parsing');
  const fn = module.functions.at(-1)!;
  pass(fn, module.addressBits);
  assertValid(module, 'the pass');
  return `\n${printFunction(fn)}`;
}
