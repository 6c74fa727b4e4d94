/**
 * Vector constants that a kernel loads once a call. They lie with the program's constants (`vector-lanes.ts`), and V8 keeps
 * loads where they stand: loaded at each use they would take turns with the loads of data, part by part. In locals a few
 * of them stay in registers, and V8 reloads the others where they are used.
 */
import type * as ir from '../../ir/ir.ts';
import type { FunctionCompiler } from './function-compiler.ts';
import { conversionConstants } from './vector-conversions.ts';
import { splatBytes } from './vector-lanes.ts';

/** With more constants than this most would not be in registers when they are wanted, and the loads would be for nothing. */
const most = 12;

/** Loads them, if there are few; those with one value in all lanes, of the instructions given. */
export function hoistConstants(fc: FunctionCompiler, instructions: readonly ir.Instruction[]): void {
  const wanted = new Map<string, Uint8Array>();
  for (const instruction of instructions) {
    for (const bytes of constantsOf(instruction)) wanted.set(bytes.join(), bytes);
    if (wanted.size > most) return;
  }
  for (const [key, bytes] of wanted) {
    fc.pushEnvironment('constants');
    fc.code.memory('v128.load', fc.module.vectorConstant(bytes), 16);
    const local = fc.code.allocate('v128');
    fc.code.set(local);
    fc.vectorConstants.set(key, local);
  }
}

function constantsOf(instruction: ir.Instruction): readonly Uint8Array[] {
  if (instruction.op === 'convert') return conversionConstants(instruction);
  if (instruction.op !== 'constant' || instruction.results[0]!.type.kind !== 'vector') return [];
  const bytes = splatBytes(instruction);
  return bytes ? [bytes] : [];
}
