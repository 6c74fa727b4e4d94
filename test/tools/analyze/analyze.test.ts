/** What the analyzer says of kernels whose faults are known. */
import { describe, expect, it } from 'vitest';
import { type AnalyzeOptions, analyze, occupancySvg, reportText } from '../../../src/tools/analyze/index.ts';

function kernel(source: string, options: AnalyzeOptions = {}) {
  const analysis = analyze(source, options);
  expect(analysis.log).toBe('');
  return analysis.kernels[0]!;
}

/** The topics of the advice, each with its line. */
function topics(source: string, options: AnalyzeOptions = {}): readonly string[] {
  return kernel(source, options).advice.map(({ topic, line }) => `${topic} ${line ?? '-'}`);
}

describe('advice', () => {
  it('names reads of neighbours that lie apart', () => {
    const source = `kernel void column(global const float *x, global float *y) {
  int i = get_global_id(0);
  y[i] = x[i * 64];
}`;
    expect(topics(source)).toContain('coalescing 3');
    expect(topics(source.replace('i * 64', 'i'))).not.toContain('coalescing 3');
  });

  it('names single numbers that could come as a float4', () => {
    const source = `kernel void length4(global const float *restrict x, global float *y, int mask) {
  int i = get_global_id(0);
  y[i] = x[(4 * i) & mask] + x[(4 * i + 1) & mask] + x[(4 * i + 2) & mask];
}`;
    expect(topics(source)).toContain('vector fetches 3');
    // Where they are seen to lie side by side, the compiler puts them together.
    const whole = `kernel void length4(global const float4 *x, global float *y) {
  int i = get_global_id(0);
  y[i] = x[i].x + x[i].y + x[i].z + x[i].w;
}`;
    expect(topics(whole).join()).not.toContain('vector fetches');
  });

  it('names branches that neighbours take differently', () => {
    const source = `kernel void odd(global float *y) {
  int i = get_global_id(0);
  float v = i;
  if (i & 1)
    for (int k = 0; k < 40; k++) v = v * v + 0.5f;
  y[i] = v;
}`;
    expect(topics(source).some((topic) => /^divergence [45]$/.test(topic))).toBe(true);
    expect(topics(source.replace('i & 1', 'i < 0')).join()).not.toContain('divergence');
  });

  it('names literals that make doubles', () => {
    const source = `kernel void half_of(global float *x) {
  int i = get_global_id(0);
  x[i] = x[i] * 0.3;
}`;
    expect(topics(source)).toContain('double literals 3');
    expect(topics(source.replace('0.3', '0.3f')).join()).not.toContain('double');
  });

  it('names sizes that leave thread processors idle', () => {
    const pixel = 'kernel void copy(float a<>, out float b<>) { b = a; }';
    const brook = { name: 'copy.br', width: 255, height: 1 };
    expect(topics(pixel, brook)).toContain('domain size -');
    expect(topics(pixel, { ...brook, width: 256, height: 256 }).join()).not.toContain('domain size');
    const group = `__attribute__((reqd_work_group_size(48, 1, 1)))
kernel void one(global int *x) { x[get_global_id(0)] = 1; }`;
    expect(topics(group).join()).toContain('work-group size');
  });

  it('names what neighbours read again in a loop', () => {
    const source = `kernel void product(global const float *a, global const float *b, global float *c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}`;
    expect(topics(source, { args: new Map([['n', 64]]) })).toContain('local memory 5');
  });
});

describe('an analysis', () => {
  it('has the same kernel in all three languages', () => {
    const brook = kernel(
      'kernel void twice(float4 a<>, out float4 b<>) { b = a * float4(2.0f, 2.0f, 2.0f, 2.0f); }',
      { name: 'a.br' },
    );
    const il = kernel(
      `il_ps_2_0
dcl_input_position_interp(linear_noperspective) vWinCoord0.xy__
dcl_output_generic o0
dcl_literal l0, 0x40000000, 0x40000000, 0x40000000, 0x40000000
dcl_resource_id(0)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)
sample_resource(0)_sampler(0) r0, vWinCoord0.xyxx
mul_ieee o0, r0, l0
end
`,
      { name: 'a.il' },
    );
    const openCL = kernel(`kernel void twice(read_only image2d_t a, write_only image2d_t b, sampler_t s) {
      int2 at = (int2)(get_global_id(0), get_global_id(1));
      write_imagef(b, at, read_imagef(a, s, convert_float2(at)) * 2.0f);
    }`);
    const listings = [brook, il, openCL].map(({ chips }) =>
      chips.find(({ chip }) => chip === 'RV670')!.program!.listing.map(({ text }) => text.trimEnd()),
    );
    expect(listings[1]).toEqual(listings[0]);
    // Streams and IL are read in the middle of an element, where the thread stands; OpenCL C asks at whole numbers here.
    const numbered = (listing: readonly string[] | undefined): string[] =>
      listing!.map((line) => line.replace(/^\d\d |ADDR\(\d+\)|^ *\d+ /g, '').trim());
    const [rounding, ...rest] = [listings[2]!.slice(0, 3), ...numbered(listings[2]!.slice(3))];
    expect(rounding.map((line) => line.trim())).toEqual([
      '00 ALU: ADDR(32) CNT(2)',
      '0  x: TRUNC          R0.x,  R0.x',
      'y: TRUNC          R0.y,  R0.y',
    ]);
    expect(rest).toEqual(numbered(listings[0]));
    expect(listings[0]).toContain('00 TEX: ADDR(48) CNT(1) VALID_PIX');
  });

  it('leads from lines of the listing to lines of the source', () => {
    const { chips } = kernel(
      'kernel void f(float a<>, out float b<>)\n{\n  float c = a + 1.0f;\n  b = c * 3.0f;\n}\n',
      { name: 'f.br' },
    );
    const { listing } = chips.at(-1)!.program!;
    expect(listing.find(({ text }) => text.includes('ADD '))?.line).toBe(3);
    expect(listing.find(({ text }) => text.includes('MUL_e'))?.line).toBe(4);
  });

  it('says on which chips a kernel cannot run, and why', () => {
    const { chips, cards } = kernel('kernel void d(global double *x) {\n  x[get_global_id(0)] += 1.0;\n}');
    expect(chips.filter(({ problem }) => problem).map(({ chip }) => chip)).toEqual([
      'RV610',
      'RV630',
      'R600',
    ]);
    expect(chips[0]!.problem).toEqual({ message: 'double: this chip computes with float only', line: 2 });
    expect(cards.filter(({ run }) => !run).map(({ card }) => card)).toEqual([
      'HD 2400',
      'HD 2600',
      'HD 2900',
    ]);
  });

  it('hands on what the compiler says', () => {
    const analysis = analyze('kernel void k(global int *x) { x[0] = y; }');
    expect(analysis.hasErrors).toBe(true);
    expect(analysis.log).toContain("use of undeclared identifier 'y'");
  });

  it('is a report, and a picture', () => {
    const analysis = analyze('kernel void k(global float *x) { x[get_global_id(0)] *= 2.0f; }');
    const text = reportText(analysis);
    expect(text).toContain('RV770, compute kernel');
    expect(text).toMatch(/HD 4870 +RV770 +\d/);
    const svg = occupancySvg(10, 'a<b');
    expect(svg).toContain('a&#60;b: 10 registers, 25 wavefronts');
  });
});
