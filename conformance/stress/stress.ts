/**
 * `npm run stress`: eight queues, in order and out of order, whose kernels, and kernels that these launch, hand tokens round a ring of
 * eight pipes, while commands wait for events of other queues and of the host. No token may be lost or doubled, every hop must be
 * counted, and everything must end: a time-out tells who waits for whom.
 */
import {
  CL,
  type CLBuffer,
  type CLCommandQueue,
  type CLContext,
  CLEvent,
  type CLKernel,
  type CLPipe,
  type CLUserEvent,
  createContext,
} from 'millrace/opencl';
import { Random } from '../../test/support/random.ts';
import { source } from './kernels.ts';
import { WaitGraph } from './wait-graph.ts';

export interface StressOptions {
  readonly seconds: number;
  readonly seed: number;
  /** Told now and then of what has been done. */
  readonly progress?: (done: StressResult) => void;
}

export interface StressResult {
  readonly rounds: number;
  /** Commands of the host. */
  readonly commands: number;
  /** Work-items of launches that kernels have made, and how many such launches found no room in the device's queue. */
  readonly nestedItems: number;
  readonly refused: number;
  /** Of tokens from one pipe to the next. */
  readonly hops: number;
  /** What went wrong; empty if nothing did. */
  readonly problems: readonly string[];
}

const stations = 8;
const tokens = 3000;
/** Packets that fit between two stations. */
const capacity = 257;
/** Milliseconds that a round may take. */
const patience = 60_000;
/** Rounds after which the counters are read: 32 bits of hops are enough for many more. */
const roundsPerLook = 50;

interface Ring {
  readonly context: CLContext;
  readonly queues: readonly CLCommandQueue[];
  readonly pipes: readonly CLPipe[];
  readonly lots: readonly CLPipe[];
  /** Hops, tokens lost, and two numbers about nested launches. */
  readonly counters: CLBuffer;
  readonly kernels: readonly Readonly<Record<RelayName, CLKernel>>[];
  readonly drain: CLKernel;
}

type RelayName = 'relay' | 'relay_groups' | 'relay_nested' | 'relay_chain';

/** Runs rounds until the time is over, and looks then whether all tokens are there. */
export async function runStress({ seconds, seed, progress }: StressOptions): Promise<StressResult> {
  const ring = makeRing();
  const random = new Random(seed);
  const graph = new WaitGraph();
  const begun = performance.now();
  let [rounds, commands] = [0, 0];
  let done: StressResult = { rounds, commands, nestedItems: 0, refused: 0, hops: 0, problems: [] };
  try {
    for (; rounds < 3 || performance.now() - begun < 1000 * seconds; rounds++) {
      commands += await runRound(ring, random, graph, rounds);
      if (rounds % roundsPerLook > 0) continue;
      done = look(ring, done, { rounds, commands });
      progress?.(done);
    }
    done = look(ring, done, { rounds, commands });
    return { ...done, problems: [...done.problems, ...problemsOf(ring, done.hops)] };
  } catch (error) {
    return { ...done, rounds, commands, problems: [...done.problems, String(error)] };
  } finally {
    ring.context.releaseAll();
  }
}

function makeRing(): Ring {
  const context = createContext();
  const program = context.createProgram(source);
  program.build(undefined, '-cl-std=CL2.0');
  const onDevice = CL.QUEUE_ON_DEVICE | CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL.QUEUE_ON_DEVICE_DEFAULT;
  context.createCommandQueueWithProperties(null, [CL.QUEUE_PROPERTIES, onDevice, 0]);
  const each = Array.from({ length: stations }, (_, index) => index);
  const queues = each.map((index) =>
    context.createCommandQueue(undefined, index % 2 ? CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0),
  );
  const pipes = each.map(() => context.createPipe(0, 8, capacity));
  const lots = each.map(() => context.createPipe(0, 8, tokens));
  const counters = context.createBuffer(CL.MEM_COPY_HOST_PTR, new Uint32Array(4 * partWords));
  const part = (index: number): CLBuffer =>
    counters.createSubBuffer(CL.MEM_READ_WRITE, index * partWords * 4, partWords * 4);
  const [hops, lost, nested] = [part(0), part(1), part(2)];
  const kernel = (name: string, ...values: (CLPipe | CLBuffer)[]): CLKernel => {
    const made = program.createKernel(name);
    values.forEach((value, at) => {
      made.setArg(at, value);
    });
    return made;
  };
  const kernels = each.map((index) => {
    const next = (index + 1) % stations;
    const ends = [pipes[index]!, lots[index]!, pipes[next]!, lots[next]!, hops, lost];
    return {
      relay: kernel('relay', ...ends),
      relay_groups: kernel('relay_groups', pipes[index]!, pipes[next]!, lots[next]!, hops, lost),
      relay_nested: kernel('relay_nested', ...ends, nested),
      relay_chain: kernel('relay_chain', ...ends, nested),
    };
  });
  const start = kernel('start', lots[0]!);
  start.setArg(1, tokens);
  queues[0]!.enqueueNDRangeKernel(start, 1, null, [tokens]);
  queues[0]!.finish();
  return { context, queues, pipes, lots, counters, kernels, drain: kernel('drain', pipes[0]!) };
}

/** Words from one counter to the next: sub-buffers begin at multiples of the device's alignment. */
const partWords = 64;

/** A few commands for each queue, some behind gates that the host opens when all are enqueued. Gives how many. */
async function runRound(ring: Ring, random: Random, graph: WaitGraph, round: number): Promise<number> {
  const made: CLEvent[] = [];
  const gates: CLUserEvent[] = [];
  for (let turn = 0; turn < 6; turn++) {
    for (const [index, queue] of ring.queues.entries()) {
      const waits: CLEvent[] = made.filter(() => random.below(12) === 0).slice(0, 4);
      if (random.below(10) === 0) {
        const gate = ring.context.createUserEvent();
        gates.push(gate);
        graph.add(`gate ${gates.length} of round ${round}`, gate);
        waits.push(gate);
      }
      const event = new CLEvent();
      const what = enqueueOne(queue, ring.kernels[index]!, random, waits, event);
      graph.add(`${what}, command ${turn} of queue ${index} in round ${round}`, event, waits);
      made.push(event);
    }
  }
  for (const queue of ring.queues) queue.flush();
  for (const gate of gates) gate.setStatus(CL.COMPLETE);
  const all = Promise.all(ring.queues.map((queue) => queue.finished()));
  await graph.within(patience, `round ${round}`, all);
  const failed = made.filter((event) => Number(event.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS)) < 0);
  await Promise.all(failed.map((event) => event.done));
  graph.sweep();
  return made.length;
}

/** Gives the name of what was enqueued. */
function enqueueOne(
  queue: CLCommandQueue,
  kernels: Ring['kernels'][number],
  random: Random,
  waits: CLEvent[],
  event: CLEvent,
): string {
  if (random.below(20) === 0) {
    queue.enqueueBarrierWithWaitList(waits, event);
    return 'a barrier';
  }
  if (random.below(8) === 0) {
    const name = random.below(2) === 0 ? 'relay_nested' : 'relay_chain';
    queue.enqueueNDRangeKernel(kernels[name], 1, null, [1 + random.below(4)], [1], waits, event);
    return name;
  }
  const name = random.below(3) === 0 ? 'relay_groups' : 'relay';
  const local = name === 'relay_groups' ? 1 + random.below(32) : 16;
  const items = local * (1 + random.below(40));
  queue.enqueueNDRangeKernel(kernels[name], 1, null, [items], [local], waits, event);
  return name;
}

/** Adds what the counters say, and sets them back. */
function look(
  { queues, counters }: Ring,
  before: StressResult,
  counts: Pick<StressResult, 'rounds' | 'commands'>,
): StressResult {
  const words = new Uint32Array(4 * partWords);
  queues[0]!.enqueueReadBuffer(counters, true, 0, words.byteLength, words);
  queues[0]!.enqueueFillBuffer(counters, new Uint32Array(1), 0, words.byteLength);
  queues[0]!.finish();
  const [hops, lost, items, refused] = [0, partWords, 2 * partWords, 2 * partWords + 1].map(
    (at) => words[at]!,
  );
  const problems = lost! > 0 ? [`${lost} tokens found no room where all have room`] : [];
  if (items! % 32 !== 0) problems.push(`${items} nested work-items: no number of whole launches`);
  return {
    ...counts,
    hops: before.hops + hops!,
    nestedItems: before.nestedItems + items!,
    refused: before.refused + refused!,
    problems: [...before.problems, ...problems],
  };
}

/** Empties all pipes and counts what was in them. */
function problemsOf({ context, queues, pipes, lots, drain }: Ring, hops: number): string[] {
  const seenBuffer = context.createBuffer(CL.MEM_COPY_HOST_PTR, new Uint32Array(tokens));
  const sumBuffer = context.createBuffer(CL.MEM_COPY_HOST_PTR, new Uint32Array(2));
  const queue = queues[0]!;
  drain.setArg(1, seenBuffer);
  drain.setArg(2, sumBuffer);
  for (const pipe of [...pipes, ...lots]) {
    drain.setArg(0, pipe);
    queue.enqueueNDRangeKernel(drain, 1, null, [8], [4]);
  }
  const [seen, sum] = [new Uint32Array(tokens), new BigUint64Array(1)];
  queue.enqueueReadBuffer(seenBuffer, true, 0, seen.byteLength, seen);
  queue.enqueueReadBuffer(sumBuffer, true, 0, 8, sum);
  const problems: string[] = [];
  seen.forEach((times, id) => {
    if (times !== 1) problems.push(`token ${id} is there ${times} times`);
  });
  if (sum[0] !== BigInt(hops)) problems.push(`the tokens say ${sum[0]} hops, ${hops} were counted`);
  return problems;
}
