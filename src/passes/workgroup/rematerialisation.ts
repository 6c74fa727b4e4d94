/**
 * Whether a piece of a kernel computes a value again that another piece has computed, or reads it from a context array: a few simple
 * instructions cost no more than the memory.
 */
import type * as ir from '../../ir/ir.ts';
import type { BarrierPlan } from './barrier-plan.ts';
import type { PrivateVariables } from './private-variables.ts';

/** Up to this many simple instructions are computed again rather than kept in a context array. */
const recomputeLimit = 5;
/** The same for addresses: where they are known to step evenly, many work-items' accesses become one. */
const addressLimit = 12;

export class Rematerialisation {
  readonly #plan: BarrierPlan;
  readonly #privates: PrivateVariables;
  readonly #costs = new Map<ir.Value, number>();
  #inAddresses: ReadonlySet<ir.Value> | undefined;

  constructor(plan: BarrierPlan, privates: PrivateVariables) {
    this.#plan = plan;
    this.#privates = privates;
  }

  /** Whether a value had better be computed again. */
  isWorth(value: ir.Value): boolean {
    this.#inAddresses ??= partsOfAddresses(this.#plan.definitions);
    const isAddress = value.type.kind === 'pointer' || this.#inAddresses.has(value);
    return this.#cost(value) <= (isAddress ? addressLimit : recomputeLimit);
  }

  /** How many instructions computing a value again would take; infinitely many where it must be kept. */
  #cost(value: ir.Value): number {
    if (this.#plan.isGroupValue(value)) return 0;
    if (this.#privates.has(value)) return 1;
    if (this.#plan.isCarried(value)) return 2;
    let cost = this.#costs.get(value);
    if (cost === undefined) {
      cost = Number.POSITIVE_INFINITY;
      const definition = this.#plan.definitions.get(value);
      if (definition && costsLikeContextArray(definition)) {
        cost = isDivision(definition) ? divisionCost : 1;
        for (const operand of definition.operands) cost += this.#cost(operand);
      }
      this.#costs.set(value, cost);
    }
    return cost;
  }
}

/** The integers that addresses are computed from. */
function partsOfAddresses(definitions: ReadonlyMap<ir.Value, ir.Instruction>): Set<ir.Value> {
  const found = new Set<ir.Value>();
  const follow = (value: ir.Value): void => {
    if (value.type.kind !== 'int' || found.has(value)) return;
    found.add(value);
    const definition = definitions.get(value);
    if (definition && costsLikeContextArray(definition)) for (const one of definition.operands) follow(one);
  };
  for (const one of definitions.values()) if (one.op === 'offset') follow(one.operands[1]!);
  return found;
}

/**
 * A division takes so many simple instructions: more than a context array where single values are wanted, but in an address, as that of the row
 * that `id / width` works at, it is done again, for vectors divide once where all their work-items come to the same.
 */
const divisionCost = 6;

function isDivision({ op, ...one }: ir.Instruction): boolean {
  return op === 'binary' && ['sdiv', 'udiv', 'srem', 'urem'].includes((one as ir.Binary).fn);
}

/** Whether an instruction costs about as much as reading its result from a context array. */
function costsLikeContextArray(instruction: ir.Instruction): boolean {
  switch (instruction.op) {
    case 'query':
    case 'offset':
    case 'compare':
      return instruction.results[0]!.type.kind !== 'vector';
    case 'binary':
      switch (instruction.fn) {
        case 'iadd':
        case 'isub':
        case 'imul':
        case 'and':
        case 'or':
        case 'xor':
        case 'shl':
        case 'sshr':
        case 'ushr':
        case 'sdiv':
        case 'udiv':
        case 'srem':
        case 'urem':
        // clamped indices: vectors find out that few of them are
        case 'smin':
        case 'smax':
        case 'umin':
        case 'umax':
          return instruction.results[0]!.type.kind !== 'vector';
        default:
          return false;
      }
    case 'convert':
      switch (instruction.fn) {
        case 'sext':
        case 'zext':
        case 'trunc':
        case 'ptoi':
        case 'itop':
        case 'space':
          return instruction.results[0]!.type.kind !== 'vector';
        default:
          return false;
      }
    default:
      return false;
  }
}
