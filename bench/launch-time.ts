/** How long a launch of an empty kernel takes, alone and in a stream of launches that are not waited for. */
import { performance } from 'node:perf_hooks';
import { compile } from 'millrace';
import { createContext } from 'millrace/opencl';
import { firstDevices, nameOf } from './frame/bench-device.ts';
import { median, type Row, timed } from './measure.ts';

const source = 'kernel void empty(void) {}';

/** Measures launches through the short form and through the OpenCL API. */
export async function measureLaunchTime(): Promise<Row[]> {
  const program = await compile(source);
  const empty = program.kernel('empty');
  const awaited: number[] = [];
  for (let round = 0; round < 4000; round++) {
    awaited.push(await timed(() => empty({ global: [1], local: [1] })));
  }
  const stream = 2000;
  const streamed = await timed(() =>
    Promise.all(Array.from({ length: stream }, () => empty({ global: [1], local: [1] }))),
  );
  program.release();
  return [
    blockingLaunch(),
    enqueueTime(),
    { name: 'launch and await, short form', value: median(awaited.slice(500)) * 1000, unit: 'us', goal: 100 },
    { name: 'one of 2000 launches in flight', value: (streamed / stream) * 1000, unit: 'us' },
  ];
}

/** Median microseconds of enqueueNDRangeKernel and finish, beside those of the first driver, through the same calls. */
function blockingLaunch(): Row {
  const [ours, driver] = firstDevices();
  const launches = [ours, ...(driver ? [driver] : [])].map((device) => {
    const context = createContext(device);
    const queue = context.createCommandQueue();
    const program = context.createProgram(source);
    program.build();
    const kernel = program.createKernel('empty');
    const run = (): number => {
      const start = performance.now();
      queue.enqueueNDRangeKernel(kernel, 1, null, [1], [1]);
      queue.finish();
      return performance.now() - start;
    };
    return { run, times: [] as number[], context };
  });
  // In turns, so that both feel the same neighbours, but long ones: a thread that has just worked is quick to wake.
  for (let turn = 0; turn < 8; turn++) {
    for (const { run, times } of launches) {
      const all = Array.from({ length: 500 }, run);
      times.push(...all.slice(100));
    }
  }
  for (const { context } of launches) context.releaseAll();
  const [first, second] = launches.map(({ times }) => median(times) * 1000);
  return {
    name: 'launch and wait, OpenCL API',
    value: first!,
    unit: 'us',
    goal: 100,
    ...(driver && second !== undefined ? { against: { name: nameOf(driver), value: second } } : {}),
  };
}

/** Microseconds that the host spends on a command it does not wait for: the best of many short streams. */
function enqueueTime(): Row {
  const context = createContext();
  const queue = context.createCommandQueue();
  const program = context.createProgram(source);
  program.build();
  const kernel = program.createKernel('empty');
  const count = 1000;
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 50; round++) {
    const start = performance.now();
    for (let index = 0; index < count; index++) queue.enqueueNDRangeKernel(kernel, 1, null, [1], [1]);
    least = Math.min(least, performance.now() - start);
    queue.finish();
  }
  context.releaseAll();
  return { name: 'enqueue a launch, OpenCL API', value: (least / count) * 1000, unit: 'us', goal: 5 };
}
