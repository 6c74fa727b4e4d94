/** A wasm device in a context, with threads or without: how it builds programs. */
import type { WasmProgram } from '../../codegen/wasm/module/abi.ts';
import { withParts } from '../../parts/part.ts';
import type {
  DeviceProgram,
  DeviceQueue,
  OpenDevice,
  ProgramInput,
  QueueOptions,
} from '../../runtime/device.ts';
import type { OnDeviceQueues } from '../../runtime/device-queues.ts';
import { environment } from '../../runtime/host.ts';
import type { ThreadWatch } from '../../runtime/thread-watch.ts';
import { BuildBudget } from '../../source/build-budget.ts';
import type { WasmHost } from './machine-code.ts';
import { moduleOfPart, outlineOf, partsToTry } from './program-outline.ts';
import { fusesProducts, roundsProductsOnce } from './relaxed-simd.ts';
import { vectorWish } from './vector-wish.ts';
import type { WasmDevice } from './wasm-device.ts';
import { type CompilePart, WasmDeviceProgram } from './wasm-program.ts';

/** What both forms share: building programs. */
export abstract class OpenWasmDevice implements OpenDevice {
  readonly device: WasmDevice;
  protected readonly host: WasmHost;

  constructor(device: WasmDevice, host: WasmHost) {
    this.device = device;
    this.host = host;
  }

  build(input: ProgramInput): DeviceProgram {
    const { shared, maximumPages, lowestAddress, lowestAllocated } = this.host.memory;
    const { vectorise, word: vectors } = vectorWish();
    const fuses = fusesProducts();
    const hasFma = roundsProductsOnce();
    const words = [
      shared ? 'shared' : 'local',
      vectors,
      fuses ? 'fused' : 'plain',
      ...(hasFma ? ['fma'] : []),
    ];
    const variant = `${this.device.variant} ${maximumPages} ${lowestAddress} ${words.join(' ')}`;
    const machine = this.device.options.onMachines?.();
    const code = machine && input.code;
    const known = code?.find(variant);
    let module = known ? undefined : input.lower();
    const outline = known ? machine!.decodeOutline(known) : outlineOf(module!);
    const nameOf = (part: number, known = '', other = ''): string =>
      `${variant} part ${part} ${known} ${other}`;
    const compile: CompilePart = (part, known, other) => {
      const name = nameOf(part, known?.word, other?.word);
      const found = code?.find(name);
      if (found) return machine!.decodeCode(found);
      const whole = module ?? input.lower();
      // The passes rewrite what they get: if it is all there is, whoever asks again gets it anew.
      module = outline.parts.length === 1 && !other ? undefined : whole;
      const own = moduleOfPart(whole, outline, part);
      const options = {
        shared,
        maximumPages,
        lowestAddress,
        lowestArea: lowestAllocated,
        fuses,
        hasFma,
        budget: new BuildBudget(input.budget),
      };
      const program = other
        ? other.compile(own, options, known)
        : this.device.options.compile(own, options, input.options, vectorise, known);
      code?.keep(name, () => machine!.encodeCode(program));
      return program;
    };
    const program = new WasmDeviceProgram(this.host, outline, compile, this.device, this.device.threads);
    program.compilesAgain = !input.options.split(/\s+/).includes('-cl-opt-disable');
    program.interchanges = program.compilesAgain && vectorise !== false;
    const isEarly = input.isEarly || environment('MILLRACE_EARLY') === '1';
    const tried = isEarly ? outline.parts.keys() : module ? partsToTry(module, outline) : [];
    if (program.compilesAgain && vectorise === true && !isEarly)
      program.tier = machine?.tierOf(program, compile, (...words) => code?.find(nameOf(...words)), outline);
    for (const part of tried) if (!program.tier?.tries(part)) program.part(part);
    if (!known) code?.keep(variant, () => machine!.encodeOutline(outline));
    return program;
  }

  async buildAsync(input: ProgramInput): Promise<DeviceProgram> {
    return withParts(() => this.build(input));
  }

  /** Takes a compiled program. */
  load(program: WasmProgram): WasmDeviceProgram {
    const forHosts = program.kernels.filter(({ attributes }) => !attributes.isBlock);
    const kernels = forHosts.map(({ name, parameters, attributes }) => ({
      name,
      part: 0,
      parameters: parameters.map(({ kind, size, align }) => ({ kind, size, align, info: undefined })),
      attributes,
    }));
    const parts = [kernels.map(({ name }) => name)];
    const outline = { kernels, parts, globalVariableBytes: program.constants.variableBytes };
    return new WasmDeviceProgram(this.host, outline, () => program, this.device, this.device.threads);
  }

  abstract readonly onDeviceQueues: OnDeviceQueues;
  abstract createQueue(options: QueueOptions): DeviceQueue;
  abstract watchThreads(): ThreadWatch;
  abstract close(): void;
}
