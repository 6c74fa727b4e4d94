/**
 * How many rows of one array a region reads: `in[(y - 1) * n + x]` and `in[y * n + x + 1]` are in two of them. Rows of arrays whose
 * width is a power of two begin at the same place of the nearest cache, which has room for so many of them and no more.
 */
import type * as ir from '../../../ir/ir.ts';
import { walkRegion } from '../../../ir/walk.ts';
import type { Cache } from '../../../target/target.ts';
import { AffineForms } from '../affine-forms.ts';
import type { Memory } from '../alias.ts';
import type { Uniformity } from '../uniformity.ts';

/**
 * @param uniformity says what steps along rows
 * @returns the number of rows of the array that most are read of
 */
export function rowsRead(
  region: ir.Region,
  uniformity: Uniformity,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
  memory: Memory,
  { line }: Cache,
): number {
  const forms = new AffineForms(definitions, { looksCloser: true });
  const names = new Map<ir.Value, number>();
  const nameOf = (value: ir.Value): number => {
    const name = names.get(value) ?? names.size;
    names.set(value, name);
    return name;
  };
  const rows = new Map<ir.Value, Set<string>>();
  walkRegion(region, (instruction) => {
    if (instruction.op !== 'load') return;
    const pointer = instruction.operands[0]!;
    if (uniformity.of(pointer).kind === 'uniform') return;
    const { terms, constant } = forms.of(pointer);
    const same = [...terms].filter(([value]) => uniformity.of(value).kind === 'uniform');
    const places = same.map(([value, factor]) => `${factor}*${nameOf(value)}`).sort();
    const key = `${places.join(' ')} ${Math.round(constant / line)}`;
    const root = memory.rootOf(pointer).value;
    rows.set(root, (rows.get(root) ?? new Set()).add(key));
  });
  return Math.max(0, ...[...rows.values()].map(({ size }) => size));
}
