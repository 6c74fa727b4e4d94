/**
 * What integers and pointers of a kernel are in a part of a launch: between which bounds, or so many bytes behind which parameter. The launch is
 * known, with its scalar arguments; so bounds are numbers. Tests that the control flow has passed narrow them: those are facts, which an
 * environment has.
 *
 *     if (x < 1 || x >= n - 1) return;         behind it: x in 1 ... n - 2
 *     out[y * n + x] = in[y * n + x - 1];      out + 4 (y0 n + 1) ... out + 4 (y1 n + n - 2), and 4 less for `in`
 *
 * Bounds that do not fit into the type are those of the type, as numbers wrap around.
 */
import { oppositeOf } from '../ir/comparisons.ts';
import type * as ir from '../ir/ir.ts';
import { exactly, type Interval, isEmpty, join, meet } from './intervals.ts';

/** Where a pointer leads: into the memory of a parameter, or to memory of the work-item or group, or nobody knows. */
export type Place =
  | { readonly kind: 'parameter'; readonly index: number; readonly offset: Interval }
  | { readonly kind: 'own' }
  | { readonly kind: 'unknown' };

/** A launch, or a part of it. */
export interface Launch {
  /** Ids of the part, in each dimension. */
  readonly ids: readonly Interval[];
  readonly localSize: readonly number[];
  readonly globalSize: readonly number[];
  readonly offset: readonly number[];
  /** Integer arguments by the places of their parameters. */
  readonly scalars: ReadonlyMap<number, number>;
}

/** Facts that hold at a place of the kernel, behind others. */
export class Environment {
  readonly #outer: Environment | undefined;
  readonly #facts: ReadonlyMap<ir.Value, Interval>;
  readonly memo = new Map<ir.Value, Interval>();

  constructor(outer?: Environment, facts: ReadonlyMap<ir.Value, Interval> = new Map()) {
    this.#outer = outer;
    this.#facts = facts;
  }

  fact(value: ir.Value): Interval | undefined {
    const own = this.#facts.get(value);
    const outer = this.#outer?.fact(value);
    return own && outer ? meet(own, outer) : (own ?? outer);
  }
}

const deepest = 64;

export class Values {
  readonly #launch: Launch;
  readonly #definitions: ReadonlyMap<ir.Value, ir.Instruction>;
  readonly #parameters: ReadonlyMap<ir.Value, number>;
  /** Structures that are passed by value. */
  readonly #aggregates: ReadonlySet<ir.Value>;
  /** Of loops that are walked. */
  readonly #bound = new Map<ir.Value, Interval>();

  constructor(fn: ir.Function, definitions: ReadonlyMap<ir.Value, ir.Instruction>, launch: Launch) {
    this.#launch = launch;
    this.#definitions = definitions;
    this.#parameters = new Map(fn.parameters.map(({ value }, index) => [value, index]));
    this.#aggregates = new Set(fn.parameters.filter(({ aggregate }) => aggregate).map(({ value }) => value));
  }

  /** Says what a parameter of a loop is. */
  bind(value: ir.Value, interval: Interval): void {
    this.#bound.set(value, interval);
  }

  of(value: ir.Value, at: Environment, depth = 0): Interval {
    const whole = boundsOf(value.type);
    if (depth > deepest) return whole;
    const known = at.memo.get(value);
    if (known) return known;
    const found = this.#find(value, at, depth);
    const fitting = found.low < whole.low || found.high > whole.high ? whole : found;
    const fact = at.fact(value);
    const narrowed = fact ? meet(fitting, fact) : fitting;
    at.memo.set(value, narrowed);
    return narrowed;
  }

  /** Where a pointer leads. */
  place(pointer: ir.Value, at: Environment, depth = 0): Place {
    const index = this.#parameters.get(pointer);
    if (index !== undefined) {
      const { type } = pointer;
      if (this.#aggregates.has(pointer)) return { kind: 'own' };
      const isLocal = type.kind === 'pointer' && (type.space === 'local' || type.space === 'private');
      return isLocal ? { kind: 'own' } : { kind: 'parameter', index, offset: exactly(0) };
    }
    const definition = this.#definitions.get(pointer);
    if (!definition || depth > deepest) return { kind: 'unknown' };
    const inner = (operand: number): Place => this.place(definition.operands[operand]!, at, depth + 1);
    switch (definition.op) {
      case 'variable':
        return { kind: 'own' };
      case 'offset': {
        const place = inner(0);
        if (place.kind !== 'parameter') return place;
        const by = this.of(definition.operands[1]!, at, depth + 1);
        return { ...place, offset: { low: place.offset.low + by.low, high: place.offset.high + by.high } };
      }
      case 'select': {
        const [a, b] = [inner(1), inner(2)];
        if (a.kind === 'own' && b.kind === 'own') return a;
        const isOne = a.kind === 'parameter' && b.kind === 'parameter' && a.index === b.index;
        return isOne ? { ...a, offset: join(a.offset, b.offset) } : { kind: 'unknown' };
      }
      case 'convert':
        return definition.fn === 'space' ? inner(0) : { kind: 'unknown' };
      default:
        return { kind: 'unknown' };
    }
  }

  /** What is known where a condition has come out so. Undefined if it cannot. */
  facts(
    condition: ir.Value,
    isTrue: boolean,
    at: Environment,
    depth = 0,
  ): Map<ir.Value, Interval> | undefined {
    const none = new Map<ir.Value, Interval>();
    const definition = this.#definitions.get(condition);
    if (!definition || depth > deepest) return none;
    const both = (list: readonly (readonly [ir.Value, boolean])[]): Map<ir.Value, Interval> | undefined => {
      const all = new Map<ir.Value, Interval>();
      for (const [value, holds] of list) {
        const facts = this.facts(value, holds, at, depth + 1);
        if (!facts) return undefined;
        for (const [of, fact] of facts) {
          const before = all.get(of);
          all.set(of, before ? meet(before, fact) : fact);
        }
      }
      return all;
    };
    const [a, b, c] = definition.operands as [ir.Value, ir.Value, ir.Value];
    switch (definition.op) {
      case 'constant':
        return Boolean(definition.value) === isTrue ? none : undefined;
      case 'unary':
        return definition.fn === 'not' ? both([[a, !isTrue]]) : none;
      case 'binary':
        if (definition.fn === 'and' && isTrue)
          return both([
            [a, true],
            [b, true],
          ]);
        if (definition.fn === 'or' && !isTrue)
          return both([
            [a, false],
            [b, false],
          ]);
        return none;
      case 'select':
        return this.#choice(a, b, c, isTrue, both);
      case 'if': {
        const index = definition.results.indexOf(condition);
        const [first, second] = definition.regions.map((region) => {
          const last = region.instructions.at(-1);
          return last?.op === 'yield' ? last.operands[index] : undefined;
        });
        return first && second ? this.#choice(a, first, second, isTrue, both) : none;
      }
      case 'compare':
        return this.#compared(definition.fn, a, b, isTrue, at, depth);
      default:
        return none;
    }
  }

  /** `test ? first : second`, of truth values of which one is a constant: `and`, `or`. */
  #choice(
    test: ir.Value,
    first: ir.Value,
    second: ir.Value,
    isTrue: boolean,
    both: (list: readonly (readonly [ir.Value, boolean])[]) => Map<ir.Value, Interval> | undefined,
  ): Map<ir.Value, Interval> | undefined {
    const constant = (value: ir.Value): boolean | undefined => {
      const definition = this.#definitions.get(value);
      return definition?.op === 'constant' ? Boolean(definition.value) : undefined;
    };
    if (constant(second) === !isTrue)
      return both([
        [test, true],
        [first, isTrue],
      ]);
    if (constant(first) === !isTrue)
      return both([
        [test, false],
        [second, isTrue],
      ]);
    return new Map();
  }

  #compared(
    fn: ir.CompareFunction,
    a: ir.Value,
    b: ir.Value,
    isTrue: boolean,
    at: Environment,
    depth: number,
  ): Map<ir.Value, Interval> | undefined {
    const facts = new Map<ir.Value, Interval>();
    if (a.type.kind !== 'int') return facts;
    const predicate = isTrue ? fn : oppositeOf(fn);
    const [left, right] = [this.of(a, at, depth + 1), this.of(b, at, depth + 1)];
    const isUnsigned = predicate?.startsWith('u');
    // Without a sign they are the same where neither is negative; `a < b` says that a is not, if b is not.
    if (isUnsigned && (predicate!.startsWith('ul') ? right.low < 0 : left.low < 0)) return facts;
    const learn = (value: ir.Value, fact: Interval): void => {
      this.#learn(facts, value, fact);
    };
    const { low, high } = { low: isUnsigned ? 0 : Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
    switch (predicate?.slice(-2)) {
      case 'lt':
        learn(a, { low, high: right.high - 1 });
        learn(b, { low: Math.max(left.low, low) + 1, high });
        break;
      case 'le':
        learn(a, { low, high: right.high });
        learn(b, { low: Math.max(left.low, low), high });
        break;
      case 'gt':
        learn(a, { low: Math.max(right.low, low) + 1, high });
        learn(b, { low, high: left.high - 1 });
        break;
      case 'ge':
        learn(a, { low: Math.max(right.low, low), high });
        learn(b, { low, high: left.high });
        break;
      case 'eq':
        learn(a, right);
        learn(b, left);
        break;
      default:
        break;
    }
    // `a > b` without a sign: a may be what is negative with one.
    if (isUnsigned && predicate!.startsWith('ug') && right.low < 0) return new Map();
    for (const [value, fact] of facts)
      if (isEmpty(meet(this.of(value, at, depth + 1), fact))) return undefined;
    return facts;
  }

  /** A fact about a sum is one about what it is a sum of. */
  #learn(facts: Map<ir.Value, Interval>, value: ir.Value, fact: Interval): void {
    const before = facts.get(value);
    facts.set(value, before ? meet(before, fact) : fact);
  }

  #find(value: ir.Value, at: Environment, depth: number): Interval {
    const whole = boundsOf(value.type);
    const bound = this.#bound.get(value);
    if (bound) return bound;
    const parameter = this.#parameters.get(value);
    if (parameter !== undefined) {
      const known = this.#launch.scalars.get(parameter);
      return known === undefined ? whole : exactly(known);
    }
    const definition = this.#definitions.get(value);
    if (!definition || value.type.kind !== 'int') return whole;
    const operand = (index: number): Interval => this.of(definition.operands[index]!, at, depth + 1);
    switch (definition.op) {
      case 'constant':
        return typeof definition.value === 'object' ? whole : exactly(Number(definition.value));
      case 'query':
        return this.#query(definition);
      case 'binary':
        return arithmetic(definition.fn, operand(0), operand(1), whole) ?? whole;
      case 'convert': {
        const inner = operand(0);
        if (definition.operands[0]!.type.kind !== 'int') return whole;
        if (definition.fn === 'sext' || definition.fn === 'trunc') return inner;
        return definition.fn === 'zext' && inner.low >= 0 ? inner : whole;
      }
      case 'select': {
        const [test, first, second] = definition.operands as [ir.Value, ir.Value, ir.Value];
        if (test.type.kind !== 'bool') return whole;
        const sides = [first, second].map((side, index) => {
          const facts = this.facts(test, index === 0, at, depth + 1);
          return facts && this.of(side, new Environment(at, facts), depth + 1);
        });
        const possible = sides.filter((side) => side !== undefined);
        return possible.length === 0 ? whole : possible.reduce(join);
      }
      case 'if': {
        const index = definition.results.indexOf(value);
        const sides = definition.regions.map((region, side) => {
          const last = region.instructions.at(-1);
          if (last?.op !== 'yield')
            return last?.op === 'break' || last?.op === 'continue' ? undefined : whole;
          const facts = this.facts(definition.operands[0]!, side === 0, at, depth + 1);
          return facts && this.of(last.operands[index]!, new Environment(at, facts), depth + 1);
        });
        const possible = sides.filter((side) => side !== undefined);
        return possible.length === 0 ? whole : possible.reduce(join);
      }
      default:
        return whole;
    }
  }

  #query({ fn, dimension }: ir.Query): Interval {
    const { ids, localSize, globalSize, offset } = this.#launch;
    const [own, local, global] = [ids[dimension], localSize[dimension] ?? 1, globalSize[dimension] ?? 1];
    const before = offset[dimension] ?? 0;
    const groupOf = (id: number): number => Math.floor((id - before) / local);
    switch (fn) {
      case 'global_id':
        return own ?? exactly(0);
      case 'local_id':
        return { low: 0, high: local - 1 };
      case 'group_id':
        return own ? { low: groupOf(own.low), high: groupOf(own.high) } : exactly(0);
      case 'global_size':
        return exactly(global);
      case 'local_size':
        return { low: 1, high: local };
      case 'enqueued_local_size':
        return exactly(local);
      case 'num_groups':
        return exactly(Math.ceil(global / local));
      case 'global_offset':
        return exactly(before);
      case 'linear_local_id':
        return { low: 0, high: localSize.reduce((product, size) => product * size, 1) - 1 };
      default:
        return { low: 1, high: 3 };
    }
  }
}

function boundsOf(type: ir.Value['type']): Interval {
  const bits = type.kind === 'int' ? Math.min(type.bits, 54) : 54;
  return { low: -(2 ** (bits - 1)), high: 2 ** (bits - 1) - 1 };
}

function arithmetic(fn: ir.BinaryFunction, a: Interval, b: Interval, whole: Interval): Interval | undefined {
  const corners = (of: (x: number, y: number) => number): Interval => {
    const values = [of(a.low, b.low), of(a.low, b.high), of(a.high, b.low), of(a.high, b.high)];
    return { low: Math.min(...values), high: Math.max(...values) };
  };
  const isNatural = a.low >= 0 && b.low >= 0;
  switch (fn) {
    case 'iadd':
      return { low: a.low + b.low, high: a.high + b.high };
    case 'isub':
      return { low: a.low - b.high, high: a.high - b.low };
    case 'imul':
      return corners((x, y) => x * y);
    case 'shl':
      return b.low === b.high && b.low >= 0 && b.low < 32 ? corners((x, y) => x * 2 ** y) : undefined;
    case 'sdiv':
    case 'udiv':
      return isNatural && b.low > 0 ? corners((x, y) => Math.floor(x / y)) : undefined;
    case 'srem':
    case 'urem':
      return isNatural && b.low > 0 ? { low: 0, high: Math.min(a.high, b.high - 1) } : undefined;
    case 'ushr':
    case 'sshr':
      return isNatural && b.high < 32 ? corners((x, y) => Math.floor(x / 2 ** y)) : undefined;
    case 'and':
      if (a.low < 0 && b.low < 0) return undefined;
      return { low: 0, high: Math.min(a.low < 0 ? whole.high : a.high, b.low < 0 ? whole.high : b.high) };
    case 'smin':
      return { low: Math.min(a.low, b.low), high: Math.min(a.high, b.high) };
    case 'smax':
      return { low: Math.max(a.low, b.low), high: Math.max(a.high, b.high) };
    case 'umin':
      return isNatural ? { low: Math.min(a.low, b.low), high: Math.min(a.high, b.high) } : undefined;
    case 'umax':
      return isNatural ? { low: Math.max(a.low, b.low), high: Math.max(a.high, b.high) } : undefined;
    default:
      return undefined;
  }
}
