/** Contexts whose threads have ended because there was nothing to do go on as if they had not. */
import { pbkdf2 } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import {
  CL,
  type CLBuffer,
  type CLCommandQueue,
  type CLContext,
  type CLDeviceQueue,
  CLEvent,
  type CLKernel,
  createContext,
} from 'millrace/opencl';
import { afterAll, expect, it } from 'vitest';

const source = `
  kernel void step(global int *x, int n) { x[get_global_id(0)] = x[get_global_id(0)] * 3 + n; }
  kernel void say(int n) { printf("%d\\n", n); }
  kernel void lead(global int *x) {
    queue_t queue = get_default_queue();
    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(8), ^{ x[get_global_id(0)] += 100; });
  }`;

interface Host {
  readonly context: CLContext;
  readonly queues: readonly CLCommandQueue[];
  readonly buffers: readonly CLBuffer[];
  readonly step: CLKernel;
  readonly say: CLKernel;
  readonly lead: CLKernel;
  readonly said: string[];
  /** What each element of each buffer must be. */
  readonly expected: number[];
}

const hosts: Host[] = [];
afterAll(() => {
  for (const { context } of hosts) context.releaseAll();
});

function begin(): Host {
  const said: string[] = [];
  const context = createContext(undefined, { print: (text) => said.push(text) });
  const onDevice = CL.QUEUE_ON_DEVICE | CL.QUEUE_ON_DEVICE_DEFAULT | CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
  const list = [CL.QUEUE_PROPERTIES, onDevice, CL.QUEUE_SIZE, 1 << 16, 0];
  void (context.createCommandQueueWithProperties(null, list) as CLDeviceQueue);
  const program = context.createProgram(source);
  program.build(null, '-cl-std=CL2.0');
  const inOrder = context.createCommandQueue(null, CL.QUEUE_PROFILING_ENABLE);
  const outOfOrder = context.createCommandQueue(null, CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const queues = [inOrder, outOfOrder];
  const buffers = queues.map(() => context.createBuffer(CL.MEM_READ_WRITE, new Int32Array(8)));
  const kernel = (name: string) => program.createKernel(name);
  const expected = queues.map(() => 0);
  return {
    context,
    queues,
    buffers,
    step: kernel('step'),
    say: kernel('say'),
    lead: kernel('lead'),
    said,
    expected,
  };
}

/** Some commands of every kind; `count` differs, so that streams stand at many places. */
function work({ queues, buffers, step, say, lead, expected }: Host, round: number, count: number): void {
  for (const [index, queue] of queues.entries()) {
    const buffer = buffers[index]!;
    let before: CLEvent[] = [];
    for (let turn = 0; turn < count; turn += 1) {
      step.setArg(0, buffer);
      step.setArg(1, turn);
      const event = new CLEvent();
      queue.enqueueNDRangeKernel(step, 1, null, [8], null, before, event);
      before = [event];
      expected[index] = (Math.imul(expected[index]!, 3) + turn) | 0;
    }
    lead.setArg(0, buffer);
    queue.enqueueTask(lead, before);
    expected[index] = (expected[index]! + 100) | 0;
  }
  say.setArg(0, round);
  queues[0]!.enqueueTask(say);
}

async function check({ queues, buffers, said, expected }: Host, rounds: number): Promise<void> {
  for (const [index, queue] of queues.entries()) {
    queue.finish();
    const values = new Int32Array(8);
    queue.enqueueReadBuffer(buffers[index]!, true, 0, 32, values);
    expect(values).toEqual(new Int32Array(8).fill(expected[index]!));
  }
  expect(said.join('')).toBe(Array.from({ length: rounds }, (_, round) => `${round}\n`).join(''));
}

/** Node starts the four threads of its own pool when it first has something for each; then they stay, and are not ours. */
async function startPool(): Promise<void> {
  const hash = promisify(pbkdf2);
  await Promise.all(Array.from({ length: 8 }, () => hash('', '', 20_000, 32, 'sha256')));
}

const threadCount = (): number => readdirSync('/proc/self/task').length;

it.runIf(process.platform === 'linux')(
  'threads of idle contexts end, and others take their places',
  async () => {
    await startPool();
    const before = threadCount();
    hosts.push(begin());
    work(hosts[0]!, 0, 3);
    await check(hosts[0]!, 1);
    // One that processes commands, and one that computes for each processor; the last of these starts when there is work for it.
    const ofOne = 1 + availableParallelism();
    expect(threadCount()).toBeGreaterThan(before);
    for (let index = 1; index < 9; index += 1) {
      hosts.push(begin());
      work(hosts[index]!, 0, 3);
      await check(hosts[index]!, 1);
    }
    // All nine in turn, so that each has been without threads when its turn comes.
    for (let round = 1; round < 6; round += 1) {
      for (const [index, host] of hosts.entries()) {
        work(host, round, 1 + 7 * index * round);
        await check(host, round + 1);
      }
      // Some are still on their way out. A context whose last thread had not started yet when the next context began keeps its
      // threads until idle-threads.ts looks again, after 15 s: a loaded machine gets two looks.
      for (let wait = 0; wait < 3500 && threadCount() > before + 5 * ofOne; wait += 1) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      expect(threadCount()).toBeLessThanOrEqual(before + 5 * ofOne);
    }
  },
  300_000,
);

it('a queue of a context without threads can be released, and others be made', async () => {
  const [first] = hosts;
  const { context, queues, step } = first ?? begin();
  const count = 200;
  // More than there may be at a time of what is not given back.
  for (let round = 0; round < count; round += 1) {
    const queue = context.createCommandQueue();
    const buffer = context.createBuffer(CL.MEM_READ_WRITE, new Int32Array(8));
    step.setArg(0, buffer);
    step.setArg(1, round);
    queue.enqueueNDRangeKernel(step, 1, null, [8], null);
    queue.finish();
    const values = new Int32Array(8);
    queue.enqueueReadBuffer(buffer, true, 0, 32, values);
    expect(values[7]).toBe(round);
    buffer.release();
    queue.release();
  }
  queues[0]!.finish();
});

it('who awaits a command is told though the threads end before their message is heard', async () => {
  // No more than may be idle. Each is ready before the next begins, and rests when there is another in its place.
  const idle: Host[] = [];
  while (idle.length < 4) {
    const host = begin();
    hosts.push(host);
    idle.push(host);
    await Promise.all(host.queues.map((queue) => queue.ready()));
  }
  const [first, ...others] = idle as [Host, ...Host[]];
  first.step.setArg(0, first.buffers[0]!);
  first.step.setArg(1, 5);
  const gate = first.context.createUserEvent();
  const event = new CLEvent();
  first.queues[0]!.enqueueNDRangeKernel(first.step, 1, null, [8], null, [gate], event);
  const done = event.done;
  gate.setStatus(CL.COMPLETE);
  // From here on nothing is heard of threads: this turn of the event loop does not end.
  while (event.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS) !== CL.COMPLETE);
  for (const other of others) {
    work(other, 0, 1);
    for (const queue of other.queues) queue.finish();
  }
  hosts.push(begin());
  await done;
  first.queues[0]!.finish();
});

it('commands of another device or of the host find a context without threads', async () => {
  const host = begin();
  hosts.push(host);
  work(host, 0, 1);
  await check(host, 1);
  // Eight others make it rest.
  const others = Array.from({ length: 8 }, begin);
  for (const other of others) {
    hosts.push(other);
    work(other, 0, 1);
    await check(other, 1);
  }
  const gate = host.context.createUserEvent();
  host.step.setArg(0, host.buffers[0]!);
  host.step.setArg(1, 5);
  const done = new CLEvent();
  host.queues[0]!.enqueueNDRangeKernel(host.step, 1, null, [8], null, [gate], done);
  gate.setStatus(CL.COMPLETE);
  await done.done;
  host.expected[0] = (Math.imul(host.expected[0]!, 3) + 5) | 0;
  await check(host, 1);
  expect(done.getProfilingInfo(CL.PROFILING_COMMAND_END)).toBeGreaterThan(0n);
});
