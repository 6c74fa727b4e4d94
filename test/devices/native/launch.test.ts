/**
 * Machine code run by the wasm device's runtime: workers call it in the place of WebAssembly functions. Kernels by hand, without the compiler.
 * Skipped where there is no koffi or another processor.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { processorFault, processorFeatures } from '../../../src/devices/native/processor-features.ts';
import { type Bench, type BenchOptions, setUp } from '../wasm/setup.ts';
import { nativeProgram } from './kernels.ts';

const features = processorFeatures();
const fault = typeof features === 'string' ? features : processorFault(features);

let bench: Bench | undefined;
afterEach(() => bench?.close());

const open = (options: BenchOptions = {}): Bench =>
  setUp({
    worker: new URL('../../../dist/native-worker.js', import.meta.url),
    native: nativeProgram,
    ...options,
  });

describe.skipIf(fault)(`machine code on threads${fault ? ` (skipped: ${fault})` : ''}`, () => {
  it('runs every work-group once, for any number of them, on one thread and on several', async () => {
    for (const threads of [1, 2, 4]) {
      bench = open({ threads });
      for (const groups of [1, 2, 63, 64, 65, 1000, 4097]) {
        const out = bench.buffer(groups);
        const event = bench.launch('number', groups, [out, 100]);
        const { data } = bench.read(out, groups);
        expect(event.status).toBe(0);
        expect(data).toEqual(Int32Array.from({ length: groups }, (_, index) => index + 100));
        const counter = bench.buffer(1);
        bench.write(counter, new Int32Array(1));
        await bench.launch('count', groups, [counter]).done;
        expect(bench.read(counter, 1).data[0]).toBe(groups);
      }
      bench.close();
    }
  });

  it('computes y += a * x in vectors', () => {
    bench = open({ threads: 4 });
    const count = 16 * 1024;
    const x = Float32Array.from({ length: count }, (_, index) => index % 977);
    const y = Float32Array.from({ length: count }, (_, index) => index % 31);
    const [xs, ys] = [bench.buffer(count), bench.buffer(count)];
    bench.write(xs, x);
    bench.write(ys, y);
    for (let round = 0; round < 8; round += 1) bench.launch('saxpy', count / 16, [xs, ys, 0.5]);
    const { data } = bench.read(ys, count);
    // Exact: small multiples of a half.
    expect(new Float32Array(data.buffer)).toEqual(y.map((value, index) => value + 4 * x[index]!));
  });

  it('finds the constants of its program', () => {
    bench = open();
    const out = bench.buffer(1);
    const program = nativeProgram();
    bench.launch('constant', 1, [out]);
    const address = bench.read(out, 1).data[0]!;
    // The second word is the address of the constants + 4 (handProgram).
    expect(program.constants.relocations).toEqual([{ offset: 4, addend: 4 }]);
    expect(bench.context.memory.bytes[address - 4]).toBe(4711 & 255);
  });

  it('may access any address, past the end of 4 GiB too', async () => {
    bench = open();
    const top = 2 ** 32;
    for (const address of [top - 1, top - 63, top - 64, top - 4096, 2 ** 31, 0]) {
      await bench.launch('anywhere', 3, [address | 0]).done;
    }
  });

  it('fails with what the kernel returns', async () => {
    bench = open();
    const event = bench.launch('fail', 1, []);
    await expect(event.done).rejects.toMatchObject({ name: 'CL_OUT_OF_RESOURCES' });
    expect(event.errorMessage).toContain("kernel 'fail' failed: unreachable");
  });

  it('is stopped at the time-out, and others run after it', async () => {
    const timeout = 1000;
    bench = open({ timeout });
    for (let round = 0; round < 2; round += 1) {
      const endless = bench.launch('endless', 100, []);
      await expect(endless.done).rejects.toMatchObject({ name: 'CL_OUT_OF_RESOURCES' });
      expect(endless.errorMessage).toContain(`time-out of ${timeout} ms`);
      const out = bench.buffer(100);
      await bench.launch('number', 100, [out, round]).done;
      expect(bench.read(out, 1).data[0]).toBe(round);
    }
  });
});
