/**
 * The entry of the OpenCL C back end: an IR module in work-item form goes in, the text of an OpenCL C program that
 * means the same comes out, for drivers that compile OpenCL C themselves. What the IR leaves open stays open; what it
 * defines and C does not (wrapping, division by zero, unaligned vectors) is written so that C defines it too.
 *
 * One thing the text cannot say: that division and square roots are rounded correctly. A driver that can do so is
 * told by the build option `-cl-fp32-correctly-rounded-divide-sqrt`.
 */
import { imageTypeFacts } from '../../ir/images.ts';
import type * as ir from '../../ir/ir.ts';
import { elementOf, type Type } from '../../ir/types.ts';
import { walkFunction } from '../../ir/walk.ts';
import { declaration, typeText } from './c-types.ts';
import { Constants } from './constants.ts';
import { OpenCLCError } from './error.ts';
import { FunctionWriter, type Line } from './function-writer.ts';
import { HostTypes } from './host-types.ts';
import { MemoryPlan } from './memory-plan.ts';
import { NameScope } from './names.ts';
import { type Parameters, writeParameters } from './parameters.ts';
import { Prelude } from './prelude.ts';
import type { ProgramContext } from './program-context.ts';

export { OpenCLCError } from './error.ts';

export interface OpenCLCOptions {
  /** The language version to stay in. Default 1.2. */
  readonly version?: '1.1' | '1.2' | undefined;
  /** Whether the device has cl_khr_fp64. Default true. */
  readonly doubles?: boolean | undefined;
  /** Whether the device has cl_khr_fp16. Default false. */
  readonly halves?: boolean | undefined;
  /** The device's width of addresses, if known: it must be the module's. */
  readonly addressBits?: 32 | 64 | undefined;
}

/**
 * Writes a linked module, before or after `optimise(module, { target: openclC })`, as OpenCL C.
 * @throws OpenCLCError for what OpenCL C 1.x has no form for
 */
export function writeOpenCLC(module: ir.Module, options: OpenCLCOptions = {}): string {
  if (options.addressBits !== undefined && options.addressBits !== module.addressBits) {
    throw new OpenCLCError(
      `the module has ${module.addressBits}-bit addresses, the device ${options.addressBits}-bit ones`,
    );
  }
  return new Program(module, options).write();
}

/** What of the language a program needs. */
interface Needs {
  doubles: boolean;
  halves: boolean;
  longAtomics: boolean;
  volumeWrites: boolean;
  fusible: boolean;
  unfusible: boolean;
}

class Program implements ProgramContext {
  readonly addressBits: 32 | 64;
  readonly version: '1.1' | '1.2';
  readonly prelude: Prelude;
  readonly constants: Constants;
  readonly contraction: 'on' | 'off' | 'mixed';
  readonly #options: OpenCLCOptions;
  readonly #functions: readonly ir.Function[];
  readonly #needs: Needs;
  readonly #names = new Map<ir.Function, string>();
  readonly #parameters = new Map<ir.Function, Parameters>();
  readonly #memory = new Map<ir.Function, MemoryPlan>();
  readonly #types: HostTypes;

  constructor(module: ir.Module, options: OpenCLCOptions) {
    this.#options = options;
    this.addressBits = module.addressBits;
    this.version = options.version ?? '1.2';
    this.#functions = inCallOrder(module);
    this.#needs = needsOf(this.#functions);
    this.contraction = !this.#needs.fusible ? 'off' : this.#needs.unfusible ? 'mixed' : 'on';
    const scope = new NameScope();
    this.#nameFunctions(scope);
    for (const fn of this.#functions) this.#memory.set(fn, new MemoryPlan(fn.body!, module.addressBits));
    const typesOf = (global: ir.GlobalVariable): Set<Type> => {
      const types = new Set<Type>();
      for (const plan of this.#memory.values()) plan.addElements(global, types);
      return types;
    };
    this.constants = new Constants(usedGlobals(this.#functions), typesOf, scope, module.addressBits);
    this.prelude = new Prelude(scope, module.addressBits);
    this.#types = new HostTypes(scope);
    for (const fn of this.#functions) this.#parameters.set(fn, writeParameters(fn, this.#types, scope));
  }

  nameOf(fn: ir.Function): string {
    return this.#names.get(fn)!;
  }

  parametersOf(fn: ir.Function): Parameters {
    return this.#parameters.get(fn)!;
  }

  memoryOf(fn: ir.Function): MemoryPlan {
    return this.#memory.get(fn)!;
  }

  write(): string {
    const functions = this.#functions.map((fn) => this.#function(fn));
    const parts = [
      this.#header(),
      this.#types.texts.join('\n'),
      this.constants.texts().join('\n'),
      ...this.prelude.texts,
      ...functions,
    ];
    return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
  }

  /** Kernels keep their names; helpers give way, to names of kernels' parameters too. */
  #nameFunctions(scope: NameScope): void {
    const kernels = this.#functions.filter((fn) => fn.kind === 'kernel');
    for (const kernel of kernels) {
      this.#names.set(kernel, kernel.name);
      scope.take(kernel.name);
    }
    const parameters = kernels.flatMap((kernel) => kernel.parameters);
    const hiding = new Set(parameters.map(({ info, value }) => info?.name ?? value.name));
    for (const fn of this.#functions) {
      if (fn.kind === 'kernel') continue;
      this.#names.set(fn, scope.unique(hiding.has(fn.name) ? `${fn.name}_function` : fn.name));
    }
  }

  #header(): string {
    const { doubles, halves, longAtomics, volumeWrites } = this.#needs;
    const lines = [
      `// Written by Millrace from its intermediate representation, for OpenCL C ${this.version} and devices with`,
      `// ${this.addressBits}-bit addresses.`,
    ];
    const enable = (name: string): void => {
      lines.push(`#pragma OPENCL EXTENSION ${name} : enable`);
    };
    if (doubles) {
      if (this.#options.doubles === false)
        throw new OpenCLCError('the program uses doubles, the device has none');
      enable('cl_khr_fp64');
    }
    if (halves) {
      if (!this.#options.halves)
        throw new OpenCLCError('the program computes with halves, the device does not');
      enable('cl_khr_fp16');
    }
    if (volumeWrites) enable('cl_khr_3d_image_writes');
    if (longAtomics) {
      enable('cl_khr_int64_base_atomics');
      enable('cl_khr_int64_extended_atomics');
    }
    lines.push(`#pragma OPENCL FP_CONTRACT ${this.contraction === 'on' ? 'ON' : 'OFF'}`);
    return lines.join('\n');
  }

  #function(fn: ir.Function): string {
    const { list } = this.parametersOf(fn);
    const lines = new FunctionWriter(fn, fn.body!, this).write(fn.body!);
    const parameters = list.map((parameter) => parameter.declaration);
    const left = `${this.#headOf(fn)}${this.nameOf(fn)}`;
    const line = `${left}(${parameters.join(', ')}) {`;
    const head = line.length <= 100 ? line : `${left}(\n    ${parameters.join(',\n    ')}) {`;
    return `${head}\n${lines.map(indented).join('')}}`;
  }

  #headOf(fn: ir.Function): string {
    if (fn.kind !== 'kernel') return declaration(fn.result ? typeText(fn.result) : 'void', '');
    const { requiredWorkGroupSize, workGroupSizeHint, vectorTypeHint } = fn.attributes ?? {};
    const attributes: string[] = [];
    if (requiredWorkGroupSize) attributes.push(`reqd_work_group_size(${requiredWorkGroupSize.join(', ')})`);
    if (workGroupSizeHint) attributes.push(`work_group_size_hint(${workGroupSizeHint.join(', ')})`);
    if (vectorTypeHint) attributes.push(`vec_type_hint(${vectorTypeHint})`);
    const text = attributes.map((each) => `__attribute__((${each})) `).join('');
    return `kernel ${text}void `;
  }
}

function indented({ depth, text }: Line): string {
  return `${'  '.repeat(depth)}${text}\n`;
}

/** The kernels and what they call, callees first. */
function inCallOrder(module: ir.Module): ir.Function[] {
  const order: ir.Function[] = [];
  const seen = new Set<ir.Function>();
  const visit = (fn: ir.Function): void => {
    if (seen.has(fn)) return;
    seen.add(fn);
    if (fn.imported) throw new OpenCLCError('kernels that launch others need OpenCL C 2.0');
    if (!fn.body) throw new OpenCLCError(`function '${fn.name}' is only declared`);
    if (fn.form === 'work-group') throw new OpenCLCError(`'${fn.name}' is in work-group form`);
    walkFunction(fn, (instruction) => {
      if (instruction.op === 'call') visit(instruction.callee);
    });
    order.push(fn);
  };
  for (const fn of module.functions) if (fn.kind === 'kernel') visit(fn);
  return order;
}

/** The program-scope variables that the functions use, and those whose addresses they hold. */
function usedGlobals(functions: readonly ir.Function[]): ir.GlobalVariable[] {
  const used = new Set<ir.GlobalVariable>();
  for (const fn of functions) {
    walkFunction(fn, (instruction) => {
      if (instruction.op === 'global_address') used.add(instruction.global);
    });
  }
  // A Set's iteration also visits what is added on the way.
  for (const global of used) for (const { target } of global.relocations) used.add(target);
  return [...used];
}

function needsOf(functions: readonly ir.Function[]): Needs {
  const needs: Needs = {
    doubles: false,
    halves: false,
    longAtomics: false,
    volumeWrites: false,
    fusible: false,
    unfusible: false,
  };
  const see = (value: ir.Value): void => {
    const element = elementOf(value.type);
    if (element.kind !== 'float') return;
    if (element.bits === 64) needs.doubles = true;
    if (element.bits === 16) needs.halves = true;
  };
  for (const fn of functions) {
    for (const { value } of fn.parameters) {
      see(value);
      const shape = imageTypeFacts(value.type);
      if (shape?.type === 'image3d_t' && shape.access !== 'read_only') needs.volumeWrites = true;
    }
    walkFunction(fn, (instruction) => {
      for (const result of instruction.results) see(result);
      if (instruction.op === 'atomic') {
        const { type } = instruction.results[0] ?? instruction.operands[1]!;
        if ((type.kind === 'int' || type.kind === 'float') && type.bits === 64) needs.longAtomics = true;
      }
      if (instruction.op === 'binary' && ['fadd', 'fsub', 'fmul'].includes(instruction.fn)) {
        if (instruction.contract) needs.fusible = true;
        else needs.unfusible = true;
      }
    });
  }
  return needs;
}
