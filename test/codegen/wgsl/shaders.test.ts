// Every form that kernels take is a shader that WebGPU's own compilers accept: Tint, which Chromium has, and naga, which Firefox has.
import { parseWgsl, validate } from 'naga-wasm';
import { describe, expect, test } from 'vitest';
import { wgslCases } from './kernels.ts';
import { openGpu, shaderOf, tintErrors } from './setup.ts';

const gpu = await openGpu();
const skipped = typeof gpu === 'string' ? ` (SKIPPED: ${gpu})` : '';

describe.each(wgslCases)('$name', (given) => {
  const shader = shaderOf(given);

  test.skipIf(skipped !== '')(`is accepted by Tint${skipped}`, async () => {
    if (typeof gpu === 'string') return;
    expect(await tintErrors(gpu, shader.code)).toEqual([]);
    if (shader.bound) expect(await tintErrors(gpu, shader.bound.code)).toEqual([]);
  });

  test('is accepted by naga', () => {
    expect(() => validate(parseWgsl(shader.code))).not.toThrow();
    const { bound } = shader;
    if (bound) expect(() => validate(parseWgsl(bound.code))).not.toThrow();
  });
});
