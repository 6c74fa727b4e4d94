/** Whatever the compiler's table of built-in functions has, hovers explain, with a name for every parameter. */
import { describe, expect, it } from 'vitest';
import { builtinNames, patternsOf } from '../../../src/opencl/builtins/resolve.ts';
import { formsOf } from '../../../src/tools/language-service/opencl/builtin-forms.ts';
import { documentationOf } from '../../../src/tools/language-service/opencl/documentation/index.ts';

describe('the documentation of built-in functions', () => {
  it('has all of them', () => {
    expect(builtinNames().filter((name) => !documentationOf(name)?.text)).toEqual([]);
  });

  it('names the parameters of every form, each once', () => {
    const unnamed = builtinNames().filter((name) => {
      const most = Math.max(0, ...(patternsOf(name) ?? []).map(({ parameters }) => parameters.length));
      return documentationOf(name)!.parameters.length < most;
    });
    expect(unnamed).toEqual([]);
    const doubled = builtinNames().filter((name) => {
      const { parameters } = documentationOf(name)!;
      return new Set(parameters).size < parameters.length;
    });
    expect(doubled).toEqual([]);
  });

  it('shows forms in the words of the specification', () => {
    expect(formsOf('fma')).toEqual([
      {
        result: 'gentype',
        parameters: ['gentype a', 'gentype b', 'gentype c'],
        where: 'gentype: float, double, half; scalar or of 2, 3, 4, 8, 16 components',
      },
    ]);
    expect(formsOf('ndrange_1D').map(({ parameters }) => parameters)).toEqual([
      ['size_t global_work_size'],
      ['size_t global_work_size', 'size_t local_work_size'],
      ['size_t global_work_offset', 'size_t global_work_size', 'size_t local_work_size'],
    ]);
    expect(documentationOf('convert_uchar4_sat_rte')!.text).toBe(
      'The value as a `uchar4`. Values outside its range become the nearest that it has. Rounded to nearest, ties to even.',
    );
  });
});
