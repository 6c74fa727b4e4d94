// Kernels that launch kernels (OpenCL 2.0, 6.13.17), through the host API: every function and flag, on the wasm device with
// threads and without, and on the interpreter.
import {
  CL,
  type CLContext,
  CLDeviceQueue,
  CLEvent,
  type CLKernel,
  createContext,
  getPlatforms,
  OpenCLError,
  waitForEvents,
} from 'millrace/opencl';
import { afterAll, describe, expect, it } from 'vitest';
import { errorName } from '../support/error-name.ts';

const platform = getPlatforms()[0]!;
const [wasm] = platform.getDevices(CL.DEVICE_TYPE_CPU);
const [interpreter] = platform.getDevices(CL.DEVICE_TYPE_CUSTOM);
const contexts: CLContext[] = [];

afterAll(() => {
  for (const context of contexts) context.releaseAll();
});

const onDevice = CL.QUEUE_ON_DEVICE | CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
const machines = [
  ['threads', () => createContext([wasm!])],
  ['one thread', () => createContext([wasm!], { shared: false })],
  ['the interpreter', () => createContext([interpreter!])],
] as const;

interface RunOptions {
  readonly size?: number;
  readonly global?: number;
  readonly local?: number;
  readonly options?: string;
  readonly queueBytes?: number;
  readonly timeout?: number;
  readonly set?: (kernel: CLKernel, queue: CLDeviceQueue) => void;
}

/** One context for all tests of a machine: threads take time to start. */
const made = new Map<() => CLContext, CLContext>();

/** What kernel `k` of a source, and all that it leads to, leave in its first argument; and how the command ended. */
function launch(
  make: () => CLContext,
  source: string,
  given: RunOptions = {},
): { out: Int32Array; status: unknown; failure: Promise<string> } {
  let context = made.get(make);
  if (!context) {
    context = make();
    made.set(make, context);
    contexts.push(context);
  }
  const bytes = given.queueBytes ?? 1 << 18;
  const list = [CL.QUEUE_PROPERTIES, onDevice, CL.QUEUE_SIZE, bytes, 0];
  const deviceQueue = context.createCommandQueueWithProperties(null, list) as CLDeviceQueue;
  context.setDefaultDeviceCommandQueue(deviceQueue.device, deviceQueue);
  const queue = context.createCommandQueue(null, 0, { timeout: given.timeout ?? 20_000 });
  const program = context.createProgram(source);
  program.build(null, `-cl-std=CL2.0 ${given.options ?? '-g'}`);
  const kernel = program.createKernel('k');
  const out = new Int32Array(given.size ?? 16);
  const buffer = context.createBuffer(CL.MEM_READ_WRITE, out.byteLength);
  queue.enqueueWriteBuffer(buffer, false, 0, out.byteLength, out);
  kernel.setArg(0, buffer);
  given.set?.(kernel, deviceQueue);
  const { global = 1, local = 1 } = given;
  const event = new CLEvent();
  queue.enqueueNDRangeKernel(kernel, 1, null, [global], [local], null, event);
  // A launch that has failed is told here, and the read is made all the same.
  const told = errorName(() => waitForEvents([event]));
  queue.enqueueReadBuffer(buffer, true, 0, out.byteLength, out);
  const status = event.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS);
  expect(told === 'no error').toBe(status === CL.COMPLETE);
  const failure = event.done.then(
    () => '',
    (error: Error) => error.message,
  );
  for (const object of [event, kernel, program, buffer, queue, deviceQueue]) object.release();
  return { out, status, failure };
}

/** The same where all goes well. */
function run(make: () => CLContext, source: string, given?: RunOptions): Int32Array {
  const { out, status } = launch(make, source, given);
  expect(status).toBe(CL.COMPLETE);
  return out;
}

const header = `
#define NO_WAIT CLK_ENQUEUE_FLAGS_NO_WAIT
#define AFTER CLK_ENQUEUE_FLAGS_WAIT_KERNEL
#define Q get_default_queue()
`;

describe.each(machines)('on %s', (_, make) => {
  const ints = (body: string, given?: RunOptions, before = ''): number[] => [
    ...run(make, `${header}${before} kernel void k(volatile global int *out) { ${body} }`, given),
  ];

  it('blocks run after the kernel that waits for nothing else, with their captures', () => {
    const out = ints(
      `int seven = 7; struct { int a; long b; } s = { 3, 4 };
       for (int i = 0; i < 4; i++)
         enqueue_kernel(Q, AFTER, ndrange_1D(2), ^{ out[2 * i + get_global_id(0)] += seven * i + s.a + (int)s.b; });
       seven = 0;
       for (int i = 0; i < 8; i++) out[i] = 100 * i;`,
    );
    expect(out.slice(0, 8)).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((i) => 100 * i + 7 * (i >> 1) + 7));
  });

  it('ranges: every form of ndrange_1D to 3D', () => {
    const out = ints(
      `size_t o[3] = { 1, 2, 3 }, g[3] = { 2, 2, 2 }, l[3] = { 2, 1, 2 };
       enqueue_kernel(Q, NO_WAIT, ndrange_1D(3), ^{ atomic_add(out, 1); });
       enqueue_kernel(Q, NO_WAIT, ndrange_1D(4, 2), ^{ atomic_add(out + 1, get_local_size(0) * get_num_groups(0)); });
       enqueue_kernel(Q, NO_WAIT, ndrange_1D(5, 4, 2), ^{ atomic_add(out + 2, get_global_id(0)); });
       enqueue_kernel(Q, NO_WAIT, ndrange_2D(g), ^{ atomic_add(out + 3, get_global_size(1)); });
       enqueue_kernel(Q, NO_WAIT, ndrange_2D(g, l), ^{ atomic_add(out + 4, get_local_size(0)); });
       enqueue_kernel(Q, NO_WAIT, ndrange_2D(o, g, l), ^{ atomic_add(out + 5, get_global_id(1)); });
       enqueue_kernel(Q, NO_WAIT, ndrange_3D(g), ^{ atomic_add(out + 6, get_work_dim()); });
       enqueue_kernel(Q, NO_WAIT, ndrange_3D(g, l), ^{ atomic_add(out + 7, get_local_size(2)); });
       enqueue_kernel(Q, NO_WAIT, ndrange_3D(o, g, l), ^{ atomic_add(out + 8, get_global_offset(2) + get_group_id(1)); });
       enqueue_kernel(Q, NO_WAIT, ndrange_1D(7, 4), ^{ atomic_add(out + 9, get_local_size(0)); });`,
    );
    expect(out.slice(0, 10)).toEqual([
      3,
      16,
      5 + 6 + 7 + 8,
      8,
      8,
      2 * (2 + 3),
      24,
      16,
      24 + 4,
      4 * 4 + 3 * 3,
    ]);
  });

  it('local memory, whose sizes the caller gives', () => {
    const out = ints(
      `int add = 5;
       void (^b)(local void *, local void *) = ^(local void *p, local void *q) {
         local int *a = p; local short *c = q;
         int i = get_local_id(0), n = get_local_size(0);
         a[i] = i; c[i] = 10 * i;
         barrier(CLK_LOCAL_MEM_FENCE);
         out[get_global_id(0)] = a[n - 1 - i] + c[n - 1 - i] + add;
       };
       enqueue_kernel(Q, NO_WAIT, ndrange_1D(8, 4), b, (uint)(4 * sizeof(int)), (uint)(4 * sizeof(short)));`,
    );
    expect(out.slice(0, 8)).toEqual([38, 27, 16, 5, 38, 27, 16, 5]);
  });

  it('events: launches and markers wait for others, and for events of the kernel', () => {
    const out = ints(
      `clk_event_t first, second, both, user = create_user_event();
       ndrange_t one = ndrange_1D(1);
       int s = enqueue_kernel(Q, NO_WAIT, one, 1, &user, &first, ^{ out[0] = 1; });
       s |= enqueue_kernel(Q, NO_WAIT, one, 1, &first, &second, ^{ out[1] = out[0] + 1; });
       clk_event_t list[2]; list[0] = first; list[1] = second;
       s |= enqueue_marker(Q, 2, list, &both);
       retain_event(both); release_event(both);
       s |= enqueue_kernel(Q, NO_WAIT, one, 1, &both, NULL, ^(local void *p) { out[2] = out[0] + out[1]; }, 4u);
       out[3] = s; out[4] = is_valid_event(both); out[5] = is_valid_event(CLK_NULL_EVENT); out[6] = out[0];
       set_user_event_status(user, CL_COMPLETE);
       release_event(user); release_event(first); release_event(second); release_event(both);`,
    );
    expect(out.slice(0, 7)).toEqual([1, 2, 3, 0, 1, 0, 0]);
  });

  it('events of the kernel that are released before they are complete leave room for others (6.13.17.8)', () => {
    // CL_DEVICE_MAX_ON_DEVICE_EVENTS is 16384.
    const out = ints(
      `for (int i = 0; i < 40000; i++) {
         clk_event_t e = create_user_event();
         out[0] += is_valid_event(e);
         if (i % 3 == 0) retain_event(e), release_event(e);
         release_event(e);
         out[1] += is_valid_event(e);
       }
       clk_event_t last = create_user_event();
       enqueue_kernel(Q, NO_WAIT, ndrange_1D(1), 1, &last, NULL, ^{ out[2] = 1; });
       set_user_event_status(last, CL_COMPLETE); release_event(last);`,
    );
    expect(out.slice(0, 3)).toEqual([40_000, 0, 1]);
  });

  it('what waits for an event that failed does not run, and fails in turn', () => {
    const out = ints(
      `clk_event_t user = create_user_event(), next;
       enqueue_kernel(Q, NO_WAIT, ndrange_1D(1), 1, &user, &next, ^{ out[0] = 1; });
       enqueue_kernel(Q, NO_WAIT, ndrange_1D(1), 1, &next, NULL, ^{ out[1] = 1; });
       enqueue_kernel(Q, AFTER, ndrange_1D(1), ^{ out[2] = 1; });
       set_user_event_status(user, -5);
       release_event(user); release_event(next);`,
    );
    expect(out.slice(0, 3)).toEqual([0, 0, 1]);
  });

  it('flags: after the kernel, after the work-group', () => {
    // Each group sums what it and the others have left; a child of the whole kernel sees all of it.
    const out = ints(
      `int g = get_group_id(0), i = get_global_id(0);
       if (get_local_id(0) == 0) {
         if (g == 0) enqueue_kernel(Q, AFTER, ndrange_1D(1), ^{ int s = 0; for (int j = 0; j < 16; j++) s += out[j]; out[16] = s; });
         enqueue_kernel(Q, CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, ndrange_1D(1), ^{
           int s = 0; for (int j = 0; j < 4; j++) s += out[4 * g + j]; out[20 + g] = s; });
       }
       out[i] = i + 1;`,
      { global: 16, local: 4, size: 24 },
    );
    expect(out[16]).toBe((16 * 17) / 2);
    expect(out.slice(20)).toEqual([10, 26, 42, 58]);
  });

  it('times of a launch, before and after it has ended', () => {
    const out = ints(
      `clk_event_t user = create_user_event(), e;
       enqueue_kernel(Q, NO_WAIT, ndrange_1D(1), 1, &user, &e, ^{ out[15] = 1; });
       capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, (global ulong *)out);
       enqueue_kernel(Q, NO_WAIT, ndrange_1D(1), 1, &e, NULL, ^{
         capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, (global ulong *)(out + 4));
         release_event(e); });
       set_user_event_status(user, CL_COMPLETE); release_event(user);`,
    );
    const times = new BigUint64Array(Int32Array.from(out).buffer);
    expect(out[15]).toBe(1);
    for (const at of [0, 2]) {
      expect(times[at]! > 0n).toBe(true);
      expect(times[at + 1]! >= times[at]!).toBe(true);
    }
    expect([times[2], times[3]]).toEqual([times[0], times[1]]);
  });

  it('queries about what a block may be launched with', () => {
    const out = ints(
      `void (^b)(void) = ^{ out[0] = 1; };
       size_t l[2] = { 5, 4 }, g[2] = { 10, 8 };
       out[1] = get_kernel_work_group_size(b);
       out[2] = get_kernel_preferred_work_group_size_multiple(b) > 0;
       out[3] = get_kernel_sub_group_count_for_ndrange(ndrange_2D(g, l), b);
       out[4] = get_kernel_max_sub_group_size_for_ndrange(ndrange_1D(12, 6), b);`,
    );
    expect(out.slice(1, 5)).toEqual([4096, 1, 3, 6]);
  });

  it('what is wrong has a status of its own, with -g', () => {
    const body = `
      ndrange_t one = ndrange_1D(1); clk_event_t e = CLK_NULL_EVENT;
      size_t bad[2] = { 4, 0 };
      out[0] = enqueue_kernel(CLK_NULL_QUEUE, NO_WAIT, one, ^{ out[9] = 1; });
      out[1] = enqueue_kernel(Q, NO_WAIT, ndrange_1D(0), ^{ out[9] = 1; });
      out[2] = enqueue_kernel(Q, NO_WAIT, ndrange_1D(1 << 20, 1 << 16), ^{ out[9] = 1; });
      out[3] = enqueue_kernel(Q, NO_WAIT, one, 1, &e, NULL, ^{ out[9] = 1; });
      out[4] = enqueue_kernel(Q, NO_WAIT, one, 1, NULL, NULL, ^{ out[9] = 1; });
      out[5] = enqueue_kernel(Q, NO_WAIT, one, ^(local void *p) { out[9] = 1; }, 0u);
      out[6] = enqueue_kernel(Q, NO_WAIT, one, ^(local void *p) { out[9] = 1; }, 1u << 30);
      out[7] = enqueue_marker(Q, 0, NULL, NULL);
      out[8] = enqueue_kernel(Q, NO_WAIT, ndrange_2D(bad), ^{ out[9] = 1; });`;
    expect(ints(body).slice(0, 10)).toEqual([-102, -160, -160, -57, -57, -51, -5, 0, -160, 0]);
    // Without it there is one for all.
    expect(ints(body, { options: '-w' }).slice(0, 10)).toEqual([
      -101, -101, -101, -101, -101, -101, -101, 0, -101, 0,
    ]);
  });

  it('a queue that is full says so, and has room again', () => {
    const out = ints(
      `int refused = 0;
       for (int i = 0; i < 100; i++) {
         int s = enqueue_kernel(Q, AFTER, ndrange_1D(1), ^{ atomic_inc(out); });
         if (s == CLK_DEVICE_QUEUE_FULL) refused++; else if (s != CLK_SUCCESS) out[2] = s;
       }
       out[1] = refused;`,
      { queueBytes: 64 * 256 },
    );
    expect(out.slice(0, 3)).toEqual([64, 36, 0]);
  });

  it('kernels that launch each other by the thousand', () => {
    const depth = 50_000;
    const out = ints(
      'down(out, DEPTH);',
      { options: `-DDEPTH=${make === machines[2][1] ? depth / 50 : depth}` },
      `void down(volatile global int *out, int left) {
         if (left == 0) { out[0] = 1; return; }
         int s = enqueue_kernel(Q, AFTER, ndrange_1D(1), ^{ down(out, left - 1); });
         if (s != CLK_SUCCESS) out[1] = s;
       }`,
    );
    expect(out.slice(0, 2)).toEqual([1, 0]);
  });

  it.each([
    ['after the kernel', 'enqueue_kernel(Q, AFTER, ndrange_1D(1), ^{ down(out, left - 1); })', ''],
    [
      'with larger blocks',
      'enqueue_kernel(Q, AFTER, ndrange_1D(1), ^{ down(out, left - 1 + s.unused[99]); })',
      'struct { int unused[100]; } s; s.unused[99] = 0;',
    ],
    [
      'after events',
      'enqueue_kernel(Q, AFTER, ndrange_1D(1), 1, &e, NULL, ^{ down(out, left - 1); }); release_event(e);',
      'clk_event_t e; out[1] |= enqueue_marker(Q, 0, NULL, &e);',
    ],
  ])('what has ended takes no room from those that come after it: chains %s', (_, enqueue, before) => {
    // Two launches are there at a time, or a marker and two.
    const depth = make === machines[2][1] ? 500 : 20_000;
    const out = ints(
      `out[1] = enqueue_kernel(Q, AFTER, ndrange_1D(1), ^{ down(out, ${depth}); });`,
      { queueBytes: (enqueue.includes('&e') ? 3 : 2) * 256 },
      `void down(volatile global int *out, int left) {
         if (left == 0) { atomic_inc(out); return; }
         ${before}
         int status = ${enqueue};
         if (status != CLK_SUCCESS) { out[1] = status; out[2] = left; }
       }`,
    );
    expect(out.slice(0, 3)).toEqual([1, 0, 0]);
  });

  it('a tree of launches is complete before the next command of the host', () => {
    const out = ints(
      'tree(out, 5);',
      {},
      `void tree(volatile global int *out, int left) {
         atomic_inc(out);
         if (left == 0) { atomic_inc(out + 1); return; }
         for (int child = 0; child < 3; child++)
           if (enqueue_kernel(Q, NO_WAIT, ndrange_1D(2, 1), ^{ if (get_global_id(0) == 1) tree(out, left - 1); }))
             atomic_inc(out + 2);
       }`,
    );
    expect(out.slice(0, 3)).toEqual([(3 ** 6 - 1) / 2, 3 ** 5, 0]);
  });

  it('each of the work-items that run together launches its own, where it comes by', () => {
    const out = ints(
      `int i = get_global_id(0);
       if (i % 3 == 1) enqueue_kernel(Q, NO_WAIT, ndrange_1D(2), ^{ atomic_add(out + i, i + 100 * (int)get_global_id(0)); });
       else out[i] += 5;`,
      { size: 64, global: 64, local: 32 },
    );
    expect(out).toEqual(Array.from({ length: 64 }, (_, i) => (i % 3 === 1 ? 2 * i + 100 : 5)));
  });

  it('queues as arguments of kernels', () => {
    const source = `kernel void k(global int *out, queue_t given) {
      out[0] = given == get_default_queue();
      out[1] = enqueue_kernel(given, 0, ndrange_1D(1), ^{ out[2] = 9; });
      queue_t copy = given;
      void (^b)(void) = ^{ out[3] = enqueue_kernel(copy, 0, ndrange_1D(1), ^{ out[4] = 8; }); };
      enqueue_kernel(copy, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), b);
    }`;
    const out = run(make, source, { set: (kernel, queue) => kernel.setArg(1, queue) });
    expect([...out.slice(0, 5)]).toEqual([1, 0, 9, 0, 8]);
  });
});

describe.each(machines)('what goes wrong in launches on %s', (_, make) => {
  it('is told with the place of the block', async () => {
    const source = `void fill(global int *out) {
      enqueue_kernel(get_default_queue(), 0, ndrange_1D(64),
                     ^{ *(global int *)0xfffffff0 = 1; });
    }
    kernel void k(global int *out) { fill(out); }`;
    const { status, failure } = launch(make, source);
    expect(status).toBe(-5);
    expect(await failure).toMatch(/^kernel 'k' failed: .*the block at <kernel>:3:22 in 'fill'/);
  });

  it('is told for those that wait for ever: who waits for whom', async () => {
    const source = `kernel void k(global int *out) {
      queue_t queue = get_default_queue();
      ndrange_t one = ndrange_1D(1);
      clk_event_t never = create_user_event(), first, both;
      for (int i = 0; i < 2; i++)
        enqueue_kernel(queue, 0, one, 1, &never, &first, ^{ out[0] = 1; });
      enqueue_marker(queue, 1, &first, &both);
      enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, one, 1, &both, NULL, ^{ out[1] = 1; });
      enqueue_kernel(queue, 0, one, ^{ out[2] = 1; });
      release_event(never); release_event(first); release_event(both);
    }`;
    // More often than there is room for, if what is left of one were in the way of the next.
    for (let round = 0; round < 20; round++) {
      const { out, status, failure } = launch(make, source, { queueBytes: 4096, timeout: 0 });
      expect([status, ...out.slice(0, 3)]).toEqual([-5, 0, 0, 1]);
      if (round > 0) continue;
      const text = (await failure).split('what it has enqueued waits for ever: ')[1];
      expect(text?.split('; ').sort()).toEqual([
        "a marker waits for the block at <kernel>:6:58 in 'k'",
        "the block at <kernel>:6:58 in 'k' waits for a user event (2 launches)",
        "the block at <kernel>:8:81 in 'k' waits for a marker",
      ]);
    }
  });
});

describe('on threads', () => {
  const make = machines[0][1];

  it('a launch that traps fails the command that led to it', () => {
    const source = `kernel void k(global int *out) {
      enqueue_kernel(get_default_queue(), 0, ndrange_1D(64), ^{ *(global int *)0xfffffff0 = 1; });
      out[0] = 1;
    }`;
    const { out, status } = launch(make, source);
    expect([status, out[0]]).toEqual([-5, 1]);
    // The threads and the queue go on.
    expect(run(make, 'kernel void k(global int *out) { out[0] = 2; }')[0]).toBe(2);
  });

  it('a kernel that traps while it enqueues takes no room in the queue with it', () => {
    const context = make();
    contexts.push(context);
    const list = [CL.QUEUE_PROPERTIES, onDevice, CL.QUEUE_SIZE, 4 * 256, 0];
    const deviceQueue = context.createCommandQueueWithProperties(null, list) as CLDeviceQueue;
    const queue = context.createCommandQueue(null, 0, { timeout: 20_000 });
    const program = context.createProgram(`kernel void k(queue_t q, global int *out, int isWild) {
      clk_event_t *nowhere = (clk_event_t *)0xfffffff0;
      out[0] = isWild == 1 ? enqueue_marker(q, 0, NULL, nowhere)
        : isWild == 2 ? enqueue_kernel(q, 0, ndrange_1D(1), 3, nowhere, NULL, ^{ out[1] = 1; })
        : enqueue_kernel(q, 0, ndrange_1D(1), ^{ out[1] = 1; });
    }`);
    program.build(null, '-cl-std=CL2.0 -g');
    const kernel = program.createKernel('k');
    const out = new Int32Array(2);
    const buffer = context.createBuffer(CL.MEM_READ_WRITE, out.byteLength);
    kernel.setArg(0, deviceQueue);
    kernel.setArg(1, buffer);
    for (const isWild of [1, 2, 1, 2, 1, 2, 0]) {
      kernel.setArg(2, Int32Array.of(isWild));
      const event = new CLEvent();
      queue.enqueueNDRangeKernel(kernel, 1, null, [1], [1], null, event);
      const told = isWild === 0 ? 'no error' : 'CL_OUT_OF_RESOURCES';
      expect(errorName(() => queue.finish())).toBe(told);
      const status = event.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS);
      expect(status).toBe(isWild === 0 ? CL.COMPLETE : CL.OUT_OF_RESOURCES);
    }
    queue.enqueueReadBuffer(buffer, true, 0, out.byteLength, out);
    expect([...out]).toEqual([0, 1]);
  });

  it('a time-out ends what waits for ever, and what runs for ever', async () => {
    const waits = `kernel void k(volatile global int *out) {
      clk_event_t user = create_user_event();
      enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), 1, &user, NULL, ^{ out[0] = 1; });
      enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ while (out[2] == 0) ; });
      out[1] = 1;
    }`;
    // What waits alone is found before its time is over; the time is long enough for a thread that the system holds up.
    const waiting = launch(make, waits, { timeout: 1000 });
    expect([waiting.status, ...waiting.out.slice(0, 2)]).toEqual([-5, 0, 1]);
    expect(await waiting.failure).toMatch(
      /time-out of 1000 ms; the block at <kernel>:3:77 in 'k' waits for a user event$/,
    );
    const runs = `kernel void k(volatile global int *out) {
      enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ while (out[0] == 0) ; });
      out[1] = 1;
    }`;
    const running = launch(make, runs, { timeout: 1000 });
    expect([running.status, ...running.out.slice(0, 2)]).toEqual([-5, 0, 1]);
    expect(run(make, 'kernel void k(global int *out) { out[0] = 2; }')[0]).toBe(2);
  });
});

describe('on-device queues', () => {
  const context = createContext([wasm!]);
  contexts.push(context);
  const create = (...list: number[]) => context.createCommandQueueWithProperties(null, list);
  const errorOf = (action: () => unknown): string | undefined => {
    try {
      action();
    } catch (error) {
      if (error instanceof OpenCLError) return error.name;
      throw error;
    }
    return undefined;
  };

  it('have a size and one default a device', () => {
    const plain = create(CL.QUEUE_PROPERTIES, onDevice, CL.QUEUE_SIZE, 4096, 0) as CLDeviceQueue;
    expect(plain).toBeInstanceOf(CLDeviceQueue);
    expect(plain.getInfo(CL.QUEUE_SIZE)).toBe(4096);
    expect(plain.getInfo(CL.QUEUE_DEVICE_DEFAULT)).toBe(null);
    const first = create(CL.QUEUE_PROPERTIES, onDevice | CL.QUEUE_ON_DEVICE_DEFAULT, 0);
    expect(create(CL.QUEUE_PROPERTIES, onDevice | CL.QUEUE_ON_DEVICE_DEFAULT, 0)).toBe(first);
    expect(first.getInfo(CL.QUEUE_REFERENCE_COUNT)).toBe(2);
    expect(first.getInfo(CL.QUEUE_SIZE)).toBe(wasm!.getInfo(CL.DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE));
    const host = context.createCommandQueue();
    expect(host.getInfo(CL.QUEUE_DEVICE_DEFAULT)).toBe(first);
    context.setDefaultDeviceCommandQueue(wasm!, plain);
    expect(host.getInfo(CL.QUEUE_DEVICE_DEFAULT)).toBe(plain);
    expect(errorOf(() => host.getInfo(CL.QUEUE_SIZE))).toBe('CL_INVALID_COMMAND_QUEUE');
    plain.release();
    expect(host.getInfo(CL.QUEUE_DEVICE_DEFAULT)).toBe(null);
  });

  it('take no work from the host', () => {
    const queue = create(CL.QUEUE_PROPERTIES, onDevice, 0) as CLDeviceQueue & Record<string, () => void>;
    const methods = [
      'enqueueNDRangeKernel',
      'enqueueReadBuffer',
      'enqueueCopyImage',
      'enqueueSVMMap',
      'enqueueMarkerWithWaitList',
      'enqueueNativeKernel',
      'flush',
      'finish',
      'finished',
    ];
    for (const name of methods)
      expect(
        errorOf(() => queue[name]!()),
        name,
      ).toBe('CL_INVALID_COMMAND_QUEUE');
    queue.release();
  });

  it('are refused with the right error', () => {
    const P = CL.QUEUE_PROPERTIES;
    const tooLarge = (wasm!.getInfo(CL.DEVICE_QUEUE_ON_DEVICE_MAX_SIZE) as number) + 1;
    expect(errorOf(() => create(P, CL.QUEUE_ON_DEVICE, 0))).toBe('CL_INVALID_VALUE');
    expect(errorOf(() => create(P, CL.QUEUE_ON_DEVICE_DEFAULT, 0))).toBe('CL_INVALID_VALUE');
    expect(errorOf(() => create(CL.QUEUE_SIZE, 4096, 0))).toBe('CL_INVALID_VALUE');
    expect(errorOf(() => create(P, onDevice, CL.QUEUE_SIZE, tooLarge, 0))).toBe(
      'CL_INVALID_QUEUE_PROPERTIES',
    );
    expect(errorOf(() => create(0x4711, 1, 0))).toBe('CL_INVALID_VALUE');
    const program = context.createProgram('kernel void k(queue_t q) {}');
    program.build(null, '-cl-std=CL2.0');
    const kernel = program.createKernel('k');
    expect(errorOf(() => kernel.setArg(0, context.createBuffer(CL.MEM_READ_WRITE, 4)))).toBe(
      'CL_INVALID_DEVICE_QUEUE',
    );
  });
});
