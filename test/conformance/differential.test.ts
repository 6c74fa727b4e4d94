/**
 * The differential tool: right kernels pass on all devices, wrong results are found, and kernels without a right
 * result are skipped with the reason. Needs the built dist/.
 */
import { type Device, devices } from 'millrace';
import { describe, expect, it } from 'vitest';
import { firstDifference, ulps } from '../../conformance/differential/compare.ts';
import { type Contestant, chooseContestants } from '../../conformance/differential/devices.ts';
import { runSource } from '../../conformance/differential/differential.ts';
import { runGenerated } from '../../conformance/differential/generated.ts';
import { toleranceOf } from '../../conformance/differential/tolerance.ts';
import type { Outcome } from '../../conformance/support/outcome.ts';
import { elementShape } from '../../src/cli/arguments/elements.ts';

const { contestants } = chooseContestants([], false);
const drivers = contestants.some(({ device }) => device.id.startsWith('icd:'))
  ? ''
  : ' (SKIPPED drivers: none is installed)';

async function run(source: string, on: readonly Contestant[] = contestants, args: string[] = []) {
  const outcomes = await runSource('test.cl', '/nowhere/test.cl', source, {
    contestants: on,
    seed: 3,
    options: '',
    arguments: args,
    kernels: [],
  });
  return outcomes.map(({ status, reason }: Outcome) =>
    reason === undefined ? status : `${status}: ${reason}`,
  );
}

describe(`the differential tool${drivers}`, () => {
  it('passes what is right everywhere: sizes, local memory, structs, built-in functions', {
    timeout: 60_000,
  }, async () => {
    const source = `
      typedef struct { char tag; float3 place; long weight; } body;
      kernel void scaled(global float *y, global const float *x, float a, int n) {
        int i = get_global_id(0);
        if (i < n) y[i] = a * x[i] + y[i];
      }
      kernel void transposed(global const int *in, global int *out, local int *tile, int width, int height) {
        int x = get_global_id(0), y = get_global_id(1);
        int lx = get_local_id(0), ly = get_local_id(1), lw = get_local_size(0);
        tile[ly * lw + lx] = in[y * width + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        out[x * height + y] = tile[ly * lw + lx];
      }
      kernel void moved(global body *bodies, body by) {
        size_t i = get_global_id(0);
        bodies[i].place += by.place;
        bodies[i].weight ^= by.weight;
        bodies[i].tag += sizeof(size_t);
      }
      kernel void waves(global float *x, global double *y) {
        size_t i = get_global_id(0);
        x[i] = sin(x[i]) * exp2(fabs(x[i]) * -0.1f);
        y[i] = sqrt(y[i]) / 3.0;
      }`;
    expect(await run(source)).toEqual(['passed', 'passed', 'passed', 'passed']);
  });

  it('skips what has no right result, and says why', async () => {
    const wasm = contestants.filter(({ device }) => device.id === 'wasm');
    const source = `
      kernel void far(global int *a) { a[get_global_id(0) + 100000000] = 1; }
      kernel void racing(global int *a) { a[0] = get_global_id(0) + a[1]; if (get_global_id(0) == 0) a[1] = 5 + a[2]; }
      kernel void endless(global int *a) { while (a[0] < 1000000) ; }
      kernel void unset(global int *a) { int x; if (a[0] == -7) x = 1; a[get_global_id(0)] = x; }
      kernel void places(global int *a, global int *count) { a[atomic_inc(count) & 63] = get_global_id(0); }`;
    const [far, racing, endless, unset, places] = await run(source, wasm);
    expect(far).toMatch(/^skipped: store of 4 bytes at address .*, where nothing is$/);
    expect(racing).toMatch(/^skipped: race: it (reads|writes) byte \d+ of 'a'/);
    expect(endless).toBe('skipped: too many steps: it may never end');
    expect(unset).toBe("skipped: load of byte 0 of 'x', which was never written");
    expect(places).toMatch(/^skipped: .*('a'|order of atomic operations|nothing is)/);
    expect(await run('kernel void k(global int *a) { a[0] = q; }', wasm)).toEqual([
      "skipped: does not compile: use of undeclared identifier 'q'",
    ]);
  });

  it('takes arguments that a person gives', async () => {
    const wasm = contestants.filter(({ device }) => device.id === 'wasm');
    const source = 'kernel void k(global int *a, int far) { a[get_global_id(0) + far] = 1; }';
    expect((await run(source, wasm, ['far=70000000']))[0]).toMatch(/^skipped: store of 4 bytes/);
    expect(await run(source, wasm, ['far=3', 'a=zeros:80'])).toEqual(['passed']);
  });

  it('finds a device that computes something else', async () => {
    // The wasm device, told to build another program.
    const source = 'kernel void k(global int *a, global float *f) { a[get_global_id(0)] = VALUE; }';
    const wasm = devices().find(({ id }) => id === 'wasm') as Device;
    const wrong: Contestant = { name: 'wrong', device: wasm, fromIr: false };
    const text = `#ifdef __MILLRACE_TEST__\n#endif\n#define VALUE (sizeof(size_t) == 4 ? 4 : 8)\n${source}`;
    expect(await run(text, [wrong])).toEqual(['passed']);
    const faulty = { ...wrong, device: { ...wasm, info: { ...wasm.info, addressBits: 64 as const } } };
    expect((await run(text, [faulty]))[0]).toMatch(
      /^failed: on wrong, 'a': element 0 is 4, not 8; plain inputs, --seed 3 --global 64 --local 16$/,
    );
  });

  it('runs generated programs on every device, addresses of 64 bits among them', {
    timeout: 60_000,
  }, async () => {
    const outcomes = await runGenerated({ contestants, seed: 20, count: 2, size: 'small' });
    expect(outcomes.map(({ status }) => status)).toEqual(['passed', 'passed']);
  });
});

describe('comparison', () => {
  const bytes = (...numbers: number[]) => new Uint8Array(Float32Array.of(...numbers).buffer);
  const shape = elementShape({ kind: 'float', size: 4 });

  it('counts the numbers between two floats', () => {
    expect(ulps(bytes(1), bytes(1 + 2 ** -23), 0, 4)).toBe(1);
    expect(ulps(bytes(0), bytes(-0), 0, 4)).toBe(0);
    expect(ulps(bytes(2 ** -149), bytes(-(2 ** -149)), 0, 4)).toBe(2);
    expect(ulps(bytes(Infinity), bytes(3.4028234663852886e38), 0, 4)).toBe(1);
    expect(ulps(bytes(Number.NaN), bytes(1), 0, 4)).toBeNaN();
  });

  it('says what differs first, and by how much', () => {
    const compare = (a: number[], b: number[], tolerance: 'bits' | number) =>
      firstDifference(shape, bytes(...a), bytes(...b), tolerance);
    expect(compare([1, Number.NaN, 0], [1, Number.NaN, -0], 0)).toBeUndefined();
    expect(compare([0], [-0], 'bits')).toBe('element 0 is 0, not -0 (0 ULP away)');
    expect(compare([1, 1 + 2 ** -22], [1, 1], 2)).toBeUndefined();
    expect(compare([1, 1 + 2 ** -22], [1, 1], 1)).toBe('element 1 is 1.000000238418579, not 1 (2 ULP away)');
    expect(compare([Number.NaN], [1], 1000)).toBe('element 0 is NaN, not 1');
  });

  it('allows what the built-in functions may err, and nothing where all is exact', () => {
    expect(toleranceOf('a = b * c + fma(a, b, c) + sqrt(x) / 3;', true)).toBe(0);
    expect(toleranceOf('a = sin(b);', true)).toBe(32);
    expect(toleranceOf('a = b / c;', false)).toBe(20);
    expect(toleranceOf('a = native_exp(b);', true)).toBeGreaterThan(1000);
  });
});
