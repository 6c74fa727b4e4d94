/**
 * A loaded program: its entry, its names with what is bound to them, and the code that was made of it for the formats and
 * samplers that it has met.
 */
import {
  type Bindings,
  bindingsKey,
  type ElementFormat,
  type LoweredProgram,
} from '../../il/lower/interface.ts';
import { lowerIl } from '../../il/lower/lower.ts';
import { keepsDebugInfo } from '../../opencl/debug-info.ts';
import { finishProgram } from '../../opencl/link.ts';
import { BuildFailure, type DeviceKernel, type DeviceProgram } from '../../runtime/device.ts';
import { now } from '../../runtime/host.ts';
import { commandObserver } from '../../runtime/observe.ts';
import { Diagnostics } from '../../source/diagnostics.ts';
import { renderDiagnostics } from '../../source/render.ts';
import type { CalContext, Mem } from './context.ts';
import { failed } from './error.ts';
import { refusedFeature } from './features.ts';
import { CalObject } from './handles.ts';
import type { Encoding } from './image/encoding.ts';
import { programOf } from './image/encoding.ts';
import { defaultSamplerValues, type SamplerValues, stateOf } from './samplers.ts';
import { widenAddresses } from './widen.ts';

/** The entry of a module. */
export class Func extends CalObject {
  readonly module: Module;

  constructor(module: Module) {
    super();
    this.module = module;
  }
}

/** A symbol of a program: memory is bound to it, or it is a sampler. */
export class Name extends CalObject {
  readonly module: Module;
  readonly symbol: string;
  /** `i`, `o`, `cb`, `x`, `g`, `uav`; `s` of samplers. */
  readonly kind: string;
  readonly index: number;
  bound: Mem | undefined;
  sampler: SamplerValues = defaultSamplerValues;

  constructor(module: Module, symbol: string) {
    super();
    this.module = module;
    this.symbol = symbol;
    const [, kind, index] = /^([a-z]+)(\d*)$/.exec(symbol) ?? [];
    this.kind = kind ?? '';
    this.index = Number(index ?? 0);
  }

  get isSampler(): boolean {
    return this.kind === 's';
  }
}

/** A program for certain formats and samplers. */
export interface Variant {
  readonly bindings: Bindings;
  readonly lowered: LoweredProgram;
  readonly kernel: DeviceKernel;
}

/** All programs are called so (guide, 3.2.3.1). */
export const entryName = 'main';

interface BuiltVariant extends Variant {
  readonly program: DeviceProgram;
}

export class Module extends CalObject {
  readonly context: CalContext;
  readonly encoding: Encoding;
  /** What holds for all variants: which names it has, whether it is a compute program. */
  readonly lowered: LoweredProgram;
  readonly func = new Func(this);
  readonly #names = new Map<string, Name>();
  readonly #variants = new Map<string, BuiltVariant>();

  /** @throws CalError CAL_RESULT_ERROR if the device cannot run the program */
  constructor(context: CalContext, encoding: Encoding) {
    super();
    this.context = context;
    this.encoding = encoding;
    this.lowered = lower(encoding, {});
    const refused = refusedFeature(this.lowered, context.device.kind);
    if (refused !== undefined) throw failed(refused);
    for (const symbol of this.lowered.symbols) this.#names.set(symbol, new Name(this, symbol));
    for (const parameter of this.lowered.parameters) {
      if (parameter.kind !== 'input') continue;
      for (const sampler of parameter.samplers) {
        const symbol = `s${sampler}`;
        if (!this.#names.has(symbol)) this.#names.set(symbol, new Name(this, symbol));
      }
    }
  }

  /** `i0`, `g` or `g[]`. */
  name(symbol: string): Name | undefined {
    return this.#names.get(symbol.replace('[]', ''));
  }

  get names(): Iterable<Name> {
    return this.#names.values();
  }

  /**
   * The code for what is bound now.
   * @throws CalError CAL_RESULT_ERROR if the device refuses it
   */
  variant(): Variant {
    const bindings = this.#bindings();
    const key = bindingsKey(bindings);
    let variant = this.#variants.get(key);
    if (!variant) {
      variant = this.#build(bindings);
      this.#variants.set(key, variant);
    }
    return variant;
  }

  #bindings(): Required<Bindings> {
    const inputs = new Map<number, ElementFormat>();
    const outputs = new Map<number, ElementFormat>();
    const uavs = new Map<number, ElementFormat>();
    const samplers = new Map<number, ReturnType<typeof stateOf>>();
    for (const { kind, index, bound, sampler } of this.#names.values()) {
      if (kind === 's') samplers.set(index, stateOf(sampler));
      const format = bound?.resource.shape.format.element;
      if (!format) continue;
      if (kind === 'i') inputs.set(index, format);
      else if (kind === 'o') outputs.set(index, format);
      else if (kind === 'uav') uavs.set(index, format);
    }
    return { inputs, outputs, uavs, samplers };
  }

  #build(bindings: Bindings): BuiltVariant {
    const { device } = this.context;
    const lowered = lower(this.encoding, bindings);
    const opened = device.context.opened(device.kind.device);
    const started = now();
    try {
      const program = opened.build({
        source: undefined,
        options: this.encoding.isOptimised ? '' : '-cl-opt-disable',
        isChecked: true,
        lower: () => linked(lower(this.encoding, bindings), device.kind.device.info.addressBits),
      });
      const [kernel] = program.kernels;
      const kernels = program.kernels.map(({ name }) => name);
      commandObserver()?.build({ device: opened.device, kind: 'build', kernels, started, ended: now() });
      if (!kernel) throw failed('the program has no entry');
      return { bindings, lowered, program, kernel };
    } catch (error) {
      if (error instanceof BuildFailure) throw failed(error.log);
      throw error;
    }
  }

  /** Its code is not needed any more; commands under way keep theirs. */
  release(): void {
    for (const { program } of this.#variants.values()) program.release();
    this.#variants.clear();
    for (const name of this.#names.values()) name.bound = undefined;
  }
}

/** @throws CalError CAL_RESULT_ERROR with what is wrong, and where in the text */
function lower(encoding: Encoding, bindings: Bindings): LoweredProgram {
  const diagnostics = new Diagnostics();
  const program = programOf(encoding, diagnostics);
  const lowered = program && lowerIl(program, diagnostics, bindings, { keepsRegisters: keepsDebugInfo() });
  if (!lowered) throw failed(renderDiagnostics(diagnostics.list));
  return lowered;
}

/** A lowered program for a device, with the functions of the library that it calls. */
function linked({ module }: LoweredProgram, addressBits: 32 | 64): LoweredProgram['module'] {
  const diagnostics = new Diagnostics();
  const sized = addressBits === 64 ? widenAddresses(module) : module;
  finishProgram(sized, diagnostics);
  if (diagnostics.errorCount > 0) throw failed(renderDiagnostics(diagnostics.list));
  return sized;
}
