/**
 * The work-group functions of OpenCL C 2.0 against what programs write without them: trees and steps in local memory,
 * with a barrier after each. Both in one program, on the same data, in turn.
 */
import { CL, CLEvent, type CLKernel, createContext } from 'millrace/opencl';
import { firstDevices } from './frame/bench-device.ts';
import { median, type Row } from './measure.ts';

const groupSize = 256;
const count = 1 << 18;
const rounds = 60;

/** Kernels that do the same, for elements of a type. */
const source = (type: string): string => `
kernel void reduce_builtin(global const ${type} *in, global ${type} *out) {
  ${type} sum = work_group_reduce_add(in[get_global_id(0)]);
  if (get_local_id(0) == 0) out[get_group_id(0)] = sum;
}
kernel void reduce_written(global const ${type} *in, global ${type} *out) {
  local ${type} part[${groupSize}];
  int x = get_local_id(0);
  part[x] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_size = ${groupSize} / 2; half_size > 0; half_size >>= 1) {
    if (x < half_size) part[x] += part[x + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (x == 0) out[get_group_id(0)] = part[0];
}
kernel void scan_builtin(global const ${type} *in, global ${type} *out) {
  out[get_global_id(0)] = work_group_scan_inclusive_add(in[get_global_id(0)]);
}
kernel void scan_written(global const ${type} *in, global ${type} *out) {
  local ${type} part[2][${groupSize}];
  int x = get_local_id(0), from = 0;
  part[0][x] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance = 1; distance < ${groupSize}; distance <<= 1) {
    ${type} sum = part[from][x];
    if (x >= distance) sum += part[from][x - distance];
    part[1 - from][x] = sum;
    from = 1 - from;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = part[from][x];
}
kernel void sweep_builtin(global const ${type} *in, global ${type} *out) {
  out[get_global_id(0)] = work_group_scan_exclusive_add(in[get_global_id(0)]);
}
kernel void sweep_written(global const ${type} *in, global ${type} *out) {
  local ${type} part[${groupSize}];
  int x = get_local_id(0);
  part[x] = in[get_global_id(0)];
  int distance = 1;
  for (int active = ${groupSize} / 2; active > 0; active >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x < active) part[distance * (2 * x + 2) - 1] += part[distance * (2 * x + 1) - 1];
    distance <<= 1;
  }
  if (x == 0) part[${groupSize} - 1] = 0;
  for (int active = 1; active < ${groupSize}; active <<= 1) {
    distance >>= 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x < active) {
      int low = distance * (2 * x + 1) - 1, high = distance * (2 * x + 2) - 1;
      ${type} kept = part[low];
      part[low] = part[high];
      part[high] += kept;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = part[x];
}`;

const pairs = [
  ['reduce', 'reduction against a tree'],
  ['scan', 'inclusive scan against steps of doubling distance'],
  ['sweep', 'exclusive scan against an up-sweep and a down-sweep'],
] as const;

const types = { int: Int32Array, float: Float32Array, double: Float64Array } as const;

/** Least and median milliseconds of each, by the device's own clock. */
export async function measureWorkGroupFunctions(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [type, Elements] of Object.entries(types)) {
    const context = createContext(firstDevices()[0]);
    const queue = context.createCommandQueue(undefined, CL.QUEUE_PROFILING_ENABLE);
    const program = context.createProgram(source(type));
    program.build(undefined, '-cl-std=CL2.0');
    const input = new Elements(count).map((_: number, index: number) => index % 7);
    const into = context.createBuffer(CL.MEM_READ_ONLY | CL.MEM_COPY_HOST_PTR, input.byteLength, input);
    const output = new Elements(count);
    const out = context.createBuffer(CL.MEM_WRITE_ONLY, output.byteLength);
    const run = (kernel: CLKernel): number => {
      const event = new CLEvent();
      queue.enqueueNDRangeKernel(kernel, 1, null, [count], [groupSize], [], event);
      queue.finish();
      const end = event.getProfilingInfo(CL.PROFILING_COMMAND_END);
      const nanoseconds = end - event.getProfilingInfo(CL.PROFILING_COMMAND_START);
      event.release();
      return Number(nanoseconds) / 1e6;
    };
    for (const [name, title] of pairs) {
      const sides = [`${name}_builtin`, `${name}_written`].map((kernelName) => {
        const kernel = program.createKernel(kernelName);
        kernel.setArg(0, into);
        kernel.setArg(1, out);
        run(kernel);
        queue.enqueueReadBuffer(out, true, 0, output.byteLength, output);
        return {
          kernel,
          times: [] as number[],
          left: output.slice(0, name === 'reduce' ? count / groupSize : count),
        };
      });
      const [builtin, written] = sides as [(typeof sides)[0], (typeof sides)[0]];
      if (builtin.left.join() !== written.left.join()) throw new Error(`${name} of ${type}: results differ`);
      for (let round = 0; round < rounds; round += 1) {
        for (const { kernel, times } of sides) times.push(run(kernel));
      }
      const timed = ({ times }: (typeof sides)[0]): number[] => times.slice(rounds / 4);
      rows.push({
        name: `${title}, ${type}`,
        value: median(timed(builtin)),
        unit: 'ms',
        against: { name: 'written out', value: median(timed(written)) },
        least: [Math.min(...timed(builtin)), Math.min(...timed(written))],
      });
    }
    context.releaseAll();
  }
  return rows;
}
