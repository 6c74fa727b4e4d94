/**
 * The device that checks: kernels with checks in them (instrument/), compiled to WebAssembly like all others but scalar, run on the
 * host thread in slices, one work-group after another. It stands in for the WebAssembly device: programs see the same facts.
 */
import { areaAlignment, type KernelCode, type WasmProgram } from '../../codegen/wasm/module/abi.ts';
import { compileModule } from '../../codegen/wasm/module/compile-module.ts';
import { refusing } from '../../devices/wasm/compile-kernels.ts';
import { wasmDeviceInfo } from '../../devices/wasm/device-info.ts';
import { LocalLaunches } from '../../devices/wasm/local-launches.ts';
import type { KernelEntry } from '../../devices/wasm/module-cache.ts';
import type { LocalNestedLaunch } from '../../devices/wasm/nested/local-calls.ts';
import { moduleOfPart, outlineOf } from '../../devices/wasm/program-outline.ts';
import type { ProgramPart } from '../../devices/wasm/program-part.ts';
import { WasmDeviceProgram, type WasmKernel } from '../../devices/wasm/wasm-program.ts';
import { provideChecks } from '../../library/checks.ts';
import { optimise } from '../../passes/pipeline.ts';
import type { KernelArgument } from '../../runtime/command.ts';
import type {
  Device,
  DeviceHost,
  DeviceInfo,
  DeviceProgram,
  DeviceQueue,
  OpenDevice,
  ProgramInput,
  QueueOptions,
} from '../../runtime/device.ts';
import { LocalDeviceQueues } from '../../runtime/device-queues.ts';
import { now } from '../../runtime/host.ts';
import { formatsOf, type ImageFormat } from '../../runtime/image-format.ts';
import { type LaunchBody, LocalEngine, type LocalLaunch } from '../../runtime/local-engine.ts';
import { BuildBudget } from '../../source/build-budget.ts';
import { type BufferRecord, BufferRecords } from './buffer-records.ts';
import { codes } from './codes.ts';
import { type CheckedKernel, checkModule } from './instrument/check-module.ts';
import { type ArgumentRange, rangesOf, withFacts } from './launch-facts.ts';
import { LaunchReports } from './launch-reports.ts';
import type { PlacedReport } from './report.ts';
import { Shadow } from './shadow.ts';
import {
  cellBytes,
  epochs,
  fenceBytes,
  fuelOfSlice,
  mostItems,
  mostSteps,
  reportModule,
  reportName,
  scratchBytes,
  siteOf,
  slackCells,
  stateBytes,
  stateWords,
  stepWords,
} from './shadow-layout.ts';
import { UndefinedBytes } from './undefined-bytes.ts';

export interface CheckingOptions {
  /** Takes the reports of a launch when it has ended; an empty list says that nothing was found. */
  readonly report: (reports: readonly PlacedReport[]) => void;
  /** Milliseconds that a work-group may run, and all launches together that a kernel leads to; default a minute. */
  readonly timeout?: number | undefined;
}

const defaultTimeout = 60_000;
/** How long a slice lasts. */
const sliceNanoseconds = 4e6;
/** The most groups between two looks at the clock. */
const mostAtOnce = 64;
const noteWords = 3 * mostItems + stepWords * mostSteps;
/** Where epochs begin anew, with shadow memory cleared. */
const lastEpoch = 2 ** 31;

export class CheckingDevice implements Device {
  /** That of the device in whose place it stands, for hosts that ask for it by name. */
  readonly id = 'wasm';
  readonly namesPlaces = true;
  readonly startsThreads = false;
  readonly info: DeviceInfo;
  readonly options: CheckingOptions;

  constructor(options: CheckingOptions) {
    this.options = options;
    this.info = wasmDeviceInfo(1, { name: 'Millrace checker', type: 'cpu', svmCapabilities: 0b11 });
  }

  imageFormats(objectType: number): readonly ImageFormat[] {
    return formatsOf(objectType);
  }

  open(host: DeviceHost): OpenDevice {
    return new OpenCheckingDevice(this, host);
  }
}

/** Memory that checked code writes beside the program's, made larger as launches need it. */
class Scratchpad {
  readonly #host: DeviceHost;
  #address = 0;
  #bytes = 0;

  constructor(host: DeviceHost) {
    this.#host = host;
  }

  ensure(bytes: number): number {
    if (bytes > this.#bytes) {
      if (this.#address !== 0) this.#host.memory.free(this.#address);
      this.#bytes = bytes * 2;
      this.#address = this.#host.memory.allocate(this.#bytes);
      this.clear();
    }
    return this.#address;
  }

  /** Makes all bytes zero. */
  clear(): void {
    this.#host.memory.bytes.fill(0, this.#address, this.#address + this.#bytes);
  }
}

class OpenCheckingDevice implements OpenDevice {
  readonly device: CheckingDevice;
  readonly onDeviceQueues = new LocalDeviceQueues();
  readonly #host: DeviceHost;
  readonly #engine: LocalEngine;
  readonly #launches: LocalLaunches;
  readonly #checked = new WeakMap<KernelCode, CheckedKernel>();
  readonly #shadows = new Map<number, Shadow>();
  readonly #undefined: UndefinedBytes;
  readonly #records: BufferRecords;
  readonly #groupEpochs: Scratchpad;
  readonly #ranges: Scratchpad;
  /** Shadow memory of local memory, whatever its granules; epochs tell what is of launches before. */
  readonly #localCells: Scratchpad;
  readonly #arrivals: number;
  readonly #fences: Scratchpad;
  #epoch: number = epochs.first;
  /** Of the launch that runs. */
  #report: (code: number, who: number, address: number, offset: number) => void = () => {};

  constructor(device: CheckingDevice, host: DeviceHost) {
    provideChecks();
    this.device = device;
    this.#host = host;
    this.#undefined = new UndefinedBytes(host);
    this.#records = new BufferRecords(this.#undefined, () => this.#shadows.values());
    this.#launches = new LocalLaunches(host, this.onDeviceQueues);
    this.#groupEpochs = new Scratchpad(host);
    this.#ranges = new Scratchpad(host);
    this.#localCells = new Scratchpad(host);
    this.#fences = new Scratchpad(host);
    // Which barrier each work-item came to; what steps it has taken and which copies it has begun; the steps.
    this.#arrivals = host.memory.allocate(4 * noteWords);
    this.#engine = new LocalEngine(host, (body, event, most) => this.#launch(body, event, most));
  }

  build(input: ProgramInput): DeviceProgram {
    const module = input.lower();
    const outline = outlineOf(module);
    let left: typeof module | undefined = module;
    const compile = (part: number): WasmProgram => {
      const whole = left ?? input.lower();
      left = outline.parts.length === 1 ? undefined : whole;
      return this.#compile(moduleOfPart(whole, outline, part), new BuildBudget(input.budget));
    };
    return new WasmDeviceProgram(this.#host, outline, compile, this.device, 1);
  }

  async buildAsync(input: ProgramInput): Promise<DeviceProgram> {
    return this.build(input);
  }

  #compile(module: Parameters<typeof checkModule>[0], budget: BuildBudget): WasmProgram {
    const { shared, maximumPages, lowestAddress, lowestAllocated } = this.#host.memory;
    return refusing(() => {
      const checked = checkModule(module);
      optimise(module, { budget });
      const program = compileModule(module, {
        shared,
        maximumPages,
        lowestAddress,
        lowestArea: lowestAllocated,
        groupsInOrder: true,
        budget,
      });
      for (const code of program.kernels) {
        const kernel = checked.get(code.name);
        if (kernel) this.#checked.set(code, kernel);
      }
      return program;
    });
  }

  createQueue(options: QueueOptions): DeviceQueue {
    const queue = this.#engine.createQueue(options);
    const submit = queue.submit.bind(queue);
    queue.submit = ({ body, ...command }) => {
      const target = 'target' in body ? body.target : 'writes' in body ? body.writes : undefined;
      if (target) this.#records.forget(target.memory);
      submit({ body, ...command });
    };
    return queue;
  }

  close(): void {
    this.#engine.close();
  }

  #launch(body: LaunchBody, event: number, queueTimeout: number): LocalLaunch {
    const { code, part } = body.kernel as WasmKernel;
    const checked = this.#checked.get(code)!;
    // Nobody sees what kernels write that kernels launch.
    if (part.kernels.some(({ attributes }) => attributes.isBlock)) {
      for (const argument of body.arguments) {
        if (argument.kind === 'memory' && argument.range) this.#records.forget(argument.range.memory);
      }
    }
    const ranges = rangesOf(
      checked,
      body.arguments,
      (argument, index) => this.#recordOf(body, argument, index) !== undefined,
    );
    const sizes = { ...body, arguments: withFacts(checked, body.arguments, ranges) };
    const { groups, entries, entry, bytes, area, areaBytes, calls } = this.#launches.prepare(
      body,
      event,
      sizes,
      {
        [reportModule]: {
          [reportName]: (...numbers: [number, number, number, number]) => this.#report(...numbers),
        },
      },
    );
    const { launches } = calls;
    const groupEpochs = this.#begin(checked, part, ranges, area, areaBytes, groups);
    const began = this.#epoch;
    this.#markUnwritten(body, checked);
    this.#words()[(part.constants >>> 2) + stateWords.undefinedPages] = this.#undefined.table;
    const state = part.constants >>> 2;
    const reports = new LaunchReports({
      kernel: code.name,
      body,
      sites: checked.sites,
      ranges,
      isScratch: (address) => {
        const offset = address - part.constants - stateBytes;
        return offset >= 0 && offset < scratchBytes;
      },
      state: (word) => this.#words()[state + word]!,
      groupEpoch: (group) => this.#words()[(groupEpochs >>> 2) + group]!,
      arrival: (item) => this.#words()[(this.#arrivals >>> 2) + item]!,
      isUndefined: (address) => this.#undefined.has(address),
      originOf: (memory, offset) => this.#records.originOf(memory, offset),
    });
    const ofDevice = this.device.options.timeout ?? defaultTimeout;
    const timeout = queueTimeout > 0 ? Math.min(queueTimeout, ofDevice) : ofDevice;
    /** The launch that runs of those that this one has led to. */
    let nested: { readonly entry: KernelEntry; readonly launch: LocalNestedLaunch } | undefined;
    /** The next group of what runs, and how many run until there is a look at the clock. */
    let first = 0;
    let atOnce = 1;
    /** When these began. */
    let since = now();
    /** Nanoseconds of the launches that this one has led to, before that. They have one clock, for each may lead to another for ever. */
    let spent = 0;
    const look = (): void => {
      if (now() - since + spent <= timeout * 1e6) return;
      const what = nested ? 'what it launched' : 'a work-group';
      throw new Error(`${what} ran longer than ${timeout} ms: it may never end`);
    };
    const report = (found: number, who: number, address: number, offset: number): void => {
      if (found === codes.tick) {
        this.#words()[state + stateWords.fuel] = fuelOfSlice;
        look();
        return;
      }
      reports.add(found, who, address, offset);
      // What is read where nothing may be read is zero.
      const scratch = part.constants + stateBytes;
      this.#host.memory.bytes.fill(0, scratch, scratch + scratchBytes);
    };
    let hasEnded = false;
    /** Of the groups that the host asked for: what was found is told, whatever ends the launch. */
    const end = (): void => {
      if (hasEnded) return;
      hasEnded = true;
      const hasUndefined = this.#words()[state + stateWords.hasUndefined] !== 0;
      body.arguments.forEach((argument, index) => {
        if (argument.kind !== 'memory' || !argument.range) return;
        if (body.kernel.parameters[index]!.kind === 'pipe') return;
        if (!hasUndefined && !this.#recordOf(body, argument, index)) return;
        this.#records.collect(argument.range.memory, this.#shadow(checked.shifts.global), began, (who) => ({
          site: checked.sites.list[siteOf(who)]!,
          kernel: code.name,
        }));
      });
      reports.end();
      this.#end(part, reports);
    };
    /** Runs groups for the time of a slice. Whether those were all. */
    const runGroups = (one: KernelEntry, count: number): boolean => {
      const began = now();
      while (first < count && now() - began < sliceNanoseconds) {
        const behind = Math.min(first + atOnce, count);
        since = now();
        look();
        one.run(this.#launches.block, first, behind, area | 0);
        launches.groupEnded();
        const took = now() - since;
        if (nested) spent += took;
        // Groups that take long have the time-out each for itself.
        if (took > sliceNanoseconds) atOnce = 1;
        else if (atOnce < mostAtOnce) atOnce *= 2;
        first = behind;
      }
      return first === count;
    };
    const slice = (): boolean => {
      this.#report = report;
      if (nested) {
        this.#launches.take(calls, nested.launch.block);
        if (!runGroups(nested.entry, nested.launch.groups)) return false;
      } else {
        this.#launches.take(calls, bytes);
        try {
          if (!runGroups(entry, groups)) return false;
        } catch (error) {
          end();
          throw error;
        }
        end();
      }
      launches.ended();
      const next = launches.next();
      if (next) {
        nested = { entry: entries[next.kernel]!, launch: next };
        first = 0;
        atOnce = 1;
        return false;
      }
      if (launches.isComplete) return true;
      throw new Error(calls.stuck());
    };
    return { slice, end };
  }

  /** Shadow memory with granules of some size. */
  #shadow(shift: number): Shadow {
    let shadow = this.#shadows.get(shift);
    if (!shadow) {
      shadow = new Shadow(this.#host, shift);
      this.#shadows.set(shift, shadow);
    }
    return shadow;
  }

  /** Prepares shadow memory and the state. @returns where the epochs of groups are noted */
  #begin(
    { shifts, tracks, hasBarrierFlags }: CheckedKernel,
    part: ProgramPart,
    ranges: readonly ArgumentRange[],
    area: number,
    areaBytes: number,
    groups: number,
  ): number {
    if (this.#epoch > lastEpoch) {
      this.#shadows.clear();
      this.#localCells.clear();
      this.#fences.clear();
      this.#epoch = epochs.first;
    }
    const shadow = this.#shadow(shifts.global);
    for (const { address, bytes, isWatched } of ranges) {
      if (isWatched && address !== 0) shadow.ensure(address, bytes);
      if (isWatched && address !== 0 && tracks.global) this.#undefined.ensure(address, bytes);
    }
    if (tracks.local) this.#undefined.ensure(area, areaBytes + areaAlignment);
    const localCells = this.#localCells.ensure(((areaBytes >> shifts.local) + slackCells) * cellBytes);
    const variables = part.constants + stateBytes + scratchBytes;
    shadow.ensure(variables, part.constants + part.constantBytes - variables);
    if (tracks.global) this.#undefined.ensure(variables, part.constants + part.constantBytes - variables);
    const reachable = [
      ...ranges.flatMap(({ address, bytes }) => (address === 0 ? [] : [{ start: address, bytes }])),
      ...[...this.#host.svm].map(({ address, size }) => ({ start: address, bytes: size })),
      { start: area, bytes: areaBytes + areaAlignment },
      { start: variables, bytes: Math.max(0, part.constants + part.constantBytes - variables) },
    ].sort((a, b) => a.start - b.start || a.bytes - b.bytes);
    const rangesAt = this.#ranges.ensure(12 * reachable.length);
    const groupEpochs = this.#groupEpochs.ensure(4 * groups);
    const fences = hasBarrierFlags ? this.#fences.ensure(fenceBytes) : 0;
    const words = this.#words();
    reachable.forEach(({ start, bytes }, index) => {
      words.set([start, start + bytes, 0], (rangesAt >>> 2) + 3 * index);
    });
    words.fill(0, this.#arrivals >>> 2, (this.#arrivals >>> 2) + noteWords);
    words.fill(0, groupEpochs >>> 2, (groupEpochs >>> 2) + groups);
    this.#epoch += 1;
    const state = part.constants >>> 2;
    const set = (values: Partial<Record<keyof typeof stateWords, number>>): void => {
      for (const [name, value] of Object.entries(values)) {
        words[state + stateWords[name as keyof typeof stateWords]] = value;
      }
    };
    set({
      epoch: this.#epoch,
      steps: 0,
      fenced: 0,
      fences,
      hasUndefined: 0,
      launch: this.#epoch,
      shift: shifts.global,
      pages: shadow.pages,
      localShift: shifts.local,
      localCells: localCells - (area >>> shifts.local) * cellBytes,
      localStart: area,
      localBytes: areaBytes,
      groupEpochs,
      arrivals: this.#arrivals,
      copies: this.#arrivals + 4 * mostItems,
      copyRecords: this.#arrivals + 12 * mostItems,
      ranges: rangesAt,
      rangeCount: reachable.length,
      fuel: fuelOfSlice,
      arrived: 0,
      barriers: 1,
    });
    return groupEpochs;
  }

  /** What is known of a buffer some of whose bytes are undefined. */
  #recordOf({ kernel }: LaunchBody, argument: KernelArgument, index: number): BufferRecord | undefined {
    if (argument.kind !== 'memory' || !argument.range) return undefined;
    if (kernel.parameters[index]!.kind === 'pipe') return undefined;
    return this.#records.of(argument.range.memory);
  }

  /** Marks what is undefined among the arguments. */
  #markUnwritten(body: LaunchBody, { shifts }: CheckedKernel): void {
    const shadow = this.#shadows.get(shifts.global)!;
    body.arguments.forEach((argument, index) => {
      const record = this.#recordOf(body, argument, index);
      if (!record) return;
      const { address, size } = record.memory;
      shadow.ensure(address, size);
      shadow.markUnwritten(address, record.written, this.#undefined);
    });
  }

  #end(part: ProgramPart, reports: LaunchReports): void {
    this.#epoch = this.#words()[(part.constants >>> 2) + stateWords.epoch]!;
    this.device.options.report(reports.list);
  }

  #words(): Uint32Array {
    const { bytes } = this.#host.memory;
    return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 2);
  }
}
