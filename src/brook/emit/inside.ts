/**
 * Finds subscripts of gather arrays that are the thread's own position: `B[i][at.x]` behind `int4 at = instance()`. Where the array
 * has at least the sizes of the domain, which a launch knows, such a subscript needs not be kept inside the array, and neighbours
 * are seen to load neighbours.
 */
import type { CheckedKernel, Formal, Local, Typed, TypedStatement } from '../check/tree.ts';

/** A subscript that is the position on an axis (0 is x) in a dimension of an array (0 is the fastest). */
export interface OwnSubscript {
  readonly array: Formal;
  readonly dimension: number;
  readonly axis: number;
}

export interface OwnSubscripts {
  /** The axis that a subscript stands for. */
  readonly axes: ReadonlyMap<Typed, number>;
  /** What a launch must look at. */
  readonly all: readonly OwnSubscript[];
}

const known = new WeakMap<CheckedKernel, OwnSubscripts>();

/** Those of a kernel's own body; subkernels have none. */
export function ownSubscripts(kernel: CheckedKernel): OwnSubscripts {
  let found = known.get(kernel);
  if (!found) {
    found = find(kernel);
    known.set(kernel, found);
  }
  return found;
}

function find({ body }: CheckedKernel): OwnSubscripts {
  const starts = new Map<Local, Typed>();
  const changed = new Set<Local>();
  const elements: (Typed & { readonly kind: 'element' })[] = [];
  visit(body, (node) => {
    if (node.kind === 'variable' && node.value) starts.set(node.local, node.value);
    else if (node.kind === 'assignment') noteChange(changed, node.target);
    else if (node.kind === 'unary' && /^(?:\+\+|--)$/.test(node.operator)) noteChange(changed, node.operand);
    else if (node.kind === 'call') for (const arg of node.args) noteChange(changed, arg);
    else if (node.kind === 'element' && node.array.role === 'gather') elements.push(node);
  });
  const constants = new Map([...starts].filter(([local]) => !changed.has(local)));
  const axes = new Map<Typed, number>();
  const all: OwnSubscript[] = [];
  for (const { array, indices } of elements) {
    for (const [place, index] of indices.entries()) {
      const axis = axisOf(index, constants);
      if (axis === undefined) continue;
      axes.set(index, axis);
      all.push({ array, dimension: indices.length - 1 - place, axis });
    }
  }
  return { axes, all };
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
const leaves: ReadonlySet<string> = new Set(['type', 'formal', 'local', 'array', 'of', 'kernel']);
