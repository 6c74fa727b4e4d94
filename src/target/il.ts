/** AMD IL: a compute program for each kernel, for machines that run work-items and know barriers and images. */
import { writeIl } from '../codegen/il/write-il.ts';
import type { Target } from './target.ts';

export const il: Target = {
  name: 'il',
  description: 'AMD IL, a program for each kernel',
  addressBits: [32],
  vectors: undefined,
  costs: undefined,
  cache: { line: 64, ways: 8 },
  wants: { form: 'work-item', images: true, calls: false, runtimeUnroll: 1, carriedPointers: 0 },
  deepestNesting: Number.POSITIVE_INFINITY,
  emit: ({ functions }) =>
    functions
      .filter(({ kind, body }) => kind === 'kernel' && body)
      .map((kernel) => `; kernel ${kernel.name}\n${writeIl(kernel).text}`)
      .join('\n'),
};
