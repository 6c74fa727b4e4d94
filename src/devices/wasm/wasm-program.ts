/**
 * A program built for the wasm device. What is asked of its kernels before they are launched comes from the outline
 * (program-outline.ts); the part that a kernel is in is compiled when more is needed.
 */
import {
  areaAlignment,
  type KernelCode,
  type WasmOptions,
  type WasmProgram,
} from '../../codegen/wasm/module/abi.ts';
import type { Module } from '../../ir/ir.ts';
import type { LaneCount } from '../../ir/types.ts';
import type { KnownHandles } from '../../passes/images/known-images.ts';
import type { KernelArgument, Triple } from '../../runtime/command.ts';
import {
  BuildFailure,
  type Device,
  type DeviceKernel,
  type DeviceProgram,
  type KernelParameter,
} from '../../runtime/device.ts';
import { now } from '../../runtime/host.ts';
import { commandObserver, type ObservedBuild } from '../../runtime/observe.ts';
import { roundUp } from '../../runtime/range-allocator.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { localMemoryBytes, maximumAreaBytes } from './device-info.ts';
import { knownHandlesOf, wordOf } from './known-arguments.ts';
import { interchanged } from './launch-encoding.ts';
import { chooseLocalSize, sizeFactsOf } from './local-size.ts';
import type { WasmHost } from './machine-code.ts';
import type { KernelOutline, ProgramOutline } from './program-outline.ts';
import { ProgramPart } from './program-part.ts';
import { leftOver } from './row-turns.ts';
import { shortRowOf } from './short-rows.ts';
import { maxWorkGroupSizeOf } from './work-group-limits.ts';

/** What is known of launches that a kernel is compiled for. */
export interface KnownLaunch {
  /** The kernel's name. */
  readonly name: string;
  /** Of its images and samplers; undefined for any. */
  readonly handles: KnownHandles | undefined;
  /** There are rows enough along dimension 1 that dimensions may be interchanged (ndrange/interchange-dimensions.ts). */
  readonly mayInterchange: boolean;
  /** The longest vectors that its groups' rows fill, where they are short (short-rows.ts). */
  readonly rowLength: LaneCount | undefined;
  /** The same for launches of which the same is known, for names in caches. */
  readonly word: string;
}

/** What compiles in the place of the device's compiler. */
export interface OtherCompiler {
  /** What its code is told apart by in caches. */
  readonly word: string;
  /** @param module stays as it is */
  readonly compile: (module: Module, options: WasmOptions, known: KnownLaunch | undefined) => WasmProgram;
}

/** Gives the machine code of a part: for any launch, or for what is known of those of its one kernel. */
export type CompilePart = (part: number, known?: KnownLaunch, other?: OtherCompiler) => WasmProgram;

/** What a launch is, as {@link WasmKernel.forLaunch} is told. */
export type Launch = Parameters<WasmKernel['forLaunch']>;

/** The code of first launches that are small: baseline code (baseline/), and what other devices have before theirs. */
export interface EarlierCode {
  /** The form of a kernel for a launch that is not to wait for the device's own code. */
  formFor(
    kernel: WasmKernel,
    values: readonly KernelArgument[],
    global: Triple,
    local: readonly number[] | null | undefined,
  ): WasmKernel | undefined;
  /** Compiles a part. @returns false if that is left to the device's compiler */
  tries(part: number): boolean;
  free(): void;
}

/** For so many kinds of launches at most a kernel is compiled; more share the form for all. */
const mostForms = 8;
/** So many kernels are compiled at once, to see what they need of the compiler. */
const mostAtOnce = 4;
/** A launch has many rows with so many work-items along dimension 1, and its groups have with so many. */
const manyRows = { global: 16, local: 8 } as const;
/** One of so many work-items at most may run outside of vectors where dimensions are interchanged. */
const mostOneByOne = 64;

/** A kernel is compiled for short rows when launches in such had so many work-items: graphs and queues launch a few at a time. */
const manyInShortRows = 16_384;

export class WasmDeviceProgram implements DeviceProgram {
  /** Those that hosts launch. */
  readonly kernels: readonly WasmKernel[];
  readonly log = '';
  /** Binaries of this device's programs hold their IR. */
  readonly binary = new Uint8Array(0);
  readonly globalVariableBytes: number;
  readonly host: WasmHost;
  readonly device: Device;
  readonly #outline: ProgramOutline;
  readonly #compile: CompilePart;
  readonly #parts: (ProgramPart | undefined)[];
  /** Parts compiled for launches of which something is known. */
  readonly #forms: ProgramPart[] = [];
  tier: EarlierCode | undefined;
  /** Whether kernels are compiled for what is known of their launches. */
  compilesAgain = false;
  /** Whether their dimensions may be interchanged then. */
  interchanges = false;
  /** What compiling it is called in profiles. */
  kind: ObservedBuild['kind'] = 'compile';

  /** @param compile called once for each part and what is known of its arguments, at most */
  constructor(
    host: WasmHost,
    outline: ProgramOutline,
    compile: CompilePart,
    device: Device,
    threads: number,
  ) {
    this.host = host;
    this.device = device;
    this.#outline = outline;
    this.#compile = compile;
    this.#parts = outline.parts.map(() => undefined);
    this.globalVariableBytes = outline.globalVariableBytes;
    this.kernels = outline.kernels.map((kernel) => new WasmKernel(this, kernel, threads));
  }

  /**
   * A part of the program, compiled now if it has not been.
   * @throws BuildFailure for what is too large to be compiled
   */
  part(index: number): ProgramPart {
    this.#parts[index] ??= this.#compilePart(index);
    return this.#parts[index];
  }

  /** The part for any launch, if it has been compiled. */
  compiledPart(index: number): ProgramPart | undefined {
    return this.#parts[index];
  }

  /**
   * A part for what is known of its kernel's launch, compiled now; undefined where it is better to have it only once:
   * because its kernels share variables, because it is too large, or because it would be the same.
   */
  form(index: number, known: KnownLaunch): ProgramPart | undefined {
    if (!this.compilesAgain || this.globalVariableBytes > 0 || this.#outline.parts[index]!.length > 1)
      return undefined;
    try {
      const part = this.#compilePart(index, known);
      if (!known.handles && !this.#parts[index] && !part.kernels.some(isForSomeLaunches)) {
        this.#parts[index] = part;
        return undefined;
      }
      this.#forms.push(part);
      return part;
    } catch (error) {
      if (error instanceof BuildFailure) return undefined;
      throw error;
    }
  }

  #compilePart(index: number, known?: KnownLaunch): ProgramPart {
    const started = now();
    const part = new ProgramPart(this.host, this.#compile(index, known));
    const kernels = this.#outline.parts[index]!;
    commandObserver()?.build({ device: this.device, kind: this.kind, kernels, started, ended: now() });
    return part;
  }

  compilesNow(): boolean {
    const { kernels } = this;
    try {
      return (
        kernels.length <= mostAtOnce &&
        kernels.every(
          ({ part, mayInterchange, parameters }) =>
            part && !mayInterchange && !parameters.some(({ info }) => info?.handle),
        )
      );
    } catch {
      // Launches say what is wrong.
      return false;
    }
  }

  /** Commands that use it may still be under way. */
  release(): void {
    this.host.afterCommands(() => {
      // Text that is not out yet may quote strings among the constants.
      this.host.printing.flush();
      for (const part of [...this.#parts, ...this.#forms, this.tier]) part?.free();
    });
  }
}

function isInterchanged({ attributes }: KernelCode): boolean {
  return attributes.interchange === 'done';
}

/** Whether it is other code than for any launch. */
function isForSomeLaunches(code: KernelCode): boolean {
  return isInterchanged(code) || code.attributes.rowLength !== undefined;
}

export class WasmKernel implements DeviceKernel {
  readonly program: WasmDeviceProgram;
  readonly name: string;
  readonly parameters: readonly KernelParameter[];
  readonly attributes: KernelOutline['attributes'];
  readonly preferredWorkGroupMultiple = 16;
  readonly #outline: KernelOutline;
  readonly threads: number;
  /** Set for a form of a kernel. */
  readonly #ownPart: ProgramPart | undefined;
  /** What it becomes for launches of some kinds. */
  readonly #forms = new Map<string, WasmKernel>();
  #index: number | undefined;
  #itemsInShortRows = 0;

  /** @param ownPart the part with its code, if that is not the program's */
  constructor(program: WasmDeviceProgram, outline: KernelOutline, threads: number, ownPart?: ProgramPart) {
    this.program = program;
    this.name = outline.name;
    this.parameters = outline.parameters;
    this.attributes = outline.attributes;
    this.#outline = outline;
    this.threads = threads;
    this.#ownPart = ownPart;
  }

  forLaunch(
    values: readonly KernelArgument[],
    global: Triple,
    local: readonly number[] | null | undefined,
  ): WasmKernel {
    const earlier = this.program.tier?.formFor(this, values, global, local);
    if (earlier) return earlier;
    const handles = knownHandlesOf(values);
    const rowLength = this.#rowLengthNow(global, local);
    const hasManyRows = global[1] >= manyRows.global && (!local || local[1]! >= manyRows.local);
    if (hasManyRows && this.mayInterchange) {
      const form = this.#formFor(handles, true, rowLength);
      if (form === this || form.#isFastFor(global, local)) return form;
    }
    return handles || rowLength ? this.#formFor(handles, false, rowLength) : this;
  }

  /** {@link KnownLaunch.rowLength} of a launch. A kernel that demands a size is compiled for that in any case. */
  rowLengthFor(local: readonly number[] | null | undefined): LaneCount | undefined {
    return this.attributes.requiredWorkGroupSize ? undefined : shortRowOf(local);
  }

  /** The same once launches in short rows have had so many work-items that shorter vectors pay. */
  #rowLengthNow(global: Triple, local: readonly number[] | null | undefined): LaneCount | undefined {
    const rowLength = this.rowLengthFor(local);
    if (rowLength === undefined || this.#suits(rowLength)) return undefined;
    this.#itemsInShortRows += global[0] * global[1] * global[2];
    return this.#itemsInShortRows >= manyInShortRows ? rowLength : undefined;
  }

  /** Whether the code for any launch, if there is some, has vectors that short rows fill, or none. */
  #suits(rowLength: LaneCount): boolean {
    const code = this.#compiledCode;
    return code !== undefined && (code.joinsGroups || code.lanes <= rowLength);
  }

  /** Whether this form, if its dimensions are interchanged, runs nearly all work-items of a launch in vectors, and takes its groups. */
  #isFastFor(global: Triple, local: readonly number[] | null | undefined): boolean {
    const { code } = this;
    if (!isInterchanged(code)) return true;
    const items = local?.reduce((product, size) => product * size, 1) ?? 1;
    if (items > this.maxWorkGroupSize) return false;
    if (code.joinsGroups) return true;
    const length = global[1];
    const size = local?.[1] ?? this.chooseLocalSize(2, global)[1];
    const left = Math.floor(length / size) * leftOver(size, code.lanes) + leftOver(length % size, code.lanes);
    return left * mostOneByOne <= length;
  }

  /** False also if it is known that this would not help. */
  get mayInterchange(): boolean {
    if (!this.program.interchanges) return false;
    const code = this.#compiledCode;
    return code === undefined || code.attributes.interchange === 'better';
  }

  /** The code for any launch, if it has been compiled. */
  get #compiledCode(): KernelCode | undefined {
    return this.program.compiledPart(this.partNumber)?.kernels[this.index];
  }

  #formFor(
    handles: KnownHandles | undefined,
    mayInterchange: boolean,
    rowLength: LaneCount | undefined,
  ): WasmKernel {
    const word = wordOf(handles, mayInterchange, rowLength);
    const known = { name: this.name, handles, mayInterchange, rowLength, word };
    return this.#forms.get(word) ?? this.#makeForm(known);
  }

  /** This kernel with code that is not the program's. */
  inPart(part: ProgramPart): WasmKernel {
    return new WasmKernel(this.program, this.#outline, this.threads, part);
  }

  #makeForm(known: KnownLaunch): WasmKernel {
    if (this.#forms.size >= mostForms) return this;
    const part = this.program.form(this.partNumber, known);
    const form = part ? this.inPart(part) : this;
    this.#forms.set(known.word, form);
    // What may be interchanged and is not serves those that may not, too.
    const { handles, mayInterchange, rowLength } = known;
    if (part && mayInterchange && !isInterchanged(form.code))
      this.#forms.set(wordOf(handles, false, rowLength), form);
    return form;
  }

  /**
   * The part of the program with its machine code.
   * @throws OpenCLError CL_OUT_OF_RESOURCES for what is too large to be compiled
   */
  get part(): ProgramPart {
    try {
      return this.#ownPart ?? this.program.part(this.partNumber);
    } catch (error) {
      if (!(error instanceof BuildFailure)) throw error;
      throw new OpenCLError('CL_OUT_OF_RESOURCES', error.log.trim(), { cause: error });
    }
  }

  /**
   * The same with its machine code there.
   * @throws as {@link part}
   */
  compiled(): this {
    void this.part;
    return this;
  }

  /** The number of the program's part that it is in. */
  get partNumber(): number {
    return this.#outline.part;
  }

  /** Its number in the part. */
  get index(): number {
    this.#index ??= this.part.kernels.findIndex(({ name }) => name === this.name);
    return this.#index;
  }

  get code(): KernelCode {
    return this.part.kernels[this.index]!;
  }

  get localBytes(): number {
    return this.code.localBytes;
  }

  get privateBytes(): number {
    return this.code.privateBytes;
  }

  get maxWorkGroupSize(): number {
    return maxWorkGroupSizeOf(this.code);
  }

  chooseLocalSize(_dimensions: 1 | 2 | 3, global: Triple): Triple {
    const { code, maxWorkGroupSize } = this;
    const facts = sizeFactsOf(code, maxWorkGroupSize, this.threads);
    if (!isInterchanged(code)) return chooseLocalSize(global, facts);
    const multipleOf = code.joinsGroups ? 1 : code.lanes;
    return interchanged(chooseLocalSize(interchanged(global), { ...facts, multipleOf }));
  }

  refuses(local: Triple, dynamicLocalBytes: number): string | undefined {
    const { code } = this;
    const localBytes = code.localBytes + dynamicLocalBytes;
    if (localBytes > localMemoryBytes) {
      return `kernel '${this.name}' needs ${localBytes} bytes of local memory; the device has ${localMemoryBytes}`;
    }
    const items = local[0] * local[1] * local[2];
    const area = code.fixedBytes + roundUp(code.perItemBytes * items, areaAlignment) + dynamicLocalBytes;
    if (area > maximumAreaBytes) {
      return `kernel '${this.name}' needs ${area} bytes of private and local memory a work-group; the device has ${maximumAreaBytes}`;
    }
    return undefined;
  }
}
