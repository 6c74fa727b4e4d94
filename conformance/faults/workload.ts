/**
 * What is under way when something goes wrong: launches, launches that these lead to, copies, fills and transfers in a few queues, each on
 * buffers of its own, so that what must come out is known, command by command.
 */
import {
  CL,
  type CLBuffer,
  type CLCommandQueue,
  type CLContext,
  CLEvent,
  type CLProgram,
  OpenCLError,
} from 'millrace/opencl';
import type { Random } from '../../test/support/random.ts';

export const source = `
kernel void add(global int *p, int value) { p[get_global_id(0)] += value; }
kernel void slow(global int *p, int value) {
  uint x = value;
  for (int i = 0; i < 3000; i++) x = x * 1664525u + 1013904223u;
  p[get_global_id(0)] += (x == 1u) + value;
}
kernel void nested(global int *p, int value) {
  if (get_global_id(0) > 0) return;
  int items = get_global_size(0);
  int flags = value & 1 ? CLK_ENQUEUE_FLAGS_NO_WAIT : CLK_ENQUEUE_FLAGS_WAIT_KERNEL;
  enqueue_kernel(get_default_queue(), flags, ndrange_1D(items, 16), ^{ p[get_global_id(0)] += value; });
}
kernel void copied(global int *p, int value, local int *tile) {
  int l = get_local_id(0);
  tile[l] = p[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  p[get_global_id(0)] = tile[l] + value;
}`;

/** Elements of a buffer. */
const elements = 512;

interface Lane {
  readonly queue: CLCommandQueue;
  readonly buffers: readonly [CLBuffer, CLBuffer];
  /** What must be in them when all commands have run. */
  readonly model: readonly [Int32Array, Int32Array];
  readonly events: CLEvent[];
  readonly inOrder: boolean;
}

/** Builds the program, as its context's device allows. */
export function buildFor(context: CLContext, hasQueues: boolean): CLProgram {
  const text = hasQueues ? source : source.replace(/kernel void nested[\s\S]*?\n}\n/, '');
  const program = context.createProgram(text);
  program.build(undefined, hasQueues ? '-cl-std=CL2.0' : '');
  return program;
}

export function makeLanes(context: CLContext, count: number): Lane[] {
  return Array.from({ length: count }, (_, index): Lane => {
    const inOrder = index % 2 === 0;
    const make = (): CLBuffer => context.createBuffer(CL.MEM_COPY_HOST_PTR, new Int32Array(elements));
    return {
      queue: context.createCommandQueue(undefined, inOrder ? 0 : CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
      buffers: [make(), make()],
      model: [new Int32Array(elements), new Int32Array(elements)],
      events: [],
      inOrder,
    };
  });
}

export interface WorkloadOptions {
  readonly context: CLContext;
  readonly program: CLProgram;
  readonly random: Random;
  readonly commands: number;
  readonly hasQueues: boolean;
}

/** Enqueues commands at random, and notes what they must come to. An error is thrown as it comes. */
export function enqueueAll(lanes: readonly Lane[], options: WorkloadOptions): void {
  for (let command = 0; command < options.commands; command += 1)
    enqueueOne(options.random.pick(lanes), options);
  for (const { queue } of lanes) queue.flush();
}

function enqueueOne({ queue, buffers, model, events, inOrder }: Lane, options: WorkloadOptions): void {
  const { program, random, hasQueues } = options;
  const waits = inOrder || events.length === 0 ? [] : [events.at(-1)!];
  const event = new CLEvent();
  const which = random.below(2);
  const [buffer, values] = [buffers[which]!, model[which]!];
  const value = 1 + random.below(100);
  const kind = random.below(8);
  if (kind === 0) {
    queue.enqueueFillBuffer(buffer, Int32Array.of(value), 0, elements * 4, waits, event);
    values.fill(value);
  } else if (kind === 1) {
    queue.enqueueCopyBuffer(buffer, buffers[1 - which]!, 0, 0, elements * 4, waits, event);
    model[1 - which]!.set(values);
  } else if (kind === 2) {
    const data = new Int32Array(elements).fill(value);
    queue.enqueueWriteBuffer(buffer, false, 0, elements * 4, data, waits, event);
    values.set(data);
  } else {
    const names = ['add', 'slow', 'copied', ...(hasQueues ? ['nested'] : [])];
    const name = random.pick(names);
    const kernel = program.createKernel(name);
    kernel.setArg(0, buffer);
    kernel.setArg(1, value);
    if (name === 'copied') kernel.setArg(2, 64 * 4, null);
    queue.enqueueNDRangeKernel(kernel, 1, null, [elements], [random.pick([1, 16, 64])], waits, event);
    for (let index = 0; index < elements; index += 1) values[index]! += value;
  }
  events.push(event);
}

/** How commands ended: all well and with the right sums, or some of them with an error. */
export type Ending = 'right' | 'failed';

/**
 * Waits for all commands, asleep or not, and looks at what is left.
 * @throws Error if something has not ended, or ended well with wrong sums
 */
export async function endAll(lanes: readonly Lane[], sleeps: boolean): Promise<Ending> {
  let isRight = true;
  for (const { queue, events } of lanes) {
    if (sleeps) refusedOnly(() => queue.finish());
    else await queue.finished().catch(mustBeRefusal);
    for (const event of events) {
      const status = Number(event.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS));
      if (status > 0) throw new Error(`a command has status ${status} after finish`);
      if (status < 0) isRight = false;
    }
  }
  if (!isRight) return 'failed';
  for (const { queue, buffers, model } of lanes) {
    for (const [which, buffer] of buffers.entries()) {
      const data = new Int32Array(elements);
      // What goes wrong may do so only now.
      if (!refusedOnly(() => queue.enqueueReadBuffer(buffer, true, 0, elements * 4, data))) return 'failed';
      const wrong = data.findIndex((value, index) => value !== model[which]![index]);
      if (wrong >= 0) throw new Error(`element ${wrong} is ${data[wrong]}, not ${model[which]![wrong]}`);
    }
  }
  return 'right';
}

/** Whether it was not refused. @throws Error if it was refused other than by an error code */
export function refusedOnly(action: () => void): boolean {
  try {
    action();
    return true;
  } catch (error) {
    mustBeRefusal(error);
    return false;
  }
}

export function mustBeRefusal(error: unknown): void {
  if (!(error instanceof OpenCLError) || error.message === '') throw error;
}
