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
  join: 'brook_join',
  group: 'brook_group',
} as const;

/** Work-items of a group of the entry `group`. */
export const reduceGroup = 64;

/**
 * The program of a reduction, as OpenCL C:
 * - `fold(from, count, to)`: work-item i of n folds its share of `count` elements to `to[i]`;
 * - `combine(from, count, to)`: the same with what `fold` found;
 * - `partial(from, shape, to, target, block)`: one work-item an element of `to`, whose sizes are the range's; it folds a block of
 *   so many elements in each dimension;
 * - `join`: the same with what `partial` found;
 * - `group`: as `partial`, with a work-group for each element; only where the operator is known.
 *
 * @param hasLines as in MapVariant: statements say which lines of the .br file they come from
 */
export function emitReduce(kernel: CheckedKernel, hasLines = false): string {
  const source = new Source(undefined, hasLines);
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
  const blocks = { source, type, stored, identity };
  source.need('partial', blockEntry(blocks, reduceEntries.partial, body('element')));
  source.need('join', blockEntry(blocks, reduceEntries.join, combination));
  if (identity !== undefined && operator !== undefined)
    source.need('group', groupEntry({ ...blocks, identity }, body('element'), operator));
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

interface Blocks {
  readonly source: Source;
  readonly type: ElementType;
  readonly stored: string;
  readonly identity: string | undefined;
}

/** Which element of the target this is, given its place on the x axis, and where its block begins; shapes as storage.ts has them. */
function blockPlace(x: string): string {
  return `uint x = (uint)${x};
  uint y = (uint)get_global_id(1);
  uint z = (uint)get_global_id(2) % target.s2;
  uint w = (uint)get_global_id(2) / target.s2;
  uint start = shape.s7 + w * block.w * shape.s6 + z * block.z * shape.s5 + y * block.y * shape.s4 + x * block.x;`;
}

function blockHead(stored: string, name: string): string {
  return `kernel void ${name}(global const ${stored} *from, uint8 shape, global ${stored} *to, uint8 target, uint4 block)`;
}

/** A row of a block after the other; neighbours of a row are loaded together. */
function blockRows(columns: string, element: string, step: string): string {
  return `for (uint volume = 0; volume < block.w; volume++)
    for (uint slice = 0; slice < block.z; slice++)
      for (uint row = 0; row < block.y; row++) {
        uint begin = start + volume * shape.s6 + slice * shape.s5 + row * shape.s4;
        ${columns} {
          ${element}
          ${step}
        }
      }`;
}

const targetPlace = 'target.s7 + w * target.s6 + z * target.s5 + y * target.s4 + x';

/** Blocks of a stream, one a work-item. */
function blockEntry({ source, type, stored, identity }: Blocks, name: string, step: string): string {
  const element = `${typeText(type)} element = ${load(source, type, 'from', '(begin + column)')};`;
  const skipped = identity === undefined ? '(volume | slice | row) == 0 ? 1 : 0' : '0';
  const columns = `for (uint column = ${skipped}; column < block.x; column++)`;
  return `${blockHead(stored, name)} {
  ${blockPlace('get_global_id(0)')}
  ${typeText(type)} value = ${identity ?? load(source, type, 'from', 'start')};
  ${blockRows(columns, element, step)}
  ${store(source, type, 'to', `(${targetPlace})`, 'value')};
}`;
}

/** Blocks of a stream, one a work-group, whose work-items take elements of a row in turn; for blocks with long rows. */
function groupEntry(
  { source, type, stored, identity }: Blocks & { readonly identity: string },
  step: string,
  operator: string,
): string {
  const element = `${typeText(type)} element = ${load(source, type, 'from', '(begin + column)')};`;
  const columns = `for (uint column = own; column < block.x; column += ${reduceGroup})`;
  return `__attribute__((reqd_work_group_size(${reduceGroup}, 1, 1)))
${blockHead(stored, reduceEntries.group)} {
  local ${typeText(type)} found[${reduceGroup}];
  uint own = (uint)get_local_id(0);
  ${blockPlace('get_group_id(0)')}
  ${typeText(type)} value = ${identity};
  ${blockRows(columns, element, step)}
  found[own] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint rest = ${reduceGroup / 2}; rest > 0; rest /= 2) {
    if (own < rest) found[own] = found[own] ${operator} found[own + rest];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (own == 0) ${store(source, type, 'to', `(${targetPlace})`, 'found[0]')};
}`;
}
