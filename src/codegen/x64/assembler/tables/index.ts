/** All forms by mnemonic. Lines are read when their mnemonic is first asked for, so that a program pays for what it uses. */
import { type Form, formsOf, namesOf } from '../form.ts';
import { atomics } from './atomics.ts';
import { bits } from './bits.ts';
import { control } from './control.ts';
import { conversions } from './conversions.ts';
import { floating } from './floating.ts';
import { integer } from './integer.ts';
import { lanes } from './lanes.ts';
import { masks } from './masks.ts';
import { moves } from './moves.ts';
import { vectorInteger } from './vector-integer.ts';

let lines: Map<string, string[]> | undefined;
const forms = new Map<string, readonly Form[]>();

/** The tables' lines by mnemonic. */
export function tableLines(): ReadonlyMap<string, readonly string[]> {
  if (lines) return lines;
  lines = new Map();
  const tables = [integer, bits, control, atomics, moves, floating, vectorInteger, lanes, conversions, masks];
  for (const line of tables.flatMap((table) => table.split('\n'))) {
    if (line.trim() === '') continue;
    for (const name of namesOf(line)) {
      const known = lines.get(name);
      if (known) known.push(line);
      else lines.set(name, [line]);
    }
  }
  return lines;
}

/** The forms of an instruction, in the order in which they are preferred; none for a mnemonic that is not known. */
export function formsOfMnemonic(mnemonic: string): readonly Form[] {
  let known = forms.get(mnemonic);
  if (!known) {
    // Shorter prefixes first.
    const order = { legacy: 0, vex: 1, evex: 2 };
    known = (tableLines().get(mnemonic) ?? [])
      .flatMap(formsOf)
      .sort((left, right) => order[left.kind] - order[right.kind]);
    forms.set(mnemonic, known);
  }
  return known;
}
