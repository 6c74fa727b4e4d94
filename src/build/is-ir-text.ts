/** What tells the text form of the IR (docs/ir.md) from other languages. */

/** Whether a text is IR: it begins with its module's line, which no other language can. */
export const isIrText = (text: string): boolean => /^(?:\s|\/\/[^\n]*\n)*module\s+address\s*=/.test(text);

/** The width of addresses that a text in IR is for; undefined if its first line says none. */
export function addressBitsOfIr(text: string): 32 | 64 | undefined {
  const [, bits] = /module\s+address\s*=\s*(32|64)\b/.exec(text) ?? [];
  return bits === undefined ? undefined : (Number(bits) as 32 | 64);
}
