/**
 * The entries of a reduction.
 *
 * Where the only thing that happens to the variable is one operator whose identity is known, every work-item begins with the
 * identity, takes every n-th element, so that neighbours load neighbours, and what they found is combined with the operator. Of
 * all others nothing is known but that they are associative: each work-item folds a range of elements in their order,
 * beginning with the first, and what they found is folded in the same way. The variable's own value before is never
 * used: the guide wants it to be the identity.
 */
import type { CheckedKernel, Formal } from '../check/tree.ts';
import { type ElementType, isFloating } from '../types.ts';
import { emitLiteral } from './expressions.ts';
import { emitFunction } from './functions.ts';
import { functionName, storedTypeText, typeText } from './names.ts';
import { Source } from './source.ts';
import { load, store } from './storage.ts';

/** The entries in the program that {@link emitReduce} makes. */
export const reduceEntries = {
  fold: 'brook_fold',
  combine: 'brook_combine',
  partial: 'brook_partial',
} as const;

/**
 * The program of a reduction, as OpenCL C:
 * - `fold(from, count, to)`: work-item i of n folds its share of `count` elements to `to[i]`;
 * - `combine(from, count, to)`: the same with what `fold` found;
 * - `partial(from, shape, to, block)`: one work-item an element of `to`, whose sizes are the range's; it folds a block of
 *   so many elements in each dimension.
 */
export function emitReduce(kernel: CheckedKernel): string {
  const source = new Source();
  emitFunction(source, kernel);
  const { type } = kernel.formals[0]!;
  const stored = storedTypeText(type);
  const body = (element: string): string =>
    `${functionName(kernel.name)}(${callArguments(kernel, element)});`;
  const { reduceOperator: operator } = kernel;
  const identity = operator === undefined ? undefined : identityOf(type, operator);
  const combination = operator === undefined ? body('element') : `value = value ${operator} element;`;
  const head = (name: string): string =>
    `kernel void ${name}(global const ${stored} *from, uint count, global ${stored} *to)`;
  const make = identity === undefined ? foldInOrder : foldInTurns(identity);
  source.need('fold', `${head(reduceEntries.fold)} {\n${make(source, type, body('element'))}}`);
  source.need('combine', `${head(reduceEntries.combine)} {\n${make(source, type, combination)}}`);
  source.need('partial', partial(source, type, stored, body('element'), identity));
  return source.text;
}

/** The arguments of the kernel's function, with `element` folded into `value`. */
function callArguments({ formals }: CheckedKernel, element: string): string {
  const nowhere = '(int4)(0)';
  const one = ({ role }: Formal): string[] => {
    if (role === 'reduce') return ['&value', nowhere];
    return role === 'value' ? [element] : [element, nowhere];
  };
  return [nowhere, ...formals.flatMap(one)].join(', ');
}

function identityOf(type: ElementType, operator: string): string | undefined {
  if (type.kind !== 'value') return undefined;
  const number = operator === '*' ? '1' : '0';
  const one = { ...type, width: 1 } as const;
  const scalar = operator === '&' && !isFloating(type) ? `(${type.scalar})~0` : emitLiteral(one, number);
  return type.width === 1 ? scalar : `(${typeText(type)})(${scalar})`;
}

/** Element i, i + n, i + 2n, ... */
function foldInTurns(identity: string) {
  return (source: Source, type: ElementType, step: string): string => {
    const element = (index: string): string =>
      `${typeText(type)} element = ${load(source, type, 'from', index)};`;
    return `  uint all = (uint)get_global_size(0);
  uint own = (uint)get_global_id(0);
  uint rounds = count / all;
  ${typeText(type)} value = ${identity};
  for (uint round = 0; round < rounds; round++) {
    ${element('(round * all + own)')}
    ${step}
  }
  if (rounds * all + own < count) {
    ${element('(rounds * all + own)')}
    ${step}
  }
  ${store(source, type, 'to', 'own', 'value')};
`;
  };
}

/** A range of elements in their order. There must be one for every work-item. */
function foldInOrder(source: Source, type: ElementType, step: string): string {
  return `  uint all = (uint)get_global_size(0);
  uint own = (uint)get_global_id(0);
  uint begin = (uint)((ulong)count * own / all);
  uint end = (uint)((ulong)count * (own + 1) / all);
  ${typeText(type)} value = ${load(source, type, 'from', 'begin')};
  for (uint index = begin + 1; index < end; index++) {
    ${typeText(type)} element = ${load(source, type, 'from', 'index')};
    ${step}
  }
  ${store(source, type, 'to', 'own', 'value')};
`;
}

/** Blocks of a stream, one a work-item; shapes as storage.ts has them. */
function partial(
  source: Source,
  type: ElementType,
  stored: string,
  step: string,
  identity: string | undefined,
): string {
  const skips = identity === undefined ? 'uint index = 1' : 'uint index = 0';
  const place = `shape.s7 + (w * block.w + index / block.x / block.y / block.z) * shape.s6
      + (z * block.z + index / block.x / block.y % block.z) * shape.s5
      + (y * block.y + index / block.x % block.y) * shape.s4 + x * block.x + index % block.x`;
  const begin = `shape.s7 + w * block.w * shape.s6 + z * block.z * shape.s5 + y * block.y * shape.s4 + x * block.x`;
  const first = identity ?? load(source, type, 'from', `(${begin})`);
  return `kernel void ${reduceEntries.partial}(global const ${stored} *from, uint8 shape, global ${stored} *to, uint8 target, uint4 block) {
  uint x = (uint)get_global_id(0);
  uint y = (uint)get_global_id(1);
  uint z = (uint)get_global_id(2) % target.s2;
  uint w = (uint)get_global_id(2) / target.s2;
  uint count = block.x * block.y * block.z * block.w;
  ${typeText(type)} value = ${first};
  for (${skips}; index < count; index++) {
    ${typeText(type)} element = ${load(source, type, 'from', `(${place})`)};
    ${step}
  }
  ${store(source, type, 'to', '(target.s7 + w * target.s6 + z * target.s5 + y * target.s4 + x)', 'value')};
}`;
}
