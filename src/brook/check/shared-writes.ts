/**
 * Where a thread may write in the shared memory of its group: to its own elements, with a subscript of the form
 * `stride * instanceInGroup().x + offset` (2.14 of the guide), so that the compiler can see that they are its own.
 */
import type { Expression, Index } from '../syntax/ast.ts';
import type { SharedArray } from './tree.ts';

/** What is wrong with the subscript of an element that is written; undefined if nothing is. */
export function sharedWriteProblem(
  { index }: Index,
  { size }: SharedArray,
  groupSize: number,
): string | undefined {
  const share = size / groupSize;
  if (!namesThread(index)) return 'Shared array index expression must contain instanceInGroup().x';
  if (index.kind !== 'binary' || index.operator !== '+')
    return 'offset of Shared array index expression must be a constant integer';
  const [product, offset] = namesThread(index.left) ? [index.left, index.right] : [index.right, index.left];
  if (product.kind !== 'binary' || product.operator !== '*')
    return 'one of the multiplication operand must be instanceInGroup().x';
  const stride = isThread(product.left) ? product.right : product.left;
  if (!isThread(product.left) && !isThread(product.right))
    return 'one of the multiplication operand must be instanceInGroup().x';
  const times = constant(stride);
  if (times === undefined) return 'stride must be a integer constant';
  if (times !== share) return `stride value must be equal to (SharedArraySize /groupSize)(${share})`;
  const from = constant(offset);
  if (from === undefined) return 'offset must be a integer constant';
  if (from < 0 || from >= share)
    return `offset value(${from}) must be in the range of 0 <= offset < (SharedArraySize / groupSize)(${share})`;
  return undefined;
}

/** `instanceInGroup().x` */
function isThread(expression: Expression): boolean {
  if (expression.kind !== 'member' || expression.name !== 'x') return false;
  const { object } = expression;
  return object.kind === 'call' && object.callee.kind === 'name' && object.callee.name === 'instanceInGroup';
}

function namesThread(expression: Expression): boolean {
  if (isThread(expression)) return true;
  return expression.kind === 'binary' && (namesThread(expression.left) || namesThread(expression.right));
}

function constant(expression: Expression): number | undefined {
  return expression.kind === 'number' && !expression.isFloating ? Number(expression.text) : undefined;
}
