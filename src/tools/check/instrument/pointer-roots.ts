/**
 * Which object each pointer of a function leads into: a parameter, a variable, a program-scope variable. Pointers are followed
 * through offsets, conversions, selections, and through the results and parameters of structured instructions, as long
 * as all ways lead to the same object; what memory gives back leads anywhere.
 */
import type * as ir from '../../../ir/ir.ts';
import { walkRegion } from '../../../ir/walk.ts';
import { copyMarkName } from './copy-marks.ts';

export type Root =
  | { readonly kind: 'parameter'; readonly value: ir.Value; readonly index: number }
  | { readonly kind: 'variable'; readonly value: ir.Value; readonly variable: ir.Variable }
  | { readonly kind: 'global'; readonly value: ir.Value; readonly global: ir.GlobalVariable };

/** In a search that has come back to where it began: says nothing, contradicts nothing. */
type Found = Root | 'cycle' | undefined;

export class PointerRoots {
  readonly #definitions = new Map<ir.Value, ir.Instruction>();
  readonly #parameters = new Map<ir.Value, number>();
  /** What results of structured instructions and parameters of loops may be. */
  readonly #sources = new Map<ir.Value, ir.Value[]>();
  readonly #known = new Map<ir.Value, Root | undefined>();
  readonly #globals = new Map<ir.GlobalVariable, Root>();

  constructor(fn: ir.Function) {
    fn.parameters.forEach(({ value }, index) => {
      this.#parameters.set(value, index);
    });
    if (fn.body) this.#collect(fn.body, undefined);
  }

  definition(value: ir.Value): ir.Instruction | undefined {
    return this.#definitions.get(value);
  }

  /** What a result of a structured instruction or a loop's parameter may be. */
  sourcesOf(value: ir.Value): readonly ir.Value[] | undefined {
    return this.#sources.get(value);
  }

  rootOf(pointer: ir.Value): Root | undefined {
    if (!this.#known.has(pointer)) {
      const found = this.#find(pointer, new Set());
      this.#known.set(pointer, found === 'cycle' ? undefined : found);
    }
    return this.#known.get(pointer);
  }

  #find(pointer: ir.Value, active: Set<ir.Value>): Found {
    if (this.#known.has(pointer)) return this.#known.get(pointer);
    if (active.has(pointer)) return 'cycle';
    active.add(pointer);
    const index = this.#parameters.get(pointer);
    if (index !== undefined) return { kind: 'parameter', value: pointer, index };
    const definition = this.#definitions.get(pointer);
    switch (definition?.op) {
      case 'variable':
        return { kind: 'variable', value: pointer, variable: definition };
      case 'global_address':
        return this.#globalRoot(pointer, definition.global);
      case 'offset':
        return this.#find(definition.operands[0]!, active);
      case 'convert':
        return definition.fn === 'space' ? this.#find(definition.operands[0]!, active) : undefined;
      case 'select':
        return this.#common(definition.operands.slice(1), active);
      default: {
        const sources = this.#sources.get(pointer);
        return sources && this.#common(sources, active);
      }
    }
  }

  /** One root a variable, so that those of two instructions are equal. */
  #globalRoot(value: ir.Value, global: ir.GlobalVariable): Root {
    let root = this.#globals.get(global);
    if (!root) {
      root = { kind: 'global', value, global };
      this.#globals.set(global, root);
    }
    return root;
  }

  #common(values: readonly ir.Value[], active: Set<ir.Value>): Found {
    let common: Found = 'cycle';
    for (const value of values) {
      const found = this.#find(value, active);
      if (found === undefined) return undefined;
      if (found === 'cycle') continue;
      if (common !== 'cycle' && (common as Root).value !== found.value) return undefined;
      common = found;
    }
    return common;
  }

  #collect(region: ir.Region, owner: ir.Instruction | undefined): void {
    for (const instruction of region.instructions) {
      for (const result of instruction.results) this.#definitions.set(result, instruction);
      this.#collectEdges(instruction, owner);
      if (instruction.op === 'loop') {
        instruction.regions[0]!.parameters.forEach((parameter, index) => {
          this.#addSource(parameter, instruction.operands[index]!);
        });
      }
      for (const nested of instruction.regions) this.#collect(nested, instruction);
    }
  }

  #collectEdges(instruction: ir.Instruction, owner: ir.Instruction | undefined): void {
    const targets = edgeTargets(instruction, owner);
    targets?.forEach((target, index) => {
      this.#addSource(target, instruction.operands[index]!);
    });
  }

  #addSource(value: ir.Value, source: ir.Value): void {
    const sources = this.#sources.get(value);
    if (sources) sources.push(source);
    else this.#sources.set(value, [source]);
  }
}

/** The values that a terminator's operands become. */
function edgeTargets(
  instruction: ir.Instruction,
  owner: ir.Instruction | undefined,
): readonly ir.Value[] | undefined {
  if (instruction.op === 'yield') return owner?.results;
  if (instruction.op === 'break') return instruction.target.results;
  if (instruction.op === 'continue') return instruction.target.regions[0]!.parameters;
  return undefined;
}

/**
 * The variables that a function reaches by pointers that this file can follow, and by no others: nobody else can write
 * them, so what is known of their bytes stays true.
 */
export function closedVariables(fn: ir.Function, roots: PointerRoots): Set<ir.Variable> {
  const closed = new Set<ir.Variable>();
  if (!fn.body) return closed;
  walkRegion(fn.body, (instruction) => {
    if (instruction.op === 'variable' && instruction.space === 'private') closed.add(instruction);
  });
  const visit = (region: ir.Region, owner: ir.Instruction | undefined): void => {
    for (const instruction of region.instructions) {
      const targets = edgeTargets(instruction, owner);
      instruction.operands.forEach((operand, index) => {
        if (operand.type.kind !== 'pointer') return;
        const root = roots.rootOf(operand);
        if (root?.kind !== 'variable' || !closed.has(root.variable)) return;
        const target = targets?.[index];
        const into = target ?? (instruction.op === 'select' ? instruction.results[0] : undefined);
        const goesOn = into ? roots.rootOf(into)?.value === root.value : isAddressUse(instruction, index);
        if (!goesOn) closed.delete(root.variable);
      });
      if (instruction.op === 'loop') {
        instruction.operands.forEach((operand, index) => {
          const root = operand.type.kind === 'pointer' ? roots.rootOf(operand) : undefined;
          if (root?.kind !== 'variable') return;
          const parameter = instruction.regions[0]!.parameters[index]!;
          if (roots.rootOf(parameter)?.value !== root.value) closed.delete(root.variable);
        });
      }
      for (const nested of instruction.regions) visit(nested, instruction);
    }
  };
  visit(fn.body, undefined);
  return closed;
}

/** Whether the operand is only where something is, or leads to what the roots follow. */
function isAddressUse(instruction: ir.Instruction, index: number): boolean {
  switch (instruction.op) {
    case 'load':
    case 'offset':
    case 'compare':
    case 'loop':
      return true;
    case 'convert':
      return instruction.fn === 'space';
    case 'store':
    case 'atomic':
    case 'fill':
      return index === 0;
    case 'copy':
      return index < 2;
    case 'call':
      return instruction.callee.name === copyMarkName;
    default:
      return false;
  }
}
