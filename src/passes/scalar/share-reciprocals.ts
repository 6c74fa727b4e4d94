/**
 * Divides by multiplying where several divisions in a row have the same divisor, if the program was built so that this is allowed
 * (`reassociate` on an `fdiv`): a division takes several times as long as a product.
 *
 *     %x = fdiv reassociate %a, %d            %r = fdiv reassociate 1.0, %d
 *     %y = fdiv reassociate %b, %d      =>    %x = fmul contract %a, %r
 *                                             %y = fmul contract %b, %r
 *
 * A reciprocal is written at each division; gvn, which comes later, makes one of them, and constant-folding removes products with 1.
 */
import { newValue } from '../../ir/builder.ts';
import { splatOf } from '../../ir/constants.ts';
import type * as ir from '../../ir/ir.ts';
import { walkRegion } from '../../ir/walk.ts';

export function shareReciprocals(fn: ir.Function): void {
  let any = false;
  if (fn.body)
    walkRegion(fn.body, (instruction) => {
      any ||= isQuotient(instruction);
    });
  // Pages load the rest when a program needs it (scripts/split-rest.mjs).
  if (any) share(fn.body!);
}

function share(region: ir.Region): void {
  const counts = new Map<ir.Value, number>();
  for (const { operands } of region.instructions.filter(isQuotient))
    counts.set(operands[1]!, (counts.get(operands[1]!) ?? 0) + 1);
  region.instructions = region.instructions.flatMap((instruction) => {
    instruction.regions.forEach(share);
    const [dividend, divisor] = instruction.operands;
    if (!isQuotient(instruction) || counts.get(divisor!)! < 2) return instruction;
    const { results, regions, span } = instruction;
    const { type } = divisor!;
    const [one, reciprocal] = [newValue(type), newValue(type)];
    return [
      { op: 'constant', value: splatOf(type, 1), operands: [], results: [one], regions },
      { ...instruction, operands: [one, divisor!], results: [reciprocal] },
      { op: 'binary', fn: 'fmul', contract: true, operands: [dividend!, reciprocal], results, regions, span },
    ];
  });
}

function isQuotient(instruction: ir.Instruction): boolean {
  return instruction.op === 'binary' && instruction.fn === 'fdiv' && instruction.reassociate === true;
}
