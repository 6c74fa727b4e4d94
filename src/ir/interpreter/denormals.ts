/**
 * Arithmetic on denormal floats, which a device without CL_FP_DENORM may take for zeros (OpenCL 1.2, 7.5.3). Who compares such a
 * device with the interpreter wants to know whether there was any: then the results may differ.
 */
import type * as ir from '../ir.ts';
import { elementOf, type Type } from '../types.ts';
import type { Frame } from './state.ts';
import type { RuntimeValue } from './values.ts';

const smallestNormal = 2 ** -126;

function isDenormal(value: RuntimeValue | undefined): boolean {
  if (typeof value === 'number') return value !== 0 && Math.abs(value) < smallestNormal;
  return Array.isArray(value) && value.some((lane) => isDenormal(lane as RuntimeValue));
}

function isSingle(type: Type): boolean {
  const element = elementOf(type);
  return element.kind === 'float' && element.bits === 32;
}

/** The step with a call of `tell` where an operand or the result is a denormal float; the step itself where it computes with none. */
export function tellingDenormals(
  instruction: ir.Instruction,
  run: (frame: Frame) => void,
  numberOf: (value: ir.Value) => number,
  tell: () => void,
): (frame: Frame) => void {
  const { op, operands, results } = instruction;
  if (instruction.op === 'convert' && instruction.fn === 'bitcast') return run;
  const computes = op === 'unary' || op === 'binary' || op === 'fma' || op === 'compare' || op === 'convert';
  const floats = computes ? [...operands, ...results].filter(({ type }) => isSingle(type)) : [];
  if (floats.length === 0) return run;
  const [before, after] = [operands, results].map((some) =>
    floats.filter((value) => (some as readonly ir.Value[]).includes(value)).map(numberOf),
  ) as [number[], number[]];
  return (frame) => {
    if (before.some((number) => isDenormal(frame.values[number]))) tell();
    run(frame);
    if (after.some((number) => isDenormal(frame.values[number]))) tell();
  };
}
