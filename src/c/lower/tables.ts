/**
 * Constant tables: `const float weights[9] = {...}` inside a function. Such an array is the same for every call and every
 * work-item, so it becomes one object of the program instead of being filled in again each time. Code that only reads
 * its elements reads the object; code that takes its address gets a private copy.
 */
import type { Expression, VariableDeclaration } from '../ast.ts';
import { evaluateConstant } from '../constant.ts';
import { sizeOf } from '../type-facts.ts';

/** Smaller arrays are better kept as variables, which often become plain values. */
const fewestElements = 8;

/** Larger ones would weigh on every program that is loaded. */
const mostBytes = 65536;

const known = new WeakMap<VariableDeclaration, boolean>();

/** Whether a variable is a const array in a function, with a constant initializer. */
export function isConstantTable(variable: VariableDeclaration, addressBytes: number): boolean {
  let isTable = known.get(variable);
  if (isTable === undefined) {
    isTable = decide(variable, addressBytes);
    known.set(variable, isTable);
  }
  return isTable;
}

function decide({ type, scope, storage, initializer }: VariableDeclaration, addressBytes: number): boolean {
  if (scope !== 'function' || (storage !== 'none' && storage !== 'auto')) return false;
  if (type.type.kind !== 'array' || (type.space ?? 'private') !== 'private') return false;
  const isConst = type.isConst || type.type.element.isConst;
  if (!isConst || type.isVolatile || initializer?.kind !== 'initializer-list') return false;
  if (initializer.entries.length < fewestElements || sizeOf(type.type, addressBytes) > mostBytes)
    return false;
  return initializer.entries.every(({ value }) => isPlainConstant(value, addressBytes));
}

function isPlainConstant(value: Expression, addressBytes: number): boolean {
  const constant = evaluateConstant(value, addressBytes);
  return constant !== undefined && constant.kind !== 'address';
}
