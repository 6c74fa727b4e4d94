/**
 * What a launch costs on WebGPU: an empty kernel, awaited and in a batch through the OpenCL API, a chain of launches that depend on one another
 * (a bitonic sort), copies that stay on the device, transfers and first results. Needs the package `webgpu` and a driver of Vulkan; SwiftShader, which Debian's chromium
 * brings, is taken where nothing else is named.
 */
import { existsSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { requestDevice } from 'millrace';
import { CL, createContext, getPlatforms } from 'millrace/opencl';
import { medianOfRounds, type Row } from './measure.ts';

const swiftShader = '/usr/lib/chromium/vk_swiftshader_icd.json';
const source = `
kernel void empty(void) {}
kernel void one(global int *p) { if (get_global_id(0) == 0) p[0] += 1; }
kernel void sort(global uint *p, uint distance, uint length) {
  uint at = get_global_id(0);
  uint low = (at / distance) * distance * 2 + at % distance;
  uint a = p[low], b = p[low + distance];
  bool rises = (low / length) % 2 == 0;
  if ((a > b) == rises) { p[low] = b; p[low + distance] = a; }
}`;
/** Launches of a batch. */
export const batch = 1000;
/** Bytes of a transfer. */
const transferred = 2 ** 28;
const sorted = 1 << 10;

/** Takes SwiftShader where no other driver is named. */
export function useSwiftShader(): void {
  if (existsSync(swiftShader)) process.env['VK_ICD_FILENAMES'] ??= swiftShader;
}

/** Rows, or why there is nothing to measure. */
export async function measureWebGpu(): Promise<Row[] | string> {
  useSwiftShader();
  let name: string;
  try {
    name = (await requestDevice('webgpu')).name;
  } catch (error) {
    return (error as Error).message;
  }
  const device = getPlatforms()
    .flatMap((platform) => platform.getDevices(CL.DEVICE_TYPE_ALL))
    .find((each) => each.getInfo(CL.DEVICE_NAME) === name)!;
  const context = createContext(device);
  const queue = context.createCommandQueue();
  const program = context.createProgram(source);
  program.build();
  const empty = program.createKernel('empty');
  const one = program.createKernel('one');
  const sort = program.createKernel('sort');
  const counter = context.createBuffer(CL.MEM_READ_WRITE, 4096);
  const other = context.createBuffer(CL.MEM_READ_WRITE, 4096);
  const numbers = context.createBuffer(CL.MEM_READ_WRITE, sorted * 4);
  one.setArg(0, counter);
  sort.setArg(0, numbers);

  const launch = (kernel: typeof empty): void => void queue.enqueueNDRangeKernel(kernel, 1, null, [1], [1]);
  const microseconds = (count: number, run: () => void): number => {
    const start = performance.now();
    run();
    return ((performance.now() - start) * 1000) / count;
  };
  const batchOf = (enqueue: () => void): number =>
    microseconds(batch, () => {
      for (let index = 0; index < batch; index++) enqueue();
      queue.finish();
    });
  const sortAll = (): number =>
    microseconds(1000, () => {
      const data = Uint32Array.from({ length: sorted }, (_, at) => (at * 2_654_435_761) >>> 0);
      queue.enqueueWriteBuffer(numbers, false, 0, sorted * 4, data);
      for (let length = 2; length <= sorted; length *= 2) {
        for (let distance = length / 2; distance >= 1; distance /= 2) {
          sort.setArg(1, Uint32Array.of(distance));
          sort.setArg(2, Uint32Array.of(length));
          queue.enqueueNDRangeKernel(sort, 1, null, [sorted / 2], [64]);
        }
      }
      queue.enqueueReadBuffer(numbers, true, 0, sorted * 4, data);
      if (data.some((value, at) => at > 0 && value < data[at - 1]!))
        throw new Error('the numbers are not sorted');
    });
  const awaited = async (): Promise<number> => {
    const start = performance.now();
    launch(empty);
    await queue.finished();
    return (performance.now() - start) * 1000;
  };

  const blocked = (): number =>
    microseconds(1, () => {
      launch(empty);
      queue.finish();
    });
  const large = context.createBuffer(CL.MEM_READ_WRITE, transferred);
  const host = new Uint8Array(transferred).fill(1);
  const gigabytes = (transfer: () => void): number => transferred / 1000 / microseconds(1, transfer);
  let constant = 0;
  /** From a source to the end of its kernel's first run, and the same again with the source as it was. */
  const firstRun = (isNew: boolean): number =>
    microseconds(1000, () => {
      if (isNew) constant += 1;
      const fresh = context.createProgram(
        `${source}\nkernel void add(global int *p) { p[0] += ${constant}; }`,
      );
      fresh.build();
      const kernel = fresh.createKernel('add');
      kernel.setArg(0, counter);
      launch(kernel);
      queue.finish();
      fresh.release();
    });
  const rows: Row[] = [
    { name: `a launch, awaited (${name})`, value: await medianOfRounds(400, awaited), unit: 'us', goal: 300 },
    {
      name: 'a launch and a wait that blocks',
      value: await medianOfRounds(400, blocked),
      unit: 'us',
      goal: 300,
    },
    {
      name: `one of ${batch} launches`,
      value: await medianOfRounds(12, () => batchOf(() => launch(empty))),
      unit: 'us',
      goal: 20,
    },
    {
      name: `one of ${batch} launches that add to a buffer`,
      value: await medianOfRounds(12, () => batchOf(() => launch(one))),
      unit: 'us',
    },
    {
      name: `a launch and a copy, one of ${batch} pairs`,
      value: await medianOfRounds(12, () =>
        batchOf(() => {
          launch(one);
          queue.enqueueCopyBuffer(counter, other, 0, 0, 4096);
        }),
      ),
      unit: 'us',
    },
    {
      name: `bitonic sort of ${sorted} numbers, 55 launches, to and fro`,
      value: await medianOfRounds(12, sortAll),
      unit: 'ms',
    },
    {
      name: `written to the device, ${transferred / 2 ** 20} MiB`,
      value: await medianOfRounds(8, () =>
        gigabytes(() => queue.enqueueWriteBuffer(large, true, 0, transferred, host)),
      ),
      unit: 'GB/s',
    },
    {
      name: `read from the device, ${transferred / 2 ** 20} MiB`,
      value: await medianOfRounds(8, () =>
        gigabytes(() => queue.enqueueReadBuffer(large, true, 0, transferred, host)),
      ),
      unit: 'GB/s',
    },
    {
      name: 'small kernel, from a new source to its first result',
      value: await medianOfRounds(8, () => firstRun(true)),
      unit: 'ms',
    },
    {
      name: 'the same source built again',
      value: await medianOfRounds(8, () => firstRun(false)),
      unit: 'ms',
    },
  ];
  context.releaseAll();
  return rows;
}
