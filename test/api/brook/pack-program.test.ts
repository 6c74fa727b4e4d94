/** Kernels that were packed for the build cache become what they became before. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { packProgram, unpackProgram } from '../../../src/api/brook/pack-program.ts';
import type { CheckedKernel } from '../../../src/brook/check/tree.ts';
import { compileBrook } from '../../../src/brook/compile.ts';
import { emitMap } from '../../../src/brook/emit/map.ts';
import { emitReduce } from '../../../src/brook/emit/reduce.ts';
import { emitIl } from '../../../src/brook/il/kernel.ts';
import { BrookProgram } from '../../../src/brook/program.ts';

const folder = new URL('../../brook/programs/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.br'));

/** In OpenCL C as kernels are launched, and in IL. */
function written(kernel: CheckedKernel): unknown {
  if (kernel.form === 'function') return kernel.name;
  const variant = { rank: 2, isResized: true, isLinear: false, isAtOrigin: true, isInside: true };
  return [kernel.form === 'reduce' ? emitReduce(kernel) : emitMap(kernel, variant), emitIl(kernel)];
}

describe('packed programs', () => {
  it.each(files)('%s is the same afterwards', (name) => {
    const { kernels } = compileBrook(name, readFileSync(new URL(name, folder), 'utf8'), {
      kernelsOnly: true,
    });
    const program = new BrookProgram();
    for (const kernel of kernels) program.addKernel(kernel);
    for (const { type } of kernels.flatMap(({ formals }) => formals)) program.typeNumber(type);
    const again = unpackProgram(packProgram(program));
    expect(again.kernels.length).toBeGreaterThan(0);
    expect(again.types).toEqual(program.types);
    expect(again.kernels.map(written)).toEqual(program.kernels.map(written));
    // A type's number is found by its name.
    expect(again.typeNumber(program.types[0]!)).toBe(0);
  });
});
