/**
 * Makes the table of what the memory instructions of a module are for (access-table.ts).
 *
 * A pointer is an argument if all addresses that it may be computed from are that one: those in lanes, in branches and of loops, too.
 */
import { findDefinitions } from '../../../ir/definitions.ts';
import type * as ir from '../../../ir/ir.ts';
import type { Value } from '../../../ir/ir.ts';
import { walkRegion } from '../../../ir/walk.ts';
import { outermostUse } from '../../../source/span.ts';
import type { AccessRoot, AccessSite, AccessTable } from './access-table.ts';

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

/** What a value may be an address of: nothing that is known of it yet, one thing, or several or unknown ones. */
type Source = { readonly of: unknown; readonly root: AccessRoot } | 'several' | undefined;

/** Finds where pointers of a function come from. */
class Roots {
  readonly #definitions: ReadonlyMap<Value, ir.Instruction>;
  readonly #sources = new Map<Value, Source>();
  /** The values that a value may be, or be computed from as an address, in the other direction. */
  readonly #takers = new Map<Value, Value[]>();
  /** All takers. */
  readonly #given = new Set<Value>();

  constructor(fn: ir.Function) {
    this.#definitions = findDefinitions(fn.body!);
    walkRegion(fn.body!, (instruction) => this.#follow(instruction));
    const open: Value[] = [];
    const begin = (value: Value, source: Source): void => {
      if (!source) return;
      this.#sources.set(value, source);
      open.push(value);
    };
    fn.parameters.forEach(({ value }, index) => {
      if (value.type.kind !== 'pointer') return;
      begin(value, { of: value, root: { kind: 'argument', index, name: value.name ?? `${index}` } });
    });
    for (const [value, definition] of this.#definitions) {
      if (!this.#given.has(value)) begin(value, this.#sourceOf(value, definition));
    }
    // Each value changes twice at most.
    for (let value = open.pop(); value; value = open.pop()) {
      const source = this.#sources.get(value);
      for (const taker of this.#takers.get(value) ?? []) {
        const old = this.#sources.get(taker);
        const joined = join(old, source);
        if (joined === old) continue;
        this.#sources.set(taker, joined);
        open.push(taker);
      }
    }
  }

  /** What an instruction says by itself of the address that it gives, or hands on. */
  #sourceOf(value: Value, definition: ir.Instruction): Source {
    if (definition.op === 'variable' || definition.op === 'global_address') {
      const of = definition.op === 'variable' ? definition : definition.global;
      return { of, root: { kind: 'variable', name: of.name } };
    }
    if (passesOn(definition)) {
      for (const operand of definition.operands) this.#give([value], [operand]);
      return undefined;
    }
    return value.type.kind === 'pointer' && !this.#isNull(value) ? 'several' : undefined;
  }

  /** What a loop begins and goes on with, and what branches give. */
  #follow(instruction: ir.Instruction): void {
    if (instruction.op === 'loop') {
      this.#give(instruction.regions[0]!.parameters, instruction.operands);
    } else if (instruction.op === 'continue') {
      this.#give(instruction.target.regions[0]!.parameters, instruction.operands);
    } else if (instruction.op === 'break') this.#give(instruction.target.results, instruction.operands);
    else if (instruction.op !== 'work_item_loop') {
      for (const region of instruction.regions) {
        const last = region.instructions.at(-1);
        if (last?.op === 'yield') this.#give(instruction.results, last.operands);
      }
    }
  }

  #give(parameters: readonly Value[], values: readonly Value[]): void {
    parameters.forEach((parameter, index) => {
      const value = values[index];
      if (!value) return;
      this.#given.add(parameter);
      const takers = this.#takers.get(value);
      if (takers) takers.push(parameter);
      else this.#takers.set(value, [parameter]);
    });
  }

  /** Where the address of an access comes from, which its first operands are. */
  of([pointer, offsets]: readonly Value[]): AccessRoot | undefined {
    // The lanes' distances are addresses where they are counted from none.
    const source = this.#sources.get(offsets && this.#isNull(pointer!) ? offsets : pointer!);
    return typeof source === 'object' ? source.root : undefined;
  }

  #isNull(value: Value): boolean {
    const definition = this.#definitions.get(value);
    return definition?.op === 'constant' && definition.value === 0;
  }
}

function join(a: Source, b: Source): Source {
  if (a === undefined || b === undefined) return a ?? b;
  if (a === 'several' || b === 'several') return 'several';
  return a.of === b.of ? a : 'several';
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
