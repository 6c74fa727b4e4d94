/** A context in which commands run while something goes wrong, and what must be true when it is gone. */
import { type CLContext, type CLDevice, createContext, type OpenCLError } from 'millrace/opencl';
import type { Random } from '../../test/support/random.ts';
import { livingThreads } from './watched-threads.ts';
import { buildFor, endAll, enqueueAll, makeLanes, mustBeRefusal } from './workload.ts';

/** Milliseconds that threads have to end, on a machine however busy. */
const longestEnd = 20_000;

export interface ContextTrial {
  readonly random: Random;
  /** By default the processor. */
  readonly device?: CLDevice;
  /** Whether its kernels may launch others. */
  readonly hasQueues: boolean;
}

/**
 * Runs commands in a context of its own, and a few more when they have ended.
 * @returns `right`, or what became of it where something failed, as it may
 * @throws Error if something has not ended, or ended well with wrong sums
 */
export async function tryContext({ random, device, hasQueues }: ContextTrial): Promise<string> {
  const failures: OpenCLError[] = [];
  let context: CLContext | undefined;
  try {
    context = createContext(device, { notify: (error) => failures.push(error) });
    const made = context;
    if (hasQueues) context.createCommandQueueWithProperties(null, deviceQueue);
    const program = buildFor(made, hasQueues);
    const lanes = makeLanes(made, 1 + random.below(3));
    enqueueAll(lanes, { context: made, program, random, commands: 1 + random.below(40), hasQueues });
    const first = await endAll(lanes, random.below(2) === 0);
    if (first === 'right') return first;
    // It goes on, or it is lost and says so.
    const later = makeLanes(made, 1);
    enqueueAll(later, { context: made, program, random, commands: 5, hasQueues: false });
    const second = await endAll(later, random.below(2) === 0);
    return second === 'right' ? 'goes on' : 'fails again';
  } catch (error) {
    mustBeRefusal(error);
    return (error as OpenCLError).name === 'CL_DEVICE_NOT_AVAILABLE' ? 'lost' : 'refused';
  } finally {
    context?.releaseAll();
  }
}

/** CL_QUEUE_PROPERTIES with the queue that kernels use by default. */
const deviceQueue = [0x1093, 0b1101, 0];

/** @throws Error if threads are left after a while */
export async function everyThreadEnds(): Promise<void> {
  const until = performance.now() + longestEnd;
  while (livingThreads().size > 0) {
    if (performance.now() > until) throw new Error(`${livingThreads().size} threads do not end`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
