/**
 * Vector constants that a kernel loads once a call. They lie with the program's constants (`vector-lanes.ts`), and V8 keeps
 * loads where they are: loaded at each use they would alternate with the loads of data, part by part. In locals a few
 * of them stay in registers, and V8 reloads the others where they are used.
 *
 * No transformation of the IR can do it, for there a constant has no place: whether it is loaded, and where, is the engine's choice.
 */
import type * as ir from '../../../ir/ir.ts';
import type { Value } from '../../../ir/ir.ts';
import type { FunctionCompiler } from '../kernel/function-compiler.ts';
import { conversionConstants } from '../vector/vector-conversions.ts';
import { splatBytes } from '../vector/vector-lanes.ts';

/** With more constants than this most would not be in registers when they are wanted, and the loads would be for nothing. */
const most = 12;

/** Where there are more, those that are used in so many places. */
const oftenUsed = 16;

/** A constant's bytes, and in how many places it is used. */
interface Wanted {
  readonly bytes: Uint8Array;
  uses: number;
}

/** Loads them, if there are few, else the most used ones; those with one value in all lanes, of the instructions given. */
export function hoistConstants(fc: FunctionCompiler, instructions: readonly ir.Instruction[]): void {
  const all = [...constantsOf(instructions)];
  const chosen =
    all.length <= most
      ? all
      : all
          .filter(([, { uses }]) => uses >= oftenUsed)
          .sort(([, a], [, b]) => b.uses - a.uses)
          .slice(0, most);
  for (const [key, { bytes }] of chosen) {
    fc.pushEnvironment('constants');
    fc.code.memory('v128.load', fc.module.vectorConstant(bytes), 16);
    const local = fc.code.allocate('v128');
    fc.code.set(local);
    fc.vectorConstants.set(key, local);
  }
}

/** By their bytes as text. */
function constantsOf(instructions: readonly ir.Instruction[]): ReadonlyMap<string, Wanted> {
  // Of vector constants alone: most values are none.
  const uses = new Map<Value, number>();
  for (const { op, results } of instructions) {
    if (op === 'constant' && results[0]!.type.kind === 'vector') uses.set(results[0]!, 0);
  }
  if (uses.size > 0) {
    for (const { operands } of instructions) {
      for (const operand of operands) {
        if (operand.type.kind !== 'vector') continue;
        const known = uses.get(operand);
        if (known !== undefined) uses.set(operand, known + 1);
      }
    }
  }
  const wanted = new Map<string, Wanted>();
  const want = (bytes: Uint8Array, places: number): void => {
    const known = wanted.get(bytes.join());
    if (known) known.uses += places;
    else wanted.set(bytes.join(), { bytes, uses: places });
  };
  for (const instruction of instructions) {
    if (instruction.op === 'convert') for (const bytes of conversionConstants(instruction)) want(bytes, 1);
    if (instruction.op !== 'constant' || instruction.results[0]!.type.kind !== 'vector') continue;
    const bytes = splatBytes(instruction);
    if (bytes) want(bytes, uses.get(instruction.results[0]!) ?? 0);
  }
  return wanted;
}
