/** printf writes records as src/ir/printf/record.ts has them into a buffer of its own, `printed`, which the host reads. */
import type * as ir from '../../ir/ir.ts';
import { bufferHeader, recordHeader, recordLayout } from '../../ir/printf/record.ts';
import { elementOf, lanesOf, sizeOf } from '../../ir/types.ts';
import { wordsOf } from './conversions.ts';
import type { FunctionWriter } from './function-writer.ts';

export function writePrintf(writer: FunctionWriter, { format, operands, results }: ir.Printf): void {
  const types = operands.map(({ type }) => type);
  const { printfSites } = writer.context;
  printfSites.push({ format, types });
  const number = printfSites.length;
  const { offsets, size } = recordLayout(types, 4);
  const words = new Map<number, string[]>();
  const put = (word: number, text: string): void => {
    words.set(word, [...(words.get(word) ?? []), text]);
  };
  for (const [index, operand] of operands.entries()) {
    const offset = offsets[index]!;
    const shift = (offset % 4) * 8;
    for (const [at, text] of wordsOf(writer.named(operand), operand.type).entries()) {
      put((offset >> 2) + at, shift === 0 ? text : `(${text} << ${shift}u)`);
      // Narrow vectors may begin within a word.
      const bytes = sizeOf(elementOf(operand.type)) * lanesOf(operand.type) - at * 4;
      const isLonger = shift > 0 && Math.min(bytes, 4) * 8 + shift > 32;
      if (isLonger) put((offset >> 2) + at + 1, `(${text} >> ${32 - shift}u)`);
    }
  }
  const first = bufferHeader.records / 4;
  const place = writer.temporary('place');
  const [result] = results;
  const status = result ? writer.declareName(result) : undefined;
  if (status) writer.line(`var ${status} = 0u;`);
  writer.line(`let ${place} = atomicAdd(&printed[${bufferHeader.claimed / 4}], ${size}u) >> 2u;`);
  writer.line(`if (${place} + ${first + size / 4}u <= arrayLength(&printed)) {`);
  const at = (word: number): string => `&printed[${place} + ${first + word}u]`;
  writer.line(`  atomicStore(${at(recordHeader.size / 4)}, ${size}u);`);
  for (const [word, texts] of words) writer.line(`  atomicStore(${at(word)}, ${texts.join(' | ')});`);
  writer.line(`  atomicStore(${at(recordHeader.format / 4)}, ${number}u);`);
  writer.line('} else {');
  writer.line(`  atomicAdd(&printed[${bufferHeader.refused / 4}], 1u);`);
  if (status) writer.line(`  ${status} = 0xffffffffu;`);
  writer.line('}');
}
