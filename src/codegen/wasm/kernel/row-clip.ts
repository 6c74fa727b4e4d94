/**
 * Work-items of a row that cannot do anything, since a guard around all that the region does keeps them out:
 *
 *     if (column > k && row > k) ...        rows up to k are skipped, and others begin at column k + 1
 *
 * The x loop runs over what is left. The guard stays where it is, so the ends may be rough: vectors begin where they
 * would have begun, and the last one is a whole vector if the row has that many.
 */
import { oppositeOf, swapped } from '../../../ir/comparisons.ts';
import type * as ir from '../../../ir/ir.ts';
import type { Value } from '../../../ir/ir.ts';
import { isEmpty } from '../../../ir/regions.ts';
import type { FunctionCompiler } from './function-compiler.ts';

/** A comparison of an id of dimension 0 that must hold. */
interface IdLimit {
  readonly id: 'global_id' | 'local_id';
  readonly relation: (typeof relations)[number];
  readonly limit: Value;
  readonly isSigned: boolean;
}

/** A condition on a row as a whole. */
interface RowCondition {
  readonly value: Value;
  readonly wanted: boolean;
}

/** What must hold for a work-item to do anything. */
export interface RowClip {
  readonly rows: readonly RowCondition[];
  readonly limits: readonly IdLimit[];
}

/** What is known of a value at planning time. */
interface Known {
  readonly definition: ir.Instruction | undefined;
  readonly level: number;
}

const relations = ['eq', 'lt', 'le', 'gt', 'ge'] as const;

/** @param guard the only instruction of the region that has effects; undefined if nothing can be said */
export function findClip(guard: ir.If, known: (value: Value) => Known | undefined): RowClip | undefined {
  const [then, otherwise] = guard.regions as [ir.Region, ir.Region];
  const wanted = isEmpty(otherwise);
  if (guard.results.length > 0 || (!wanted && !isEmpty(then))) return undefined;
  const rows: RowCondition[] = [];
  const limits: IdLimit[] = [];
  const demand = (value: Value, wanted: boolean): void => {
    const found = known(value);
    if (!found?.definition) return;
    const { definition, level } = found;
    if (level <= rowLevel) {
      if (level > 0 || definition.op !== 'constant') rows.push({ value, wanted });
    } else if (definition.op === 'unary' && definition.fn === 'not') {
      demand(definition.operands[0]!, !wanted);
    } else if (definition.op === 'binary' && definition.fn === (wanted ? 'and' : 'or')) {
      for (const operand of definition.operands) demand(operand, wanted);
    } else if (definition.op === 'compare') {
      const limit = limitOf(definition, wanted, known);
      if (limit) limits.push(limit);
    }
  };
  demand(guard.operands[0]!, wanted);
  return rows.length + limits.length > 0 ? { rows, limits } : undefined;
}

/** What is known before a row begins. */
const rowLevel = 3;

function limitOf(
  { fn, operands }: ir.Compare,
  wanted: boolean,
  known: (value: Value) => Known | undefined,
): IdLimit | undefined {
  const [a, b] = operands as [Value, Value];
  if (a.type.kind !== 'int' || a.type.bits !== 32) return undefined;
  const idOf = (value: Value): 'global_id' | 'local_id' | undefined => {
    const definition = known(value)?.definition;
    if (definition?.op !== 'query' || definition.dimension !== 0) return undefined;
    return definition.fn === 'global_id' || definition.fn === 'local_id' ? definition.fn : undefined;
  };
  const isFirst = idOf(a) !== undefined;
  const id = isFirst ? idOf(a) : idOf(b);
  const limit = isFirst ? b : a;
  if (!id || (known(limit)?.level ?? rowLevel + 1) > rowLevel) return undefined;
  const asWanted = wanted ? fn : oppositeOf(fn);
  if (asWanted === undefined) return undefined;
  const fromId = isFirst ? asWanted : swapped(asWanted);
  const relation = relations.find((name) => name === fromId.replace(/^[su]/, ''));
  return relation && { id, relation, limit, isSigned: !fn.startsWith('u') };
}

/** Whether one work-item of a row is left at most; else rows begin and end with whole vectors where they did so before. */
export function isExact({ limits }: RowClip): boolean {
  return limits.some(({ relation }) => relation === 'eq');
}

/** The values that the clip asks for, once each time. */
export function valuesOf(clip: RowClip): Value[] {
  return [...clip.rows.map(({ value }) => value), ...clip.limits.map(({ limit }) => limit)];
}

/**
 * Moves the ids to the first work-item that may do something and the end behind the last one, and opens an `if` for
 * rows in which there is one.
 * @param ids locals that count work-items
 * @param at the one among them that ends at `end`
 * @param atIs what that one is
 */
export function openClipped(
  fc: FunctionCompiler,
  clip: RowClip,
  lanes: number,
  ids: readonly number[],
  at: number,
  atIs: 'global_id' | 'local_id',
  end: number,
): void {
  const { code } = fc;
  const first = code.allocate('i32');
  const last = code.allocate('i32');
  code.get(at);
  code.set(first);
  code.get(end);
  code.set(last);
  for (const each of clip.limits) {
    const limit = pushLimit(fc, each);
    if (each.id === atIs) narrow(fc, each, limit, first, last);
    code.release(limit);
  }
  if (clip.limits.some(({ id }) => id === atIs)) {
    if (isExact(clip)) {
      moveTo(fc, ids, at, () => code.get(first));
      code.get(last);
      code.set(end);
    } else roughen(fc, lanes, ids, at, end, first, last);
  }
  code.get(at);
  code.get(end);
  code.op(clip.limits.some(({ id }) => id === atIs) ? 'i32.lt_s' : 'i32.ne');
  for (const { value, wanted } of clip.rows) {
    fc.push(value);
    fc.release(value);
    if (!wanted) code.op('i32.eqz');
    code.op('i32.and');
  }
  code.release(last);
  code.release(first);
  code.open('if');
}

function pushLimit(fc: FunctionCompiler, { limit }: IdLimit): number {
  fc.push(limit);
  fc.release(limit);
  return fc.code.toTemporary('i32');
}

/** Narrows what is left to the work-items that keep a limit. It may be left too wide, but never too narrow. */
function narrow(
  fc: FunctionCompiler,
  { relation, isSigned }: IdLimit,
  limit: number,
  first: number,
  last: number,
): void {
  const { code } = fc;
  const sign = isSigned ? 's' : 'u';
  /** The lesser of a local and what has been pushed. */
  const choose = (into: number, comparison: 'lt' | 'gt', pushOther: () => void): void => {
    pushOther();
    const other = code.toTemporary('i32');
    code.get(other);
    code.get(into);
    code.get(other);
    code.get(into);
    code.op(`i32.${comparison}_${sign}`);
    code.op('select');
    code.set(into);
    code.release(other);
  };
  const push = (local: number, plus: number): void => {
    code.get(local);
    if (plus === 0) return;
    code.i32(plus);
    code.op('i32.add');
  };
  /** Nothing beyond the end: one more than it is no id that wraps around. */
  const within = code.allocate('i32');
  code.get(limit);
  code.set(within);
  if (relation !== 'lt') choose(within, 'lt', () => push(last, relation === 'ge' ? 0 : -1));
  switch (relation) {
    case 'lt':
      choose(last, 'lt', () => code.get(limit));
      break;
    case 'le':
      choose(last, 'lt', () => push(within, 1));
      break;
    case 'gt':
      choose(first, 'gt', () => push(within, 1));
      break;
    case 'ge':
      choose(first, 'gt', () => code.get(within));
      break;
    case 'eq':
      choose(last, 'lt', () => push(within, 1));
      choose(first, 'gt', () => code.get(within));
  }
  code.release(within);
}

/** Begins and ends with whole vectors, counted from the row's start, as far as the row goes. */
function roughen(
  fc: FunctionCompiler,
  lanes: number,
  ids: readonly number[],
  at: number,
  end: number,
  first: number,
  last: number,
): void {
  const { code } = fc;
  const start = code.allocate('i32');
  code.get(at);
  code.set(start);
  moveTo(fc, ids, at, () => {
    code.get(first);
    code.get(start);
    code.op('i32.sub');
    code.i32(-lanes);
    code.op('i32.and');
    code.get(start);
    code.op('i32.add');
  });
  code.release(start);
  // The end: up to a whole vector, but not beyond the row. Both are compared as distances, since a vector beyond the row may lie
  // beyond the last id that there is.
  code.get(last);
  code.get(at);
  code.op('i32.sub');
  code.i32(lanes - 1);
  code.op('i32.add');
  code.i32(-lanes);
  code.op('i32.and');
  const vectors = code.toTemporary('i32');
  code.get(end);
  code.get(at);
  code.op('i32.sub');
  const rest = code.toTemporary('i32');
  code.get(at);
  code.get(vectors);
  code.get(rest);
  code.get(vectors);
  code.get(rest);
  code.op('i32.lt_s');
  code.op('select');
  code.op('i32.add');
  code.set(end);
  code.release(rest);
  code.release(vectors);
}

/** Moves all ids by as much as brings the one of them to what is pushed. */
function moveTo(fc: FunctionCompiler, ids: readonly number[], at: number, push: () => void): void {
  const { code } = fc;
  push();
  code.get(at);
  code.op('i32.sub');
  const distance = code.toTemporary('i32');
  for (const id of ids) {
    code.get(id);
    code.get(distance);
    code.op('i32.add');
    code.set(id);
  }
  code.release(distance);
}
