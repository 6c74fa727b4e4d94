/**
 * Finds out where generic pointers lead (OpenCL 2.0, 6.5.5), now that calls are inlined and variables are values:
 *
 *     %g = space %p : ptr<generic>              %p: ptr<global>
 *     %q = offset %g, %n : ptr<generic>     =>  %q = offset %p, %n : ptr<global>
 *     %b = in_space %q local : bool             %b = constant false
 *
 * A pointer is followed through offsets, choices, loops and blocks. If it can only come from pointers to one space, it
 * becomes a pointer to that space, which is what all later passes go by: what may alias what, what other threads see,
 * which variables never leave their work-item. What comes from several, from memory or from outside stays generic.
 */
import { Builder, newRegion } from '../../ir/builder.ts';
import type * as ir from '../../ir/ir.ts';
import { type AddressSpace, type PointerType, pointerType, type Type } from '../../ir/types.ts';
import { walkRegion } from '../../ir/walk.ts';

export function inferAddressSpaces(fn: ir.Function, addressBits: 32 | 64): void {
  if (!fn.body || !usesGeneric(fn.body)) return;
  new Resolution(fn, addressBits).run(fn.body);
}

function usesGeneric(body: ir.Region): boolean {
  let found = false;
  walkRegion(body, ({ results }) => {
    found ||= results.some(({ type }) => isGeneric(type));
  });
  return found;
}

function isGeneric(type: Type): boolean {
  return type.kind === 'pointer' && type.space === 'generic';
}

class Resolution {
  readonly #fn: ir.Function;
  readonly #builder: Builder;
  /** For each generic pointer the space that it comes from: unknown yet, one, or `generic` for several. */
  readonly #spaces = new Map<ir.Value, AddressSpace | undefined>();
  /** A value and one that becomes it: what is moved or chosen, what jumps and loops carry. */
  readonly #flows: { readonly from: ir.Value; readonly to: ir.Value }[] = [];

  constructor(fn: ir.Function, addressBits: 32 | 64) {
    this.#fn = fn;
    this.#builder = new Builder(newRegion(), addressBits);
  }

  run(body: ir.Region): void {
    this.#collect(body, undefined);
    for (let changed = true; changed; ) {
      changed = false;
      for (const { from, to } of this.#flows) changed = this.#flow(from, to) || changed;
    }
    for (const [value, space] of this.#spaces) {
      // It is the same value, about which more is known.
      if (space !== undefined) (value as { type: Type }).type = pointerType(space);
    }
    this.#settle(body, undefined);
  }

  // ---------------------------------------------------------------------------------------------- where they come from

  #collect(region: ir.Region, owner: ir.Instruction | undefined): void {
    for (const instruction of region.instructions) {
      const { operands, results } = instruction;
      switch (instruction.op) {
        case 'constant':
        case 'undefined':
          this.#begin(results);
          break;
        case 'offset':
          this.#join(operands.slice(0, 1), results);
          break;
        case 'select':
          this.#join(operands.slice(1, 2), results);
          this.#join(operands.slice(2), results);
          break;
        case 'convert':
          if (instruction.fn === 'space') this.#join(operands, results);
          break;
        case 'loop':
          this.#join(operands, instruction.regions[0]!.parameters);
          this.#begin(results);
          break;
        case 'if':
        case 'switch':
        case 'block':
          this.#begin(results);
          break;
        default: {
          const carried = carriedTo(instruction, owner);
          if (carried) this.#join(operands, carried);
        }
      }
      for (const nested of instruction.regions) this.#collect(nested, instruction);
    }
  }

  #begin(values: readonly ir.Value[]): void {
    for (const value of values) if (isGeneric(value.type)) this.#spaces.set(value, this.#spaces.get(value));
  }

  #join(from: readonly ir.Value[], to: readonly ir.Value[]): void {
    this.#begin(to);
    to.forEach((value, index) => {
      if (isGeneric(value.type)) this.#flows.push({ from: from[index]!, to: value });
    });
  }

  /** @returns whether it told anything new */
  #flow(from: ir.Value, to: ir.Value): boolean {
    const known = this.#spaces.get(to);
    const arriving = this.#spaces.has(from) ? this.#spaces.get(from) : (from.type as PointerType).space;
    if (arriving === undefined || arriving === known || known === 'generic') return false;
    this.#spaces.set(to, known === undefined ? arriving : 'generic');
    return true;
  }

  // --------------------------------------------------------------------------------------------- what that changes

  /** Brings operands to the types that are now wanted, and answers questions about spaces. */
  #settle(region: ir.Region, owner: ir.Instruction | undefined): void {
    const output: ir.Instruction[] = [];
    this.#builder.region = { parameters: [], instructions: output };
    for (const instruction of region.instructions) {
      this.#builder.region.instructions = output;
      this.#settleOperands(instruction, owner);
      output.push(answered(instruction));
      for (const nested of instruction.regions) {
        this.#settle(nested, instruction);
        this.#builder.region = { parameters: [], instructions: output };
      }
    }
    region.instructions = output;
  }

  #settleOperands(instruction: ir.Instruction, owner: ir.Instruction | undefined): void {
    const { operands, results } = instruction;
    const want = (index: number, type: Type | undefined): void => {
      const operand = operands[index]!;
      if (!type || operand.type === type || operand.type.kind !== 'pointer') return;
      operands[index] = this.#builder.convert('space', operand, type);
    };
    switch (instruction.op) {
      case 'offset':
        want(0, results[0]!.type);
        break;
      case 'select':
        want(1, results[0]!.type);
        want(2, results[0]!.type);
        break;
      case 'compare': {
        const [a, b] = operands as [ir.Value, ir.Value];
        if (a.type === b.type) break;
        want(0, pointerType('generic'));
        want(1, pointerType('generic'));
        break;
      }
      case 'call':
        instruction.callee.parameters.forEach(({ value }, index) => {
          want(index, value.type);
        });
        break;
      case 'return':
        if (operands.length > 0) want(0, this.#fn.result);
        break;
      default: {
        const carried =
          instruction.op === 'loop' ? instruction.regions[0]!.parameters : carriedTo(instruction, owner);
        carried?.forEach((value, index) => {
          want(index, value.type);
        });
      }
    }
  }
}

/** The values that a jump or the end of a region gives its operands to. */
function carriedTo(
  instruction: ir.Instruction,
  owner: ir.Instruction | undefined,
): readonly ir.Value[] | undefined {
  switch (instruction.op) {
    case 'yield':
      return owner?.results;
    case 'break':
      return instruction.target.results;
    case 'continue':
      return instruction.target.regions[0]!.parameters;
    default:
      return undefined;
  }
}

/** A question about a pointer whose space is known is a constant. */
function answered(instruction: ir.Instruction): ir.Instruction {
  if (instruction.op !== 'in_space') return instruction;
  const { type } = instruction.operands[0]!;
  if (type.kind !== 'pointer' || type.space === 'generic') return instruction;
  return { ...instruction, op: 'constant', value: type.space === instruction.space, operands: [] };
}
