/** What an assignment changes and how: for both that write kernels in other languages (emit, il). */
import type { Typed } from './check/tree.ts';
import type { ScalarName } from './types.ts';

export interface ScatterTarget {
  readonly element: Typed & { readonly kind: 'element' | 'element-at' };
  /** The components that change, if it is not all of them. */
  readonly lanes: string | undefined;
}

/** The element of a scatter array that an assignment is about, if it is one. */
export function elementIn(target: Typed): ScatterTarget | undefined {
  let object = target;
  let lanes: string | undefined;
  while (object.kind === 'swizzle') {
    const own = object.lanes;
    lanes = lanes === undefined ? own : [...lanes].map((lane) => own['xyzw'.indexOf(lane)]!).join('');
    object = object.object;
  }
  return object.kind === 'element' || object.kind === 'element-at' ? { element: object, lanes } : undefined;
}

/** The scalar that `+=` and its like compute in, where that is not the target's own. */
export function computedScalar({
  operator,
  target,
  value,
}: Typed & { readonly kind: 'assignment' }): ScalarName | undefined {
  if (operator === '=' || target.type.kind !== 'value' || value.type.kind !== 'value') return undefined;
  return value.type.scalar === target.type.scalar ? undefined : value.type.scalar;
}
