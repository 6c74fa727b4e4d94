/** What calls `main`: the library's `_start` calls `__main` with two arguments, and `main` may have fewer or more. */
import { Builder, newRegion, newValue } from '../ir/builder.ts';
import type * as ir from '../ir/ir.ts';
import { i32, pointerType } from '../ir/types.ts';
import type { Diagnostics } from '../source/diagnostics.ts';
import { noSpan } from '../source/span.ts';

/** Gives the module's `__main` its body; false where the program has no `main` that can be called. */
export function addEntry(module: ir.Module, diagnostics: Diagnostics): boolean {
  const main = module.functions.find((fn) => fn.name === 'main' && fn.body);
  if (!main) {
    diagnostics.error(noSpan, "the program has no function 'main'");
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
  const result = builder.call(main, operands);
  builder.return(result ?? builder.integer(i32, 0));
  entry.body = body;
  return true;
}
