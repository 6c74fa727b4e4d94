/**
 * Private arrays of a vector. Every work-item has its own; where all of one array's accesses touch elements of one size,
 * the vector's copies are laid out element by element, the lanes of an element side by side, so that work-items that
 * touch the same element of theirs touch neighbouring memory:
 *
 *     float a[2];      a[0] of lanes 0 1 2 3, a[1] of lanes 0 1 2 3
 *
 * Byte b of a lane's array (a multiple of the element size) is then at b * lanes + lane * size. An array whose address
 * goes elsewhere, or that is touched in pieces of several sizes, keeps each work-item's bytes together.
 */
import type * as ir from '../../../ir/ir.ts';
import { elementOf, sizeOf, type Type } from '../../../ir/types.ts';
import { walkRegion } from '../../../ir/walk.ts';

/** The element sizes of the private variables of a region that can be laid out lane by lane. */
export function findLaneArrays(
  region: ir.Region,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
  addressBytes: number,
): Map<ir.Variable, number> {
  const rootOf = (pointer: ir.Value): ir.Variable | undefined => {
    for (let value = pointer; ; ) {
      const definition = definitions.get(value);
      if (definition?.op === 'variable') return definition.space === 'private' ? definition : undefined;
      if (definition?.op !== 'offset') return undefined;
      value = definition.operands[0]!;
    }
  };
  const sizeOfElement = (type: Type): number => sizeOf(elementOf(type), addressBytes);
  const sizes = findElementSizes(region, definitions, rootOf, sizeOfElement);
  for (const variable of sizes.keys()) if (variable.perItem) sizes.delete(variable);
  return sizes;
}

/**
 * The arrays that are only loaded from and stored to, in pieces of one size at multiples of it; and that size.
 * @param arrayOf the array that a pointer leads into, if it is one of those in question
 * @param sizeOfPiece the size in bytes that counts for an access of a type
 */
export function findElementSizes(
  region: ir.Region,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
  arrayOf: (pointer: ir.Value) => ir.Variable | undefined,
  sizeOfPiece: (type: Type) => number,
): Map<ir.Variable, number> {
  const sizes = new Map<ir.Variable, number>();
  const refused = new Set<ir.Variable>();
  walkRegion(region, (instruction) => {
    const { operands } = instruction;
    operands.forEach((operand, index) => {
      if (operand.type.kind !== 'pointer') return;
      const variable = arrayOf(operand);
      if (!variable || (index === 0 && instruction.op === 'offset')) return;
      const isAccess = index === 0 && (instruction.op === 'load' || instruction.op === 'store');
      if (!isAccess || instruction.volatile) {
        refused.add(variable);
        return;
      }
      const { type } = instruction.op === 'load' ? instruction.results[0]! : operands[1]!;
      const size = sizeOfPiece(type);
      const known = sizes.get(variable) ?? size;
      sizes.set(variable, known);
      if (known !== size || !movesByMultiples(operand, size, definitions)) refused.add(variable);
    });
  });
  for (const variable of refused) sizes.delete(variable);
  return sizes;
}

/** Whether a pointer is surely a multiple of the size away from where it comes from. */
function movesByMultiples(
  pointer: ir.Value,
  size: number,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
): boolean {
  for (let value = pointer; ; ) {
    const definition = definitions.get(value);
    if (definition?.op !== 'offset') return true;
    if (!isMultiple(definition.operands[1]!, size, definitions)) return false;
    value = definition.operands[0]!;
  }
}

/** Whether an integer is surely a multiple of a power of two, also when it has wrapped around. */
function isMultiple(
  value: ir.Value,
  size: number,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
): boolean {
  if (size === 1) return true;
  const definition = definitions.get(value);
  const constant = (operand: ir.Value | undefined): number | undefined => {
    const of = operand && definitions.get(operand);
    if (of?.op !== 'constant' || typeof of.value === 'object' || typeof of.value === 'boolean')
      return undefined;
    return Number(of.value);
  };
  if (definition?.op === 'constant') return constant(value)! % size === 0;
  if (definition?.op !== 'binary') return false;
  const [a, b] = definition.operands as [ir.Value, ir.Value];
  switch (definition.fn) {
    case 'shl':
      return 2 ** (constant(b) ?? 0) % size === 0 || isMultiple(a, size, definitions);
    case 'imul':
      return isMultiple(a, size, definitions) || isMultiple(b, size, definitions);
    case 'iadd':
    case 'isub':
      return isMultiple(a, size, definitions) && isMultiple(b, size, definitions);
    default:
      return false;
  }
}
