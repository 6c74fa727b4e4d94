/**
 * The judge: the IR's interpreter on what the front end makes of the source, before any pass. It also finds out whether
 * there is anything to judge: a kernel that leaves its buffers, reads what was never written, divides integers by zero
 * or depends on the order of its work-items has no result that devices could be asked for.
 */
import { tellingDenormals } from '../../src/ir/interpreter/denormals.ts';
import { Interpreter, InterpreterError, type LaunchArgument } from '../../src/ir/interpreter.ts';
import type { Module } from '../../src/ir/ir.ts';
import type { InputArgument } from './inputs.ts';

/** One launch of one kernel. */
export interface LaunchPlan {
  readonly kernel: string;
  readonly global: readonly number[];
  readonly local: readonly number[];
  readonly offset?: readonly number[] | undefined;
  readonly arguments: readonly InputArgument[];
}

/** The buffers after the launch, by the arguments' places, and whether it computed with denormal floats; or why there is no right result. */
export type Verdict =
  | { readonly buffers: ReadonlyMap<number, Uint8Array<ArrayBuffer>>; readonly hasDenormals: boolean }
  | { readonly reason: string };

/** Steps of one launch; a second or two of the interpreter's. */
const maximumSteps = 5_000_000;

/** @param names of the parameters, for messages */
export function judge(module: Module, plan: LaunchPlan, names: readonly string[]): Verdict {
  const buffers = new Map<number, Uint8Array<ArrayBuffer>>();
  const values = plan.arguments.map((argument, index): LaunchArgument => {
    if (argument.kind === 'local') return { kind: 'local', size: argument.bytes };
    if (argument.kind === 'value') return { kind: 'bytes', bytes: argument.bytes };
    const bytes = argument.bytes.slice();
    buffers.set(index, bytes);
    return { kind: 'buffer', space: 'global', name: names[index] ?? `argument ${index}`, bytes: () => bytes };
  });
  let hasDenormals = false;
  const interpreter = new Interpreter(module, {
    checkRaces: true,
    checkUninitialised: true,
    checkOpenResults: true,
    around: tellingDenormals(() => {
      hasDenormals = true;
    }),
    maximumSteps,
  });
  try {
    const { global, local, offset } = plan;
    const range = { globalSize: global, localSize: local, ...(offset ? { globalOffset: offset } : {}) };
    interpreter.launch(plan.kernel, range, values);
    return { buffers, hasDenormals };
  } catch (error) {
    if (error instanceof InterpreterError) return { reason: error.reason };
    if (error instanceof Error) return { reason: error.message };
    throw error;
  }
}
