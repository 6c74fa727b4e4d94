/**
 * Functions of OpenCL that wait, for programs with threads: instead of waiting they say what is to be looked at. Transfers and mappings
 * are asked for without waiting, with an event of ours if the program wants none.
 */
import type { CHost, ImportedFunctions } from '../../api/c/index.ts';
import { type CLEvent, waitForEvents } from '../../api/opencl/event.ts';
import type { CLCommandQueue } from '../../api/opencl/queue.ts';
import type { CommandQueue } from '../../runtime/queue.ts';
import { OpenCLError, statusCodes } from '../../runtime/status.ts';
import { type Served, Waiting } from './server.ts';

/** Which argument says that a call waits. */
const blockingArgument: Readonly<Record<string, number>> = {
  clEnqueueReadBuffer: 2,
  clEnqueueWriteBuffer: 2,
  clEnqueueReadBufferRect: 2,
  clEnqueueWriteBufferRect: 2,
  clEnqueueReadImage: 2,
  clEnqueueWriteImage: 2,
  clEnqueueMapBuffer: 2,
  clEnqueueMapImage: 2,
  clEnqueueSVMMemcpy: 1,
  clEnqueueSVMMap: 1,
};

const returningPointers = new Set(['clEnqueueMapBuffer', 'clEnqueueMapImage']);

export function waitingFunctions(
  host: CHost,
  functions: ImportedFunctions,
): Readonly<Record<string, Served>> {
  const waiting: Record<string, Served> = { ...functions };
  for (const [name, place] of Object.entries(blockingArgument)) {
    const call = functions[name];
    if (call)
      waiting[name] = (...args) =>
        Number(args[place]) === 0 ? call(...args) : transfer(host, name, call, place, args);
  }
  const { clWaitForEvents, clFinish } = functions;
  waiting['clWaitForEvents'] = (...args) => {
    const [count = 0, list = 0] = args.map((value) => Number(value) >>> 0);
    const events = attempt(() => host.list(count, list, (number) => host.objects.event(number)));
    if (!events) return clWaitForEvents!(...args);
    return until(
      () => events.every(isOver),
      () => clWaitForEvents!(...args),
    );
  };
  waiting['clFinish'] = (...args) => {
    const queue = attempt(() => host.objects.queue(Number(args[0]) >>> 0));
    if (!queue) return clFinish!(...args);
    const runtime = runtimeOf(queue);
    if (runtime.isIdle) return clFinish!(...args);
    let isDone = false;
    runtime.whenFinished(() => {
      isDone = true;
    });
    return until(
      () => {
        queue.context.runtime.notifications.lend();
        return isDone;
      },
      () => {
        // Another thread may have asked for more.
        if (runtime.isIdle) return clFinish!(...args);
        return codeOf(host, 'clFinish', runtime.takeFailure());
      },
    );
  };
  return waiting;
}

/** The result of something that may be over already, or what to wait for. */
function until(isOver: () => boolean, result: () => number | undefined): number | undefined | Waiting {
  if (isOver()) return result();
  return new Waiting(() => (isOver() ? { result: result() } : undefined));
}

function transfer(
  host: CHost,
  name: string,
  call: ImportedFunctions[string],
  place: number,
  args: readonly (number | bigint)[],
): number | undefined | Waiting {
  const asked = args.map((value, index) => (index === place ? 0 : value));
  const { result, event } = host.withEvent(() => call(...asked));
  if (!event?.isFilled) return result;
  const isPointer = returningPointers.has(name);
  return until(
    () => isOver(event),
    () => {
      try {
        waitForEvents([event]);
        return result;
      } catch (error) {
        if (!(error instanceof OpenCLError)) throw error;
        const code = codeOf(host, name, error);
        if (!isPointer) return code;
        const errorPointer = Number(args.at(-1)) >>> 0;
        host.memory.refresh();
        if (errorPointer !== 0) host.memory.setU32(errorPointer, code >>> 0);
        return 0;
      }
    },
  );
}

/** Whether an event's command has ended, well or not; what has come in is dealt with. */
function isOver(event: CLEvent): boolean {
  event.runtime.context.notifications.lend();
  return event.runtime.status <= 0;
}

/** What a queue keeps from programs, which have calls that wait in its place. */
function runtimeOf(queue: CLCommandQueue): CommandQueue {
  return (queue as unknown as { readonly runtime: CommandQueue }).runtime;
}

function attempt<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof OpenCLError) return undefined;
    throw error;
  }
}

function codeOf(host: CHost, name: string, error: OpenCLError | undefined): number {
  if (!error) return statusCodes.CL_SUCCESS;
  host.onError?.(name, error);
  return statusCodes[error.name as keyof typeof statusCodes];
}
