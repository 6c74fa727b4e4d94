/** Programs in IL that the tests of CAL run, and the ways to a context with one of them. */
import * as cal from 'millrace/cal';
import { expect } from 'vitest';

const resource = (id: number): string =>
  `dcl_resource_id(${id})_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)`;

/** o0 = i0 * cb0[0].x */
export const scale = `il_ps_2_0
dcl_input_position_interp(linear_noperspective) v0.xy__
dcl_output_generic o0
dcl_cb cb0[1]
${resource(0)}
sample_resource(0)_sampler(0) r0, v0.xyxx
mul o0, r0, cb0[0].x
ret_dyn
end
`;

/** o0 = i0 */
export const copy = `il_ps_2_0
dcl_input_position_interp(linear_noperspective) v0.xy__
dcl_output_generic o0
${resource(0)}
sample_resource(0)_sampler(0) o0, v0.xyxx
end
`;

/** o0 = i0 + i1 and o1 = i0 - i1 */
export const sumAndDifference = `il_ps_2_0
dcl_input_position_interp(linear_noperspective) v0.xy__
dcl_output_generic o0
dcl_output_generic o1
${resource(0)}
${resource(1)}
sample_resource(0)_sampler(0) r0, v0.xyxx
sample_resource(1)_sampler(1) r1, v0.xyxx
add o0, r0, r1
sub o1, r0, r1
end
`;

/** Each position writes its number, y * cb0[0].x + x, to g there. */
export const scatter = `il_ps_2_0
dcl_input_position_interp(linear_noperspective) v0.xy__
dcl_output_generic o0
dcl_cb cb0[1]
ftoi r0, v0.xyxx
itof r1, r0
mad r2.x___, r1.y, cb0[0].x, r1.x
ftoi r3.x___, r2.x
mov g[r3.x], r2.xxxx
mov o0, r2.xxxx
end
`;

/** o0 = i0 in double precision, times itself */
export const squareDouble = `il_ps_2_0
dcl_input_position_interp(linear_noperspective) v0.xy__
dcl_output_generic o0
${resource(0)}
sample_resource(0)_sampler(0) r0, v0.xyxx
dmul o0.xy__, r0.xy, r0.xy
end
`;

/** Groups of 64 threads: g[n] = n * 2 */
export const doubledIds = `il_cs_2_0
dcl_num_thread_per_group 64
dcl_literal l0, 2, 2, 2, 2
imul r0, vAbsTidFlat.x, l0.x
mov g[vAbsTidFlat.x], r0
end
`;

/** A program that never ends. */
export const endless = `il_ps_2_0
dcl_output_generic o0
dcl_literal l0, 1, 1, 1, 1
mov r0, l0
whileloop
    iadd r0, r0, l0
endloop
mov o0, r0
end
`;

/** What a call gives, if it is OK. */
export function ok<T>([result, value]: readonly [number, T, ...unknown[]]): T {
  expect(result, cal.calGetErrorString()).toBe(cal.CAL_RESULT_OK);
  return value;
}

/** An image of a program. */
export function imageOf(source: string, target: number = cal.CAL_TARGET_770): number {
  const [result, object] = cal.calclCompile(cal.CAL_LANGUAGE_IL, source, target);
  expect(result, cal.calclGetErrorString()).toBe(cal.CAL_RESULT_OK);
  return ok(cal.calclLink([object]));
}

/** A device, a context on it, and a program in that. */
export interface Loaded {
  readonly device: number;
  readonly context: number;
  readonly module: number;
  readonly func: number;
}

const opened: number[] = [];

/** Opens a device by its ordinal among the chosen ones; {@link end} closes it. */
export function open(ordinal: number): number {
  const device = ok(cal.calDeviceOpen(ordinal));
  opened.push(device);
  return device;
}

/** A device and a context on it. CAL stays initialized from test to test, so that threads are started once. */
export function begin(ordinal = 0): { device: number; context: number } {
  expect([cal.CAL_RESULT_OK, cal.CAL_RESULT_ALREADY]).toContain(cal.calInit());
  const device = open(ordinal);
  return { device, context: ok(cal.calCtxCreate(device)) };
}

/** Closes the devices of a test, with all that they have. */
export function end(): void {
  for (const device of opened.splice(0)) cal.calDeviceClose(device);
}

export function load(context: number, source: string, target?: number): { module: number; func: number } {
  const module = ok(cal.calModuleLoad(context, imageOf(source, target)));
  return { module, func: ok(cal.calModuleGetEntry(context, module, 'main')) };
}

/** Binds a resource to a symbol and gives the memory handle. */
export function bind(context: number, module: number, symbol: string, bound: number): number {
  const mem = ok(cal.calCtxGetMem(context, bound));
  const name = ok(cal.calModuleGetName(context, module, symbol));
  expect(cal.calCtxSetMem(context, name, mem), cal.calGetErrorString()).toBe(cal.CAL_RESULT_OK);
  return mem;
}

/** A resource of one format with the numbers given row by row, without gaps. */
export function filled(
  device: number,
  width: number,
  height: number,
  format: number,
  values: (index: number) => number,
  flags = 0,
): number {
  const made = ok(cal.calResAllocLocal2D(device, width, height, format, flags));
  write(made, width, height, values);
  return made;
}

export function write(
  resource: number,
  width: number,
  height: number,
  values: (index: number) => number,
): void {
  const [result, data, pitch] = cal.calResMap(resource, 0);
  expect(result).toBe(cal.CAL_RESULT_OK);
  const components = data!.length / (pitch * height);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width * components; column += 1) {
      data![row * pitch * components + column] = values(row * width * components + column);
    }
  }
  expect(cal.calResUnmap(resource)).toBe(cal.CAL_RESULT_OK);
}

/** The numbers of a resource row by row, without the gaps. */
export function numbers(resource: number, width: number, height: number): number[] {
  const [result, data, pitch] = cal.calResMap(resource, 0);
  expect(result, cal.calGetErrorString()).toBe(cal.CAL_RESULT_OK);
  const components = data!.length / (pitch * height);
  const rows = Array.from({ length: height }, (_, row) => [
    ...data!.subarray(row * pitch * components, (row * pitch + width) * components),
  ]);
  expect(cal.calResUnmap(resource)).toBe(cal.CAL_RESULT_OK);
  return rows.flat();
}

/** Waits as programs in C do. */
export function finish(context: number, event: number): void {
  let result = cal.calCtxIsEventDone(context, event);
  while (result === cal.CAL_RESULT_PENDING) result = cal.calCtxIsEventDone(context, event);
  expect(result, cal.calGetErrorString()).toBe(cal.CAL_RESULT_OK);
}

export function run(context: number, func: number, width: number, height: number, x = 0, y = 0): void {
  finish(context, ok(cal.calCtxRunProgram(context, func, { x, y, width, height })));
}
