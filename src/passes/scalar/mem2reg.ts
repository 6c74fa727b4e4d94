/**
 * Turns private variables whose address goes nowhere into values, so that they never reach memory.
 *
 *     %x = variable private 4 align 4            %r: i32 = if %c { yield %one } else { yield %zero }
 *     store %x, %zero                      =>    ... %r
 *     if %c { store %x, %one }
 *     ... load %x
 *
 * The body is walked once with the current value of every variable at hand. A structured instruction gets a result
 * (a loop also a parameter) for each variable that is stored somewhere inside it: what each way out carries is
 * simply what is current there. That is more than needed; `simplify-block-arguments` and `dce` take back what is
 * unused or always the same. To keep that little, a variable that lives entirely in one region, and is stored there
 * before anything else, is known to be dead outside of it.
 *
 * A variable keeps its bytes for the whole run of a work-item, wherever its instruction is, and what was never
 * stored is `undefined`. Loads of another type than the variable's own become bitcasts.
 */
import type * as ir from '../../ir/ir.ts';
import { i32, i64, sizeOf, type Type } from '../../ir/types.ts';
import { walkRegion } from '../../ir/walk.ts';

/** One variable that is being promoted. */
interface Promoted {
  readonly index: number;
  readonly type: Type;
  readonly name: string;
  /** The innermost region that holds every access, when the first one in it is a store; else undefined. */
  home: ir.Region | undefined;
}

export function mem2reg(fn: ir.Function, addressBits: 32 | 64): void {
  if (!fn.body) return;
  const promoted = findPromotable(fn.body, addressBits);
  if (promoted.size === 0) return;
  findHomes(fn.body, promoted);
  new Promotion(fn.body, promoted, addressBits).run();
}

/** The private variables that only whole loads and stores of one size touch. */
function findPromotable(body: ir.Region, addressBits: 32 | 64): Map<ir.Value, Promoted> {
  const types = new Map<ir.Value, { type: Type | undefined; name: string }>();
  const addressBytes = addressBits / 8;
  walkRegion(body, (instruction) => {
    if (instruction.op === 'variable' && instruction.space === 'private' && !instruction.perItem) {
      types.set(instruction.results[0]!, { type: undefined, name: instruction.name });
    }
  });
  if (types.size === 0) return new Map();
  walkRegion(body, (instruction) => {
    const { operands } = instruction;
    let first = 0;
    if ((instruction.op === 'load' || instruction.op === 'store') && !instruction.volatile) {
      const entry = types.get(operands[0]!);
      if (entry) {
        const type = instruction.op === 'load' ? instruction.results[0]!.type : operands[1]!.type;
        entry.type ??= type;
        if (!canReinterpret(entry.type, type, addressBytes)) types.delete(operands[0]!);
      }
      first = 1;
    }
    for (let index = first; index < operands.length; index += 1) types.delete(operands[index]!);
  });
  const promoted = new Map<ir.Value, Promoted>();
  for (const [value, { type, name }] of types) {
    promoted.set(value, { index: promoted.size, type: type ?? i32, name, home: undefined });
  }
  return promoted;
}

function canReinterpret(a: Type, b: Type, addressBytes: number): boolean {
  if (a === b) return true;
  if (sizeOf(a, addressBytes) !== sizeOf(b, addressBytes)) return false;
  const pointers = (a.kind === 'pointer' ? 1 : 0) + (b.kind === 'pointer' ? 1 : 0);
  if (pointers === 1) return a.kind === 'int' || b.kind === 'int';
  return pointers === 0 && isPlain(a) && isPlain(b);
}

function isPlain(type: Type): boolean {
  if (type.kind === 'vector') return type.element.kind !== 'bool';
  return type.kind === 'int' || type.kind === 'float';
}

/**
 * Finds each variable's home: the deepest region common to all of its accesses, and so to the first and the last of them in the order of
 * the walk.
 */
function findHomes(body: ir.Region, promoted: ReadonlyMap<ir.Value, Promoted>): void {
  const parents = new Map<ir.Region, { parent: ir.Region | undefined; depth: number }>();
  /** For each variable where its first and its last access are, and whether the first is a store. */
  const accesses: ({ readonly first: ir.Region; readonly isStore: boolean; last: ir.Region } | undefined)[] =
    [];

  const meet = (a: ir.Region, b: ir.Region): ir.Region => {
    let left = a;
    let right = b;
    while (left !== right) {
      if (parents.get(left)!.depth < parents.get(right)!.depth) right = parents.get(right)!.parent!;
      else left = parents.get(left)!.parent!;
    }
    return left;
  };

  const visit = (region: ir.Region, parent: ir.Region | undefined, depth: number): void => {
    parents.set(region, { parent, depth });
    for (const instruction of region.instructions) {
      if (instruction.op === 'load' || instruction.op === 'store') {
        const variable = promoted.get(instruction.operands[0]!);
        if (variable) {
          const known = accesses[variable.index];
          if (known) known.last = region;
          else
            accesses[variable.index] = { first: region, isStore: instruction.op === 'store', last: region };
        }
      }
      for (const nested of instruction.regions) visit(nested, region, depth + 1);
    }
  };
  visit(body, undefined, 0);
  for (const variable of promoted.values()) {
    const known = accesses[variable.index];
    if (known?.isStore && meet(known.first, known.last) === known.first) variable.home = known.first;
  }
}

class Promotion {
  readonly #body: ir.Region;
  readonly #promoted: ReadonlyMap<ir.Value, Promoted>;
  readonly #byIndex: readonly Promoted[];
  readonly #addressType: Type;
  /** The value that each variable holds at this point of the walk; undefined for not stored yet. */
  readonly #current: (ir.Value | undefined)[];
  /** For each structured instruction, the variables that are stored inside it and may matter outside. */
  readonly #stored = new Map<ir.Instruction, readonly Promoted[]>();
  readonly #replaced = new Map<ir.Value, ir.Value>();
  readonly #undefineds = new Map<Type, ir.Value>();
  /** Not given a variable's name: many share one. */
  readonly #constants = new Set<ir.Value>();

  constructor(body: ir.Region, promoted: ReadonlyMap<ir.Value, Promoted>, addressBits: 32 | 64) {
    this.#body = body;
    this.#promoted = promoted;
    this.#byIndex = [...promoted.values()];
    this.#addressType = addressBits === 32 ? i32 : i64;
    this.#current = new Array(promoted.size).fill(undefined);
  }

  run(): void {
    this.#findStored(this.#body);
    this.#rewrite(this.#body, undefined);
    const undefineds: ir.Instruction[] = [];
    for (const value of this.#undefineds.values()) {
      undefineds.push({ op: 'undefined', operands: [], results: [value], regions: [] });
    }
    if (undefineds.length > 0) this.#body.instructions = [...undefineds, ...this.#body.instructions];
  }

  /** The indices of the variables stored in the region that are not at home in it. */
  #findStored(region: ir.Region): Set<number> {
    const stored = new Set<number>();
    for (const instruction of region.instructions) {
      if (instruction.op === 'store') {
        const variable = this.#promoted.get(instruction.operands[0]!);
        if (variable && variable.home !== region) stored.add(variable.index);
      } else if (instruction.regions.length > 0) {
        const inside = new Set<number>();
        for (const nested of instruction.regions) {
          for (const index of this.#findStored(nested)) inside.add(index);
        }
        const variables = [...inside].sort((a, b) => a - b).map((index) => this.#byIndex[index]!);
        this.#stored.set(instruction, variables);
        for (const index of inside) {
          if (this.#byIndex[index]!.home !== region) stored.add(index);
        }
      }
    }
    return stored;
  }

  #value(variable: Promoted): ir.Value {
    return this.#current[variable.index] ?? this.#undefined(variable.type);
  }

  #undefined(type: Type): ir.Value {
    let value = this.#undefineds.get(type);
    if (!value) {
      value = { type };
      this.#undefineds.set(type, value);
    }
    return value;
  }

  #carry(target: ir.Instruction): ir.Value[] {
    return (this.#stored.get(target) ?? []).map((variable) => this.#value(variable));
  }

  #rewrite(region: ir.Region, owner: ir.Structured | undefined): void {
    const output: ir.Instruction[] = [];
    for (const instruction of region.instructions) {
      const { operands } = instruction;
      for (let index = 0; index < operands.length; index += 1) {
        operands[index] = this.#replaced.get(operands[index]!) ?? operands[index]!;
      }
      switch (instruction.op) {
        case 'variable':
          if (!this.#promoted.has(instruction.results[0]!)) output.push(instruction);
          break;
        case 'load': {
          const variable = this.#promoted.get(operands[0]!);
          if (!variable) output.push(instruction);
          else {
            const result = instruction.results[0]!;
            this.#replaced.set(result, this.#reinterpret(this.#value(variable), result.type, output));
          }
          break;
        }
        case 'store': {
          const variable = this.#promoted.get(operands[0]!);
          if (!variable) output.push(instruction);
          else {
            const value = operands[1]!;
            if (!this.#constants.has(value)) value.name ??= variable.name;
            this.#current[variable.index] = this.#reinterpret(value, variable.type, output);
          }
          break;
        }
        case 'yield':
          if (owner) operands.push(...this.#carry(owner));
          output.push(instruction);
          break;
        case 'break':
        case 'continue':
          operands.push(...this.#carry(instruction.target));
          output.push(instruction);
          break;
        case 'if':
        case 'switch':
        case 'block':
        case 'loop':
        case 'work_item_loop':
          this.#enter(instruction);
          output.push(instruction);
          break;
        case 'constant':
          this.#constants.add(instruction.results[0]!);
          output.push(instruction);
          break;
        default:
          output.push(instruction);
      }
    }
    region.instructions = output;
  }

  #enter(instruction: ir.Structured): void {
    const variables = this.#stored.get(instruction) ?? [];
    if (instruction.op === 'loop') {
      const body = instruction.regions[0]!;
      for (const variable of variables) {
        instruction.operands.push(this.#value(variable));
        const parameter: ir.Value = { type: variable.type, name: variable.name };
        body.parameters.push(parameter);
        this.#current[variable.index] = parameter;
      }
    }
    const before = variables.map((variable) => this.#current[variable.index]);
    for (const region of instruction.regions) {
      variables.forEach((variable, index) => {
        this.#current[variable.index] = before[index];
      });
      this.#rewrite(region, instruction);
    }
    for (const variable of variables) {
      const result: ir.Value = { type: variable.type, name: variable.name };
      instruction.results.push(result);
      this.#current[variable.index] = result;
    }
  }

  /** The value's bits as another type. */
  #reinterpret(value: ir.Value, type: Type, output: ir.Instruction[]): ir.Value {
    if (value.type === type) return value;
    const convert = (fn: ir.ConvertFunction, from: ir.Value, to: Type): ir.Value => {
      const result: ir.Value = { type: to };
      output.push({ op: 'convert', fn, operands: [from], results: [result], regions: [] });
      return result;
    };
    if (value.type.kind === 'pointer') return convert('ptoi', value, this.#addressType);
    if (type.kind === 'pointer') return convert('itop', value, type);
    return convert('bitcast', value, type);
  }
}
