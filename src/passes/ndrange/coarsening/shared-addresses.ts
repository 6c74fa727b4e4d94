/**
 * Finds the addresses that several rows have in common, however each computes them:
 *
 *     %p = offset %in, ((%y * %n + %x) + %n) * 4          the row after the first
 *     %q = offset %in, ((%y + 1) * %n + %x) * 4           the second row: the same, so that %p serves for both
 *
 * Loads from them are then found to be the same by gvn.
 */
import type * as ir from '../../../ir/ir.ts';
import { type AffineForm, AffineForms } from '../../analysis/affine-forms.ts';

/** @param definitions what computes each value that the region uses, before it or in it */
export function shareAddresses(region: ir.Region, definitions: ReadonlyMap<ir.Value, ir.Instruction>): void {
  const forms = new AffineForms(definitions, { looksCloser: true });
  const numbers = new Map<ir.Value, number>();
  const numberOf = (value: ir.Value): number => {
    const number = numbers.get(value) ?? numbers.size;
    numbers.set(value, number);
    return number;
  };
  const keyOf = ({ terms, constant }: AffineForm): string => {
    const parts = [...terms].map(([value, factor]) => `${numberOf(value)}*${factor}`);
    return [...parts.sort(), constant].join('+');
  };
  const visit = ({ instructions }: ir.Region, around: ReadonlyMap<string, ir.Value>): void => {
    const known = new Map(around);
    for (const instruction of instructions) {
      if (instruction.op === 'load' || instruction.op === 'store') {
        const [pointer, ...rest] = instruction.operands as [ir.Value, ...ir.Value[]];
        const key = keyOf(forms.of(pointer));
        const same = known.get(key);
        if (same === undefined) known.set(key, pointer);
        else if (same.type === pointer.type) instruction.operands = [same, ...rest];
      }
      for (const nested of instruction.regions) visit(nested, known);
    }
  };
  visit(region, new Map());
}
