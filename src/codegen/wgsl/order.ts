/**
 * Values that are hidden from compilers of shaders where these change the order of sums and products (kept-apart.ts): a constant of the pipeline says
 * whether they do.
 */
import { argumentWord, launchWords } from './queries.ts';

/** The name of the constant: whether the device's compiler leaves sums and products in their order. */
export const ordered = 'keeps_order';

/** Its declaration, for shaders that ask. */
export const orderedText = `override ${ordered}: bool = false;`;

/** The function that a value of so many lanes goes through, and its text. */
export function orderedFunction(lanes: number): { readonly name: string; readonly text: string } {
  const name = `in_order_${lanes}`;
  const shaped = (lane: string): string => (lanes === 1 ? lane : `vec${lanes}<${lane}>`);
  const zero = argumentWord(launchWords.zero);
  const zeros = lanes === 1 ? zero : `${shaped('u32')}(${zero})`;
  const hidden = `bitcast<${shaped('f32')}>(bitcast<${shaped('u32')}>(value) ^ ${zeros})`;
  const text = `fn ${name}(value: ${shaped('f32')}) -> ${shaped('f32')} {
  return select(${hidden}, value, ${ordered});
}`;
  return { name, text };
}
