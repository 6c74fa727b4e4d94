/**
 * `?gemm_batch`, as OpenBLAS and MKL have it: many products of matrices that lie anywhere. They come in groups: those of one group have their
 * sizes, scalars and leading dimensions in common. All are checked before the first is computed; then they are launched one after another, and
 * the host waits once for all.
 */

import { shown } from '../source/shown.ts';
import type { Core } from './core.ts';
import { BlasError } from './errors.ts';
import { gemmSignature, type PreparedProduct, prepareProduct } from './level-3.ts';
import type { NumberKind } from './number-kinds.ts';
import { Arguments, signatureOf } from './read-arguments.ts';

/** Those of one product, in the order of the batch's lists; behind them are the number of groups and their sizes. */
const ofProduct = signatureOf(gemmSignature);
const groupCountAt = ofProduct.length;
const groupSizesAt = groupCountAt + 1;
const names = [...ofProduct.map(({ name }) => name), 'groupCount', 'groupSize'];

const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;

/** A list has an element for each product if these are matrices, else one for each group; `order` is for all. */
const isOfProducts = (index: number): boolean => ofProduct[index]!.kind === 'matrix';

/** Checks the arguments of a batch. @throws BlasError for the first that is wrong */
function prepareBatch(routine: string, kind: NumberKind, given: readonly unknown[]): PreparedProduct[] {
  const fail = (index: number, why: string): never => {
    throw new BlasError(routine, index + 1, why);
  };
  if (given.length !== names.length) {
    const which = Math.min(given.length, names.length);
    fail(which, `it takes ${names.length} arguments (${names.join(', ')}); ${given.length} were given`);
  }
  const groups = given[groupCountAt];
  if (!isCount(groups)) return fail(groupCountAt, `groupCount is ${shown(groups)}`);
  const sizes = listOf(given[groupSizesAt], groups);
  if (!sizes) return fail(groupSizesAt, `groupSize is ${shown(given[groupSizesAt])}, not ${groups} numbers`);
  if (!sizes.every(isCount))
    return fail(groupSizesAt, `groupSize has ${shown(sizes.find((size) => !isCount(size)))}`);
  const products = (sizes as number[]).reduce((sum, size) => sum + size, 0);
  const lists = ofProduct.map(({ name }, index) => {
    if (index === 0) return [];
    const length = isOfProducts(index) ? products : groups;
    return (
      listOf(given[index], length) ??
      fail(index, `${name} is ${shown(given[index])}, not a list of ${length}`)
    );
  });
  const prepared: PreparedProduct[] = [];
  let product = 0;
  for (const [group, size] of (sizes as number[]).entries()) {
    for (let each = 0; each < size; each += 1, product += 1) {
      const values = lists.map((list, index) =>
        index === 0 ? given[0] : list[isOfProducts(index) ? product : group],
      );
      const ready = prepareProduct(new Arguments(routine, kind, ofProduct, values));
      if (ready) prepared.push(ready);
    }
  }
  return prepared;
}

/** The first elements of a list; undefined if it is none, or is too short. */
function listOf(value: unknown, length: number): unknown[] | undefined {
  if (!Array.isArray(value) && !ArrayBuffer.isView(value)) return undefined;
  const list = Array.from(value as ArrayLike<unknown>);
  return list.length < length ? undefined : list.slice(0, length);
}

/** The routine of a kind as a function of a core; errors have `cblas_` before its name. */
export function batchCallOf(kind: NumberKind) {
  const routine = `cblas_${kind.letter}gemm_batch`;
  return async (core: Core, given: readonly unknown[]): Promise<void> => {
    core.check();
    const products = prepareBatch(routine, kind, given);
    if (products.length === 0) return;
    await core.run(async (call) => {
      const bound = await call.bind(products.flatMap(({ uses }) => uses));
      let first = 0;
      for (const { uses, multiply } of products) {
        await multiply(call, bound.slice(first, first + uses.length));
        first += uses.length;
      }
    });
  };
}
