/**
 * Kernels in both tiers, launched through the built package: the same bits, and the profiler tells which code was made. Machine code has
 * WebAssembly as its baseline code.
 */
import { compile, devices, requestDevice, startProfiling } from 'millrace';
import { afterEach, beforeEach, expect, it } from 'vitest';

const variable = 'MILLRACE_TIERS';
const before = process.env[variable];
beforeEach(() => {
  delete process.env[variable];
});
afterEach(() => {
  process.env[variable] = before;
});

const source = `
  float twist(float x, int k) { return k & 1 ? sin(x) : native_recip(1.5f + fabs(x)); }
  kernel void mixed(global const float *x, global float *y, int n) {
    local float shared[16];
    size_t i = get_global_id(0), l = get_local_id(0);
    shared[l] = exp(x[i]) / (1.0f + cos(x[i]));
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.0f;
    for (int k = 0; k < n; k++) {
      if (shared[(l + k) & 15] > 2.0f) continue;
      sum = sum * 0.3f + twist(pow(fabs(shared[(l + k) & 15]), 0.7f), k);
    }
    y[i] = convert_float(hypot((double)sum, 1.0) * 3.0) + (uint)l % 7u;
  }`;
/** Inputs repeat after so many work-items, and so do results. */
const period = 256;
const inputs = Float32Array.from({ length: period }, (_, i) => i / 9 - 14);

/** The bits of the results of launches one after another, and which code was made. */
async function run(
  launches: number,
  items: number,
  options = {},
): Promise<{ bits: Uint32Array[]; kinds: string[] }> {
  const profiler = startProfiling();
  const program = await compile(source, options);
  const x = Float32Array.from({ length: items }, (_, i) => inputs[i % period]!);
  const bits: Uint32Array[] = [];
  for (let at = 0; at < launches; at += 1) {
    const y = new Float32Array(items);
    await program.kernel('mixed')({ global: [items], local: [16] }, x, y, 7);
    bits.push(new Uint32Array(y.buffer));
  }
  program.release();
  return { bits, kinds: profiler.stop().builds.map(({ kind }) => kind) };
}

const native = await requestDevice('native').catch(() => undefined);
const tried = [[devices()[0]!, 2000] as const, ...(native ? [[native, 6000] as const] : [])];

it.each(tried)(
  'on $id first launches give the bits that later ones give, and the interpreter',
  async (device, launches) => {
    const interpreter = devices().find(({ name }) => name.includes('interpreter'))!;
    const [expected] = (await run(1, period, { device: interpreter })).bits;
    const first = await run(1, period, { device });
    expect(first.kinds.sort()).toEqual(['baseline', 'build']);
    expect(first.bits).toEqual([expected]);
    const early = await run(1, period, { device, options: '-millrace-early' });
    expect(early.kinds).not.toContain('baseline');
    expect(early.bits).toEqual([expected]);
    // On however many threads, all together are more than compiling takes.
    const many = await run(launches, period * 16, { device });
    expect(many.kinds).toContain('baseline');
    expect(many.kinds).toContain('compile');
    expect(many.bits.every((bits) => bits.every((word, at) => word === expected![at % period]))).toBe(true);
  },
);
