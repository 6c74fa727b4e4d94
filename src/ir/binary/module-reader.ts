/**
 * Decodes what write.ts has written. The bytes may come from anywhere: every number is checked before it is used, and what is
 * allocated is in proportion to the bytes read. Whether the result is a valid module is asked by read.ts.
 */
import { RememberedFile } from '../../source/remembered-file.ts';
import type { Span } from '../../source/span.ts';
import { imageTypeNames } from '../images.ts';
import type * as ir from '../ir.ts';
import { elementOf, lanesOf, type Type } from '../types.ts';
import { ByteReader } from './bytes.ts';
import {
  type Field,
  fieldsByOpcode,
  functionFlags,
  globalFlags,
  handleKinds,
  hostedMark,
  imageAccesses,
  mostAlignLog,
  mostGlobalBytes,
  mostLayoutNesting,
  mostNesting,
  parameterFlags,
  pipeAccesses,
  storedOpcodes,
  typeQualifiers,
  types,
} from './schema.ts';

const mostSize = 2 ** 32 - 1;
const mostLine = 2 ** 24;

/**
 * Reads a module that was written in parts, each body when it is asked for. The verifier does not see it: this is for
 * parts that Millrace itself has made and carries along.
 */
export class PartsReader {
  /** Its functions have no bodies but those that the caller gives them. */
  readonly module: ir.Module;
  readonly #reader: ModuleReader;

  /** @throws BinaryError */
  constructor(head: Uint8Array) {
    this.#reader = new ModuleReader(head);
    this.module = this.#reader.readHead().module;
    this.#reader.end();
  }

  /**
   * The body of a function of the module.
   * @throws BinaryError
   */
  body(fn: ir.Function, bytes: Uint8Array): ir.Region {
    return this.#reader.readBody(fn, bytes);
  }
}

type Target = ir.Block | ir.Loop;
type Relocation = ir.GlobalVariable['relocations'][number];
type FunctionPlace = { readonly offset: number; readonly target: ir.Function };

/** The decoder of one module. */
export class ModuleReader {
  #in: ByteReader;
  readonly #globals: ir.GlobalVariable[] = [];
  readonly #functions: ir.Function[] = [];
  readonly #files = new Map<string, RememberedFile>();
  #globalBytes = 0;
  /** Of the function that is being read. */
  #values: ir.Value[] = [];
  #targets: Target[] = [];
  #nesting = 0;
  #line = 0;

  constructor(bytes: Uint8Array) {
    this.#in = new ByteReader(bytes);
  }

  read(): ir.Module {
    const { module, defined } = this.readHead();
    if (module.isHosted) this.#in.fail('a program for the host, which is stored in parts');
    for (const fn of defined) fn.body = this.#body(fn);
    this.end();
    return module;
  }

  /** All but the bodies, and the functions that have one. */
  readHead(): { module: ir.Module; defined: readonly ir.Function[] } {
    const input = this.#in;
    const first = input.byte();
    const isHosted = (first & hostedMark) !== 0;
    const addressBits = first & ~hostedMark;
    if (addressBits !== 32 && addressBits !== 64) return input.fail(`addresses of ${addressBits} bits`);
    const globals = input.length();
    for (let index = 0; index < globals; index += 1) this.#globals.push(this.#global(isHosted));
    for (const { relocations } of this.#globals) this.#readRelocations(relocations as Relocation[]);
    const functions = input.length();
    const defined: ir.Function[] = [];
    for (let index = 0; index < functions; index += 1) {
      const { fn, hasBody } = this.#signature(isHosted);
      this.#functions.push(fn);
      if (hasBody) defined.push(fn);
    }
    for (const global of this.#globals)
      if (global.functions) this.#readFunctionPlaces(global.functions as FunctionPlace[]);
    const module: ir.Module = {
      addressBits,
      ...(isHosted ? { isHosted } : {}),
      globals: this.#globals,
      functions: this.#functions,
    };
    return { module, defined };
  }

  /** A body that was written by itself. */
  readBody(fn: ir.Function, bytes: Uint8Array): ir.Region {
    this.#in = new ByteReader(bytes);
    const body = this.#body(fn);
    this.end();
    return body;
  }

  end(): void {
    const { left } = this.#in;
    if (left > 0) this.#in.fail(`${left} bytes follow its end`);
  }

  #global(isHosted: boolean): ir.GlobalVariable {
    const input = this.#in;
    const name = input.text();
    const flags = this.#flags(globalFlags);
    const hostedFlags = globalFlags.private | globalFlags.functions | globalFlags.threadLocal;
    if (!isHosted && flags & hostedFlags) input.fail(`variable '${name}' is one of a program for the host`);
    const isDeclared = (flags & globalFlags.declared) !== 0;
    const size = input.count(mostGlobalBytes);
    const align = this.#align();
    const stored = input.bytes(input.count(isDeclared ? 0 : size));
    this.#globalBytes += isDeclared ? 0 : size;
    if (this.#globalBytes > mostGlobalBytes) {
      input.fail(`the variables take more than ${mostGlobalBytes} bytes`);
    }
    const bytes = new Uint8Array(isDeclared ? 0 : size);
    bytes.set(stored);
    return {
      name,
      ...(flags & globalFlags.internal ? { linkage: 'internal' } : {}),
      ...(isDeclared ? { isDeclared } : {}),
      space: flags & globalFlags.global ? 'global' : flags & globalFlags.private ? 'private' : 'constant',
      size,
      align,
      bytes,
      relocations: [],
      ...(flags & globalFlags.functions ? { functions: [] } : {}),
      ...(flags & globalFlags.threadLocal ? { isThreadLocal: true } : {}),
      ...this.#placeIf(flags & globalFlags.place),
    };
  }

  #readRelocations(list: Relocation[]): void {
    const input = this.#in;
    const count = input.length();
    for (let index = 0; index < count; index += 1) {
      const offset = input.count(mostGlobalBytes);
      const target = this.#globals[input.count(this.#globals.length - 1)]!;
      list.push({ offset, target, addend: input.signed(2 ** 50) });
    }
  }

  #readFunctionPlaces(list: FunctionPlace[]): void {
    const input = this.#in;
    const count = input.length();
    for (let index = 0; index < count; index += 1) {
      const offset = input.count(mostGlobalBytes);
      list.push({ offset, target: this.#functions[input.count(this.#functions.length - 1)]! });
    }
  }

  #signature(isHosted: boolean): { fn: ir.Function; hasBody: boolean } {
    const input = this.#in;
    const name = input.text();
    const flags = this.#flags(functionFlags);
    if (!isHosted && flags & functionFlags.unprototyped)
      input.fail(`function '${name}' is one of a program for the host`);
    const serves =
      flags & functionFlags.servesImages ? 'images' : flags & functionFlags.servesPipes ? 'pipes' : undefined;
    if (serves === 'images' && flags & functionFlags.servesPipes)
      input.fail(`function '${name}' serves both images and pipes`);
    if (flags & functionFlags.cold && !(flags & functionFlags.outlined))
      input.fail(`function '${name}' is cold and not outlined`);
    const isKernel = (flags & functionFlags.kernel) !== 0;
    const result = flags & functionFlags.result ? this.#type() : undefined;
    const parameters: ir.Parameter[] = [];
    const count = input.length();
    for (let index = 0; index < count; index += 1) parameters.push(this.#parameter());
    const fn: ir.Function = {
      name,
      kind: isKernel ? 'kernel' : 'function',
      ...(flags & functionFlags.internal ? { linkage: 'internal' } : {}),
      parameters,
      result,
      body: undefined,
      form: 'work-item',
      ...(flags & functionFlags.outlined ? { isOutlined: true } : {}),
      ...(flags & functionFlags.cold ? { isCold: true } : {}),
      ...(serves ? { serves } : {}),
      ...(isKernel ? { attributes: this.#attributes() } : {}),
      ...(flags & functionFlags.imported ? { imported: { module: input.text(), name: input.text() } } : {}),
      ...(flags & functionFlags.unprototyped ? { isUnprototyped: true } : {}),
      ...this.#placeIf(flags & functionFlags.place),
    };
    return { fn, hasBody: (flags & functionFlags.body) !== 0 };
  }

  #parameter(): ir.Parameter {
    const input = this.#in;
    const value: ir.Value = { type: this.#type() };
    const flags = this.#flags(parameterFlags);
    const aggregate =
      flags & parameterFlags.aggregate ? { size: input.count(mostSize), align: this.#align() } : undefined;
    const info = flags & parameterFlags.info ? this.#info() : undefined;
    if (info) value.name = info.name;
    return {
      value,
      ...(aggregate ? { aggregate } : {}),
      ...(flags & parameterFlags.const ? { isConst: true } : {}),
      ...(flags & parameterFlags.restrict ? { isRestrict: true } : {}),
      ...(flags & parameterFlags.volatile ? { isVolatile: true } : {}),
      ...(info ? { info } : {}),
    };
  }

  #info(): ir.ParameterInfo {
    const input = this.#in;
    const name = input.text();
    const typeName = input.text();
    const access = imageAccesses[input.count(imageAccesses.length) - 1];
    const handle = this.#handle();
    const qualifiers: (typeof typeQualifiers)[number][] = [];
    const count = input.count(typeQualifiers.length);
    for (let index = 0; index < count; index += 1) qualifiers.push(this.#one(typeQualifiers));
    const layout = this.#layout(0);
    const pointee = this.#layout(0);
    return {
      name,
      typeName,
      ...(access ? { accessQualifier: access } : {}),
      ...(handle ? { handle } : {}),
      typeQualifiers: qualifiers,
      ...(layout ? { layout } : {}),
      ...(pointee ? { pointee } : {}),
    };
  }

  #handle(): ir.HandleInfo | undefined {
    const number = this.#in.count(handleKinds.length);
    if (number === 0) return undefined;
    const kind = handleKinds[number - 1]!;
    switch (kind) {
      case 'sampler':
      case 'queue':
        return { kind };
      case 'image':
        return { kind, type: this.#one(imageTypeNames), access: this.#one(imageAccesses) };
      case 'pipe':
        return { kind, access: this.#one(pipeAccesses), packetBytes: this.#in.count(mostSize) };
    }
  }

  /** Whether the sizes fit together is for the rules of kernels. */
  #layout(depth: number): ir.HostLayout | undefined {
    const input = this.#in;
    if (depth > mostLayoutNesting) input.fail('a type nests too deeply');
    const kind = input.count(6);
    switch (kind) {
      case 0:
        return undefined;
      case 1:
      case 2:
        return { kind: 'integer', size: this.#sizeOf([1, 2, 4, 8] as const), signed: kind === 1 };
      case 3:
        return { kind: 'float', size: this.#sizeOf([2, 4, 8] as const) };
      case 4: {
        const lanes = this.#sizeOf([2, 3, 4, 8, 16] as const);
        return { kind: 'vector', lanes, size: input.count(mostSize), element: this.#element(depth) };
      }
      case 5: {
        const length = input.count(mostSize);
        return { kind: 'array', length, size: input.count(mostSize), element: this.#element(depth) };
      }
      default: {
        const name = input.text();
        const size = input.count(mostSize);
        const align = this.#align();
        const fields: { name: string; offset: number; layout: ir.HostLayout }[] = [];
        const count = input.length();
        for (let index = 0; index < count; index += 1) {
          fields.push({ name: input.text(), offset: input.count(mostSize), layout: this.#element(depth) });
        }
        return { kind: 'struct', name, size, align, fields };
      }
    }
  }

  #element(depth: number): ir.HostLayout {
    return this.#layout(depth + 1) ?? this.#in.fail('a type without an element');
  }

  #attributes(): ir.KernelAttributes {
    const input = this.#in;
    const flags = input.count(31);
    const sizes = (): [number, number, number] => [
      input.count(mostSize),
      input.count(mostSize),
      input.count(mostSize),
    ];
    return {
      ...(flags & 1 ? { requiredWorkGroupSize: sizes() } : {}),
      ...(flags & 2 ? { workGroupSizeHint: sizes() } : {}),
      ...(flags & 4 ? { vectorTypeHint: input.text() } : {}),
      ...(flags & 8 ? { mayCutGroups: true } : {}),
      ...(flags & 16 ? { isBlock: true } : {}),
    };
  }

  #body(fn: ir.Function): ir.Region {
    this.#values = fn.parameters.map((parameter) => parameter.value);
    this.#targets = [];
    this.#line = 0;
    return this.#region();
  }

  #region(): ir.Region {
    const input = this.#in;
    this.#nesting += 1;
    if (this.#nesting > mostNesting) input.fail(`regions nest more than ${mostNesting} deep`);
    const parameters: ir.Value[] = [];
    const parameterCount = input.length();
    for (let index = 0; index < parameterCount; index += 1) {
      const parameter: ir.Value = { type: this.#type() };
      parameters.push(parameter);
      this.#values.push(parameter);
    }
    const instructions: ir.Instruction[] = [];
    const count = input.length();
    for (let index = 0; index < count; index += 1) instructions.push(this.#instruction());
    this.#nesting -= 1;
    return { parameters, instructions };
  }

  /** See the writer's method of this name. */
  #instruction(): ir.Instruction {
    const input = this.#in;
    const number = input.count(storedOpcodes.length - 1);
    const op = storedOpcodes[number]!;
    const shape = input.byte();
    const few = shape & 7;
    const operandCount = few === 7 ? input.length() : few;
    const resultCount = ((shape >> 3) & 3) === 3 ? input.length() : (shape >> 3) & 3;
    const regionCount = ((shape >> 5) & 3) === 3 ? input.length() : (shape >> 5) & 3;
    const operands: ir.Value[] = [];
    for (let index = 0; index < operandCount; index += 1) {
      const distance = input.count(this.#values.length);
      operands.push(this.#values[this.#values.length - distance] ?? input.fail('an operand is not defined'));
    }
    const results: ir.Value[] = [];
    for (let index = 0; index < resultCount; index += 1) results.push({ type: this.#type() });
    const regions: ir.Region[] = [];
    const content: Record<string, unknown> = { op, operands, results, regions };
    if (shape & 0x80) Object.assign(content, this.#placeIf(0x80));
    for (const [name, field] of fieldsByOpcode[number]!) {
      const value = this.#field(field, operands, results);
      if (value !== undefined) content[name] = value;
    }
    // The table says which fields the kind of instruction has; the verifier judges what is in them.
    const instruction = content as unknown as ir.Instruction;
    const isTarget = op === 'block' || op === 'loop';
    if (isTarget) this.#targets.push(instruction as Target);
    for (let index = 0; index < regionCount; index += 1) regions.push(this.#region());
    if (isTarget) this.#targets.pop();
    for (const result of results) this.#values.push(result);
    return instruction;
  }

  #field(field: Field, operands: readonly ir.Value[], results: readonly ir.Value[]): unknown {
    const input = this.#in;
    switch (field.kind) {
      case 'choice':
        return this.#one(field.of);
      case 'optional choice': {
        const index = input.count(field.of.length);
        return index === 0 ? undefined : field.of[index - 1];
      }
      case 'choices': {
        const bits = input.count(2 ** field.of.length - 1);
        return field.of.filter((_, index) => (bits & (1 << index)) !== 0);
      }
      case 'flag':
        return input.count(1) === 1 ? true : undefined;
      case 'count':
        return input.count(field.most);
      case 'optional count': {
        const value = input.count(field.most + 1);
        return value === 0 ? undefined : value - 1;
      }
      case 'align':
        return this.#align();
      case 'text':
        return input.text();
      case 'lanes': {
        const lanes: number[] = [];
        const count = input.count(16);
        for (let index = 0; index < count; index += 1) lanes.push(input.signed(32));
        return lanes;
      }
      case 'value':
        return this.#constant((results[0] ?? input.fail('a constant without a result')).type);
      case 'function':
        return this.#functions[input.count(this.#functions.length - 1)];
      case 'global':
        return this.#globals[input.count(mostSize)] ?? input.fail('a variable that is not there');
      case 'target':
        return this.#targets[this.#targets.length - 1 - input.count(mostSize)] ?? input.fail('no target');
      case 'cases':
        return this.#cases((operands[0] ?? input.fail('a switch without an operand')).type);
    }
  }

  #constant(type: Type): ir.Constant['value'] {
    if (type.kind !== 'vector') return this.#scalar(type);
    const lanes: ir.ScalarConstant[] = [];
    for (let lane = 0; lane < lanesOf(type); lane += 1) lanes.push(this.#scalar(elementOf(type)));
    return lanes;
  }

  #scalar(type: Type): ir.ScalarConstant {
    const input = this.#in;
    if (type.kind === 'bool') return input.count(1) === 1;
    if (type.kind === 'float') return input.float(type.bits === 64 ? 8 : 4);
    if (type.kind === 'int') return type.bits === 64 ? input.wide() : input.signed(2 ** 31);
    return type.kind === 'opaque' ? input.signed(2 ** 31) : 0;
  }

  #cases(type: Type): (number | bigint)[][] {
    const input = this.#in;
    if (type.kind !== 'int') return input.fail('a switch on what is no integer');
    const cases: (number | bigint)[][] = [];
    const count = input.length();
    for (let index = 0; index < count; index += 1) {
      const values: (number | bigint)[] = [];
      const valueCount = input.length();
      for (let place = 0; place < valueCount; place += 1) values.push(this.#scalar(type) as number | bigint);
      cases.push(values);
    }
    return cases;
  }

  #type(): Type {
    return this.#one(types);
  }

  #one<T>(list: readonly T[]): T {
    return list[this.#in.count(list.length - 1)] as T;
  }

  /** One of a list that is written as itself. */
  #sizeOf<T extends number>(list: readonly T[]): T {
    const value = this.#in.byte();
    return list.find((one) => one === value) ?? this.#in.fail(`a size of ${value}`);
  }

  #flags(known: Readonly<Record<string, number>>): number {
    return this.#in.count(Object.values(known).reduce((all, bit) => all | bit, 0));
  }

  #align(): number {
    return 2 ** this.#in.count(mostAlignLog);
  }

  #placeIf(isThere: number): { span?: Span } {
    if (isThere === 0) return {};
    const input = this.#in;
    const name = input.text();
    let file = this.#files.get(name);
    if (!file) {
      file = new RememberedFile(name);
      this.#files.set(name, file);
    }
    this.#line += input.signed(mostLine);
    if (this.#line < 0 || this.#line > mostLine) input.fail(`line ${this.#line}`);
    return { span: file.place(this.#line, input.count(mostLine)) };
  }
}
