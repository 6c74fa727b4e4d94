/**
 * Work-group functions (OpenCL 2.0, 6.13.15) as functions in WGSL: every work-item puts its value where all see it, and after a
 * barrier takes from there what it needs. Values are pairs of words, of which narrow ones use the first.
 */
import { identityOf } from '../../ir/collectives.ts';
import type * as ir from '../../ir/ir.ts';
import { sizeOf, type Type, typeName } from '../../ir/types.ts';
import { binaryText, type Use } from './arithmetic.ts';
import { fromWords, wordsOf } from './conversions.ts';
import { literal } from './literals.ts';
import { typeText } from './types.ts';

export const collectiveArray = 'collective_values';

/** Name and text of the function for an instruction. */
export function collectiveFunction(
  { fn, combine, results }: ir.Collective,
  use: Use,
): { name: string; text: string } {
  const { type } = results[0]!;
  const name = `group_${fn}_${combine}_${typeName(type)}`;
  const head = `fn ${name}(value: vec2<u32>, place: u32) -> vec2<u32> {
  workgroupBarrier();
  ${collectiveArray}[local_index] = value;
  workgroupBarrier();`;
  if (fn === 'broadcast') {
    return { name, text: `${head}\n  return ${collectiveArray}[place];\n}` };
  }
  const end =
    fn === 'reduce'
      ? 'size_x * size_y * size_z'
      : fn === 'scan_inclusive'
        ? 'local_index + 1u'
        : 'local_index';
  const words = wordsOf('sum', type);
  const text = `${head}
  let end = ${end};
  var sum: ${typeText(type)} = ${literal(type, identityOf(combine, type), use)};
  for (var at = 0u; at < end; at += 1u) {
    let words = ${collectiveArray}[at];
    let next = ${fromWords(type, ['words.x', 'words.y'])};
    sum = ${binaryText({ type, use }, combine, 'sum', 'next')};
  }
  return vec2<u32>(${words[0]}, ${words[1] ?? '0u'});
}`;
  return { name, text };
}

/** Bytes of local memory that work-group functions take for each work-item. */
export function collectiveBytes(type: Type): number {
  return Math.max(8, sizeOf(type));
}
