/**
 * Calls of printf, mostly under conditions. What is printed begins with the work-item's id, for nobody knows the order among
 * work-items.
 */
import { type Block, siteOf } from './block.ts';
import { condition, expression } from './expressions.ts';
import { chance, newName, pick } from './site.ts';
import { expr, line } from './syntax.ts';
import { int, valueType } from './types.ts';

/** Conversions, and of what type their arguments are. */
const conversions = [
  ['%d', int],
  ['%x', valueType('uint')],
  ['%ld', valueType('long')],
  ['%v4d', valueType('int', 4)],
  ['%v2lu', valueType('ulong', 2)],
  ['%hhd', valueType('char')],
] as const;

export function print(block: Block): boolean {
  const { work, mayAskWho, iterations } = block;
  if (!mayAskWho || iterations > 64) return false;
  work.asksWho = true;
  const [conversion, type] = pick(block, conversions);
  const name = newName(block.program, 'printed');
  const value = expression(siteOf(block), type, 2);
  const who = [0, 1, 2].map((dimension) => `(uint)get_global_id(${dimension})`).join(', ');
  const call = expr(int)`printf("%u,%u,%u ${name} ${conversion}\\n", ${who}, ${value})`;
  block.statements.push(
    chance(block, 60) ? line`if (${condition(siteOf(block), 2)}) ${call};` : line`${call};`,
  );
  return true;
}
