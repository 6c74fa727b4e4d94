/** Writes a module, in work-item form, as bytes; read.ts reads it. docs/binaries.md describes the form. */
import { noSpan, outermostUse, type Span } from '../../source/span.ts';
import { imageTypeNames } from '../images.ts';
import type * as ir from '../ir.ts';
import { elementOf, type Type } from '../types.ts';
import { ByteWriter } from './bytes.ts';
import {
  type Field,
  fieldsByOpcode,
  functionFlags,
  globalFlags,
  handleKinds,
  hostedMark,
  imageAccesses,
  mostAlignLog,
  opcodeNumbers,
  parameterFlags,
  pipeAccesses,
  typeNumbers,
  typeQualifiers,
} from './schema.ts';

type Places = 'none' | 'symbols' | 'all';

export interface WriteOptions {
  /**
   * The source places that are kept: those that messages of the linker need (of functions, variables, and uses of what
   * the module only declares), those of all instructions, or none. Default `symbols`.
   */
  readonly places?: Places | undefined;
}

/** A module whose functions can be read one by one. */
export interface ModuleParts {
  /** All but the bodies. */
  readonly head: Uint8Array;
  /** By the function's place in the module; empty where a function has none. */
  readonly bodies: readonly Uint8Array[];
}

/** The bytes of a module. */
export function writeModule(module: ir.Module, options: WriteOptions = {}): Uint8Array {
  return new ModuleWriter(module, options.places ?? 'symbols').write();
}

/** The parts of a module, for `PartsReader`. */
export function writeParts(module: ir.Module, options: WriteOptions = {}): ModuleParts {
  return new ModuleWriter(module, options.places ?? 'symbols').writeParts();
}

class ModuleWriter {
  #out = new ByteWriter();
  readonly #module: ir.Module;
  readonly #places: Places;
  readonly #functions: ReadonlyMap<ir.Function, number>;
  readonly #globals: ReadonlyMap<ir.GlobalVariable, number>;
  /** Of the function that is being written. */
  #values = new Map<ir.Value, number>();
  #targets: ir.Instruction[] = [];
  #line = 0;

  constructor(module: ir.Module, places: Places) {
    this.#module = module;
    this.#places = places;
    this.#functions = new Map(module.functions.map((fn, index) => [fn, index]));
    this.#globals = new Map(module.globals.map((global, index) => [global, index]));
  }

  write(): Uint8Array {
    if (this.#module.isHosted) throw new Error('a program for the host is stored in parts');
    this.#head();
    for (const fn of this.#module.functions) if (fn.body) this.#body(fn, fn.body);
    return this.#out.toBytes();
  }

  writeParts(): ModuleParts {
    this.#head();
    const head = this.#out.toBytes();
    const bodies = this.#module.functions.map((fn) => {
      // Texts in one body are no references to another's.
      this.#out = new ByteWriter();
      if (fn.body) this.#body(fn, fn.body);
      return this.#out.toBytes();
    });
    return { head, bodies };
  }

  #head(): void {
    const { addressBits, isHosted, globals, functions } = this.#module;
    const out = this.#out;
    out.byte(addressBits + (isHosted ? hostedMark : 0));
    out.count(globals.length);
    for (const global of globals) this.#global(global);
    for (const { relocations } of globals) this.#relocations(relocations);
    out.count(functions.length);
    for (const fn of functions) this.#signature(fn);
    for (const global of globals) if (global.functions) this.#functionPlaces(global.functions);
  }

  #global(global: ir.GlobalVariable): void {
    const out = this.#out;
    const { name, linkage, isDeclared, space, size, align, bytes, functions, isThreadLocal, span } = global;
    const place = this.#placeOf(span);
    out.text(name);
    out.count(
      (linkage ? globalFlags.internal : 0) |
        (isDeclared ? globalFlags.declared : 0) |
        (space === 'global' ? globalFlags.global : 0) |
        (space === 'private' ? globalFlags.private : 0) |
        (functions ? globalFlags.functions : 0) |
        (isThreadLocal ? globalFlags.threadLocal : 0) |
        (place ? globalFlags.place : 0),
    );
    out.count(size);
    this.#align(align);
    let end = bytes.length;
    while (end > 0 && bytes[end - 1] === 0) end -= 1;
    out.count(end);
    out.bytes(bytes.subarray(0, end));
    if (place) this.#place(place);
  }

  #relocations(relocations: ir.GlobalVariable['relocations']): void {
    this.#out.count(relocations.length);
    for (const { offset, target, addend } of relocations) {
      this.#out.count(offset);
      this.#out.count(this.#globals.get(target)!);
      this.#out.signed(addend);
    }
  }

  #functionPlaces(places: NonNullable<ir.GlobalVariable['functions']>): void {
    this.#out.count(places.length);
    for (const { offset, target } of places) {
      this.#out.count(offset);
      this.#out.count(this.#functions.get(target)!);
    }
  }

  #signature(fn: ir.Function): void {
    const out = this.#out;
    const { name, kind, linkage, parameters, result, body, form, imported, attributes, span } = fn;
    if (form !== 'work-item') throw new Error(`'${name}' is in work-group form, which is not stored`);
    const place = this.#placeOf(span);
    out.text(name);
    out.count(
      (kind === 'kernel' ? functionFlags.kernel : 0) |
        (linkage ? functionFlags.internal : 0) |
        (body ? functionFlags.body : 0) |
        (result ? functionFlags.result : 0) |
        (place ? functionFlags.place : 0) |
        (fn.isOutlined ? functionFlags.outlined : 0) |
        (fn.isCold ? functionFlags.cold : 0) |
        (imported ? functionFlags.imported : 0) |
        (fn.isUnprototyped ? functionFlags.unprototyped : 0) |
        (fn.serves === 'images' ? functionFlags.servesImages : 0) |
        (fn.serves === 'pipes' ? functionFlags.servesPipes : 0),
    );
    if (result) this.#type(result);
    out.count(parameters.length);
    for (const parameter of parameters) this.#parameter(parameter);
    if (kind === 'kernel') this.#attributes(attributes ?? {});
    if (imported) {
      out.text(imported.module);
      out.text(imported.name);
    }
    if (place) this.#place(place);
  }

  #parameter(parameter: ir.Parameter): void {
    const out = this.#out;
    const { value, aggregate, isConst, isRestrict, isVolatile, info } = parameter;
    this.#type(value.type);
    out.byte(
      (aggregate ? parameterFlags.aggregate : 0) |
        (isConst ? parameterFlags.const : 0) |
        (isRestrict ? parameterFlags.restrict : 0) |
        (isVolatile ? parameterFlags.volatile : 0) |
        (info ? parameterFlags.info : 0),
    );
    if (aggregate) {
      out.count(aggregate.size);
      this.#align(aggregate.align);
    }
    if (info) this.#info(info);
  }

  #info(info: ir.ParameterInfo): void {
    const out = this.#out;
    out.text(info.name);
    out.text(info.typeName);
    out.byte(info.accessQualifier ? imageAccesses.indexOf(info.accessQualifier) + 1 : 0);
    const { handle } = info;
    out.byte(handle ? handleKinds.indexOf(handle.kind) + 1 : 0);
    if (handle?.kind === 'image') {
      out.byte(imageTypeNames.indexOf(handle.type));
      out.byte(imageAccesses.indexOf(handle.access));
    }
    if (handle?.kind === 'pipe') {
      out.byte(pipeAccesses.indexOf(handle.access));
      out.count(handle.packetBytes);
    }
    out.byte(info.typeQualifiers.length);
    for (const qualifier of info.typeQualifiers) out.byte(typeQualifiers.indexOf(qualifier));
    this.#layout(info.layout);
    this.#layout(info.pointee);
  }

  #layout(layout: ir.HostLayout | undefined): void {
    const out = this.#out;
    switch (layout?.kind) {
      case undefined:
        out.byte(0);
        break;
      case 'integer':
        out.byte(layout.signed ? 1 : 2);
        out.byte(layout.size);
        break;
      case 'float':
        out.byte(3);
        out.byte(layout.size);
        break;
      case 'vector':
        out.byte(4);
        out.byte(layout.lanes);
        out.count(layout.size);
        this.#layout(layout.element);
        break;
      case 'array':
        out.byte(5);
        out.count(layout.length);
        out.count(layout.size);
        this.#layout(layout.element);
        break;
      case 'struct':
        out.byte(6);
        out.text(layout.name);
        out.count(layout.size);
        this.#align(layout.align);
        out.count(layout.fields.length);
        for (const field of layout.fields) {
          out.text(field.name);
          out.count(field.offset);
          this.#layout(field.layout);
        }
        break;
    }
  }

  #attributes(attributes: ir.KernelAttributes): void {
    const { requiredWorkGroupSize, workGroupSizeHint, vectorTypeHint, mayCutGroups, isBlock } = attributes;
    const out = this.#out;
    out.byte(
      (requiredWorkGroupSize ? 1 : 0) |
        (workGroupSizeHint ? 2 : 0) |
        (vectorTypeHint === undefined ? 0 : 4) |
        (mayCutGroups ? 8 : 0) |
        (isBlock ? 16 : 0),
    );
    for (const size of [...(requiredWorkGroupSize ?? []), ...(workGroupSizeHint ?? [])]) out.count(size);
    if (vectorTypeHint !== undefined) out.text(vectorTypeHint);
  }

  #body(fn: ir.Function, body: ir.Region): void {
    this.#values = new Map();
    this.#targets = [];
    this.#line = 0;
    for (const { value } of fn.parameters) this.#values.set(value, this.#values.size);
    this.#region(body);
  }

  #region(region: ir.Region): void {
    this.#out.count(region.parameters.length);
    for (const parameter of region.parameters) {
      this.#type(parameter.type);
      this.#values.set(parameter, this.#values.size);
    }
    this.#out.count(region.instructions.length);
    for (const instruction of region.instructions) this.#instruction(instruction);
  }

  /**
   * The opcode; a byte with the numbers of operands (0 to 6, or 7: the number follows), results and regions (0 to 2, or 3)
   * and whether a place follows; each operand by how many values ago it was defined; result types; fields; regions.
   */
  #instruction(instruction: ir.Instruction): void {
    const out = this.#out;
    const { op, operands, results, regions } = instruction;
    const number = opcodeNumbers.get(op);
    if (number === undefined) throw new Error(`'${op}' has no stored form`);
    const isKept = this.#places === 'all' || meansDeclared(instruction);
    const place = isKept ? this.#placeOf(instruction.span) : undefined;
    const few = Math.min(operands.length, 7);
    const shape = few | (Math.min(results.length, 3) << 3) | (Math.min(regions.length, 3) << 5);
    out.byte(number);
    out.byte(shape | (place ? 0x80 : 0));
    if (few === 7) out.count(operands.length);
    if (results.length >= 3) out.count(results.length);
    if (regions.length >= 3) out.count(regions.length);
    for (const operand of operands) out.count(this.#values.size - this.#values.get(operand)!);
    for (const { type } of results) this.#type(type);
    if (place) this.#place(place);
    // The table says which fields the kind of instruction has.
    const content = instruction as unknown as Readonly<Record<string, unknown>>;
    for (const [name, field] of fieldsByOpcode[number]!) this.#field(field, content[name], instruction);
    const isTarget = op === 'block' || op === 'loop';
    if (isTarget) this.#targets.push(instruction);
    for (const region of regions) this.#region(region);
    if (isTarget) this.#targets.pop();
    for (const result of results) this.#values.set(result, this.#values.size);
  }

  #field(field: Field, value: unknown, instruction: ir.Instruction): void {
    const out = this.#out;
    switch (field.kind) {
      case 'choice':
        out.byte(field.of.indexOf(value as string));
        break;
      case 'optional choice':
        out.byte(value === undefined ? 0 : field.of.indexOf(value as string) + 1);
        break;
      case 'choices': {
        const chosen = value as readonly string[];
        out.byte(field.of.reduce((bits, one, index) => bits | (chosen.includes(one) ? 1 << index : 0), 0));
        break;
      }
      case 'flag':
        out.byte(value ? 1 : 0);
        break;
      case 'count':
        out.count(value as number);
        break;
      case 'optional count':
        out.count(value === undefined ? 0 : (value as number) + 1);
        break;
      case 'align':
        this.#align(value as number);
        break;
      case 'text':
        out.text(value as string);
        break;
      case 'lanes': {
        const lanes = value as readonly number[];
        out.count(lanes.length);
        for (const lane of lanes) out.signed(lane);
        break;
      }
      case 'value':
        this.#constant(value as ir.Constant['value'], instruction.results[0]!.type);
        break;
      case 'function':
        out.count(this.#functions.get(value as ir.Function)!);
        break;
      case 'global':
        out.count(this.#globals.get(value as ir.GlobalVariable)!);
        break;
      case 'target':
        out.count(this.#targets.length - 1 - this.#targets.lastIndexOf(value as ir.Instruction));
        break;
      case 'cases': {
        const cases = value as ir.Switch['cases'];
        out.count(cases.length);
        for (const values of cases) {
          out.count(values.length);
          for (const one of values) this.#scalar(one, instruction.operands[0]!.type);
        }
        break;
      }
    }
  }

  #constant(value: ir.Constant['value'], type: Type): void {
    if (typeof value === 'object') for (const lane of value) this.#scalar(lane, elementOf(type));
    else this.#scalar(value, type);
  }

  #scalar(value: ir.ScalarConstant, type: Type): void {
    const out = this.#out;
    if (type.kind === 'bool') out.byte(value ? 1 : 0);
    else if (type.kind === 'float') out.float(value as number, type.bits === 64 ? 8 : 4);
    else if (type.kind === 'int' && type.bits === 64) out.wide(value as bigint);
    // Of what is opaque the bits of a sampler; handles are null. The only pointer that is a constant is null.
    else if (type.kind === 'int' || type.kind === 'opaque') out.signed(value as number);
  }

  #type(type: Type): void {
    const number = typeNumbers.get(type);
    if (number === undefined) throw new Error('a type has no stored form');
    this.#out.byte(number);
  }

  #align(align: number): void {
    const log = Math.log2(align);
    if (log > mostAlignLog) throw new Error(`an alignment of ${align} bytes is not stored`);
    this.#out.byte(log);
  }

  #placeOf(span: Span | undefined): Span | undefined {
    if (!span || this.#places === 'none') return undefined;
    const outer = outermostUse(span);
    return outer.file === noSpan.file ? undefined : outer;
  }

  /** Lines lie close together, so only their distance is written. */
  #place(span: Span): void {
    const { name, line, column } = span.file.presumed(span.start);
    this.#out.text(name);
    this.#out.signed(line - this.#line);
    this.#out.count(column);
    this.#line = line;
  }
}

/** Whether an instruction uses what another module must define. */
function meansDeclared(instruction: ir.Instruction): boolean {
  if (instruction.op === 'call') return instruction.callee.body === undefined;
  return instruction.op === 'global_address' && instruction.global.isDeclared === true;
}
