/** What calls `main`: the library's `_start` calls `__main` with two arguments, and `main` may have fewer or more. */
import { Builder, newRegion, newValue } from '../ir/builder.ts';
import type * as ir from '../ir/ir.ts';
import { i32, pointerType } from '../ir/types.ts';
import type { Diagnostics } from '../source/diagnostics.ts';
import { noSpan } from '../source/span.ts';

/** The constructors or destructors, those of low priorities first, and of one priority as they stand in the sources. */
function runsOf(module: ir.Module, when: 'before' | 'after'): ir.Function[] {
  const found = module.functions.flatMap((fn) => {
    const run = fn.body && fn.runs?.find((one) => one.when === when);
    return run ? [{ fn, priority: run.priority }] : [];
  });
  // Sorting keeps the order of equals.
  return found.sort((a, b) => a.priority - b.priority).map(({ fn }) => fn);
}

function callRun(builder: Builder, fn: ir.Function): void {
  const values = fn.parameters.map(({ value }) => builder.undefined(value.type));
  builder.call(fn, values);
}

/** Registered first, they run when all has been done that the program itself registers. */
export const exitRegistrar = 'atexit';

function registerExit(module: ir.Module): ir.Function {
  const found = module.functions.find(({ name }) => name === exitRegistrar);
  if (!found) throw new Error('the C library does not register functions');
  return found;
}

function exitFunction(module: ir.Module, runs: readonly ir.Function[]): ir.Function {
  const body = newRegion();
  const builder = new Builder(body, 32);
  for (const fn of runs) callRun(builder, fn);
  builder.return();
  const made: ir.Function = {
    name: '__destructors',
    kind: 'function',
    parameters: [],
    result: undefined,
    body,
    form: 'work-item',
  };
  module.functions.push(made);
  return made;
}

/** How many files a message names. */
const namedFiles = 5;

/**
 * Gives the module's `__main` its body; false where the program has no `main` that can be called.
 * @param files what the program is made of
 */
export function addEntry(module: ir.Module, files: readonly string[], diagnostics: Diagnostics): boolean {
  const main = module.functions.find((fn) => fn.name === 'main' && fn.body);
  if (!main) {
    const named = [...files.slice(0, namedFiles), ...(files.length > namedFiles ? ['...'] : [])];
    diagnostics.error(noSpan, `the program has no function 'main': ${named.join(', ')}`);
    return false;
  }
  const entry = module.functions.find(({ name }) => name === '__main');
  if (!entry) throw new Error('the C library does not call main');
  const count = newValue(i32, 'argc');
  const texts = newValue(pointerType('private'), 'argv');
  entry.parameters.splice(0, entry.parameters.length, { value: count }, { value: texts });
  const body = newRegion();
  const builder = new Builder(body, 32);
  const operands: ir.Value[] = [];
  for (const [index, { value }] of main.parameters.entries()) {
    // A third parameter is the environment, which is empty.
    const given = [count, texts][index] ?? builder.constant(pointerType('private'), 0);
    if (index > 2 || value.type !== given.type) {
      diagnostics.error(main.span ?? noSpan, "'main' takes no such parameters");
      return false;
    }
    operands.push(given);
  }
  if (main.result && main.result !== i32) {
    diagnostics.error(main.span ?? noSpan, "'main' must return 'int'");
    return false;
  }
  const after = runsOf(module, 'after').reverse();
  if (after.length > 0)
    builder.call(registerExit(module), [builder.functionAddress(exitFunction(module, after))]);
  for (const fn of runsOf(module, 'before')) callRun(builder, fn);
  const result = builder.call(main, operands);
  builder.return(result ?? builder.integer(i32, 0));
  entry.body = body;
  return true;
}
