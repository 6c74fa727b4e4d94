/**
 * Global value numbering: what has been computed (or loaded) already, and is visible, is not computed again.
 *
 *     %a = imul %x, %y               %a = imul %x, %y
 *     if %c { %b = imul %x, %y  =>   if %c { store %p, %a; %v is %a ... }
 *             store %p, %b
 *             %v = load %p }
 *
 * Pure instructions are looked up by what they do and their operands' numbers, in scopes that follow the regions. So are calls of functions
 * that only compute, and short `if`s of nothing else: of two with the same condition that compute the same, the first stays.
 * Constants move to the top of the body, one of each. Loads are known until something may write where they read:
 * a store or atomic through a pointer that may lead there, a barrier, a call, or any of these inside a structured
 * instruction that is passed. Read-only memory stays known. A store makes its value known as the load's.
 */

import { isComputation } from '../../ir/computation.ts';
import { isPure } from '../../ir/effects.ts';
import type * as ir from '../../ir/ir.ts';
import { isCommutative } from '../../ir/ir.ts';
import { sizeOf, type Type, typeName } from '../../ir/types.ts';
import { Memory, mayAlias, type Root, writeOf } from '../analysis/alias.ts';

/** Loads remembered at a time; keeps the pass linear on very long straight-line code. */
const rememberedLoads = 48;
/** `if`s are compared whose regions have no more instructions than this. */
const longestRegion = 16;

export function gvn(fn: ir.Function, addressBits: 32 | 64): void {
  if (fn.body) new Numbering(fn, addressBits / 8).run(fn.body);
}

/** What is known to be at an address. */
interface Known {
  readonly root: Root;
  readonly base: ir.Value;
  readonly offset: number;
  readonly size: number;
  readonly type: Type;
  readonly value: ir.Value;
}

/** What a structure may write to, as far as forgetting is concerned. */
interface Writes {
  /** By instruction that writes; no more than {@link rememberedLoads} and one. */
  readonly roots: Root[];
  readonly contextArrays: Set<ir.ContextArray>;
  /** Barriers, calls, items: everything may have changed. */
  everything: boolean;
}

/** What is known of a context array's cells, by row. */
type Cells = readonly (ir.Value | undefined)[];

class Numbering {
  readonly #addressBytes: number;
  readonly #definitions = new Map<ir.Value, ir.Instruction>();
  readonly #memory: Memory;
  readonly #numbers = new Map<ir.Value, number>();
  readonly #typeNumbers = new Map<Type, string>();
  readonly #replaced = new Map<ir.Value, ir.Value>();
  /** Expressions seen in the regions that are open, with what to undo when one ends. */
  readonly #expressions = new Map<string, ir.Value>();
  #added: string[] = [];
  #loads: Known[] = [];
  /** What the cells of the current work-item hold, and those further rows on, by row. */
  #contextArrays = new Map<ir.ContextArray, Cells>();
  /** What takes back the changes to them since the regions that are open began. */
  readonly #contextUndo: (() => void)[] = [];
  /** Numbers of what the `if` that is looked up computes inside. */
  readonly #inner = new Map<ir.Value, number>();
  readonly #constants = new Map<string, ir.Value>();
  readonly #top: ir.Instruction[] = [];
  readonly #writesOf = new Map<ir.Instruction, Writes>();

  constructor(fn: ir.Function, addressBytes: number) {
    this.#addressBytes = addressBytes;
    this.#memory = new Memory(fn, this.#definitions);
  }

  run(body: ir.Region): void {
    this.#collect(body, undefined);
    this.#region(body);
    body.instructions = placeConstants(this.#top, body.instructions);
  }

  /**
   * Finds definitions, and what each structure writes.
   * @param writes what the structure around does, with all that is nested in it
   */
  #collect(region: ir.Region, writes: Writes | undefined): void {
    for (const instruction of region.instructions) {
      for (const result of instruction.results) this.#definitions.set(result, instruction);
      if (writes) {
        const write = writeOf(instruction);
        if (write === 'anything') writes.everything = true;
        else if (write) addRoot(writes, this.#memory.accessedBy(instruction));
        else if (instruction.op === 'context_write') writes.contextArrays.add(instruction.contextArray);
      }
      if (instruction.regions.length > 0) {
        const inner: Writes = { roots: [], contextArrays: new Set(), everything: false };
        for (const nested of instruction.regions) this.#collect(nested, inner);
        if (writes) {
          writes.everything ||= inner.everything;
          for (const root of inner.roots) addRoot(writes, root);
          for (const contextArray of inner.contextArrays) writes.contextArrays.add(contextArray);
        }
        if (instruction.op === 'work_item_loop' || inner.roots.length > rememberedLoads)
          inner.everything = true;
        this.#writesOf.set(instruction, inner);
      }
    }
  }

  #region(region: ir.Region): void {
    const addedBefore = this.#added;
    this.#added = [];
    const output: ir.Instruction[] = [];
    for (const instruction of region.instructions) {
      const { operands } = instruction;
      for (let index = 0; index < operands.length; index += 1) {
        const operand = this.#replaced.get(operands[index]!);
        if (operand) operands[index] = operand;
      }
      if (this.#visit(instruction)) output.push(instruction);
    }
    region.instructions = output;
    for (const key of this.#added) this.#expressions.delete(key);
    this.#added = addedBefore;
  }

  /** @returns whether the instruction stays */
  #visit(instruction: ir.Instruction): boolean {
    switch (instruction.op) {
      case 'constant':
        this.#constant(instruction);
        return false;
      case 'load':
        return this.#load(instruction);
      case 'store':
        this.#store(instruction);
        return true;
      case 'context_read': {
        const known = this.#contextArrays.get(instruction.contextArray)?.[instruction.row ?? 0];
        if (known) this.#replaced.set(instruction.results[0]!, known);
        else this.#setCell(instruction, instruction.results[0]!);
        return known === undefined;
      }
      case 'context_write':
        this.#setCell(instruction, instruction.operands[0]!);
        return true;
      default: {
        const write = writeOf(instruction);
        if (write === 'anything') this.#forgetAll();
        else if (write) this.#forget([this.#memory.accessedBy(instruction)]);
        else if (instruction.regions.length > 0) {
          this.#structure(instruction as ir.Structured);
          if (instruction.op === 'if' && instruction.results.length > 0) return this.#if(instruction);
        } else if (isExpression(instruction)) return this.#expression(instruction, this.#key(instruction));
        return true;
      }
    }
  }

  #setCell({ contextArray, row = 0 }: ir.ContextRead | ir.ContextWrite, value: ir.Value): void {
    const cells = [...(this.#contextArrays.get(contextArray) ?? [])];
    cells[row] = value;
    this.#changeContextArray(contextArray, cells);
  }

  /** Says what is known of a context array until the region ends; undefined for nothing. */
  #changeContextArray(contextArray: ir.ContextArray, cells: Cells | undefined): void {
    const old = this.#contextArrays.get(contextArray);
    if (old === cells) return;
    const set = (known: Cells | undefined): unknown =>
      known ? this.#contextArrays.set(contextArray, known) : this.#contextArrays.delete(contextArray);
    set(cells);
    this.#contextUndo.push(() => set(old));
  }

  #forgetContextArrays(): void {
    const contextArrays = this.#contextArrays;
    if (contextArrays.size === 0) return;
    this.#contextArrays = new Map();
    this.#contextUndo.push(() => {
      this.#contextArrays = contextArrays;
    });
  }

  #structure(structure: ir.Structured): void {
    const writes = this.#writesOf.get(structure)!;
    // A loop's body may come after itself, and the region of a work-item loop after that of another work-item.
    if (structure.op === 'loop' || structure.op === 'work_item_loop') this.#forgetWrites(writes);
    const loads = this.#loads;
    const undo = this.#contextUndo.length;
    for (const region of structure.regions) {
      this.#loads = [...loads];
      this.#region(region);
      while (this.#contextUndo.length > undo) this.#contextUndo.pop()!();
    }
    this.#loads = loads;
    this.#forgetWrites(writes);
  }

  #forgetWrites(writes: Writes): void {
    if (writes.everything) this.#forgetAll();
    else if (writes.roots.length > 0) this.#forget(writes.roots);
    for (const contextArray of writes.contextArrays) this.#changeContextArray(contextArray, undefined);
  }

  #forget(roots: readonly Root[]): void {
    this.#loads = this.#loads.filter(({ root }) => !roots.some((written) => mayAlias(written, root)));
  }

  #forgetAll(): void {
    this.#loads = this.#loads.filter(({ root }) => root.readOnly);
    this.#forgetContextArrays();
  }

  #load(load: ir.Load): boolean {
    if (load.volatile) return true;
    const result = load.results[0]!;
    const place = this.#memory.placeOf(load.operands[0]!);
    const known = this.#loads.find(
      ({ base, offset, type }) => base === place.base && offset === place.offset && type === result.type,
    );
    if (known) {
      this.#replaced.set(result, known.value);
      return false;
    }
    this.#remember(load.operands[0]!, result);
    return true;
  }

  #store(store: ir.Store): void {
    const [pointer, value] = store.operands as [ir.Value, ir.Value];
    const root = this.#memory.accessedAs(pointer, value.type);
    const place = this.#memory.placeOf(pointer);
    const size = sizeOf(value.type, this.#addressBytes);
    this.#loads = this.#loads.filter((known) => {
      if (known.base === place.base) {
        return known.offset + known.size <= place.offset || place.offset + size <= known.offset;
      }
      return !mayAlias(root, known.root);
    });
    if (!store.volatile) this.#remember(pointer, value);
  }

  #remember(pointer: ir.Value, value: ir.Value): void {
    const root = this.#memory.accessedAs(pointer, value.type);
    const size = sizeOf(value.type, this.#addressBytes);
    const known: Known = { root, ...this.#memory.placeOf(pointer), size, type: value.type, value };
    this.#loads.push(known);
    if (this.#loads.length > rememberedLoads) this.#loads = this.#loads.slice(rememberedLoads / 2);
  }

  #constant(constant: ir.Constant): void {
    const result = constant.results[0]!;
    const key = `${typeName(result.type)} ${constantKey(constant.value)}`;
    const known = this.#constants.get(key);
    if (known) this.#replaced.set(result, known);
    else {
      this.#constants.set(key, result);
      this.#top.push(constant);
    }
  }

  /** Looks up an `if` by its condition and what its regions compute; see {@link #expression}. */
  #if(branch: ir.If): boolean {
    const keys: string[] = [];
    this.#inner.clear();
    for (const { instructions } of branch.regions) {
      const last = instructions.at(-1);
      const isShort = instructions.length <= longestRegion && last?.op === 'yield';
      if (!isShort || !instructions.every((one) => one === last || isExpression(one))) {
        this.#inner.clear();
        return true;
      }
      // The n-th result inside has the same number in every `if`.
      for (const one of instructions) {
        keys.push(one === last ? `yield${this.#operands(one)}` : this.#key(one));
        for (const result of one.results) this.#inner.set(result, -1 - this.#inner.size);
      }
    }
    this.#inner.clear();
    return this.#expression(branch, `if${this.#operands(branch)} ${keys.join(';')}`);
  }

  /** @returns whether the instruction stays: nothing that is visible computes the same */
  #expression(instruction: ir.Instruction, key: string): boolean {
    const known = this.#expressions.get(key);
    if (known) {
      const results = this.#definitions.get(known)!.results;
      instruction.results.forEach((result, at) => {
        this.#replaced.set(result, results[at]!);
      });
      return false;
    }
    this.#expressions.set(key, instruction.results[0]!);
    this.#added.push(key);
    return true;
  }

  #key(instruction: ir.Instruction): string {
    switch (instruction.op) {
      case 'unary':
      case 'compare':
      case 'test':
        return instruction.fn + this.#operands(instruction);
      case 'binary': {
        const a = this.#number(instruction.operands[0]!);
        const b = this.#number(instruction.operands[1]!);
        const swap = b < a && isCommutative(instruction.fn);
        const { fn, contract, reassociate } = instruction;
        return `${fn}${reassociate ? '+' : ''}${contract ? '~' : ' '}${swap ? b : a} ${swap ? a : b}`;
      }
      case 'convert': {
        const { fn, rounding = '', saturate } = instruction;
        return `${fn}${rounding}${saturate ? '!' : ''}${this.#operands(instruction)}${this.#typeKey(instruction)}`;
      }
      case 'extract':
      case 'insert':
        return `${instruction.op}${instruction.lane}${this.#operands(instruction)}`;
      case 'shuffle':
        return `shuffle${instruction.lanes.join(',')}${this.#operands(instruction)}`;
      case 'query':
        return `${instruction.fn}${instruction.dimension}`;
      case 'image_read':
        return `image ${instruction.channels}${this.#operands(instruction)}`;
      case 'image_query':
        return `image ${instruction.fn}${this.#operands(instruction)}`;
      case 'in_space':
        return `in_space ${instruction.space}${this.#operands(instruction)}`;
      case 'item_address':
        return `item_address${instruction.row ?? 0}${this.#operands(instruction)}${this.#typeKey(instruction)}`;
      case 'global_address':
        return `global ${instruction.global.name}`;
      case 'function_address':
        return `function ${instruction.callee.name}`;
      case 'call':
        return `call ${instruction.callee.name}${this.#operands(instruction)}`;
      default:
        return instruction.op + this.#operands(instruction) + this.#typeKey(instruction);
    }
  }

  /** The numbers of the operands, a blank before each. */
  #operands({ operands }: ir.Instruction): string {
    let numbers = '';
    for (const operand of operands) numbers += ` ${this.#number(operand)}`;
    return numbers;
  }

  #number(value: ir.Value): number {
    let number = this.#inner.get(value) ?? this.#numbers.get(value);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(value, number);
    }
    return number;
  }

  #typeKey({ results }: ir.Instruction): string {
    const { type } = results[0]!;
    let key = this.#typeNumbers.get(type);
    if (key === undefined) {
      key = `:${this.#typeNumbers.size}`;
      this.#typeNumbers.set(type, key);
    }
    return key;
  }
}

/** Whether the instruction is looked up by what it does to its operands. */
function isExpression(instruction: ir.Instruction): boolean {
  if (instruction.op === 'call') return instruction.results.length > 0 && isComputation(instruction.callee);
  return isPure(instruction) && instruction.op !== 'undefined' && instruction.regions.length === 0;
}

/** Of more than loads are remembered nobody looks which they are. */
function addRoot({ roots }: Writes, root: Root): void {
  if (roots.length <= rememberedLoads) roots.push(root);
}

/** Context arrays stay first. */
function placeConstants(
  constants: readonly ir.Instruction[],
  instructions: ir.Instruction[],
): ir.Instruction[] {
  let contextArrays = 0;
  while (instructions[contextArrays]?.op === 'context_array') contextArrays += 1;
  return [...instructions.slice(0, contextArrays), ...constants, ...instructions.slice(contextArrays)];
}

function constantKey(value: ir.Constant['value']): string {
  if (typeof value === 'object') return (value as readonly ir.ScalarConstant[]).map(constantKey).join(',');
  return Object.is(value, -0) ? '-0' : String(value);
}
