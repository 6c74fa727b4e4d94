/**
 * What the memory instructions of a module are for, by their places in it. An engine says of a trap at which byte of the module it
 * happened; with this table a message says which access of the source that is, and through which argument. The table is made once, when a
 * kernel is compiled, and read only after a trap.
 *
 * A pointer is an argument if all addresses that it may be computed from are that one: those in lanes, in branches and of loops, too.
 */
import { findDefinitions } from '../../ir/definitions.ts';
import type * as ir from '../../ir/ir.ts';
import type { Value } from '../../ir/ir.ts';
import { walkRegion } from '../../ir/walk.ts';
import { outermostUse } from '../../source/span.ts';

/** Where the pointer of an access comes from. */
export type AccessRoot =
  | { readonly kind: 'argument'; readonly index: number; readonly name: string }
  | { readonly kind: 'variable'; readonly name: string };

/** One access of the source. */
export interface AccessSite {
  /** `load`, `store`, `atomic operation`, `copy`. */
  readonly what: string;
  readonly root?: AccessRoot;
  /** `kernels.cl:5:10`. */
  readonly place?: string;
}

/** The accesses of a module, plain data. */
export interface AccessTable {
  readonly sites: readonly AccessSite[];
  /** Pairs: the byte of the module where an instruction begins, less that of the one before, and the number of its site. */
  readonly places: readonly number[];
}

/** An instruction of a function under way: where in its code it begins, and what it is emitted for. */
export interface AccessMark {
  readonly at: number;
  readonly instruction: ir.Instruction;
}

/** What an instruction does, if that is an access that the source asks for. */
function nameOf(instruction: ir.Instruction): string | undefined {
  switch (instruction.op) {
    case 'load':
    case 'masked_load':
    case 'gather':
      return 'load';
    case 'store':
    case 'masked_store':
    case 'scatter':
      return 'store';
    case 'atomic':
      return 'atomic operation';
    case 'copy':
      return 'copy';
    case 'fill':
      return 'store';
    default:
      return undefined;
  }
}

export function isAccess(instruction: ir.Instruction): boolean {
  return nameOf(instruction) !== undefined;
}

/** Gathers the table of a module, function by function. */
export class AccessTableWriter {
  readonly #sites: AccessSite[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #places: number[] = [];
  #last = 0;

  /** @param start the byte of the module where the function's code begins; functions come in the order of these */
  add(fn: ir.Function, marks: readonly AccessMark[], start: number): void {
    if (marks.length === 0) return;
    const roots = new Roots(fn);
    const known = new Map<ir.Instruction, number>();
    for (const { at, instruction } of marks) {
      let site = known.get(instruction);
      if (site === undefined) {
        site = this.#numberOf(siteOf(instruction, roots));
        known.set(instruction, site);
      }
      this.#places.push(start + at - this.#last, site);
      this.#last = start + at;
    }
  }

  get table(): AccessTable {
    return { sites: this.#sites, places: this.#places };
  }

  #numberOf(site: AccessSite): number {
    const key = JSON.stringify(site);
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#sites.push(site) - 1;
      this.#numbers.set(key, number);
    }
    return number;
  }
}

function siteOf(instruction: ir.Instruction, roots: Roots): AccessSite {
  const what = nameOf(instruction)!;
  // A copy may fail on either side.
  const root = instruction.op === 'copy' ? undefined : roots.of(instruction.operands);
  const { span } = instruction;
  const place = span && placeOf(span);
  return { what, ...(root ? { root } : {}), ...(place ? { place } : {}) };
}

function placeOf(span: NonNullable<ir.Instruction['span']>): string | undefined {
  const { file, start } = outermostUse(span);
  if (file.name === '' || file.text === '') return undefined;
  const { name, line, column } = file.presumed(start);
  return `${name}:${line}:${column}`;
}

/** Values that addresses are looked for in before one is given up. */
const mostValues = 200;

/** Finds where pointers of a function come from. */
class Roots {
  readonly #fn: ir.Function;
  readonly #definitions: ReadonlyMap<Value, ir.Instruction>;
  /** What the parameters of regions may be. */
  readonly #given = new Map<Value, Value[]>();

  constructor(fn: ir.Function) {
    this.#fn = fn;
    this.#definitions = findDefinitions(fn.body!);
    walkRegion(fn.body!, (instruction) => this.#follow(instruction));
  }

  /** What a loop begins and goes on with, and what branches give. */
  #follow(instruction: ir.Instruction): void {
    if (instruction.op === 'loop') {
      this.#give(instruction.regions[0]!.parameters, instruction.operands);
    } else if (instruction.op === 'continue') {
      this.#give(instruction.target.regions[0]!.parameters, instruction.operands);
    } else if (instruction.op === 'break') this.#give(instruction.target.results, instruction.operands);
    else if (instruction.op === 'if') {
      for (const region of instruction.regions) {
        const last = region.instructions.at(-1);
        if (last?.op === 'yield') this.#give(instruction.results, last.operands);
      }
    }
  }

  #give(parameters: readonly Value[], values: readonly Value[]): void {
    parameters.forEach((parameter, index) => {
      const value = values[index];
      if (value) this.#given.set(parameter, [...(this.#given.get(parameter) ?? []), value]);
    });
  }

  /** Where the address of an access comes from, which its first operands are. */
  of([pointer, offsets]: readonly Value[]): AccessRoot | undefined {
    const found = new Map<unknown, AccessRoot>();
    const seen = new Set<Value>();
    // The lanes' distances are addresses where they are counted from none.
    const isNull = this.#isNull(pointer!);
    const open = [isNull && offsets ? offsets : pointer!];
    for (let value = open.pop(); value; value = open.pop()) {
      if (seen.has(value)) continue;
      seen.add(value);
      if (seen.size > mostValues) return undefined;
      const index = this.#fn.parameters.findIndex((parameter) => parameter.value === value);
      const definition = this.#definitions.get(value);
      const given = this.#given.get(value);
      if (index >= 0) {
        if (value.type.kind === 'pointer')
          found.set(value, { kind: 'argument', index, name: value.name ?? `${index}` });
      } else if (definition?.op === 'variable') {
        found.set(definition, { kind: 'variable', name: definition.name });
      } else if (definition?.op === 'global_address') {
        found.set(definition.global, { kind: 'variable', name: definition.global.name });
      } else if (given) open.push(...given);
      else if (definition && passesOn(definition)) open.push(...definition.operands);
      else if (value.type.kind === 'pointer' && !this.#isNull(value)) return undefined;
      if (found.size > 1) return undefined;
    }
    return found.values().next().value;
  }

  #isNull(value: Value): boolean {
    const definition = this.#definitions.get(value);
    return definition?.op === 'constant' && definition.value === 0;
  }
}

/** Whether an instruction's result may be an address because one of its operands is. */
function passesOn({ op }: ir.Instruction): boolean {
  switch (op) {
    case 'offset':
    case 'convert':
    case 'binary':
    case 'splat':
    case 'build':
    case 'extract':
    case 'insert':
    case 'shuffle':
    case 'select':
    case 'item_address':
    case 'copies_address':
      return true;
    default:
      return false;
  }
}

/** The access that begins at a byte of the module. */
export function accessAt({ sites, places }: AccessTable, at: number): AccessSite | undefined {
  let place = 0;
  for (let index = 0; index < places.length; index += 2) {
    place += places[index]!;
    if (place === at) return sites[places[index + 1]!];
    if (place > at) return undefined;
  }
  return undefined;
}
