/**
 * Brook+ against OpenCL C: stream kernels and their twins on our device, reductions and the speed of memory, in turn and on one
 * thread. Times are wall times of a call and the wait for it, so that what the runtime of streams does counts, too.
 */
import { type BrookModule, brook, type Stream } from 'millrace/brook';
import { CL, type CLBuffer, type CLContext, createContext } from 'millrace/opencl';
import { multiplications, type Numbers, type Pair, pairs } from './brook/pairs.ts';
import { firstDevices } from './frame/bench-device.ts';
import type { Row } from './measure.ts';
import { type Runs, rowOf } from './turns.ts';

/** Something to time, and what it computes. */
interface Side extends Runs {
  result(): Numbers[];
}

function streamSide(pair: Pair): Side {
  const module = brook(pair.brook);
  const streams = new Map<string, Stream>();
  for (const [name, { type, sizes, content }] of Object.entries(pair.data)) {
    const stream = module.stream(type, sizes);
    if (content) stream.read(content);
    streams.set(name, stream);
  }
  const args = pair.args.map((arg) => {
    if (typeof arg === 'number') return arg;
    const { content, sizes } = pair.data[arg]!;
    return sizes.join() === '1' && content ? content : streams.get(arg)!;
  });
  const outputs = pair.outputs.map((name) => streams.get(name)!);
  return {
    run() {
      module.kernels['f']!(...args);
      outputs[0]!.finish();
    },
    result: () =>
      outputs.map((stream) => {
        const into = arrayLike(pair, stream.byteLength);
        stream.write(into);
        if (stream.error() !== 'BR_NO_ERROR') throw new Error(stream.errorLog());
        return into;
      }),
  };
}

function arrayLike(pair: Pair, byteLength: number): Numbers {
  const { type } = pair.data[pair.outputs[0]!]!;
  if (type === 'char') return new Int8Array(byteLength);
  return type === 'int' ? new Int32Array(byteLength / 4) : new Float32Array(byteLength / 4);
}

function twinSide(context: CLContext, pair: Pair): Side {
  const queue = context.createCommandQueue();
  const program = context.createProgram(pair.openCL);
  program.build();
  const kernel = program.createKernel('f');
  const buffers = new Map<string, CLBuffer>();
  for (const [name, { type, sizes, content }] of Object.entries(pair.data)) {
    const elements = sizes.reduce((product, size) => product * size, 1);
    const bytes = content?.byteLength ?? elements * (type === 'char' ? 1 : type === 'float4' ? 16 : 4);
    const buffer = context.createBuffer(CL.MEM_READ_WRITE, bytes);
    if (content) queue.enqueueWriteBuffer(buffer, true, 0, bytes, content);
    buffers.set(name, buffer);
  }
  return {
    run() {
      for (const [index, arg] of pair.twinArgs.entries())
        kernel.setArg(index, typeof arg === 'string' ? buffers.get(arg)! : arg);
      queue.enqueueNDRangeKernel(
        kernel,
        pair.global.length,
        null,
        [...pair.global],
        pair.local ? [...pair.local] : null,
      );
      queue.finish();
    },
    result: () =>
      pair.outputs.map((name) => {
        const buffer = buffers.get(name)!;
        const into = arrayLike(pair, Number(buffer.getInfo(CL.MEM_SIZE)));
        queue.enqueueReadBuffer(buffer, true, 0, into.byteLength, into);
        return into;
      }),
  };
}

function checkSame(name: string, one: Side, other: Side): void {
  const [results, others] = [one.result(), other.result()];
  for (const [index, result] of results.entries()) {
    const at = result.findIndex((value, place) => value !== others[index]![place]);
    if (at >= 0)
      throw new Error(`${name}: ${result[at]} and ${others[index]![at]} at ${at} of output ${index}`);
  }
}

/** Every stream kernel against its twin. */
function measurePairs(context: CLContext): Row[] {
  return pairs.map((pair) => {
    const [side, twin] = [streamSide(pair), twinSide(context, pair)];
    side.run();
    twin.run();
    checkSame(pair.name, side, twin);
    return rowOf(pair.name, side, 'OpenCL C', twin);
  });
}

const reductions = 1 << 24;

/** Sums of 16M elements and of parts of them, against a kernel that does nothing but load them. */
function measureReductions(context: CLContext): Row[] {
  const module = brook(`reduce void total(float a<>, reduce float r<>) { r += a; }
    reduce void largest(float a<>, reduce float r<>) { if (a > r) r = a; }`);
  const content = Float32Array.from({ length: reductions }, (_, index) => index & 1);
  const sides = (sizes: readonly number[], name: string, target: Stream | Float32Array): Side => {
    const a = module.stream('float', sizes);
    a.read(content);
    return {
      run() {
        module.kernels[name]!(a, target);
        if (!(target instanceof Float32Array)) target.finish();
      },
      result: () => {
        const out = target instanceof Float32Array ? target : new Float32Array(target.byteLength / 4);
        if (!(target instanceof Float32Array)) target.write(out);
        return [out];
      },
    };
  };
  const loads = loadingSide(context, content);
  const checked = (side: Side, value: number): Side => {
    side.run();
    const wrong = side.result()[0]!.find((one) => one !== value);
    if (wrong !== undefined) throw new Error(`a reduction gives ${wrong}, not ${value}`);
    return side;
  };
  const half = reductions / 2;
  const whole = [reductions];
  const square = [4096, 4096];
  const against = 'loading them';
  return [
    rowOf('sum of 16M floats', checked(sides(whole, 'total', new Float32Array(1)), half), against, loads),
    rowOf('largest of 16M floats', checked(sides(whole, 'largest', new Float32Array(1)), 1), against, loads),
    rowOf(
      'sums of 4096 rows',
      checked(sides(square, 'total', outputOf(module, [4096])), 2048),
      against,
      loads,
    ),
    rowOf(
      'sums of 64 x 64 blocks',
      checked(sides(square, 'total', outputOf(module, [64, 64])), 2048),
      against,
      loads,
    ),
    rowOf(
      'sums of strips of 4',
      checked(sides(square, 'total', outputOf(module, [1024, 4096])), 2),
      against,
      loads,
    ),
    rowOf(
      'largest of 4096 rows',
      checked(sides(square, 'largest', outputOf(module, [4096])), 1),
      against,
      loads,
    ),
  ];
}

function outputOf(module: BrookModule, sizes: readonly number[]): Stream {
  return module.stream('float', sizes);
}

/** Loads every element and stores next to nothing: the speed of memory as kernels see it. */
function loadingSide(context: CLContext, content: Float32Array): Side {
  const queue = context.createCommandQueue();
  const program =
    context.createProgram(`kernel void load(global const float4 *a, global float4 *out, uint count) {
  uint all = get_global_size(0);
  float4 sum = 0.0f, other = 0.0f;
  for (uint i = get_global_id(0); i < count; i += 2 * all) {
    sum += a[i];
    other += a[i + all];
  }
  out[get_global_id(0)] = sum + other;
}`);
  program.build();
  const kernel = program.createKernel('load');
  const items = 4096;
  const from = context.createBuffer(CL.MEM_READ_ONLY, content.byteLength);
  const out = context.createBuffer(CL.MEM_READ_WRITE, items * 16);
  queue.enqueueWriteBuffer(from, true, 0, content.byteLength, content);
  kernel.setArg(0, from);
  kernel.setArg(1, out);
  kernel.setArg(2, Uint32Array.of(content.length / 4));
  return {
    run() {
      queue.enqueueNDRangeKernel(kernel, 1, null, [items], null);
      queue.finish();
    },
    result: () => [],
  };
}

/** Multiplication with eight outputs against the simple one. */
function measureMultiplications(): Row[] {
  const [simple, optimised] = multiplications(256).map(streamSide) as [Side, Side];
  return [rowOf('eight outputs against simple', optimised, 'simple', simple)];
}

/** `MILLRACE_VECTORISE=0` measures the multiplications alone, without packing. */
export async function measureBrook(): Promise<Row[]> {
  if (process.env['MILLRACE_VECTORISE'] === '0') return measureMultiplications();
  const context = createContext(firstDevices()[0]);
  return [...measurePairs(context), ...measureReductions(context), ...measureMultiplications()];
}
