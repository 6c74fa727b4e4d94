import { expect, it } from 'vitest';
import { parseModule } from '../../src/ir/parse.ts';
import { printFunction } from '../../src/ir/print.ts';
import { assertValid, verifyModule } from '../../src/ir/verify.ts';
import { compileOpenCL } from '../../src/opencl/compile.ts';
import { lowerImages } from '../../src/passes/images/lower-images.ts';
import { optimise } from '../../src/passes/pipeline.ts';
import { samplerBits as bits, imageOf } from '../support/images.ts';
import { buffer, compileForTest, runOnInterpreter, wasmRunner } from '../support/run-kernel.ts';

it('iterations images into descriptors, samplers into numbers, and uses into calls', () => {
  const module = parseModule(`module address=32

function @__millrace_image_sample_2d_f32_i32(%image: ptr<constant>, %sampler: i32, %at: i32x2) -> f32x4
function @__millrace_image_width(%image: ptr<constant>) -> i32

function @helper(%image: opaque<image2d_ro_t>, %sampler: opaque<sampler_t>, %at: i32x2) -> f32x4 {
  %0 = image_read float %image, %sampler, %at : f32x4
  return %0
}

kernel @k(%image: opaque<image2d_ro_t>, %out: ptr<global>, %at: i32x2) {
  %0 = constant 20 : opaque<sampler_t>
  %1 = call @helper(%image, %0, %at) : f32x4
  store %out, %1 align=16
  %2 = image_query width %image : i32
  store %out, %2 align=4
  return
}
`);
  lowerImages(module);
  expect(verifyModule(module)).toEqual([]);
  expect(module.functions.slice(2).map(printFunction).join('\n')).toMatchInlineSnapshot(`
    "function @helper(%image: ptr<constant> readable(64), %sampler: i32, %at: i32x2) -> f32x4 {
      %0 = call @__millrace_image_sample_2d_f32_i32(%image, %sampler, %at) : f32x4
      return %0
    }

    kernel @k(%image: ptr<constant> readable(64), %out: ptr<global>, %at: i32x2) {
      %0 = constant 20 : i32
      %1 = call @helper(%image, %0, %at) : f32x4
      store %out, %1 align=16
      %2 = call @__millrace_image_width(%image) : i32
      store %out, %2 align=4
      return
    }
    "
  `);
});

it('needs the functions in the module', () => {
  const module = parseModule(`module address=32
kernel @k(%image: opaque<image2d_ro_t>) {
  %0 = image_query width %image : i32
  return
}
`);
  expect(() => lowerImages(module)).toThrow('no function __millrace_image_width');
});

const source = `
  constant sampler_t smooth = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
  kernel void copy(read_only image2d_t image, global float4 *out, sampler_t own) {
    int i = get_global_id(0);
    out[i] = read_imagef(image, smooth, (float2)(i * 0.15f, 0.4f)) + read_imagef(image, own, (int2)(i - 1, 1));
  }
  kernel void k(read_only image2d_t image, global float4 *out, sampler_t own) { copy(image, out, own); }`;
const items = 8;

function run(on: (args: Parameters<typeof runOnInterpreter>[3]) => void): Float32Array {
  const pixels = Uint8Array.from({ length: 48 }, (_, index) => (index * 53) & 255);
  const image = imageOf('image2d_t', ['RG', 'UNORM_INT16'], [4, 3], pixels);
  const out = new Float32Array(items * 4);
  on([{ image }, buffer(out), { sampler: bits.clamp | bits.nearest }]);
  return out;
}

const range = { global: [items], local: [4] };
const expected = run((args) => runOnInterpreter(compileForTest(source), 'k', range, args));

it.each([32, 64] as const)('leaves what kernels do, with addresses of %d bits', (addressBits) => {
  const compiled = () => compileOpenCL(source, { addressBits }).module!;
  const lowered = compiled();
  lowerImages(lowered);
  expect(run((args) => runOnInterpreter(lowered, 'k', range, args))).toEqual(expected);
  const optimised = compiled();
  optimise(optimised, { verify: assertValid });
  expect(run((args) => runOnInterpreter(optimised, 'k', range, args))).toEqual(expected);
});

it.each([{ disabled: true }, { inlineLimit: 0 }])('works with little optimisation, %j', (options) => {
  const runner = wasmRunner(compileForTest(source), options);
  expect(run((args) => runner('k', range, args))).toEqual(expected);
});
