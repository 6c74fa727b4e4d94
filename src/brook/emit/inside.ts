/**
 * Finds subscripts of gather arrays of which a launch can tell that they are inside: such a subscript needs not be kept inside the
 * array, and neighbours are seen to load neighbours. They are
 * - the thread's own position, `B[i][at.x]` behind `int4 at = instance()`, where the array has at least the sizes of the domain;
 * - the counter of a loop from 0 or more to below a parameter or a number, `for (i = 0; i < n; i++) ... A[at.y][i]`, where the array
 *   has at least so many elements.
 * That counts only where all subscripts in that dimension of the array are such: among neighbours, `A[y - 1][x]` and `A[y][x]`, loads
 * are shared from row to row where all of them are computed alike.
 */
import type { CheckedKernel, Formal, Local, Typed, TypedStatement } from '../check/tree.ts';

/** What a subscript is below: the end of the domain on an axis (0 is x), a number, or the value of a parameter. */
export type Limit =
  | { readonly kind: 'axis'; readonly axis: number }
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'parameter'; readonly formal: Formal };

/** A subscript in a dimension of an array (0 is the fastest). */
export interface InsideSubscript {
  readonly array: Formal;
  readonly dimension: number;
  readonly limit: Limit;
}

export interface InsideSubscripts {
  readonly limits: ReadonlyMap<Typed, Limit>;
  /** What a launch must look at. */
  readonly all: readonly InsideSubscript[];
}

const known = new WeakMap<CheckedKernel, InsideSubscripts>();

/** Those of a kernel's own body; subkernels have none. */
export function insideSubscripts(kernel: CheckedKernel): InsideSubscripts {
  let found = known.get(kernel);
  if (!found) {
    found = find(kernel);
    known.set(kernel, found);
  }
  return found;
}

type Element = Typed & { readonly kind: 'element' };
type Loop = TypedStatement & { readonly kind: 'for' };

function find({ body }: CheckedKernel): InsideSubscripts {
  const starts = new Map<Local, Typed>();
  const changed = new Set<Local>();
  const elements: Element[] = [];
  const loops: Loop[] = [];
  visit(body, (node) => {
    if (node.kind === 'variable' && node.value) starts.set(node.local, node.value);
    else if (node.kind === 'for') loops.push(node);
    noteChanges(changed, node);
    if (isGather(node)) elements.push(node);
  });
  const constants = new Map([...starts].filter(([local]) => !changed.has(local)));
  const limits = new Map<Typed, Limit>();
  const all: InsideSubscript[] = [];
  const note = ({ array, indices }: Element, limitOf: (index: Typed) => Limit | undefined): void => {
    for (const [place, index] of indices.entries()) {
      const limit = limits.has(index) ? undefined : limitOf(index);
      if (!limit) continue;
      limits.set(index, limit);
      all.push({ array, dimension: indices.length - 1 - place, limit });
    }
  };
  for (const element of elements) {
    note(element, (index) => {
      const axis = axisOf(index, constants);
      return axis === undefined ? undefined : { kind: 'axis', axis };
    });
  }
  for (const loop of loops) {
    const counted = countOf(loop, constants);
    if (!counted) continue;
    visit(loop.body, (node) => {
      if (isGather(node))
        note(node, (index) => (counterOf(index) === counted.counter ? counted.limit : undefined));
    });
  }
  const mixed = new Set<string>();
  const keyOf = ({ name }: Formal, dimension: number): string => `${dimension} ${name}`;
  visit(body, (node) => {
    if (node.kind === 'element-at')
      for (let at = 0; at < node.array.rank; at += 1) mixed.add(keyOf(node.array, at));
  });
  for (const { array, indices } of elements) {
    for (const [place, index] of indices.entries()) {
      if (!limits.has(index)) mixed.add(keyOf(array, indices.length - 1 - place));
    }
  }
  const isKept = (array: Formal, dimension: number): boolean => !mixed.has(keyOf(array, dimension));
  for (const { array, indices } of elements) {
    for (const [place, index] of indices.entries()) {
      if (!isKept(array, indices.length - 1 - place)) limits.delete(index);
    }
  }
  return { limits, all: all.filter(({ array, dimension }) => isKept(array, dimension)) };
}

function isGather(node: Node): node is Element {
  return node.kind === 'element' && node.array.role === 'gather';
}

/** What a statement or expression changes. */
function noteChanges(changed: Set<Local>, node: Node): void {
  if (node.kind === 'assignment') noteChange(changed, node.target);
  else if (node.kind === 'unary' && /^(?:\+\+|--)$/.test(node.operator)) noteChange(changed, node.operand);
  else if (node.kind === 'call') for (const arg of node.args) noteChange(changed, arg);
}

/** The counter of a loop that counts up by 1 from 0 or more, and what it is below in all of the loop's body. */
function countOf(
  { first, condition, step, body }: Loop,
  constants: ReadonlyMap<Local, Typed>,
): { readonly counter: Local; readonly limit: Limit } | undefined {
  if (condition?.kind !== 'relation' || condition.operator !== '<' || condition.left.kind !== 'local')
    return undefined;
  const counter = condition.left.local;
  const { type } = counter;
  if (type.kind !== 'value' || type.width !== 1 || !/^u?int$/.test(type.scalar)) return undefined;
  const limit = limitOf(condition.right, constants);
  const begins =
    first.some((node) => beginsCounter(node, counter)) &&
    first.every((node) => beginsCounter(node, counter) || !changes(node, counter));
  const counts =
    step?.kind === 'unary' &&
    step.operator === '++' &&
    step.operand.kind === 'local' &&
    step.operand.local === counter;
  if (!limit || !begins || !counts) return undefined;
  return changes(body, counter) ? undefined : { counter, limit };
}

/** Whether a variable is changed anywhere in a statement. */
function changes(statement: TypedStatement, local: Local): boolean {
  const changed = new Set<Local>();
  visit(statement, (node) => noteChanges(changed, node));
  return changed.has(local);
}

/** Whether a statement is all that sets a counter before its loop, to a number that is not negative. */
function beginsCounter(node: TypedStatement, counter: Local): boolean {
  if (node.kind === 'variable') return node.local === counter && isCount(node.value);
  if (node.kind !== 'expression' || node.value.kind !== 'assignment') return false;
  const { operator, target, value } = node.value;
  return operator === '=' && target.kind === 'local' && target.local === counter && isCount(value);
}

function isCount(value: Typed | undefined): boolean {
  return value?.kind === 'literal' && Number(value.text) >= 0;
}

function limitOf(value: Typed, constants: ReadonlyMap<Local, Typed>): Limit | undefined {
  if (value.kind === 'literal') return { kind: 'number', number: Number(value.text) };
  if (value.kind === 'formal' && value.formal.role === 'value')
    return { kind: 'parameter', formal: value.formal };
  const start = value.kind === 'local' ? constants.get(value.local) : undefined;
  return start && limitOf(start, constants);
}

/** The variable that a subscript is. */
function counterOf(index: Typed): Local | undefined {
  if (index.kind === 'convert') return isExact(index) ? counterOf(index.operand) : undefined;
  return index.kind === 'local' ? index.local : undefined;
}

/** The variable that a change is made to, whole or in part. */
function noteChange(changed: Set<Local>, target: Typed): void {
  if (target.kind === 'swizzle' || target.kind === 'field') noteChange(changed, target.object);
  else if (target.kind === 'local') changed.add(target.local);
}

/** Which component of the position a scalar is. */
function axisOf(value: Typed, constants: ReadonlyMap<Local, Typed>): number | undefined {
  if (value.kind === 'convert') return isExact(value) ? axisOf(value.operand, constants) : undefined;
  if (value.kind === 'local') {
    const start = constants.get(value.local);
    return start && axisOf(start, constants);
  }
  if (value.kind !== 'swizzle' || value.lanes.length !== 1) return undefined;
  const lane = laneOf(value.object, 'xyzw'.indexOf(value.lanes), constants);
  return lane;
}

/** Which component of the position a component of a vector is. */
function laneOf(vector: Typed, lane: number, constants: ReadonlyMap<Local, Typed>): number | undefined {
  switch (vector.kind) {
    case 'position':
      return vector.of === 'instance' || (vector.of !== 'instanceInGroup' && vector.of.role === 'out')
        ? lane
        : undefined;
    case 'swizzle':
      return laneOf(vector.object, 'xyzw'.indexOf(vector.lanes[lane]!), constants);
    case 'local': {
      const start = constants.get(vector.local);
      return start && laneOf(start, lane, constants);
    }
    case 'convert':
      return isExact(vector) ? laneOf(vector.operand, lane, constants) : undefined;
    default:
      return undefined;
  }
}

/** Positions are below 2^26: 32 bits of integer hold them, and so does a float up to 2^24, beyond which it is the nearest. */
function isExact({ type }: Typed): boolean {
  return type.kind === 'value' && /^(?:int|uint|float|double)$/.test(type.scalar);
}

type Node = Typed | TypedStatement;

/** Calls back for every statement and expression. */
function visit(node: unknown, see: (node: Node) => void): void {
  if (Array.isArray(node)) {
    for (const one of node) visit(one, see);
    return;
  }
  if (typeof node !== 'object' || node === null || !('kind' in node)) return;
  see(node as Node);
  for (const [key, one] of Object.entries(node)) if (!leaves.has(key)) visit(one, see);
}

/** What holds no expressions. */
const leaves: ReadonlySet<string> = new Set(['span', 'type', 'formal', 'local', 'array', 'of', 'kernel']);
