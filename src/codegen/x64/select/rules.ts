/** What each instruction of stack code becomes, but for those of control, locals and numbers, which function-selector.ts has. */

import { general, memory } from '../assembler/instruction.ts';
import { contextOffsets } from '../calling-convention.ts';
import { contextRegister } from '../machine/operation.ts';
import { conversionRules } from './conversions.ts';
import { copyOrFill, memoryRules } from './memory.ts';
import type { Rule } from './rule.ts';
import { scalarRules } from './scalar.ts';
import { vectorRules } from './vector.ts';
import { vectorRules512 } from './vector-avx512.ts';
import { laneRules } from './vector-lanes.ts';

/** The only global of programs: where their constants are. */
const globalGet: Rule = ({ fn, stack }) => {
  const place = memory(32, { base: general(contextRegister, 64), offset: contextOffsets.constants });
  fn.emit('mov', stack.result('i32'), place);
};

const avx2: readonly [string, Rule][] = [
  ...scalarRules,
  ...conversionRules,
  ...memoryRules,
  ...vectorRules,
  ...laneRules,
  ['memory.copy', copyOrFill('copy')],
  ['memory.fill', copyOrFill('fill')],
  ['atomic.fence', ({ fn }) => fn.emit('mfence')],
  ['global.get', globalGet],
  ['nop', () => {}],
];

const rules: ReadonlyMap<string, Rule> = new Map(avx2);
const rules512: ReadonlyMap<string, Rule> = new Map([...avx2, ...vectorRules512]);

/** By the name of the instruction. */
export function rulesFor(hasAvx512: boolean): ReadonlyMap<string, Rule> {
  return hasAvx512 ? rules512 : rules;
}
