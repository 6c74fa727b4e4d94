/**
 * Arithmetic on denormal floats, which a device without CL_FP_DENORM may take for zeros (OpenCL 1.2, 7.5.3). Who compares such a
 * device with the interpreter wants to know whether there was any: then the results may differ.
 */
import type * as ir from '../ir.ts';
import { elementOf, type Type } from '../types.ts';
import type { AroundStep } from './compile-function.ts';
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

/** For {@link InterpreterOptions.around}: calls `tell` where an operand or the result of arithmetic is a denormal float. */
export function tellingDenormals(tell: () => void): AroundStep {
  return (instruction, run, numberOf) => {
    const { op, operands, results } = instruction;
    if (instruction.op === 'convert' && instruction.fn === 'bitcast') return run;
    const computes =
      op === 'unary' || op === 'binary' || op === 'fma' || op === 'compare' || op === 'convert';
    const floats = (values: readonly ir.Value[]): number[] =>
      computes ? values.filter(({ type }) => isSingle(type)).map(numberOf) : [];
    const [before, after] = [floats(operands), floats(results)];
    if (before.length + after.length === 0) return run;
    return (frame) => {
      if (before.some((number) => isDenormal(frame.values[number]))) tell();
      run(frame);
      if (after.some((number) => isDenormal(frame.values[number]))) tell();
    };
  };
}
