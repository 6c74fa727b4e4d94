/**
 * A device at work for Brook+: a context, a queue in which everything runs in the order of the calls, and the kernels that
 * were built. Streams belong to one.
 */
import type { CheckedKernel } from '../../brook/check/tree.ts';
import type { LaunchRules } from '../../runtime/context.ts';
import { CL } from '../opencl/constants.ts';
import { CLContext } from '../opencl/context.ts';
import { CLEvent } from '../opencl/event.ts';
import { type CLDevice, defaultPlatform } from '../opencl/platform.ts';
import type { CLProgram } from '../opencl/program.ts';
import type { CLCommandQueue } from '../opencl/queue.ts';
import { Commands } from './commands.ts';
import { Entry } from './entry.ts';
import { type LogFunction, logToFile } from './log-file.ts';

interface Built {
  readonly program: CLProgram;
  readonly entries: Map<string, Entry>;
}

export class BrookSession {
  readonly device: CLDevice;
  readonly context: CLContext;
  readonly queue: CLCommandQueue;
  readonly commands = new Commands();
  /** A module that is dropped takes its programs along. */
  readonly #programs = new WeakMap<CheckedKernel, Map<string, Built>>();

  /** Gets what streams note in their logs, as it happens. */
  readonly log: LogFunction;

  /** `device`: default the first of Millrace's own platform; `launches`: what holds for all kernels. */
  constructor(
    device: CLDevice = defaultPlatform().getDevices()[0],
    launches: LaunchRules = {},
    log: LogFunction = logToFile,
  ) {
    this.device = device;
    this.log = log;
    this.context = new CLContext([device], { host: launches });
    this.queue = this.context.createCommandQueue(device);
  }

  get hasDouble(): boolean {
    return Number(this.device.getInfo(CL.DEVICE_DOUBLE_FP_CONFIG)) !== 0;
  }

  /**
   * An entry of the program in OpenCL C that a kernel becomes in one of its variants, made and built when it is first asked for.
   * @throws OpenCLError if the device cannot build it
   */
  entry(kernel: CheckedKernel, variant: string, emit: () => string, name: string): Entry {
    let variants = this.#programs.get(kernel);
    if (!variants) {
      variants = new Map();
      this.#programs.set(kernel, variants);
    }
    let built = variants.get(variant);
    if (!built) {
      const program = this.context.createProgram(emit());
      program.build();
      built = { program, entries: new Map() };
      variants.set(variant, built);
    }
    let entry = built.entries.get(name);
    if (!entry) {
      entry = new Entry(built.program.createKernel(name));
      built.entries.set(name, entry);
    }
    return entry;
  }

  /** Something that tells whether all commands so far have ended. */
  marker(): () => boolean {
    const event = new CLEvent();
    this.queue.enqueueMarker(event);
    this.queue.flush();
    return () => Number(event.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS)) <= CL.COMPLETE;
  }

  /** Waits until all commands have ended, and tells the streams of those that failed. */
  finish(): void {
    this.queue.waitForEnd();
    this.commands.settle();
  }

  /** Ends everything; streams of the session are of no more use. */
  close(): void {
    this.queue.waitForEnd();
    this.context.releaseAll();
  }
}
