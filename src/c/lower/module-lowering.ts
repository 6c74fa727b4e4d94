/**
 * Lowers a checked program to an IR module. Lowering is naive and exact: every variable is memory, every
 * expression is computed as it stands; the passes make it fast. Functions are lowered when something reaches them,
 * so a helper that no entry point calls costs nothing.
 *
 * What C's dialects share is here; a dialect hangs its own functions and types in through {@link LoweringDialect}.
 */

import { Builder, newRegion } from '../../ir/builder.ts';
import {
  type QueueFunctionName,
  queueFunctionTypes,
  queueModule,
  queueSymbol,
} from '../../ir/device-queues.ts';
import { declareExternal } from '../../ir/external-function.ts';
import type * as ir from '../../ir/ir.ts';
import * as types from '../../ir/types.ts';
import type { Diagnostics } from '../../source/diagnostics.ts';
import { noSpan, type Span } from '../../source/span.ts';
import type { BuiltinCall, CompoundLiteral, FunctionDeclaration, VariableDeclaration } from '../ast.ts';
import { hasAttribute } from '../check/attributes.ts';
import { alignOf, alignOfObject, arithmeticOf, sameType, sizeOf } from '../type-facts.ts';
import type { ArithmeticType, CType, OpaqueType, QualifiedType } from '../types.ts';
import type { DebugRecord } from './debug-record.ts';
import { lowerFunctionBody } from './function.ts';
import type { FunctionLowering } from './function-lowering.ts';
import { type GlobalsState, globalForLiteral, globalForVariable, newGlobalsState } from './globals.ts';
import { overloadName } from './overload-name.ts';

/** What a dialect adds to the lowering of C. */
export interface LoweringDialect {
  /** Lowers a call of a function that the dialect supplies; the value, if it has one. */
  builtinCall(fn: FunctionLowering, call: BuiltinCall): ir.Value | undefined;
  /** The IR type of a type that programs only pass on. */
  opaqueType(type: OpaqueType): types.Type;
  /** What a kernel's parameters and attributes say to the host. */
  kernelFacts(lowering: ModuleLowering, declaration: FunctionDeclaration): KernelFacts;
}

export interface KernelFacts {
  readonly parameters: readonly ir.ParameterInfo[];
  readonly attributes: ir.KernelAttributes;
}

export interface LoweringOptions {
  readonly addressBits: 32 | 64;
  /** The module will be linked with others: its symbols say whether those may see them. Default: it is a whole program. */
  readonly isUnit?: boolean | undefined;
  /** The module is a program for the host (src/ir/ir.ts). Default: it has kernels. */
  readonly isHosted?: boolean | undefined;
  /** Finds a function of the program, for the attribute `alias`. */
  readonly functionNamed?: ((name: string) => FunctionDeclaration | undefined) | undefined;
  /** Floating-point operations may be fused where no FP_CONTRACT pragma forbids it. */
  readonly contract: boolean;
  /** Is told where statements and variables are, for debuggers. */
  readonly record?: DebugRecord | undefined;
  /** Sums of floating-point numbers may be added up in any order. Default: as the source says. */
  readonly reassociate?: boolean | undefined;
  /** Functions may be as inexact as those that the language calls native. */
  readonly isRelaxed?: boolean | undefined;
}

const elementTypes: Readonly<Record<ArithmeticType['name'], types.ScalarType>> = {
  bool: types.i8,
  char: types.i8,
  uchar: types.i8,
  short: types.i16,
  ushort: types.i16,
  int: types.i32,
  uint: types.i32,
  long: types.i64,
  ulong: types.i64,
  half: types.f16,
  float: types.f32,
  double: types.f64,
};

export class ModuleLowering {
  readonly module: ir.Module;
  readonly dialect: LoweringDialect;
  readonly diagnostics: Diagnostics;
  readonly options: LoweringOptions;
  readonly addressBytes: 4 | 8;
  readonly globals: GlobalsState = newGlobalsState();
  readonly #functions = new Map<FunctionDeclaration, ir.Function>();
  readonly #kernels = new Map<FunctionDeclaration, ir.Function>();
  readonly #external = new Map<string, ir.Function>();
  readonly #waiting: { declaration: FunctionDeclaration; fn: ir.Function }[] = [];

  constructor(dialect: LoweringDialect, diagnostics: Diagnostics, options: LoweringOptions) {
    this.dialect = dialect;
    this.diagnostics = diagnostics;
    this.options = options;
    this.addressBytes = options.addressBits === 32 ? 4 : 8;
    const hosted = options.isHosted ? { isHosted: true } : {};
    this.module = { addressBits: options.addressBits, ...hosted, globals: [], functions: [] };
  }

  /** Lowers a function as an entry point, under its own name, and everything it reaches. */
  lowerEntry(declaration: FunctionDeclaration): ir.Function {
    const fn = declaration.isKernel ? this.#kernel(declaration) : this.functionFor(declaration);
    this.#lowerWaiting();
    return fn;
  }

  /** Lowers a function as others call it, and everything it reaches; of a kernel its second, plain form. */
  lowerHelper(declaration: FunctionDeclaration): void {
    this.functionFor(declaration);
    this.#lowerWaiting();
  }

  /** Lowers what the initializers of variables have reached. */
  lowerReached(): void {
    this.#lowerWaiting();
  }

  #lowerWaiting(): void {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      lowerFunctionBody(this, next.declaration, next.fn);
    }
  }

  /** The IR function that a call of `declaration` means. A kernel that is called gets a second, plain form. */
  functionFor(declaration: FunctionDeclaration): ir.Function {
    let fn = this.#functions.get(declaration);
    if (!fn) {
      fn = this.#declare(declaration, 'function');
      this.#functions.set(declaration, fn);
    }
    return fn;
  }

  /** A function with no body here, which linking supplies: a library function. */
  externalFunction(
    name: string,
    parameters: readonly types.Type[],
    result: types.Type | undefined,
  ): ir.Function {
    return declareExternal(this.module, this.#external, name, parameters, result);
  }

  /** Programs for the host: a function that is an instruction of WebAssembly (codegen/wasm/module/host-instructions.ts). */
  hostInstruction(
    name: string,
    parameters: readonly types.Type[],
    result: types.Type | undefined,
  ): ir.Function {
    const fn = this.externalFunction(`__wasm_${name}`, parameters, result);
    fn.imported = { module: 'wasm', name };
    return fn;
  }

  /** A function that the machine supplies (src/ir/device-queues.ts). */
  queueFunction(name: QueueFunctionName): ir.Function {
    const { parameters, result } = queueFunctionTypes(name, this.options.addressBits);
    const fn = this.externalFunction(queueSymbol(name), parameters, result);
    fn.imported = { module: queueModule, name };
    return fn;
  }

  globalFor(variable: VariableDeclaration): ir.GlobalVariable {
    return globalForVariable(this, variable);
  }

  globalForLiteral(literal: CompoundLiteral | Uint8Array, span: Span = noSpan): ir.GlobalVariable {
    return globalForLiteral(this, literal, span);
  }

  // ------------------------------------------------------------------------------------------------ types

  /** The IR type of values of a C type; not for records, arrays and void. */
  typeOf(type: CType): types.Type {
    switch (type.kind) {
      case 'arithmetic':
        return elementTypes[type.name];
      case 'vector':
        return types.vectorType(elementTypes[type.element.name], type.lanes);
      case 'atomic':
        return this.typeOf(type.value);
      case 'enum':
        return elementTypes[arithmeticOf(type)?.name ?? 'int'];
      case 'pointer':
        return types.pointerType(type.pointee.space ?? 'private');
      case 'opaque':
        return this.dialect.opaqueType(type);
      case 'array':
        return types.pointerType('private');
      default:
        return types.pointerType('private');
    }
  }

  sizeOf(type: CType): number {
    return sizeOf(type, this.addressBytes);
  }

  alignOf(type: CType): number {
    return alignOf(type, this.addressBytes);
  }

  /** What the address of an object is surely a multiple of, of no more use than its type's own alignment. */
  alignOfAccess(type: QualifiedType): number {
    return Math.min(this.alignOf(type.type), alignOfObject(type, this.addressBytes));
  }

  // -------------------------------------------------------------------------------------------- functions

  #kernel(declaration: FunctionDeclaration): ir.Function {
    let fn = this.#kernels.get(declaration);
    if (!fn) {
      fn = this.#declare(declaration, 'kernel');
      this.#kernels.set(declaration, fn);
    }
    return fn;
  }

  #declare(declaration: FunctionDeclaration, kind: 'kernel' | 'function'): ir.Function {
    const facts = kind === 'kernel' ? this.dialect.kernelFacts(this, declaration) : undefined;
    const parameters: ir.Parameter[] = [];
    const result = resultType(declaration);
    if (result.type.kind === 'record') {
      // A struct is returned through a pointer to the caller's bytes.
      parameters.push({ value: { type: types.pointerType('private'), name: 'result' } });
    }
    declaration.parameters.forEach((parameter, index) => {
      parameters.push(this.#parameter(parameter, kind, facts?.parameters[index]));
    });
    const { type } = declaration.type;
    if (type.kind === 'function' && type.variadic) {
      parameters.push({ value: { type: types.pointerType('private'), name: 'arguments' } });
    }
    const plainName = overloadName(declaration);
    const name = kind === 'function' && declaration.isKernel ? `${plainName}.called` : plainName;
    const isInternal = declaration.storage === 'static' || isInlineOnly(declaration);
    const hasResult = result.type.kind !== 'void' && result.type.kind !== 'record';
    const fn: ir.Function = {
      name,
      kind,
      ...(this.options.isUnit && isInternal ? { linkage: 'internal' } : {}),
      parameters,
      result: hasResult ? this.typeOf(result.type) : undefined,
      body: undefined,
      form: 'work-item',
      ...this.#imported(declaration),
      ...(isUnprototyped(declaration) && !declaration.body ? { isUnprototyped: true } : {}),
      ...(facts ? { attributes: facts.attributes } : {}),
      ...(hasAttribute(declaration.attributes, 'noinline') ? { isOutlined: true } : {}),
      ...(hasAttribute(declaration.attributes, 'cold') ? { isOutlined: true, isCold: true } : {}),
      ...(this.options.isHosted ? runsOf(declaration) : {}),
      span: declaration.span,
    };
    this.module.functions.push(fn);
    if (declaration.body) this.#waiting.push({ declaration, fn });
    else this.#forward(declaration, fn);
    return fn;
  }

  /** Gives a function with the attribute `alias("target")` a body that calls the target. */
  #forward({ attributes, type }: FunctionDeclaration, fn: ir.Function): void {
    const alias = attributes.find(({ name }) => name === 'alias');
    if (!alias || !this.options.isHosted) return;
    const [target] = alias.arguments;
    const meant = this.options.functionNamed?.(String(target));
    if (!meant?.body || !sameType(meant.type.type, type.type)) {
      const message = `an alias must be of a function that this file defines, with the same type: '${target}'`;
      this.diagnostics.error(alias.span, message);
      return;
    }
    const callee = this.functionFor(meant);
    const builder = new Builder(newRegion(), this.options.addressBits);
    const values = fn.parameters.map(({ value }) => value);
    builder.return(builder.call(callee, values));
    fn.body = builder.region;
  }

  /** `__attribute__((import_module("M"), import_name("n")))` on what a program for the host only declares. */
  #imported({ name, attributes, body }: FunctionDeclaration): Pick<ir.Function, 'imported'> {
    if (!this.options.isHosted || body) return {};
    const textOf = (attribute: string): string | undefined => {
      const text = attributes.find((one) => one.name === attribute)?.arguments[0];
      return typeof text === 'string' ? text : undefined;
    };
    const module = textOf('import_module');
    return module === undefined ? {} : { imported: { module, name: textOf('import_name') ?? name } };
  }

  #parameter(
    parameter: VariableDeclaration,
    kind: 'kernel' | 'function',
    info: ir.ParameterInfo | undefined,
  ): ir.Parameter {
    const { type } = parameter.type;
    const facts = info ? { info } : {};
    if (type.kind === 'record') {
      return {
        value: { type: types.pointerType(kind === 'kernel' ? 'constant' : 'private'), name: parameter.name },
        aggregate: { size: this.sizeOf(type), align: this.alignOf(type) },
        ...facts,
      };
    }
    const value: ir.Value = { type: this.typeOf(type), name: parameter.name };
    if (type.kind !== 'pointer') return { value, ...facts };
    return {
      value,
      ...(type.pointee.isConst ? { isConst: true } : {}),
      ...(parameter.type.isRestrict ? { isRestrict: true } : {}),
      ...(type.pointee.isVolatile ? { isVolatile: true } : {}),
      ...facts,
    };
  }
}

const lastPriority = 65535;

/** What the attributes `constructor` and `destructor` say (GNU). */
function runsOf({ attributes }: FunctionDeclaration): Pick<ir.Function, 'runs'> {
  const runs = attributes.flatMap(({ name, arguments: [priority = BigInt(lastPriority)] }) => {
    if (name !== 'constructor' && name !== 'destructor') return [];
    const when = name === 'constructor' ? ('before' as const) : ('after' as const);
    return [{ when, priority: Number(priority) }];
  });
  return runs.length > 0 ? { runs } : {};
}

/** An inline definition that is not extern too serves its own program only (C99, 6.7.4 6), and headers are full of them. */
function isInlineOnly({ isInline, storage, body }: FunctionDeclaration): boolean {
  return isInline && storage !== 'extern' && body !== undefined;
}

/** Whether nothing is known of a function's parameters. */
function isUnprototyped({ type: { type } }: FunctionDeclaration): boolean {
  return type.kind === 'function' && type.unprototyped;
}

/** What a function gives back. */
export function resultType(declaration: FunctionDeclaration): QualifiedType {
  const { type } = declaration.type;
  if (type.kind !== 'function') throw new Error(`'${declaration.name}' has no function type`);
  return type.result;
}
