/** Reads a kernel in IR text and hands out what the analyses say of it, by the names that the text gives. */
import type * as ir from '../../../src/ir/ir.ts';
import { parseModule } from '../../../src/ir/parse.ts';
import { assertValid } from '../../../src/ir/verify.ts';
import { walkFunction } from '../../../src/ir/walk.ts';
import { type Access, type AccessMap, accessMap } from '../../../src/passes/analysis/access-map.ts';
import { Analyses } from '../../../src/passes/analysis/analyses.ts';
import { type LoopNests, loopNests, type ProgramLoop } from '../../../src/passes/analysis/loop-nests.ts';

export interface Analysed {
  readonly analyses: Analyses;
  readonly nests: LoopNests;
  readonly map: AccessMap;
  value(name: string): ir.Value;
  /** The loop that has a parameter of that name. */
  loop(parameter: string): ProgramLoop;
  /** The accesses through a pointer of that name, in the order of the text. */
  accesses(pointer: string): readonly Access[];
  access(pointer: string): Access;
}

/** @param text a module's text without its first line; its first kernel is analysed */
export function analysed(text: string): Analysed {
  // Short branches may be in one line.
  const lines = text.replace(/\{ (.+?) \}/g, '{\n$1\n}');
  const module = parseModule(`module address=32\n${lines}`, 'test.ir');
  assertValid(module, 'parsing');
  const fn = module.functions.find(({ kind }) => kind === 'kernel')!;
  const values = new Map<string, ir.Value>();
  const add = (value: ir.Value): void => {
    if (value.name) values.set(value.name, value);
  };
  for (const { value } of fn.parameters) add(value);
  walkFunction(fn, (instruction) => {
    instruction.results.forEach(add);
    for (const region of instruction.regions) region.parameters.forEach(add);
  });
  const analyses = new Analyses(fn);
  const map = analyses.get(accessMap[32]);
  const value = (name: string): ir.Value => {
    const found = values.get(name);
    if (!found) throw new Error(`no value %${name}`);
    return found;
  };
  const accesses = (pointer: string): readonly Access[] =>
    map.accesses.filter((access) => access.pointer === value(pointer));
  return {
    analyses,
    nests: analyses.get(loopNests),
    map,
    value,
    loop: (parameter) => analyses.get(loopNests).loopOfParameter(value(parameter))!,
    accesses,
    access: (pointer) => accesses(pointer)[0]!,
  };
}
