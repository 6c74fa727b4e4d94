/** What the lowering of one program has at hand, and how it reads and writes operands. */
import type * as ir from '../../ir/ir.ts';
import { f32, f64, i32, vectorType } from '../../ir/types.ts';
import type { Diagnostics } from '../../source/diagnostics.ts';
import type { Span } from '../../source/span.ts';
import { constantIndex } from '../declarations.ts';
import type { Destination, Index, Instruction, Register, Source } from '../tree.ts';
import type { Code, Kind } from './code.ts';
import { floatBits } from './code.ts';
import type { Bindings } from './interface.ts';
import type { Plan } from './plan.ts';
import { Sources } from './sources.ts';
import type { Variables } from './variables.ts';

/** Gives a component of a register as it is now. */
export type Components = (component: number, kind: Kind) => ir.Value;

/** Thrown and caught inside the lowering, after the mistake was reported. */
export class CannotLower extends Error {}

/** The operands of the macro call that is being lowered, and where that call stands. */
export interface MacroFrame {
  readonly outputs: readonly Destination[];
  readonly inputs: readonly Source[];
  readonly outer: MacroFrame | undefined;
}

/** Results in the places of x, y, z and w; those that are not written are not asked for. */
export type Results = readonly (ir.Value | undefined)[];

const i32x4 = vectorType(i32, 4);
const shifts: Readonly<Record<string, number>> = { x2: 2, x4: 4, x8: 8, d2: 1 / 2, d4: 1 / 4, d8: 1 / 8 };

/** Whether a modifier of an instruction computes with its result. */
const isOfFloats = (modifier: string): boolean => modifier === 'sat' || Object.hasOwn(shifts, modifier);

export interface ContextParts {
  readonly code: Code;
  readonly plan: Plan;
  readonly bindings: Bindings;
  readonly diagnostics: Diagnostics;
  readonly variables: Variables;
  /** The kernel's parameters, by the names of interface.ts: `cb0`, `i0`, `i0.shape`. */
  readonly parameters: ReadonlyMap<string, ir.Value>;
  /** Positions and indices of the work-item: four components, computed at the kernel's start. */
  readonly builtins: (register: Register) => Components | undefined;
  /** Private arrays (x#) and group memories, by name: their addresses and bytes. */
  readonly arrays: ReadonlyMap<string, { readonly address: ir.Value; readonly bytes: number }>;
}

export class Context {
  readonly code: Code;
  readonly plan: Plan;
  readonly bindings: Bindings;
  readonly diagnostics: Diagnostics;
  readonly variables: Variables;
  readonly arrays: ContextParts['arrays'];
  frame: MacroFrame | undefined;
  /** What aL is, inside of a loop that counts. */
  counter: ir.Value | undefined;
  /** How many branches of ifs and switches are open here: not all work-items may come by. */
  branches = 0;
  /** What was done with group memory since work-items last waited for each other. */
  readonly group = { hasRead: false, hasWritten: false };
  readonly #parameters: ContextParts['parameters'];
  readonly #builtins: ContextParts['builtins'];
  readonly #sources = new Sources(this);

  constructor(parts: ContextParts) {
    this.code = parts.code;
    this.plan = parts.plan;
    this.bindings = parts.bindings;
    this.diagnostics = parts.diagnostics;
    this.variables = parts.variables;
    this.arrays = parts.arrays;
    this.#parameters = parts.parameters;
    this.#builtins = parts.builtins;
  }

  parameter(name: string): ir.Value {
    const value = this.#parameters.get(name);
    if (!value) throw new Error(`the kernel has no parameter ${name}`);
    return value;
  }

  /** Reports what cannot be compiled, and gives the instruction up. */
  fail(span: Span, message: string): never {
    this.diagnostics.error(span, message);
    throw new CannotLower();
  }

  // ------------------------------------------------------------------------------------------------ sources

  /** The source operands of an instruction, without its destination. */
  sources({ operands }: Instruction): Source[] {
    return operands.filter((operand): operand is Source => operand.kind === 'source');
  }

  /** Reads a source's four positions as floats, one at a time as they are asked for. */
  floats(source: Source): (position: number) => ir.Value {
    return this.#sources.floats(source);
  }

  /** Reads a source's four positions as integers. */
  integers(source: Source): (position: number) => ir.Value {
    return this.#sources.integers(source);
  }

  /** Reads a source's four positions as bits that are only handed on. */
  bits(source: Source): (position: number, kind: Kind) => ir.Value {
    return this.#sources.bits(source);
  }

  /** The double of a source: its first two positions, low word first. */
  double(source: Source): ir.Value {
    return this.#sources.double(source);
  }

  /** The 64-bit integer of a source: its first two positions, low word first. */
  long(source: Source): ir.Value {
    return this.#sources.long(source);
  }

  // ---------------------------------------------------------------------------------------------- registers

  /** A register's components, to be read; what its index leads to is loaded when it is asked for. */
  components(register: Register, span: Span): Components {
    const { variables } = this;
    const { kind, number = 0 } = register;
    switch (kind) {
      case 'r':
      case 'o':
      case 'a':
      case 'aL':
        if (kind === 'aL' && this.counter) {
          const value = this.counter;
          return (_, want) => this.code.as(want, value);
        }
        if (register.indices.length > 0) this.fail(span, `${kind}${number} cannot be indexed`);
        return (component, want) => variables.load(register, component, want);
      case 'l': {
        const literal = this.plan.declarations.literals.get(number);
        if (!literal) this.fail(span, `there is no dcl_literal l${number}`);
        return this.#constants(literal.bits);
      }
      case 'c':
      case 'i':
      case 'b': {
        const values = this.plan.definitions.get(`${kind}${number}`);
        if (!values) this.fail(span, `${kind}${number} has no value: there is no def`);
        return this.#constants(values);
      }
      case 'cb':
        return this.#constantBuffer(register, span);
      case 'icb':
        return this.#table(register, span);
      case 'x':
        return this.#fromMemory(this.privateElement(register, span), 4);
      case 'g':
        return this.#global(register, span);
      case 'in':
        throw new Error('the inputs of macros are read as sources');
      case 'out': {
        const destination = this.#ofMacro(this.frame?.outputs, 'out', number, span);
        return this.outside(() => this.components(destination.register, span));
      }
      default: {
        const components = this.#builtins(register);
        if (!components)
          this.fail(span, `${kind}${register.number ?? ''} has no value in a program of this kind`);
        return components;
      }
    }
  }

  /** The source that an input of the macro stands for, to be read {@link outside}. */
  macroInput(number: number, span: Span): Source {
    return this.#ofMacro(this.frame?.inputs, 'in', number, span);
  }

  /** What the macro that is being lowered was called with. */
  #ofMacro<T>(given: readonly T[] | undefined, kind: 'in' | 'out', number: number, span: Span): T {
    if (!given) this.fail(span, `${kind} stands outside of a macro`);
    return given[number] ?? this.fail(span, `the macro is called without ${kind}${number}`);
  }

  /** Does something where the macro that is being lowered was called. */
  outside<T>(body: () => T): T {
    const saved = this.frame;
    this.frame = saved?.outer;
    try {
      return body();
    } finally {
      this.frame = saved;
    }
  }

  #constants(bits: readonly number[]): Components {
    return (component, kind) => this.code.bits(bits[Math.min(component, bits.length - 1)] ?? 0, kind);
  }

  #constantBuffer(register: Register, span: Span): Components {
    const { code } = this;
    const number = register.number ?? 0;
    if (register.indices.length !== 1) this.fail(span, `cb${number} takes one index`);
    const elements = this.plan.constantBuffers.get(number) ?? 1;
    if (!this.plan.constantBuffers.has(number)) this.fail(span, `there is no dcl_cb cb${number}`);
    const pointer = this.parameter(`cb${number}`);
    const constant = constantIndex(register);
    if (constant !== undefined) {
      if (constant >= elements) this.fail(span, `cb${number} has no element ${constant}`);
      return (component, kind) =>
        code.load(
          kind === 'float' ? f32 : i32,
          this.moved(pointer, code.int(constant * 16 + component * 4)),
          4,
        );
    }
    const index = code.binary('umin', this.index(register.indices[0]!), code.int(elements - 1));
    return this.#fromMemory(this.moved(pointer, code.binary('imul', index, code.int(16))), 4);
  }

  /** An element of an immediate constant buffer; an index outside leads to the last one. */
  #table(register: Register, span: Span): Components {
    const { code } = this;
    const { number = 0, indices } = register;
    const table = this.plan.declarations.tables.get(number);
    if (!table || indices.length !== 1) this.fail(span, `icb${register.number ?? ''} takes one index`);
    const constant = constantIndex(register);
    if (constant !== undefined) return this.#constants(table.bits.slice(constant * 4, constant * 4 + 4));
    const index = code.binary('umin', this.index(indices[0]!), code.int(table.size - 1));
    const address = code.globalAddress(this.#tableMemory(number, table.bits));
    return this.#fromMemory(this.moved(address, code.binary('imul', index, code.int(16))), 4);
  }

  #tableMemory(number: number, words: readonly number[]): ir.GlobalVariable {
    const { globals } = this.code.module;
    const name = `icb${number}`;
    const known = globals.find((global) => global.name === name);
    if (known) return known;
    const bytes = new Uint8Array(Uint32Array.from(words).buffer);
    const made = { name, space: 'constant', size: bytes.length, align: 16, bytes, relocations: [] } as const;
    globals.push(made);
    return made;
  }

  #fromMemory(pointer: ir.Value, align: number): Components {
    const { code } = this;
    return (component, kind) =>
      code.load(kind === 'float' ? f32 : i32, this.moved(pointer, code.int(component * 4)), align);
  }

  /** Elements of g outside of the buffer are 0. */
  #global(register: Register, span: Span): Components {
    const { code } = this;
    if (register.indices.length !== 1) this.fail(span, 'g takes one index');
    const index = this.index(register.indices[0]!);
    const size = this.parameter('g.size');
    const isInside = code.compare('ult', index, size);
    const nearest = code.binary('umin', index, code.binary('isub', size, code.int(1)));
    const pointer = this.moved(this.parameter('g'), code.binary('imul', nearest, code.int(16)));
    const element = code.load(vectorType(f32, 4), pointer, 16);
    return (component, kind) => {
      const value = code.as(kind, code.extract(element, component));
      return code.select(isInside, value, code.bits(0, kind));
    };
  }

  /** The address of an element of a private array; an index outside leads to the last element. */
  privateElement(register: Register, span: Span): ir.Value {
    const { code } = this;
    const array = this.arrays.get(`x${register.number ?? 0}`);
    if (!array || register.indices.length !== 1) this.fail(span, `x${register.number ?? 0} takes one index`);
    const last = array.bytes / 16 - 1;
    const constant = constantIndex(register);
    const index =
      constant === undefined
        ? code.binary('umin', this.index(register.indices[0]!), code.int(last))
        : code.int(Math.min(constant, last));
    return this.moved(array.address, code.binary('imul', index, code.int(16)));
  }

  /** The sum in the brackets of a register. */
  index({ terms }: Index): ir.Value {
    const { code } = this;
    let sum: ir.Value | undefined;
    for (const term of terms) {
      const value = term.kind === 'number' ? code.int(term.bits) : this.integers(term)(0);
      sum = sum ? code.binary('iadd', sum, value) : value;
    }
    return sum ?? code.int(0);
  }

  moved(pointer: ir.Value, bytes: ir.Value): ir.Value {
    return this.code.constantOf(bytes) === 0 ? pointer : this.code.offset(pointer, bytes);
  }

  // ------------------------------------------------------------------------------------------- destinations

  destination({ operands, span }: Instruction): Destination {
    const [first] = operands;
    if (first?.kind !== 'destination') this.fail(span, 'expected a destination register');
    return first;
  }

  /** The kind of variable that takes a component. */
  kindOf({ register }: Destination, component: number): Kind {
    return this.variables.kindOf(register, component);
  }

  /** Writes floats: the result's own modifiers first, then the mask's components. */
  writeFloats(instruction: Instruction, result: (position: number) => ir.Value): void {
    this.writeTo(this.destination(instruction), (position) => this.#modified(instruction, result(position)));
  }

  /** Writes bits as they are. All results are computed before the first is written. */
  write(instruction: Instruction, result: (position: number) => ir.Value): void {
    this.refuseFloatModifiers(instruction);
    this.writeTo(this.destination(instruction), result);
  }

  /** Hands bits on in the kind of the variable that takes them; as floats if the instruction has modifiers of those. */
  writeBits(instruction: Instruction, result: (position: number) => ir.Value): void {
    if (instruction.modifiers.some(({ name }) => isOfFloats(name)))
      this.writeFloats(instruction, (position) => this.code.asFloat(result(position)));
    else this.write(instruction, result);
  }

  /** A float or a double after the instruction's own modifiers: shifts, then clamping. */
  #modified({ modifiers }: Instruction, result: ir.Value): ir.Value {
    const { code } = this;
    const number = (x: number): ir.Value => (result.type === f64 ? code.double(x) : code.float(x));
    let value = result;
    for (const { name } of modifiers) {
      const factor = shifts[name];
      if (factor !== undefined) value = code.binary('fmul', value, number(factor));
    }
    if (!modifiers.some(({ name }) => name === 'sat')) return value;
    return code.binary('fmin', code.binary('fmax', value, number(0)), number(1));
  }

  /** For instructions that hand bits on. */
  refuseFloatModifiers({ opcode, modifiers }: Instruction): void {
    const found = modifiers.find(({ name }) => isOfFloats(name));
    if (found)
      this.fail(found.span, `_${found.name} has no meaning for ${opcode.name}, which gives no float`);
  }

  writeTo(destination: Destination, result: (position: number) => ir.Value): void {
    this.store(destination.register, this.masked(destination, result), destination.span);
  }

  /** What a mask writes: results, its own zeros and ones, and nothing. */
  masked({ mask }: Destination, result: (position: number) => ir.Value): Results {
    return mask.map((write, position) => {
      if (write === 'keep') return undefined;
      return write === 'write'
        ? result(position)
        : this.code.bits(write === 'zero' ? 0 : floatBits(1), 'float');
    });
  }

  /** Writes a double or a 64-bit integer to the pairs that a mask names; without a mask, to the first. */
  writePair(instruction: Instruction, value: ir.Value): void {
    const destination = this.destination(instruction);
    const isWhole = destination.mask.every((write) => write === 'write');
    const isDouble = value.type === f64;
    if (!isDouble) this.refuseFloatModifiers(instruction);
    const words = this.code.parted(isDouble ? this.#modified(instruction, value) : value);
    const values = destination.mask.map((write, position) => {
      if (isWhole && position > 1) return undefined;
      if (write === 'keep') return undefined;
      return write === 'write'
        ? words[position & 1]!
        : this.code.bits(write === 'zero' ? 0 : floatBits(1), 'int');
    });
    this.store(destination.register, values, destination.span);
  }

  store(register: Register, values: Results, span: Span): void {
    const { code, variables } = this;
    const { kind, number = 0 } = register;
    switch (kind) {
      case 'r':
      case 'a':
      case 'o':
        if (register.indices.length > 0) this.fail(span, `${kind}${number} cannot be indexed`);
        values.forEach((value, component) => {
          if (value) variables.store(register, component, value);
        });
        break;
      case 'x': {
        const pointer = this.privateElement(register, span);
        values.forEach((value, component) => {
          if (value) code.store(this.moved(pointer, code.int(component * 4)), value, 4);
        });
        break;
      }
      case 'g':
        this.#storeGlobal(register, values, span);
        break;
      case 'out': {
        const destination = this.#ofMacro(this.frame?.outputs, 'out', number, span);
        const kept = values.map((value, component) =>
          destination.mask[component] === 'write' ? value : undefined,
        );
        this.outside(() => this.store(destination.register, kept, span));
        break;
      }
      // a domain has no depths to be kept or compared with
      case 'oDepth':
        break;
      case 'oMask':
        this.fail(span, 'oMask is not supported: an element has one sample');
        break;
      case 'mem':
        this.fail(span, 'mem is written by instructions of memories only');
        break;
      default:
        this.fail(span, `${kind} cannot be written here`);
    }
  }

  #storeGlobal(register: Register, values: Results, span: Span): void {
    const { code } = this;
    if (register.indices.length !== 1) this.fail(span, 'g takes one index');
    const index = this.index(register.indices[0]!);
    code.when(code.compare('ult', index, this.parameter('g.size')), () => {
      this.storeWords(this.moved(this.parameter('g'), code.binary('imul', index, code.int(16))), values, 16);
    });
  }

  /** Stores those of four words that there are. */
  storeWords(pointer: ir.Value, values: Results, align: number): void {
    const { code } = this;
    if (align === 16 && values.every((value) => value !== undefined)) {
      const isFloat = values.every((value) => value.type === f32);
      const words = isFloat ? [...values] : values.map((value) => code.asInt(value));
      code.store(pointer, code.build(isFloat ? vectorType(f32, 4) : i32x4, words), 16);
      return;
    }
    values.forEach((value, component) => {
      if (value) code.store(this.moved(pointer, code.int(component * 4)), value, 4);
    });
  }
}

/** -1, 0 or 1; 0 for NaN. */
export function signOf(code: Code, value: ir.Value): ir.Value {
  const zero = code.float(0);
  const positive = code.select(code.compare('fgt', value, zero), code.float(1), zero);
  return code.select(code.compare('flt', value, zero), code.float(-1), positive);
}
