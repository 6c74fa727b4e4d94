/** What is said of calls of built-in functions: results that nobody uses, overloads that do not fit, wrong spellings. */
import { describe, expect, it } from 'vitest';
import { openclDialect } from '../../../src/opencl/dialect/index.ts';
import { diagnose } from '../../c/diagnose.ts';

const unused = 'warning: ignoring return value of function declared with const attribute [-Wunused-value]';

/** Statements of the kernel below; columns count from the statement's first character. */
const statements: readonly (readonly [statement: string, said: readonly string[]])[] = [
  ['sin(f);', [`1: ${unused}`]],
  ['max(i, 3);', [`1: ${unused}`]],
  ['get_global_id(0);', [`1: ${unused}`]],
  ['convert_int4(v);', [`1: ${unused}`]],
  ['i = 1, dot(v, v);', [`8: ${unused}`]],
  // These do something, or may.
  [
    'fract(f, &f); atomic_inc(g); vload4(0, p); barrier(CLK_LOCAL_MEM_FENCE); printf("%d", 1); (void)sin(f);',
    [],
  ],
  ['prefetch(p, 4); async_work_group_copy(l, p, 4, 0); mem_fence(CLK_GLOBAL_MEM_FENCE);', []],
  [
    'f = dot(v.xyz, v);',
    [
      "5: error: no matching function for call to 'dot'",
      '5: note: argument types are (float3, float4)',
      '5: note: candidate function: element dot(gentype, gentype), gentype of float, double, half; lanes scalar, 2, 3, 4: the 2nd argument does not fit',
    ],
  ],
  [
    'barrier();',
    [
      "1: error: no matching function for call to 'barrier'",
      '1: note: argument types are ()',
      '1: note: candidate function: void barrier(uint): requires 1 argument, but 0 were provided',
    ],
  ],
  [
    'f = max(f, 1);',
    [
      "5: error: call to 'max' is ambiguous",
      '5: note: argument types are (float, int)',
      '5: note: candidate function: int max(int, int)',
      '5: note: candidate function: float max(float, float)',
    ],
  ],
  ['f = fract(f, p);', []],
  [
    'f = fract(f, g);',
    [
      "5: error: no matching function for call to 'fract'",
      '5: note: argument types are (float, __global int *)',
      '5: note: candidate function: gentype fract(gentype, gentype *), gentype of float, double, half; lanes scalar, 2, 3, 4, 8, 16: the 2nd argument does not fit',
    ],
  ],
  [
    'f = sinn(f);',
    ["5: error: implicit declaration of function 'sinn' is invalid in OpenCL; did you mean 'sin'?"],
  ],
  [
    'i = get_globalid(0);',
    [
      "5: error: implicit declaration of function 'get_globalid' is invalid in OpenCL; did you mean 'get_global_id'?",
    ],
  ],
  [
    'i = convert_int_rtx(f);',
    ["5: error: implicit declaration of function 'convert_int_rtx' is invalid in OpenCL"],
  ],
  ['i = as_int((short)i);', ["5: error: invalid reinterpretation: sizes of 'int' and 'short' must match"]],
  [
    'atomic_add(p, 1.0f);',
    [
      "1: error: no matching function for call to 'atomic_add'",
      '1: note: argument types are (__global float *, float)',
      '1: note: candidate function: element atomic_add(volatile element *, element), gentype of int, uint; lanes scalar: the 1st argument does not fit',
    ],
  ],
];

const head = `kernel void k(global int *g, global float *p, local float *l, int i, float f, float4 v) {
`;

describe('calls of built-in functions', () => {
  it.each(statements)('%s', (statement, said) => {
    const lines = diagnose(`${head}${statement}\n}`, openclDialect());
    expect(lines.map((line) => line.replace(/^2:/, ''))).toEqual(said);
  });
});
