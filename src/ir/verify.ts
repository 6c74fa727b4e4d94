/**
 * Checks that a module keeps every rule of the definition in ir.ts. Tests run it after each pass; code generators may
 * then rely on the rules. The rules themselves are in verify/.
 *
 * Modules come from binaries, too, whose instructions may be of any shape: a rule says all that is relied on, also where
 * the TypeScript types say it already. Those that only damaged binaries break:
 *
 * - `continue` leads to a loop, `break` to a block or a loop, and either encloses it.
 * - `call_indirect` has an operand, the pointer, before anything else is asked of it.
 *
 * What a whole program has besides is asked by whole-program.ts.
 */
import type { Span } from '../source/span.ts';
import { isSoundQueueFunction } from './device-queues.ts';
import type * as ir from './ir.ts';
import { symbolText } from './text/names.ts';
import { intType } from './types.ts';
import { CallFacts } from './verify/call-facts.ts';
import { alignProblem } from './verify/demands.ts';
import { FunctionVerifier, type ModuleFacts, type ModuleProblem } from './verify/function-verifier.ts';

/**
 * Every broken rule, each with the function and the instruction's text; empty for a valid module.
 * @param most how many are reported at most, for modules that may break the rules everywhere
 */
export function verifyModule(module: ir.Module, most = Number.POSITIVE_INFINITY): string[] {
  return moduleProblems(module, most).map(({ text }) => text);
}

/** The same with places, as far as they are known: for modules that somebody has written as text. */
export function moduleProblems(module: ir.Module, most = Number.POSITIVE_INFINITY): ModuleProblem[] {
  const problems: ModuleProblem[] = [];
  const facts: ModuleFacts = {
    addressType: intType(module.addressBits),
    functions: new Set(module.functions),
    globals: new Set(module.globals),
    calls: new CallFacts(),
    isHosted: module.isHosted === true,
  };
  uniqueNames('global', module.globals, problems);
  uniqueNames('function', module.functions, problems);
  for (const global of module.globals) verifyGlobal(global, module, facts, problems);
  for (const fn of facts.isHosted ? [] : module.functions) {
    if (!fn.imported || (!fn.body && isSoundQueueFunction(fn, module.addressBits))) continue;
    const message = `function ${symbolText(fn.name)} is imported, and nothing that a device supplies`;
    problems.push({ text: message, message, span: fn.span });
  }
  for (const fn of module.functions) {
    if (problems.length < most) new FunctionVerifier(fn, facts, problems, most).verify();
  }
  return problems;
}

/**
 * Throws an Error that lists the broken rules, if there are any: a bug in Millrace, not in a user's program.
 * @param stage what made the module, such as a pass's name
 */
export function assertValid(module: ir.Module, stage: string): void {
  const problems = verifyModule(module);
  if (problems.length > 0) throw new Error(`invalid IR after ${stage}:\n${problems.join('\n')}`);
}

function uniqueNames(
  what: string,
  named: readonly { name: string; span?: Span | undefined }[],
  problems: ModuleProblem[],
): void {
  const seen = new Set<string>();
  for (const { name, span } of named) {
    const message = `${what} ${symbolText(name)} occurs twice`;
    if (seen.has(name)) problems.push({ text: message, message, span });
    seen.add(name);
  }
}

function verifyGlobal(
  global: ir.GlobalVariable,
  module: ir.Module,
  facts: ModuleFacts,
  problems: ModuleProblem[],
): void {
  const report = (what: string) => {
    const message = `global ${symbolText(global.name)}: ${what}`;
    problems.push({ text: message, message, span: global.span });
  };
  const stored = global.isDeclared ? 0 : global.size;
  if (global.bytes.length !== stored) report(`${global.bytes.length} bytes, expected ${stored}`);
  const problem = alignProblem(global.align);
  if (problem) report(problem);
  if (global.isDeclared && global.relocations.length > 0) report('relocations in what is only declared');
  const addressBytes = module.addressBits / 8;
  if (global.space === (facts.isHosted ? 'global' : 'private')) report(`in ${global.space} space`);
  for (const { offset, target } of global.functions ?? []) {
    if (!facts.isHosted) report('a pointer to a function outside a program for the host');
    if (offset < 0 || offset + addressBytes > global.size)
      report(`a pointer to a function at ${offset}, outside it`);
    if (!facts.functions.has(target)) report('a pointer to a function that is not in the module');
  }
  for (const { offset, target } of global.relocations) {
    if (offset < 0 || offset + addressBytes > global.size) report(`a relocation at ${offset}, outside it`);
    if (!facts.globals.has(target)) report('a relocation to a global that is not in the module');
  }
}
