/**
 * OpenCL C to IR to OpenCL C to a driver: kernels written from IR leave on the driver's device what their source leaves
 * there, what the wasm device leaves, and what the interpreter says (conformance/differential). Needs the built dist/
 * and an OpenCL driver; without one it says that it was skipped.
 */
import { readFileSync } from 'node:fs';
import { deviceProblems } from 'millrace';
import { describe, expect, it } from 'vitest';
import { chooseContestants } from '../../../conformance/differential/devices.ts';
import { runSource } from '../../../conformance/differential/differential.ts';
import { runGenerated } from '../../../conformance/differential/generated.ts';
import { filesUnder } from '../../../conformance/support/folder-files.ts';
import type { Outcome } from '../../../conformance/support/outcome.ts';
import { secondPart } from '../../../samples/gallery.ts';

const { contestants } = chooseContestants([], true);
const hasDriver = contestants.some(({ fromIr }) => fromIr);
const skipped = hasDriver ? '' : ` (SKIPPED: ${deviceProblems().join('; ')})`;

const kernels: Readonly<Record<string, string>> = {
  'elementary functions': `
    kernel void smooth(global float *x) {
      size_t i = get_global_id(0);
      float t = x[i];
      x[i] = sin(t) + exp(-t * t) * atan2(t, 2.0f) + log1p(fabs(t)) + pow(fabs(t), 0.25f) + cbrt(t);
    }
    kernel void exact(global float *x, global int *n) {
      size_t i = get_global_id(0);
      float whole;
      float part = fract(x[i], &whole);
      n[i] = (isnan(x[i]) ? 3 : ilogb(x[i])) ^ convert_int_sat_rte(x[i]) ^ signbit(copysign(whole, x[i]));
      x[i] = fma(part, whole, nextafter(x[i], 1.0f)) + fmod(x[i], 3.0f) + ldexp(part, 3) + sqrt(fabs(part));
    }`,
  'vectors, swizzles, conversions': `
    kernel void mixed(global float4 *f, global uchar *bytes, global short3 *s, global long2 *l) {
      size_t i = get_global_id(0);
      float4 v = f[i];
      v.xz = v.wy * 2.0f - v.even;
      f[i] = select(v, v.wzyx, isgreater(v, (float4)(0.5f)));
      uchar8 b = vload8(i, bytes);
      b = rotate(b, (uchar8)(3)) + convert_uchar8_sat(convert_int8(b) * 3 - 300);
      vstore8(b.s76543210, i, bytes);
      short3 w = s[i];
      s[i] = mul_hi(w, w.zxy) + (w > w.yzx) + (convert_short3(abs_diff(w, (short3)(5))).s210 == (short)0 ? w : -w);
      l[i] = upsample(as_int2(l[i].x), as_uint2(l[i].y)) << as_long2((ulong2)(i, 3));
    }`,
  structs: `
    typedef struct { uchar kind; float3 at; union { int whole; float real; } as; short list[3]; } thing;
    float worth(const global thing *t, int k) { return t[k].at.y * t[k].list[k % 3]; }
    kernel void things(global thing *t, thing by, global float *out) {
      int i = get_global_id(0);
      thing own = by;
      own.list[i % 3] += t[i].list[0];
      own.at = cross(t[i].at, by.at);
      out[i] = worth(t, i) + own.at.x + own.list[i % 3] + (t[i].kind & 1 ? own.as.real : own.as.whole & 255);
      t[i] = own;
    }`,
  'local memory, barriers, atomics': `
    kernel void sums(global const int *in, global int *out, local int *part, global int *total) {
      local uint bins[8];
      int l = get_local_id(0), n = get_local_size(0);
      if (l < 8) bins[l] = 0;
      part[l] = in[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      atomic_inc(&bins[part[l] & 7]);
      for (int step = n / 2; step > 0; step /= 2) {
        if (l < step) part[l] += part[l + step];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      atomic_max(&total[1], part[0]);
      if (l == 0) atomic_add(total, part[0]);
      if (l < 8) out[get_group_id(0) * 8 + l] = bins[l];
    }
    kernel void turned(global const float *in, global float *out, int width) {
      local float tile[16][17];
      int x = get_global_id(0), y = get_global_id(1);
      tile[get_local_id(1)][get_local_id(0)] = in[y * width + x];
      barrier(CLK_LOCAL_MEM_FENCE);
      out[x * width + y] = tile[get_local_id(1)][get_local_id(0)];
    }`,
  'switches and loops': `
    int step_of(int a) {
      switch (a & 7) {
        case 0: a += 3;
        case 1: return a * 5;
        case 2: case 3: a ^= 9; break;
        case 6: { int k = 0; do { if (k == 2) continue; a -= k; } while (++k < 5); } break;
        default: for (int k = 0; k < 9; k++) { if ((a + k) % 4 == 0) break; a += k; }
      }
      return a;
    }
    kernel void walks(global int *a, constant int *table) {
      int i = get_global_id(0);
      int here = a[i];
      for (int round = 0; round < 12; round++) {
        here = step_of(here) & 0xffff;
        if (here == 17) goto done;
        while (here > 4000) { here >>= 1; if (here & 1) break; }
      }
    done:
      a[i] = here + table[here & 15];
    }`,
  'doubles and long integers': `
    kernel void wide(global double *x, global ulong *n, global double2 *pairs) {
      size_t i = get_global_id(0);
      double t = x[i];
      x[i] = sqrt(fabs(t)) / 7.0 + fma(t, t, 0.1) - trunc(t);
      n[i] = mad_hi(n[i], n[i] >> 3, as_ulong(x[i])) % (popcount(n[i]) + 1) + convert_ulong_sat(t);
      pairs[i] = fmax(pairs[i].yx, (double2)(t)) * (double2)(n[i] & 15, -0.0);
    }`,
  'constants and private arrays': `
    constant float weights[3][2] = {{1, 2}, {3, 4.5f}, {-1, 0}};
    constant struct { int first; char rest[4]; } marks[2] = {{7, "abc"}, {-2, {1, 2, 3, 4}}};
    kernel void tables(global float *x, global int *a) {
      int i = get_global_id(0);
      float window[6];
      for (int k = 0; k < 6; k++) window[k] = x[i] * weights[k % 3][k & 1];
      a[i] = marks[i & 1].first + marks[(i >> 1) & 1].rest[i & 3];
      float sum = 0;
      for (int k = 5; k >= 0; k--) sum = sum * 0.5f + window[k];
      x[i] = sum;
    }`,
};

async function run(name: string, source: string): Promise<Outcome[]> {
  return runSource(name, '/nowhere/kernels.cl', source, {
    contestants,
    seed: 11,
    options: '',
    arguments: [],
    kernels: [],
  });
}

/**
 * Sums of two sines that nearly cancel, which is no matter of units in the last place: the driver differs as much from the
 * text itself. test/browser/vertex-waves.test.ts holds this one to an absolute error.
 */
const cancels = 'samples/vertex-waves/vertex-waves.cl';

/** Samples of OpenCL 2.0, which drivers do not take, and which need options. */
function isLater(file: string): boolean {
  return secondPart.some(({ name }) => file.includes(`/${name}/`));
}

/** The differential tool makes up no images; kernels that take one have tests of their own. */
const takesImage = /^parameter '\w+' is of type '(image\w+|sampler_t)'$/;

function expectPassed(outcomes: readonly Outcome[]): void {
  expect(outcomes.length).toBeGreaterThan(0);
  for (const { name, status, reason } of outcomes) {
    if (status === 'skipped' && takesImage.test(reason ?? '')) continue;
    expect(`${name}: ${status} ${reason ?? ''}`).toBe(`${name}: passed `);
  }
}

describe.skipIf(!hasDriver)(`OpenCL C written from IR, on a driver${skipped}`, () => {
  for (const [name, source] of Object.entries(kernels)) {
    it(name, { timeout: 60_000 }, async () => expectPassed(await run(name, source)));
  }

  for (const file of filesUnder('samples', ['.cl']).filter((each) => each !== cancels && !isLater(each))) {
    it(file, { timeout: 60_000 }, async () => expectPassed(await run(file, readFileSync(file, 'utf8'))));
  }

  it('generated programs', { timeout: 60_000 }, async () => {
    expectPassed(await runGenerated({ contestants, seed: 500, count: 4, size: 'small' }));
  });
});
