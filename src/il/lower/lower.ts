/**
 * From a checked IL program to IR: one kernel, in which the functions and macros of the program stand where they are called
 * and its registers are variables of 32 bits a component.
 */
import { newRegion, newValue } from '../../ir/builder.ts';
import type * as ir from '../../ir/ir.ts';
import { i32, pointerType, vectorType } from '../../ir/types.ts';
import type { Diagnostics } from '../../source/diagnostics.ts';
import type { Span } from '../../source/span.ts';
import type { Program } from '../tree.ts';
import { Builtins } from './builtins.ts';
import { Code } from './code.ts';
import { ComponentTypes } from './component-types.ts';
import { Context } from './context.ts';
import { Flow, TooMuch } from './flow.ts';
import {
  type Bindings,
  defaultFormat,
  type ElementFormat,
  kernelName,
  type LoweredParameter,
  type LoweredProgram,
} from './interface.ts';
import { exchangeBytes } from './memory.ts';
import { type Plan, parametersOf, planOf } from './plan.ts';
import { structureOf } from './structure.ts';
import { elementBytes, elementLayout, storeElement } from './texel.ts';
import { Variables } from './variables.ts';

export interface LowerIlOptions {
  /**
   * For debuggers: registers are variables of 16 bytes that always hold what they should, and only instructions of the program have
   * places. Slower. Default false.
   */
  readonly keepsRegisters?: boolean;
}

/**
 * Lowers a program that `readIl` returned, for resources of certain formats. What has no meaning here is reported, and then
 * the result is undefined. Nothing that a user writes makes this throw.
 */
export function lowerIl(
  program: Program,
  diagnostics: Diagnostics,
  bindings: Bindings = {},
  options: LowerIlOptions = {},
): LoweredProgram | undefined {
  const before = diagnostics.errorCount;
  const plan = planOf(program, diagnostics);
  if (diagnostics.errorCount > before) return undefined;
  const lowered = new Lowering(program, plan, diagnostics, bindings, options).lower();
  return diagnostics.errorCount > before ? undefined : lowered;
}

/** The largest private array. */
const mostElements = 4096;

class Lowering {
  readonly #program: Program;
  readonly #plan: Plan;
  readonly #diagnostics: Diagnostics;
  readonly #bindings: Bindings;
  readonly #keepsRegisters: boolean;
  readonly #module: ir.Module = { addressBits: 32, globals: [], functions: [] };
  /** What stands at the kernel's start: variables, and where the work-item is. */
  readonly #entry = newRegion();
  readonly #body = newRegion();
  readonly #code: Code;
  readonly #parameters: LoweredParameter[];
  readonly #values = new Map<string, ir.Value>();
  readonly #arrays = new Map<string, { address: ir.Value; bytes: number }>();

  constructor(
    program: Program,
    plan: Plan,
    diagnostics: Diagnostics,
    bindings: Bindings,
    { keepsRegisters = false }: LowerIlOptions,
  ) {
    this.#program = program;
    this.#plan = plan;
    this.#diagnostics = diagnostics;
    this.#bindings = bindings;
    this.#keepsRegisters = keepsRegisters;
    this.#code = new Code(this.#body, this.#module);
    this.#parameters = parametersOf(plan);
  }

  lower(): LoweredProgram {
    const kernel = this.#kernel();
    const variables = new Variables(
      this.#code,
      this.#entry,
      new ComponentTypes(this.#program),
      this.#keepsRegisters,
    );
    const builtins = new Builtins(
      this.#code,
      this.#entry,
      this.#plan,
      this.#values.get('domain'),
      this.#keepsRegisters,
    );
    this.#makeArrays();
    const context = new Context({
      code: this.#code,
      plan: this.#plan,
      bindings: this.#bindings,
      diagnostics: this.#diagnostics,
      variables,
      parameters: this.#values,
      builtins: (register) => builtins.of(register),
      arrays: this.#arrays,
    });
    this.#clearOutputs(variables);
    try {
      const flow = new Flow(context, structureOf(this.#program));
      if (flow.main()) this.#finish(variables, builtins);
    } catch (error) {
      if (!(error instanceof TooMuch)) throw error;
    }
    if (this.#keepsRegisters) {
      // What is made at the start belongs to no instruction of the program.
      for (const instruction of this.#entry.instructions) instruction.span = undefined;
    }
    kernel.body = newRegion();
    kernel.body.instructions = [...this.#entry.instructions, ...this.#body.instructions];
    return this.#result();
  }

  #kernel(): ir.Function {
    const { groupSize } = this.#plan;
    const kernel: ir.Function = {
      name: kernelName,
      kind: 'kernel',
      parameters: this.#parameters.map((parameter) => this.#parameter(parameter)),
      result: undefined,
      body: undefined,
      form: 'work-item',
      attributes: groupSize ? { requiredWorkGroupSize: groupSize } : {},
      span: this.#keepsRegisters ? this.#program.items[0]?.span : undefined,
    };
    this.#module.functions.push(kernel);
    return kernel;
  }

  #parameter(parameter: LoweredParameter): ir.Parameter {
    const name = nameOf(parameter);
    switch (parameter.kind) {
      case 'domain':
      case 'input-shape':
      case 'output-shape':
      case 'uav-shape': {
        const value = this.#value(name, vectorType(i32, 4));
        const layout: ir.HostLayout = {
          kind: 'vector',
          element: { kind: 'integer', size: 4, signed: true },
          lanes: 4,
          size: 16,
        };
        return { value, info: { name, typeName: 'int4', typeQualifiers: [], layout } };
      }
      case 'global-size':
      case 'uav-size': {
        const value = this.#value(name, i32);
        return {
          value,
          info: {
            name,
            typeName: 'int',
            typeQualifiers: [],
            layout: { kind: 'integer', size: 4, signed: true },
          },
        };
      }
      case 'constants': {
        const value = this.#value(name, pointerType('constant'));
        const readableBytes = parameter.elements * 16;
        return { value, isConst: true, readableBytes, info: pointerInfo(name, true) };
      }
      case 'input':
        return {
          value: this.#value(name, pointerType('global')),
          isConst: true,
          info: pointerInfo(name, true, this.#formatOf(this.#bindings.inputs, parameter.index)),
        };
      case 'output': {
        const value = this.#value(name, pointerType('global'));
        return {
          value,
          info: pointerInfo(name, false, this.#formatOf(this.#bindings.outputs, parameter.index)),
        };
      }
      default:
        return { value: this.#value(name, pointerType('global')), info: pointerInfo(name, false) };
    }
  }

  /** Debuggers show elements; to all others every resource is one of float4. */
  #formatOf(
    formats: ReadonlyMap<number, ElementFormat> | undefined,
    index: number,
  ): ElementFormat | undefined {
    return this.#keepsRegisters ? (formats?.get(index) ?? defaultFormat) : undefined;
  }

  #value(name: string, type: ir.Value['type']): ir.Value {
    const value = newValue(type, name.replace('.', '_'));
    this.#values.set(name, value);
    return value;
  }

  #makeArrays(): void {
    const { declarations, groupMemories, wordsPerItem, groupSize } = this.#plan;
    for (const [number, { size, span }] of declarations.temporaryArrays) {
      if (size > mostElements)
        this.#diagnostics.error(span, `an indexed temporary array has at most ${mostElements} elements`);
      this.#array(`x${number}`, 'private', Math.min(Math.max(1, size), mostElements) * 16);
    }
    if (!groupSize) return;
    const items = groupSize[0] * groupSize[1] * groupSize[2];
    for (const [id, { bytes }] of groupMemories) this.#array(`lds${id}`, 'local', Math.max(4, bytes));
    if (wordsPerItem === 0) return;
    this.#array('lds', 'local', items * wordsPerItem * 4);
    const exchanges = this.#program.items.some(
      (item) => item.kind === 'instruction' && item.modifiers.some(({ name }) => name === 'neighborExch'),
    );
    if (exchanges) this.#array('lds.exchange', 'local', exchangeBytes(items));
  }

  #array(name: string, space: 'private' | 'local', bytes: number): void {
    const code = this.#code;
    const address = code.within(this.#entry, () => code.variable(space, bytes, 16, name));
    this.#arrays.set(name, { address, bytes });
  }

  /** Components of outputs that a program does not write are 0. */
  #clearOutputs(variables: Variables): void {
    for (const number of this.#plan.outputs) {
      for (let component = 0; component < 4; component += 1) {
        variables.store({ kind: 'o', number, indices: [] }, component, this.#code.int(0));
      }
    }
  }

  /** Writes the outputs at the work-item's position. */
  #finish(variables: Variables, builtins: Builtins): void {
    const code = this.#code;
    code.span = this.#keepsRegisters ? this.#endSpan() : undefined;
    for (const number of this.#plan.outputs) {
      const shape = this.#values.get(`o${number}.shape`)!;
      const [x, y] = this.#plan.shader === 'ps' ? builtins.position() : this.#linearPosition(builtins, shape);
      const format = this.#bindings.outputs?.get(number) ?? defaultFormat;
      const isInside = code.binary(
        'and',
        code.compare('ult', x, code.extract(shape, 0)),
        code.compare('ult', y, code.extract(shape, 1)),
      );
      const register = { kind: 'o', number, indices: [] } as const;
      const values = [0, 1, 2, 3].map((component) =>
        variables.load(register, component, variables.kindOf(register, component)),
      );
      code.when(isInside, () => {
        const index = code.binary('iadd', code.binary('imul', y, code.extract(shape, 2)), x);
        const bytes = code.binary('imul', index, code.int(elementBytes(format)));
        storeElement(code, format, code.offset(this.#values.get(`o${number}`)!, bytes), values);
      });
    }
    code.return();
  }

  /** Debuggers see outputs before they are written. */
  #endSpan(): Span | undefined {
    const end = this.#program.items.find((item) => item.kind === 'instruction' && item.opcode.name === 'end');
    return end?.span;
  }

  /** Where a compute program writes its outputs: elements in the order of its threads, row by row. */
  #linearPosition(builtins: Builtins, shape: ir.Value): readonly [ir.Value, ir.Value] {
    const code = this.#code;
    const flat = builtins.of({ kind: 'vAbsTidFlat', number: undefined, indices: [] })!(0, 'int');
    const width = code.extract(shape, 0);
    return [code.binary('urem', flat, width), code.binary('udiv', flat, width)];
  }

  #result(): LoweredProgram {
    const { shader, usesDouble, usesGlobal, groupSize } = this.#plan;
    const ldsBytes = [...this.#arrays].reduce(
      (sum, [name, { bytes }]) => sum + (name.startsWith('lds') ? bytes : 0),
      0,
    );
    const symbols = this.#parameters
      .filter(({ kind }) => /^(constants|input|output|global|uav)$/.test(kind))
      .map(nameOf);
    const scratch = [...this.#plan.declarations.temporaryArrays.keys()].map((number) => `x${number}`);
    return {
      module: this.#module,
      shader,
      parameters: this.#parameters,
      groupSize,
      ldsBytes,
      symbols: [...symbols, ...scratch].sort(),
      usesDouble,
      usesGlobal,
      usesLds: ldsBytes > 0,
    };
  }
}

/** What a parameter is called. */
function nameOf(parameter: LoweredParameter): string {
  const number = 'index' in parameter ? String(parameter.index) : '';
  switch (parameter.kind) {
    case 'domain':
      return 'domain';
    case 'constants':
      return `cb${number}`;
    case 'input':
      return `i${number}`;
    case 'input-shape':
      return `i${number}.shape`;
    case 'output':
      return `o${number}`;
    case 'output-shape':
      return `o${number}.shape`;
    case 'global':
      return 'g';
    case 'global-size':
      return 'g.size';
    case 'uav':
      return `uav${number}`;
    case 'uav-size':
      return `uav${number}.size`;
    case 'uav-shape':
      return `uav${number}.shape`;
  }
}

function pointerInfo(name: string, isConst: boolean, format = defaultFormat): ir.ParameterInfo {
  return {
    name,
    typeName: 'float4*',
    typeQualifiers: isConst ? ['const'] : [],
    pointee: elementLayout(format),
  };
}
