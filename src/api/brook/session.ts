/**
 * A device at work for Brook+: a context, a queue in which everything runs in the order of the calls, and the kernels that
 * were built. Streams belong to one.
 */
import { CL } from '../opencl/constants.ts';
import { CLContext } from '../opencl/context.ts';
import { CLEvent } from '../opencl/event.ts';
import type { CLKernel } from '../opencl/kernel.ts';
import { type CLDevice, defaultPlatform } from '../opencl/platform.ts';
import type { CLProgram } from '../opencl/program.ts';
import type { CLCommandQueue } from '../opencl/queue.ts';

export class BrookSession {
  readonly device: CLDevice;
  readonly context: CLContext;
  readonly queue: CLCommandQueue;
  readonly #programs = new Map<string, CLProgram>();
  readonly #kernels = new Map<string, CLKernel>();

  /** `device`: default the first of Millrace's own platform. */
  constructor(device: CLDevice = defaultPlatform().getDevices()[0]!) {
    this.device = device;
    this.context = new CLContext([device]);
    this.queue = this.context.createCommandQueue(device);
  }

  get hasDouble(): boolean {
    return Number(this.device.getInfo(CL.DEVICE_DOUBLE_FP_CONFIG)) !== 0;
  }

  /**
   * A kernel of a program in OpenCL C, built when it is first asked for.
   * @throws OpenCLError if the device cannot build it
   */
  kernel(source: string, name: string): CLKernel {
    const key = `${name}\n${source}`;
    let kernel = this.#kernels.get(key);
    if (!kernel) {
      let program = this.#programs.get(source);
      if (!program) {
        program = this.context.createProgram(source);
        program.build();
        this.#programs.set(source, program);
      }
      kernel = program.createKernel(name);
      this.#kernels.set(key, kernel);
    }
    return kernel;
  }

  /** Something that tells whether all commands so far have ended. */
  marker(): () => boolean {
    const event = new CLEvent();
    this.queue.enqueueMarker(event);
    this.queue.flush();
    return () => Number(event.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS)) <= CL.COMPLETE;
  }

  /** Ends everything; streams of the session are of no more use. */
  close(): void {
    this.queue.finish();
    this.context.releaseAll();
  }
}
