/**
 * What is decided about a function before its text is written: which values become part of the expression that uses
 * them and which get a variable, which jumps are where control would go anyway, and which blocks need a C statement
 * that can be left.
 */
import { isPure } from '../../ir/effects.ts';
import * as ir from '../../ir/ir.ts';
import { elementOf, sizeOf, type Type } from '../../ir/types.ts';
import { defaultMaskBits } from './c-types.ts';

/** An expression with more operators than this is cut, for readers and for compilers that recur. */
const heaviest = 14;
/** One with more operators inside one another too. */
const highest = 10;

/** Where control goes when a region's end is reached. */
interface Jump {
  readonly op: 'break' | 'continue';
  readonly target: ir.Block | ir.Loop;
}

/** The outermost instructions of a loop's body, or of the function, see the same values of loop parameters. */
type Scope = ir.Loop | undefined;

export class FunctionPlan {
  /** How often each value is used. */
  readonly uses = new Map<ir.Value, number>();
  /** The instruction whose result a value is. */
  readonly definitions = new Map<ir.Value, ir.Instruction>();
  /** Values that are written where they are used. */
  readonly inlined = new Set<ir.Value>();
  /** The width of the lanes of each vector of truth values. */
  readonly maskBits = new Map<ir.Value, number>();
  /** Jumps to where control goes anyway. */
  readonly silent = new Set<ir.Instruction>();
  /** Blocks that some jump leaves. */
  readonly left = new Set<ir.Block>();
  /** All breaks that lead out of each block or loop. */
  readonly breaks = new Map<ir.Block | ir.Loop, ir.Break[]>();
  readonly #useScopes = new Map<ir.Value, Scope>();
  /** Values that a terminator takes, which gives them to a variable that has a name already. */
  readonly #feedsTerminator = new Set<ir.Value>();
  readonly #weights = new Map<ir.Value, number>();
  readonly #heights = new Map<ir.Value, number>();

  constructor(body: ir.Region) {
    this.#count(body, undefined);
    this.#decide(body, undefined);
    this.#findSilent(body, []);
  }

  usesOf(value: ir.Value): number {
    return this.uses.get(value) ?? 0;
  }

  maskBitsOf(value: ir.Value): number {
    return this.maskBits.get(value) ?? defaultMaskBits;
  }

  #count(region: ir.Region, scope: Scope): void {
    for (const instruction of region.instructions) {
      for (const operand of instruction.operands) {
        this.uses.set(operand, this.usesOf(operand) + 1);
        this.#useScopes.set(operand, scope);
        if (ir.isTerminator(instruction)) this.#feedsTerminator.add(operand);
      }
      for (const result of instruction.results) this.definitions.set(result, instruction);
      if (instruction.op === 'break') {
        const known = this.breaks.get(instruction.target);
        if (known) known.push(instruction);
        else this.breaks.set(instruction.target, [instruction]);
      }
      const inner = instruction.op === 'loop' ? instruction : scope;
      for (const nested of instruction.regions) this.#count(nested, inner);
    }
  }

  /** Forwards, so that what an expression would hold is known. */
  #decide(region: ir.Region, scope: Scope): void {
    for (const instruction of region.instructions) {
      const [result] = instruction.results;
      if (result) this.#decideOne(instruction, result, scope);
      const inner = instruction.op === 'loop' ? instruction : scope;
      for (const nested of instruction.regions) this.#decide(nested, inner);
    }
  }

  #decideOne(instruction: ir.Instruction, result: ir.Value, scope: Scope): void {
    if (elementOf(result.type).kind === 'bool') this.maskBits.set(result, this.#maskBitsOf(instruction));
    if (isFree(instruction)) {
      this.inlined.add(result);
      return;
    }
    let weight = 1;
    let height = 1;
    for (const operand of instruction.operands) {
      weight += this.#weights.get(operand) ?? 0;
      height = Math.max(height, (this.#heights.get(operand) ?? 0) + 1);
    }
    // What is between brackets is read for itself.
    if (instruction.op === 'load') weight = Math.ceil(weight / 2);
    const isPlain = isPure(instruction) || (instruction.op === 'load' && !instruction.volatile);
    const once = this.usesOf(result) <= 1 && this.#useScopes.get(result) === scope;
    const isNamed = result.name !== undefined && !this.#feedsTerminator.has(result);
    if (!isPlain || !once || isNamed || weight > heaviest || height > highest) return;
    this.inlined.add(result);
    this.#weights.set(result, weight);
    this.#heights.set(result, height);
  }

  #maskBitsOf(instruction: ir.Instruction): number {
    const [first, second] = instruction.operands;
    switch (instruction.op) {
      case 'compare':
        return laneBits(first!.type) ?? this.maskBitsOf(first!);
      case 'unary':
      case 'binary':
      case 'insert':
      case 'shuffle':
        return this.maskBitsOf(first!);
      case 'select':
        return this.maskBitsOf(second!);
      default:
        return defaultMaskBits;
    }
  }

  /** @param falls what reaching the end of the region comes to */
  #findSilent(region: ir.Region, falls: readonly Jump[]): void {
    for (const [index, instruction] of region.instructions.entries()) {
      switch (instruction.op) {
        case 'break':
        case 'continue':
          if (falls.some(({ op, target }) => op === instruction.op && target === instruction.target)) {
            this.silent.add(instruction);
          } else if (instruction.target.op === 'block') {
            this.left.add(instruction.target);
          }
          break;
        case 'if':
        case 'switch':
        case 'block': {
          const after = this.#after(region.instructions[index + 1], falls);
          const own: Jump[] = instruction.op === 'block' ? [{ op: 'break', target: instruction }] : [];
          for (const nested of instruction.regions) this.#findSilent(nested, [...own, ...after]);
          break;
        }
        case 'loop':
          this.#findSilent(instruction.regions[0]!, [{ op: 'continue', target: instruction }]);
          break;
      }
    }
  }

  /** What falling on to `next` comes to; nothing is known unless it only jumps. */
  #after(next: ir.Instruction | undefined, falls: readonly Jump[]): readonly Jump[] {
    if (!next || next.operands.length > 0) return [];
    if (next.op === 'yield') return falls;
    return next.op === 'break' || next.op === 'continue' ? [{ op: next.op, target: next.target }] : [];
  }
}

function laneBits(type: Type): number | undefined {
  const element = elementOf(type);
  return element.kind === 'bool' ? undefined : sizeOf(element) * 8;
}

/** What is no more to write than a name. */
function isFree(instruction: ir.Instruction): boolean {
  switch (instruction.op) {
    case 'constant':
    case 'undefined':
    case 'variable':
    case 'global_address':
      return true;
    default:
      return false;
  }
}
