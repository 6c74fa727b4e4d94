/**
 * Private arrays that live across barriers, with a copy for each work-item of the group. Where a kernel is vectorised and
 * all of an array's accesses touch whole elements of one size, the copies are laid out element by element, so that
 * work-items that touch the same element of theirs touch neighbouring memory:
 *
 *     float a[2];      a[0] of work-items 0 1 2 ... n-1, a[1] of work-items 0 1 2 ... n-1
 *
 * What was b bytes into a copy is then b * n bytes from the work-item's first element. Work-items that run one by one go
 * by the same layout. (Arrays that a single region has to itself: private-arrays.ts.)
 */
import { Builder } from '../../../ir/builder.ts';
import type * as ir from '../../../ir/ir.ts';
import { sizeOf } from '../../../ir/types.ts';
import { walkRegion, walkRegionsInsideOut } from '../../../ir/walk.ts';
import { insert } from '../../../source/lists.ts';
import { findElementSizes } from './private-arrays.ts';

/**
 * @param vectorised the regions that will be vectorised; arrays that none of them uses stay as they are
 * @returns whether there were any
 */
export function layOutPrivateArrays(
  body: ir.Region,
  vectorised: readonly ir.Region[],
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
  addressBits: 32 | 64,
): boolean {
  const sizes = findElementSizes(
    body,
    definitions,
    (pointer) => arrayOf(pointer, definitions),
    (type) => sizeOf(type, addressBits / 8),
  );
  const used = new Set<ir.Value>();
  for (const region of vectorised) {
    walkRegion(region, ({ op, operands }) => {
      if (op === 'item_address') used.add(operands[0]!);
    });
  }
  for (const [variable, size] of sizes) {
    const isPowerOfTwo = (size & (size - 1)) === 0;
    const isWhole = isPowerOfTwo && variable.size % size === 0;
    if (!isWhole || !used.has(variable.results[0]!)) sizes.delete(variable);
  }
  if (sizes.size === 0) return false;
  const items = countItems(body, addressBits);
  walkRegionsInsideOut(body, (region) => {
    region.instructions = region.instructions.flatMap((instruction): ir.Instruction[] => {
      if (instruction.op !== 'offset') return [instruction];
      const variable = arrayOf(instruction.operands[0]!, definitions);
      if (!variable || !sizes.has(variable)) return [instruction];
      const [pointer, bytes] = instruction.operands as [ir.Value, ir.Value];
      const scaled: ir.Value = { type: bytes.type };
      const { span } = instruction;
      return [
        { op: 'binary', fn: 'imul', operands: [bytes, items], results: [scaled], regions: [], span },
        { ...instruction, operands: [pointer, scaled] },
      ];
    });
    region.instructions = region.instructions.map((instruction) => {
      const elementSize = instruction.op === 'variable' ? sizes.get(instruction) : undefined;
      return elementSize === undefined ? instruction : ({ ...instruction, elementSize } as ir.Variable);
    });
  });
  return true;
}

/** The variable with a copy for each work-item that a pointer leads into. */
function arrayOf(
  pointer: ir.Value,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
): ir.Variable | undefined {
  for (let value = pointer; ; ) {
    const definition = definitions.get(value);
    if (definition?.op === 'item_address') {
      const variable = definitions.get(definition.operands[0]!);
      return variable?.op === 'variable' ? variable : undefined;
    }
    if (definition?.op !== 'offset') return undefined;
    value = definition.operands[0]!;
  }
}

/** The number of work-items of the group, computed at the kernel's start. */
function countItems(body: ir.Region, addressBits: 32 | 64): ir.Value {
  const start: ir.Region = { parameters: [], instructions: [] };
  const builder = new Builder(start, addressBits);
  const [x, y, z] = ([0, 1, 2] as const).map((dimension) => builder.query('local_size', dimension)) as [
    ir.Value,
    ir.Value,
    ir.Value,
  ];
  const items = builder.binary('imul', builder.binary('imul', x, y), z);
  let contextArrays = 0;
  while (body.instructions[contextArrays]?.op === 'context_array') contextArrays += 1;
  insert(body.instructions, contextArrays, start.instructions);
  return items;
}
