/**
 * Eight queues, in order and out of order, whose kernels, and kernels that these launch, hand tokens round a ring of eight pipes, while
 * commands wait for events of other queues and of the host. No token may be lost or doubled, every hop must be counted, and everything must end: a
 * time-out tells who waits for whom. `MILLRACE_STRESS=60` makes it run for a minute instead of a second.
 */
import { CL, CLEvent, type CLUserEvent, createContext } from 'millrace/opencl';
import { afterAll, describe, expect, it } from 'vitest';
import { Random } from '../support/random.ts';
import { WaitGraph } from '../support/wait-graph.ts';

const seconds = Number(process.env['MILLRACE_STRESS'] ?? 1);
const patience = 60_000;
const stations = 8;
const tokens = 3000;
/** Packets that fit between two stations; what does not waits in a lot, where all have room. */
const capacity = 257;

const source = `
typedef struct { uint id, hops; } token;
kernel void start(write_only pipe token lot, uint count) {
  token t = { get_global_id(0), 0 };
  if (t.id < count) write_pipe(lot, &t);
}
// Takes a token from one pipe, or if that is empty from the lot, and puts it into the next, or if that is full into the lot.
static void relay_one(read_only pipe token from, read_only pipe token parked, write_only pipe token to,
                      write_only pipe token lot, volatile global uint *hops, volatile global uint *lost) {
  token t;
  if (read_pipe(from, &t) != 0 && read_pipe(parked, &t) != 0) return;
  t.hops++;
  if (write_pipe(to, &t) == 0 || write_pipe(lot, &t) == 0) atomic_inc(hops);
  else atomic_inc(lost);
}
kernel void relay(read_only pipe token from, read_only pipe token parked, write_only pipe token to,
                  write_only pipe token lot, volatile global uint *hops, volatile global uint *lost) {
  relay_one(from, parked, to, lot, hops, lost);
}
// The same by work-items of another kernel, which this one launches, once it has ended or at once.
kernel void relay_nested(read_only pipe token from, read_only pipe token parked, write_only pipe token to,
                         write_only pipe token lot, volatile global uint *hops, volatile global uint *lost,
                         volatile global uint *nested) {
  kernel_enqueue_flags_t flags = get_global_id(0) % 2 ? CLK_ENQUEUE_FLAGS_NO_WAIT : CLK_ENQUEUE_FLAGS_WAIT_KERNEL;
  int error = enqueue_kernel(get_default_queue(), flags, ndrange_1D(64, 16), ^{
    relay_one(from, parked, to, lot, hops, lost);
    atomic_inc(nested);
  });
  if (error != CLK_SUCCESS) atomic_inc(nested + 1);
}
// The same by whole work-groups, as far as there are as many tokens as the group has work-items.
kernel void relay_groups(read_only pipe token from, write_only pipe token to, write_only pipe token lot,
                         volatile global uint *hops, volatile global uint *lost) {
  reserve_id_t in = work_group_reserve_read_pipe(from, get_local_size(0));
  if (!is_valid_reserve_id(in)) return;
  token t;
  read_pipe(from, in, get_local_id(0), &t);
  work_group_commit_read_pipe(from, in);
  t.hops++;
  reserve_id_t out = work_group_reserve_write_pipe(to, get_local_size(0));
  if (is_valid_reserve_id(out)) {
    write_pipe(to, out, get_local_id(0), &t);
    work_group_commit_write_pipe(to, out);
    atomic_inc(hops);
  } else if (write_pipe(lot, &t) == 0) atomic_inc(hops);
  else atomic_inc(lost);
}
kernel void drain(read_only pipe token from, volatile global uint *seen, volatile global uint *hops) {
  token t;
  while (read_pipe(from, &t) == 0) { atomic_inc(seen + t.id); atomic_add(hops, t.hops); }
}`;

describe('queues under load', () => {
  const context = createContext();
  afterAll(() => context.releaseAll());
  const graph = new WaitGraph();

  it('a time-out tells who waits for whom', async () => {
    const queue = context.createCommandQueue(undefined, CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    const gate = context.createUserEvent();
    const [first, second] = [new CLEvent(), new CLEvent()];
    queue.enqueueMarkerWithWaitList([gate], first);
    queue.enqueueMarkerWithWaitList([first], second);
    queue.flush();
    graph.add('the gate', gate);
    graph.add('marker 1', first, [gate]);
    graph.add('marker 2', second, [first]);
    await expect(graph.within(50, 'the second marker', second.done)).rejects.toThrow(
      /^the second marker took more than 50 ms\nthe gate: submitted\nmarker 1: \w+, waits for the gate\nmarker 2: \w+, waits for marker 1$/,
    );
    gate.setStatus(CL.COMPLETE);
    await graph.within(patience, 'the second marker', second.done);
    expect(graph.report()).toBe('everything has ended');
    graph.sweep();
  });

  it('loses no token, counts every hop and ends', { timeout: 2 * patience + 2000 * seconds }, async () => {
    const random = new Random(20);
    const program = context.createProgram(source);
    program.build(undefined, '-cl-std=CL2.0');
    const pipes = Array.from({ length: stations }, () => context.createPipe(0, 8, capacity));
    const lots = Array.from({ length: stations }, () => context.createPipe(0, 8, tokens));
    const counters = context.createBuffer(CL.MEM_COPY_HOST_PTR, new Uint32Array(64));
    const lost = context.createBuffer(CL.MEM_COPY_HOST_PTR, new Uint32Array(1));
    const seenBuffer = context.createBuffer(CL.MEM_COPY_HOST_PTR, new Uint32Array(tokens));
    const nestedBuffer = context.createBuffer(CL.MEM_COPY_HOST_PTR, new Uint32Array(2));
    const onDevice = CL.QUEUE_ON_DEVICE | CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL.QUEUE_ON_DEVICE_DEFAULT;
    context.createCommandQueueWithProperties(null, [CL.QUEUE_PROPERTIES, onDevice, 0]);
    const queues = Array.from({ length: stations }, (_, index) =>
      context.createCommandQueue(undefined, index % 2 ? CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0),
    );
    const relays = queues.map((_, index) => {
      const next = (index + 1) % stations;
      const one = program.createKernel('relay');
      const many = program.createKernel('relay_groups');
      for (const [at, value] of [
        pipes[index]!,
        lots[index]!,
        pipes[next]!,
        lots[next]!,
        counters,
        lost,
      ].entries())
        one.setArg(at, value);
      for (const [at, value] of [pipes[index]!, pipes[next]!, lots[next]!, counters, lost].entries())
        many.setArg(at, value);
      const deep = program.createKernel('relay_nested');
      for (const at of [0, 1, 2, 3, 4, 5])
        deep.setArg(at, [pipes[index]!, lots[index]!, pipes[next]!, lots[next]!, counters, lost][at]!);
      deep.setArg(6, nestedBuffer);
      return { one, many, deep };
    });
    const start = program.createKernel('start');
    start.setArg(0, lots[0]!);
    start.setArg(1, new Uint32Array([tokens]));
    queues[0]!.enqueueNDRangeKernel(start, 1, null, [tokens]);
    queues[0]!.finish();

    const begun = performance.now();
    let launches = 0;
    for (let round = 0; performance.now() - begun < 1000 * seconds || round < 3; round += 1) {
      const made: CLEvent[] = [];
      const gates: CLUserEvent[] = [];
      for (let turn = 0; turn < 6; turn += 1) {
        for (const [index, queue] of queues.entries()) {
          const waits: CLEvent[] = made.filter(() => random.below(12) === 0).slice(0, 4);
          if (random.below(10) === 0) {
            const gate = context.createUserEvent();
            gates.push(gate);
            graph.add(`gate ${gates.length} of round ${round}`, gate);
            waits.push(gate);
          }
          const event = new CLEvent();
          const { one, many, deep } = relays[index]!;
          const isGroups = random.below(3) === 0;
          const local = isGroups ? 1 + random.below(32) : 16;
          const items = local * (1 + random.below(40));
          if (random.below(20) === 0) queue.enqueueBarrierWithWaitList(waits, event);
          else if (random.below(8) === 0)
            queue.enqueueNDRangeKernel(deep, 1, null, [1 + random.below(4)], [1], waits, event);
          else queue.enqueueNDRangeKernel(isGroups ? many : one, 1, null, [items], [local], waits, event);
          graph.add(`command ${turn} of queue ${index}, round ${round}`, event, waits);
          made.push(event);
          launches += 1;
        }
      }
      for (const queue of queues) queue.flush();
      for (const gate of gates) gate.setStatus(CL.COMPLETE);
      const all = Promise.all(queues.map((queue) => queue.finished()));
      await graph.within(patience, `round ${round}`, all);
      graph.sweep();
    }

    const drain = program.createKernel('drain');
    const drained = context.createBuffer(CL.MEM_COPY_HOST_PTR, new Uint32Array(1));
    drain.setArg(1, seenBuffer);
    drain.setArg(2, drained);
    for (const pipe of [...pipes, ...lots]) {
      drain.setArg(0, pipe);
      queues[0]!.enqueueNDRangeKernel(drain, 1, null, [8], [4]);
    }
    const seen = new Uint32Array(tokens);
    const [counted, summed, missing] = [new Uint32Array(1), new Uint32Array(1), new Uint32Array(1)];
    queues[0]!.enqueueReadBuffer(seenBuffer, true, 0, seen.byteLength, seen);
    queues[0]!.enqueueReadBuffer(counters, true, 0, 4, counted);
    queues[0]!.enqueueReadBuffer(drained, true, 0, 4, summed);
    queues[0]!.enqueueReadBuffer(lost, true, 0, 4, missing);
    expect(missing[0]).toBe(0);
    expect(seen.findIndex((times) => times !== 1)).toBe(-1);
    expect(summed[0]).toBe(counted[0]);
    expect(counted[0]).toBeGreaterThan(tokens);
    // Whole launches of children: each of 64 work-items.
    const nested = new Uint32Array(2);
    queues[0]!.enqueueReadBuffer(nestedBuffer, true, 0, 8, nested);
    expect(nested[0]! % 64).toBe(0);
    expect(nested[0]).toBeGreaterThan(0);
    if (process.env['MILLRACE_STRESS']) {
      const children = `${nested[0]! / 64} launches by kernels (${nested[1]} found no room)`;
      const hops = `${counted[0]} hops of ${tokens} tokens`;
      console.log(`${launches} commands on ${stations} queues, ${children}, ${hops} in ${seconds} s`);
    }
  });
});
