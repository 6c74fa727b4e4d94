/** Estimates of what work-items do, against counts by hand. */
import { describe, expect, it } from 'vitest';
import { parseModule } from '../../../src/ir/parse.ts';
import { assertValid } from '../../../src/ir/verify.ts';
import { compileOpenCL } from '../../../src/opencl/compile.ts';
import { estimateKernels, type WorkEstimate } from '../../../src/passes/analysis/cost/work-estimate.ts';
import { optimise } from '../../../src/passes/pipeline.ts';

/** The estimate for the only kernel, in the form in which devices ask for it. */
function estimated(source: string): WorkEstimate {
  const { module, log } = compileOpenCL(source, {});
  expect(log).toBe('');
  optimise(module!, { disabled: true });
  return [...estimateKernels(module!).values()][0]!;
}

/** What the number of iterations depends on, without the term that nothing multiplies. */
function factorsOf(body: string): string[] {
  return estimated(`kernel void k(global int *p, int n, int m) { ${body} }`)
    .filter(({ times }) => times.length > 0)
    .map(({ times, shared }) => `${times.join(' ')}${' shared'.repeat(shared)}`)
    .sort();
}

describe('the work of a kernel', () => {
  it('is its instructions times the iterations of the loops around them', () => {
    const module = parseModule(
      `module address=32
kernel @k(%p: ptr<global>, %n: i32) {
  %zero = constant 0 : i32
  %two = constant 2 : i32
  %ten = constant 10 : i32
  loop @l (%i: i32 = %zero) {
    %more = slt %i, %n : bool
    if %more {
      yield
    } else {
      break @l
    }
    loop @m (%j: i32 = %zero) {
      %again = slt %j, %ten : bool
      if %again {
        yield
      } else {
        break @m
      }
      %j2 = iadd %j, %two : i32
      continue @m %j2
    }
    %i2 = iadd %i, %two : i32
    continue @l %i2
  }
  return
}
`,
      'test.ir',
    );
    assertValid(module, 'parsing');
    const [estimate] = [...estimateKernels(module).values()];
    // An iteration of the inner loop has five instructions, of which there are five, and one of the outer loop six more.
    expect(estimate).toHaveLength(2);
    expect(estimate).toContainEqual({ count: (5 * 5 + 6) / 2, times: [1], shared: 0 });
    expect(estimate).toContainEqual({ count: 2, times: [], shared: 0 });
  });

  it('depends on the argument that bounds a loop', () => {
    expect(factorsOf('for (int i = 0; i < n; i++) p[i] = i;')).toEqual(['1']);
    expect(factorsOf('for (int i = 0; i < m - 3; i++) for (int j = 0; j < n; j++) p[j] += i;')).toEqual([
      '1 2',
      '2',
    ]);
    expect(factorsOf('for (int i = 0; i < n * m; i++) p[i] = i;')).toEqual(['most']);
  });

  it('is shared by work-items where a loop goes on by as many', () => {
    expect(factorsOf('for (int i = get_global_id(0); i < n; i += get_global_size(0)) p[i] = i;')).toEqual([
      '1 shared',
    ]);
  });

  it('depends on no number of the launch where nothing is known of a loop', () => {
    expect(factorsOf('for (int i = p[0]; i < p[1]; i++) p[i] = i;')).toEqual([]);
    expect(factorsOf('while (p[n]) n = p[n];')).toEqual([]);
    expect(factorsOf('for (int i = get_local_size(0) / 2; i > 0; i >>= 1) p[i] = i;')).toEqual([]);
  });

  it('is less where the step of a loop is greater', () => {
    const perIteration = (step: number): number =>
      estimated(
        `kernel void k(global int *p, int n) { for (int i = 0; i < n; i += ${step}) p[i] = i; }`,
      ).find(({ times }) => times.length > 0)!.count;
    expect(perIteration(1)).toBeCloseTo(8 * perIteration(8));
  });

  it('is that of the longer arm of a branch', () => {
    const of = (arms: string): number =>
      estimated(`kernel void k(global int *p, int n) { if (n) ${arms} }`).reduce(
        (sum, { count }) => sum + count,
        0,
      );
    const long = '{ p[0] = n; p[1] = n * 3; p[2] = n * 5; p[3] = n * 7; }';
    const short = '{ p[0] = n; }';
    const both = of(`${long} else ${short}`);
    expect(both).toBe(of(`${short} else ${long}`));
    expect(both).toBeGreaterThan(of(`${short} else ${short}`) + 4);
  });
});
