/** Launches whose groups have rows that long vectors do not fill: they get code of their own where that matters. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compileForWasm } from '../../../src/devices/wasm/compile-kernels.ts';
import { LocalWasmDevice } from '../../../src/devices/wasm/local-wasm-device.ts';
import type { OpenWasmDevice } from '../../../src/devices/wasm/open-wasm-device.ts';
import { shortRowOf } from '../../../src/devices/wasm/short-rows.ts';
import { localDevice, WasmDevice } from '../../../src/devices/wasm/wasm-device.ts';
import type { WasmDeviceProgram } from '../../../src/devices/wasm/wasm-program.ts';
import { compileOpenCL } from '../../../src/opencl/compile.ts';
import type { Triple } from '../../../src/runtime/command.ts';
import { Context } from '../../../src/runtime/context.ts';

it.each<[local: number[] | undefined, lanes: number | undefined]>([
  [undefined, undefined],
  [[8, 8, 1], 8],
  [[4, 64], 4],
  [[2, 32], undefined],
  [[16, 16], undefined],
  // 3 vectors of 4 in the place of 12 by themselves.
  [[12], 4],
  // 3 of 8 in the place of one of 16 and 8 by themselves.
  [[24], 8],
  // One of 16 and 4 by themselves are as good as anything.
  [[20], undefined],
  [[256], undefined],
])('rows of %j', (local, lanes) => {
  expect(shortRowOf(local)).toBe(lanes);
});

describe('a kernel in short rows', () => {
  // Also where the tests run without vectors.
  const forced = process.env['MILLRACE_VECTORISE'];
  beforeEach(() => {
    delete process.env['MILLRACE_VECTORISE'];
  });
  afterEach(() => {
    if (forced !== undefined) process.env['MILLRACE_VECTORISE'] = forced;
  });

  localDevice.provide(LocalWasmDevice);
  let compiled = 0;
  const device = new WasmDevice({
    compile: (...input) => {
      compiled += 1;
      return compileForWasm(...input);
    },
  });
  const context = new Context([device], { shared: false });

  function build(source: string): WasmDeviceProgram {
    compiled = 0;
    const lower = () => compileOpenCL(source, {}).module!;
    const input = { source, options: '', isChecked: true, lower };
    return (context.opened(device) as OpenWasmDevice).build(input) as WasmDeviceProgram;
  }

  /** Bytes, of which sixteen fill a register. What each does with its row is its own. */
  const kernel = (body: string) => `kernel void k(global const uchar *a, global uchar *b, int n) {
    int at = get_global_id(1) * n + get_global_id(0); uchar x = a[at]; ${body} b[at] = x;
  }`;
  const codeFor = (program: WasmDeviceProgram, local: Triple, global: Triple = [1024, 64, 1]) =>
    program.kernels[0]!.forLaunch([], global, local).code;

  it('has shorter vectors for them, and long ones elsewhere', () => {
    const program = build(kernel('for (int i = 0; i < n; i++) x ^= a[at + i];'));
    const short = codeFor(program, [8, 8, 1]);
    expect([short.lanes, short.attributes.rowLength]).toEqual([8, 8]);
    const long = codeFor(program, [64, 1, 1]);
    expect([long.lanes, long.attributes.rowLength]).toEqual([16, undefined]);
    expect(codeFor(program, [8, 4, 1])).toBe(short);
    expect(compiled).toBe(2);
    program.release();
  });

  it('is compiled for them when that many work-items have run in them', () => {
    const program = build(kernel('for (int i = 0; i < n; i++) x ^= a[at + i];'));
    // A quarter of what it takes, four times.
    const lanes = Array.from({ length: 4 }, () => codeFor(program, [8, 8, 1], [64, 64, 1]).lanes);
    expect(lanes).toEqual([16, 16, 16, 8]);
    program.release();
  });

  it('is not compiled again where its vectors are as short', () => {
    const program = build(`kernel void k(global const float *a, global float *b, int n) {
      int at = get_global_id(1) * n + get_global_id(0); float x = a[at];
      for (int i = 0; i < n; i++) x += a[at + i] * x;
      b[at] = x;
    }`);
    const code = codeFor(program, [64, 1, 1]);
    expect([code.lanes, code.joinsGroups]).toEqual([8, false]);
    expect(codeFor(program, [8, 8, 1])).toBe(code);
    expect(compiled).toBe(1);
    program.release();
  });

  it('is the same for all if it demands its size', () => {
    const body = kernel('for (int i = 0; i < n; i++) x ^= a[at + i];');
    const program = build(`__attribute__((reqd_work_group_size(8, 8, 1))) ${body}`);
    const code = codeFor(program, [8, 8, 1]);
    expect([code.lanes, code.attributes.rowLength]).toEqual([8, undefined]);
    expect(program.kernels[0]!.code).toBe(code);
    expect(compiled).toBe(1);
    program.release();
  });

  it('is the same for all where its groups are joined', () => {
    const program = build(kernel('x += 1;'));
    const code = codeFor(program, [8, 8, 1]);
    expect([code.lanes, code.joinsGroups, code.attributes.rowLength]).toEqual([16, true, undefined]);
    expect(codeFor(program, [64, 1, 1])).toBe(code);
    expect(compiled).toBe(1);
    program.release();
  });
});
