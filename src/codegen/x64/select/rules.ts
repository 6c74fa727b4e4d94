/** What each instruction of stack code becomes, but for those of control, locals and numbers, which function-selector.ts has. */

import { general, memory } from '../assembler/instruction.ts';
import { contextOffsets } from '../calling-convention.ts';
import { contextRegister } from '../machine/operation.ts';
import type { StackInstruction } from '../stack-code/reader.ts';
import { conversionRules } from './conversions.ts';
import type { FunctionSelector } from './function-selector.ts';
import { copyOrFill, memoryRules } from './memory.ts';
import { scalarRules } from './scalar.ts';
import { vectorRules } from './vector.ts';
import { laneRules } from './vector-lanes.ts';

type AnyRule = (s: FunctionSelector, one: StackInstruction) => void;

/** The only global of programs: where their constants are. */
const globalGet: AnyRule = ({ fn, stack }) => {
  const place = memory(32, { base: general(contextRegister, 64), offset: contextOffsets.constants });
  fn.emit('mov', stack.result('i32'), place);
};

export const rules: ReadonlyMap<string, AnyRule> = new Map<string, AnyRule>([
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
]);
