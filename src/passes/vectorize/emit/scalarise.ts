/**
 * Splits vectors that vectorisation has written and of which nobody wants more than single lanes, as the addresses of
 * atomics. Getting a lane out of a vector takes longer than loading it, or a step or two of computing it:
 *
 *     %v = load %p : i8x8
 *     %b = shl (zext %v : i32x8), [2, 2, ...]
 *     %a = iadd (splat %base), %b
 *     %0 = extract %a, 0                     =>     %0 = iadd %base, (shl (zext (load %p : i8)), 2)
 *     atomic add (itop %0), 1                       atomic add (itop %0), 1
 *     %1 = extract %a, 1                            %1 = iadd %base, (shl (zext (load (offset %p, 1) : i8)), 2)
 *     atomic add (itop %1), 1                       atomic add (itop %1), 1
 *     ...
 *
 * What a lane needs is computed where it is wanted, so that few of them are alive at a time, and loaded there too if
 * nothing in between may have written to that memory.
 */

import { Builder, newRegion } from '../../../ir/builder.ts';
import { findDefinitions } from '../../../ir/definitions.ts';
import { isPure } from '../../../ir/effects.ts';
import type * as ir from '../../../ir/ir.ts';
import { elementOf, lanesOf, sizeOf, type VectorType } from '../../../ir/types.ts';
import { replaceOperands, walkRegion } from '../../../ir/walk.ts';
import { wideRegions } from '../../../ir/work-item-loops.ts';
import type { Costs } from '../../../target/costs.ts';
import type { VectorTarget } from '../../../target/target.ts';
import { Memory, mayAlias } from '../../analysis/alias.ts';

export function scalarise(fn: ir.Function, addressBits: 32 | 64, target: VectorTarget): void {
  if (!fn.body) return;
  let tools: Tools | undefined;
  walkRegion(fn.body, (itemLoop) => {
    if (itemLoop.op !== 'work_item_loop' || itemLoop.lanes === undefined) return;
    for (const region of wideRegions(itemLoop)) {
      walkRegion(region, ({ op }) => {
        if (op === 'extract') tools ??= toolsOf(fn, addressBits, target);
      });
      if (tools) inRegion(region, tools);
    }
  });
  if (tools) replaceOperands(fn.body, tools.replaced);
}

interface Tools {
  readonly target: VectorTarget;
  readonly addressBits: 32 | 64;
  readonly definitions: ReadonlyMap<ir.Value, ir.Instruction>;
  readonly memory: Memory;
  readonly users: ReadonlyMap<ir.Value, readonly ir.Instruction[]>;
  /** Scalars instead of extracted lanes. */
  readonly replaced: Map<ir.Value, ir.Value>;
}

function toolsOf(fn: ir.Function, addressBits: 32 | 64, target: VectorTarget): Tools {
  const definitions = findDefinitions(fn.body!);
  const users = new Map<ir.Value, ir.Instruction[]>();
  walkRegion(fn.body!, (one) => {
    for (const operand of one.operands) {
      const list = users.get(operand);
      if (list) list.push(one);
      else users.set(operand, [one]);
    }
  });
  return {
    target,
    addressBits,
    definitions,
    memory: new Memory(fn, definitions),
    users,
    replaced: new Map(),
  };
}

function inRegion(region: ir.Region, tools: Tools): void {
  for (const { regions } of region.instructions) for (const nested of regions) inRegion(nested, tools);
  const apart = findScalarised(region, tools);
  if (apart.size > 0) new Writer(region, apart, tools).run();
}

// ------------------------------------------------------------------------------------------ what is split

/** The instructions of a list whose results exist lane by lane only. */
function findScalarised(
  { instructions }: ir.Region,
  { users, definitions, target }: Tools,
): ReadonlySet<ir.Instruction> {
  const { costs } = target;
  const inList = new Set(instructions);
  const possible = new Set<ir.Instruction>();
  const each = (one: ir.Instruction, isFine: (user: ir.Instruction) => boolean): boolean =>
    (users.get(one.results[0]!) ?? []).every((user) => inList.has(user) && isFine(user));
  for (const one of [...instructions].reverse()) {
    if (mayBeScalarised(one) && each(one, (user) => user.op === 'extract' || possible.has(user)))
      possible.add(one);
  }
  if (possible.size === 0) return possible;
  // What a lane costs by itself, and in a vector.
  const single = new Map<ir.Instruction, number>();
  const vectorised = new Map<ir.Instruction, number>();
  for (const one of instructions) {
    if (!possible.has(one)) continue;
    const { type } = one.results[0]!;
    const own = users.get(one.results[0]!) ?? [];
    let alone = ownCost(one, definitions, costs);
    let together = bitsOf(type) / target.vectors.bits;
    if (one.op !== 'load') {
      for (const operand of one.operands) {
        const from = definitions.get(operand);
        if (from && possible.has(from)) {
          alone += single.get(from)!;
          together += vectorised.get(from)!;
        } else if (!isAlike(from)) alone += costs.extractedLane;
      }
    }
    // Each of several computations that use it pays its part.
    const shares = Math.max(1, own.filter(({ op }) => op !== 'extract').length);
    single.set(one, alone / shares);
    vectorised.set(one, together / shares);
  }
  const apart = new Set<ir.Instruction>();
  for (const one of [...instructions].reverse()) {
    if (!possible.has(one) || !each(one, (user) => user.op === 'extract' || apart.has(user))) continue;
    const isWanted = users.get(one.results[0]!)?.some(({ op }) => op === 'extract');
    if (!isWanted || single.get(one)! < vectorised.get(one)! + costs.extractedLane) apart.add(one);
  }
  return apart;
}

/** Whether an instruction gives a vector of integers each of whose lanes comes from the same lane of its operands. */
function mayBeScalarised(one: ir.Instruction): boolean {
  const type = one.results[0]?.type;
  if (type?.kind !== 'vector' || type.element.kind !== 'int') return false;
  switch (one.op) {
    case 'binary':
      return true;
    case 'convert':
      return one.fn === 'zext' || one.fn === 'sext' || one.fn === 'trunc';
    case 'load':
      return !one.volatile;
    default:
      return false;
  }
}

/** Whether all lanes come from one scalar, or are constants. */
function isAlike(definition: ir.Instruction | undefined): boolean {
  return definition?.op === 'splat' || definition?.op === 'constant';
}

/** What a lane of an instruction costs by itself: wider integers are loaded as such, and scaled indices added. */
function ownCost(
  one: ir.Instruction,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
  costs: Costs,
): number {
  if (one.op === 'load') return costs.load;
  const from = definitions.get(one.operands[0]!);
  if (one.op === 'convert' && from?.op === 'load') return 0;
  const isSum = one.op === 'binary' && one.fn === 'iadd';
  const isScaled = one.operands.some((operand) => isShiftedLeft(definitions.get(operand)));
  return isSum && isScaled ? 0 : costs.simple;
}

function isShiftedLeft(definition: ir.Instruction | undefined): boolean {
  return definition?.op === 'binary' && definition.fn === 'shl';
}

function bitsOf(type: ir.Value['type']): number {
  return sizeOf(elementOf(type), 4) * 8;
}

// --------------------------------------------------------------------------------------------------- writing

class Writer {
  readonly #region: ir.Region;
  readonly #apart: ReadonlySet<ir.Instruction>;
  readonly #tools: Tools;
  readonly #builder: Builder;
  readonly #scalars = new Map<ir.Value, (ir.Value | undefined)[]>();
  /** Loads of which further lanes may still be loaded. */
  readonly #open = new Set<ir.Load>();

  constructor(region: ir.Region, apart: ReadonlySet<ir.Instruction>, tools: Tools) {
    this.#region = region;
    this.#apart = apart;
    this.#tools = tools;
    this.#builder = new Builder(newRegion(), tools.addressBits);
  }

  run(): void {
    for (const one of this.#region.instructions) {
      const from = one.op === 'extract' ? this.#tools.definitions.get(one.operands[0]!) : undefined;
      if (one.op === 'load' && this.#apart.has(one)) this.#open.add(one);
      else if (this.#apart.has(one)) continue;
      else if (one.op === 'extract' && from && this.#apart.has(from)) {
        this.#builder.span = one.span;
        this.#tools.replaced.set(one.results[0]!, this.#lane(one.operands[0]!, one.lane));
        this.#builder.span = undefined;
      } else {
        this.#close(one);
        this.#builder.append(one);
      }
    }
    this.#region.instructions = this.#builder.region.instructions;
  }

  /** Loads what is left of vectors that the instruction may write to, or that it must not come before. */
  #close(one: ir.Instruction): void {
    if (this.#open.size === 0 || isPure(one) || one.op === 'load') return;
    const isPlain = (one.op === 'store' && !one.volatile) || (one.op === 'atomic' && one.order === 'relaxed');
    const written = isPlain ? this.#tools.memory.accessedBy(one) : undefined;
    for (const load of this.#open) {
      if (written && !mayAlias(written, this.#tools.memory.accessedBy(load))) continue;
      const { type } = load.results[0]!;
      for (let lane = 0; lane < lanesOf(type); lane += 1) this.#lane(load.results[0]!, lane);
      this.#open.delete(load);
    }
  }

  #lane(vector: ir.Value, lane: number): ir.Value {
    let lanes = this.#scalars.get(vector);
    if (!lanes) {
      lanes = [];
      this.#scalars.set(vector, lanes);
    }
    lanes[lane] ??= this.#make(vector, lane);
    return lanes[lane];
  }

  #make(vector: ir.Value, lane: number): ir.Value {
    const builder = this.#builder;
    const definition = this.#tools.definitions.get(vector);
    const { element } = vector.type as VectorType;
    if (definition?.op === 'splat') return definition.operands[0]!;
    if (definition?.op === 'constant') {
      return builder.constant(element, (definition.value as readonly ir.ScalarConstant[])[lane]!);
    }
    if (!definition || !this.#apart.has(definition)) return builder.extract(vector, lane);
    if (definition.op === 'load') {
      const bytes = sizeOf(element, this.#tools.addressBits / 8);
      const [pointer] = definition.operands as [ir.Value];
      const place =
        lane === 0 ? pointer : builder.offset(pointer, builder.integer(builder.addressType, lane * bytes));
      return builder.load(element, place, Math.min(definition.align, bytes));
    }
    const operands = definition.operands.map((operand) => this.#lane(operand, lane));
    const result = { type: element } satisfies ir.Value;
    builder.append({ ...definition, operands, results: [result], regions: [] } as ir.Instruction);
    return result;
  }
}
