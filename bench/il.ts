/**
 * AMD IL through CAL against OpenCL C on the same device, on one thread: products of matrices, with `mad_ieee`. Times are wall
 * times of a call and the wait for its end.
 *
 * A sample of IL never leaves its resource. The twins in OpenCL C say what that costs: with images, which is the same kernel; with
 * buffers whose indices are clamped as samples are; and with buffers as one would write it, which a wrong index would leave.
 */
import * as cal from 'millrace/cal';
import { CL, type CLBuffer, type CLContext, type CLImage, createContext } from 'millrace/opencl';
import { basicKernel, blockedKernel } from '../samples/cal-matrix-multiplication/kernels.ts';
import { check, given, load, mapped } from '../samples/cal-support/cal-steps.ts';
import { firstDevices } from './frame/bench-device.ts';
import type { Row } from './measure.ts';
import { type Runs, rowOf } from './turns.ts';

/** Rows of each matrix when it is compared with a twin: some milliseconds a run. */
const twinSize = 256;
/** Three matrices of this size do not fit into a processor's second cache. */
const largeSize = 1024;

/** Rows that an output has of the blocked product, and elements of a row that lie in one float4. */
const blockRows = 8;
const packed = 4;

interface Product extends Runs {
  readonly size: number;
  /** The element in column x of row y, after a run. */
  element(x: number, y: number): number;
}

/** Small whole numbers, so that all sums are exact. */
const inA = (k: number, y: number): number => ((3 * k + 5 * y) % 13) - 6;
const inB = (x: number, k: number): number => ((7 * x + 2 * k) % 11) - 5;

function matrix(size: number, value: (x: number, y: number) => number): Float32Array {
  return Float32Array.from({ length: size * size }, (_, index) =>
    value(index % size, Math.floor(index / size)),
  );
}

/** Every 37th element is computed here. @throws Error if one is wrong */
function checked(name: string, product: Product): Product {
  const { size } = product;
  product.run();
  for (let index = 0; index < size * size; index += 37) {
    const [x, y] = [index % size, Math.floor(index / size)];
    let sum = 0;
    for (let k = 0; k < size; k += 1) sum += inA(k, y) * inB(x, k);
    const found = product.element(x, y);
    if (found !== sum) throw new Error(`${name}: ${found} in column ${x} of row ${y}, not ${sum}`);
  }
  return product;
}

/** A product by a program in IL; `isBlocked` with eight outputs of four columns. */
function ilProduct(device: cal.CALdevice, size: number, isBlocked: boolean): Product {
  const context = given(cal.calCtxCreate(device));
  const module = load(context, cal.CAL_TARGET_770, isBlocked ? blockedKernel : basicKernel);
  const format = isBlocked ? cal.CAL_FORMAT_FLOAT_4 : cal.CAL_FORMAT_FLOAT_1;
  const [perElement, parts] = isBlocked ? [packed, blockRows] : [1, 1];
  const [width, height] = [size / perElement, size / parts];
  const resource = (symbol: string, rows: number, content?: Float32Array): cal.CALresource => {
    const made = given(cal.calResAllocLocal2D(device, width, rows, format, 0));
    if (content) {
      mapped(made, (data, pitch) => {
        for (let y = 0; y < rows; y += 1)
          data.set(content.subarray(y * size, (y + 1) * size), y * pitch * perElement);
      });
    }
    const name = given(cal.calModuleGetName(context, module, symbol));
    check(cal.calCtxSetMem(context, name, given(cal.calCtxGetMem(context, made))));
    return made;
  };
  resource('i0', size, matrix(size, inA));
  resource('i1', size, matrix(size, inB));
  const outputs = Array.from({ length: parts }, (_, part) => resource(`o${part}`, height));
  const constants = given(cal.calResAllocRemote1D([device], 1, 1, cal.CAL_FORMAT_FLOAT_4, 0));
  mapped(constants, (data) => data.set([width, 0, 0, 0]));
  const name = given(cal.calModuleGetName(context, module, 'cb0'));
  check(cal.calCtxSetMem(context, name, given(cal.calCtxGetMem(context, constants))));
  const func = given(cal.calModuleGetEntry(context, module, 'main'));
  return {
    size,
    run() {
      const event = given(cal.calCtxRunProgram(context, func, { x: 0, y: 0, width, height }));
      check(cal.calCtxFlush(context));
      // Mapping waits without keeping the processor busy, which the device's thread needs.
      mapped(outputs[0]!, () => {});
      check(cal.calCtxIsEventDone(context, event));
    },
    element(x, y) {
      let found = Number.NaN;
      mapped(outputs[y % parts]!, (data, pitch) => {
        found = data[Math.floor(y / parts) * pitch * perElement + x]!;
      });
      return found;
    },
  };
}

const sources = {
  images: `constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void f(read_only image2d_t a, read_only image2d_t b, global float *out, int size, float end) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0.0f;
  for (float k = 0.5f; k < end; k += 1.0f)
    sum += read_imagef(a, s, (float2)(k, y + 0.5f)).x * read_imagef(b, s, (float2)(x + 0.5f, k)).x;
  out[y * size + x] = sum;
}`,
  clamped: `kernel void f(global const float *a, global const float *b, global float *out, int size, float end) {
  int x = get_global_id(0), y = get_global_id(1), last = size - 1;
  float sum = 0.0f;
  for (float k = 0.5f; k < end; k += 1.0f) {
    int at = clamp((int)k, 0, last);
    sum += a[clamp(y, 0, last) * size + at] * b[at * size + clamp(x, 0, last)];
  }
  out[y * size + x] = sum;
}`,
  free: `kernel void f(global const float *a, global const float *b, global float *out, int size, float end) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0.0f;
  for (int k = 0; k < size; k++) sum += a[y * size + k] * b[k * size + x];
  out[y * size + x] = sum;
}`,
  blocked: `kernel void f(global const float4 *a, global const float4 *b, global float4 *out, int size, float end) {
  int x = get_global_id(0), y = get_global_id(1), width = size / 4;
  float4 sums[8];
  for (int i = 0; i < 8; i++) sums[i] = 0.0f;
  for (int k = 0; k < width; k++) {
    float4 b0 = b[4 * k * width + x], b1 = b[(4 * k + 1) * width + x];
    float4 b2 = b[(4 * k + 2) * width + x], b3 = b[(4 * k + 3) * width + x];
    for (int i = 0; i < 8; i++) {
      float4 row = a[(8 * y + i) * width + k];
      sums[i] += row.x * b0 + row.y * b1 + row.z * b2 + row.w * b3;
    }
  }
  for (int i = 0; i < 8; i++) out[(8 * y + i) * width + x] = sums[i];
}`,
};

function openCLProduct(context: CLContext, size: number, form: keyof typeof sources): Product {
  const queue = context.createCommandQueue();
  const program = context.createProgram(sources[form]);
  program.build();
  const kernel = program.createKernel('f');
  const flags = CL.MEM_READ_ONLY | CL.MEM_COPY_HOST_PTR;
  const input = (content: Float32Array): CLBuffer | CLImage =>
    form === 'images'
      ? context.createImage(
          flags,
          { channelOrder: CL.R, channelType: CL.FLOAT },
          { type: CL.MEM_OBJECT_IMAGE2D, width: size, height: size },
          content,
        )
      : context.createBuffer(flags, content.byteLength, content);
  const result = new Float32Array(size * size);
  const out = context.createBuffer(CL.MEM_WRITE_ONLY, result.byteLength);
  const args = [input(matrix(size, inA)), input(matrix(size, inB)), out];
  for (const [index, arg] of args.entries()) kernel.setArg(index, arg);
  kernel.setArg(3, Int32Array.of(size));
  kernel.setArg(4, Float32Array.of(size));
  const global = form === 'blocked' ? [size / packed, size / blockRows] : [size, size];
  let isRead = false;
  return {
    size,
    run() {
      queue.enqueueNDRangeKernel(kernel, 2, null, global, null);
      queue.finish();
    },
    element(x, y) {
      if (!isRead) queue.enqueueReadBuffer(out, true, 0, result.byteLength, result);
      isRead = true;
      return result[y * size + x]!;
    },
  };
}

/** `MILLRACE_VECTORISE=0` measures what blocking gains alone, without packs. */
export async function measureIl(): Promise<Row[]> {
  cal.calChooseDevices('webassembly');
  check(cal.calInit());
  const device = given(cal.calDeviceOpen(0));
  const gain = (size: number): Row => {
    const [basic, blocked] = [false, true].map((isBlocked) =>
      checked(isBlocked ? 'blocked' : 'basic', ilProduct(device, size, isBlocked)),
    );
    return rowOf(`blocked against basic, ${size}`, blocked!, 'basic', basic!);
  };
  if (process.env['MILLRACE_VECTORISE'] === '0') return [gain(twinSize)];
  const context = createContext(firstDevices()[0]);
  const against = (isBlocked: boolean, form: keyof typeof sources, what: string): Row => {
    const name = `${isBlocked ? 'blocked' : 'basic'}, ${twinSize}`;
    const own = checked(name, ilProduct(device, twinSize, isBlocked));
    return rowOf(name, own, what, checked(what, openCLProduct(context, twinSize, form)));
  };
  return [
    against(false, 'images', 'OpenCL C, images'),
    against(false, 'clamped', 'OpenCL C, clamped indices'),
    against(false, 'free', 'OpenCL C, free indices'),
    against(true, 'blocked', 'OpenCL C, free indices'),
    gain(largeSize),
  ];
}
