/** The diagnostics of kernels, attributes and opaque types: source and what is said of it. The words are those of clang 14 where it says the same. */
import { describe, expect, it } from 'vitest';
import { openclDialect } from '../../../src/opencl/dialect/index.ts';
import { diagnose } from '../../c/diagnose.ts';
import { dialect } from './builtins.ts';

/** Whole programs. */
const programs: readonly (readonly [source: string, said: readonly string[]])[] = [
  ['kernel int k(void) { return 1; }', ['1:12: error: kernel must have void return type']],
  ['static kernel void k(void) {}', ['1:20: error: kernel functions cannot be declared static']],
  [
    'kernel void k(int *p) {}',
    [
      "1:20: error: pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space",
    ],
  ],
  [
    'kernel void k(private int *p) {}',
    [
      "1:28: error: pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space",
    ],
  ],
  [
    'kernel void k(global int **p) {}',
    [
      "1:28: error: pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space",
    ],
  ],
  [
    'kernel void k(global int *global *p) {}',
    ['1:35: error: kernel parameter cannot be declared as a pointer to a pointer'],
  ],
  ['kernel void k(bool b) {}', ["1:20: error: 'bool' cannot be used as the type of a kernel parameter"]],
  ['kernel void k(size_t n) {}', ["1:22: error: 'size_t' cannot be used as the type of a kernel parameter"]],
  [
    'kernel void k(half h) {}',
    ["1:20: error: declaring function parameter of type 'half' is not allowed; did you forget * ?"],
  ],
  [
    'kernel void k(event_t e) {}',
    ["1:23: error: 'event_t' cannot be used as the type of a kernel parameter"],
  ],
  [
    'typedef struct { global int *p; } S; kernel void k(S s) {}',
    [
      '1:54: error: struct kernel parameters may not contain pointers',
      "1:30: note: field of illegal pointer type '__global int *' declared here",
    ],
  ],
  [
    'typedef struct { bool b; } S; kernel void k(S s) {}',
    [
      "1:47: error: 'S' cannot be used as the type of a kernel parameter",
      "1:23: note: field of illegal type 'bool' declared here",
    ],
  ],
  ['kernel int a;', ["1:12: error: 'kernel' attribute only applies to functions"]],
  [
    'typedef int T; kernel __attribute__((overloadable)) void k(T t) {}',
    ['1:58: error: kernel functions cannot be overloadable'],
  ],
  [
    '__attribute__((reqd_work_group_size(1, 2))) kernel void k(void) {}',
    ["1:16: error: 'reqd_work_group_size' attribute requires exactly 3 arguments"],
  ],
  [
    '__attribute__((reqd_work_group_size(1, 2, 0))) kernel void k(void) {}',
    ["1:16: error: 'reqd_work_group_size' attribute must be greater than 0"],
  ],
  [
    '__attribute__((reqd_work_group_size(1, 2, int))) kernel void k(void) {}',
    ["1:16: error: 'reqd_work_group_size' attribute requires integer constants"],
  ],
  [
    '__attribute__((work_group_size_hint(8, 1, 1))) void f(void) {}',
    ["1:16: error: attribute 'work_group_size_hint' can only be applied to an OpenCL kernel function"],
  ],
  [
    '__attribute__((vec_type_hint(int, int))) kernel void k(void) {}',
    ["1:16: error: 'vec_type_hint' attribute takes one argument"],
  ],
  [
    '__attribute__((vec_type_hint(sampler_t))) kernel void k(void) {}',
    [
      "1:16: error: a non-vector or non-vectorizable scalar type is an invalid argument to attribute 'vec_type_hint'",
    ],
  ],
  [
    'constant int a __attribute__((endian(middle))) = 1;',
    ["1:31: warning: 'endian' attribute without 'host' or 'device' ignored [-Wignored-attributes]"],
  ],
  [
    'constant int a __attribute__((vec_type_hint(int))) = 1;',
    ["1:31: warning: 'vec_type_hint' attribute only applies to functions [-Wignored-attributes]"],
  ],
  [
    'constant int a __attribute__((opencl_unroll_hint)) = 1;',
    ["1:31: error: 'opencl_unroll_hint' attribute only applies to 'for', 'while', and 'do' statements"],
  ],
  ['void f(read_only int a) {}', ['1:8: error: access qualifier can only be used for pipe and image type']],
  ['kernel void k(read_only write_only image2d_t m) {}', ['1:25: error: multiple access qualifiers']],
  [
    'kernel void k(read_write image2d_t m) {}',
    [
      "1:15: error: access qualifier 'read_write' cannot be used for 'image2d_t' prior to OpenCL C version 2.0",
    ],
  ],
  [
    'kernel void k(image2d_t *m) {}',
    ["1:25: error: pointer to type '__read_only image2d_t' is invalid in OpenCL"],
  ],
  [
    'constant event_t e = 0;',
    ['1:18: error: the event_t type cannot be used to declare a program scope variable'],
  ],
  [
    'struct S { image2d_t m; };',
    ["1:22: error: the '__read_only image2d_t' type cannot be used to declare a structure or union field"],
  ],
  [
    'struct S { event_t m; };',
    ["1:20: error: the 'event_t' type cannot be used to declare a structure or union field"],
  ],
  [
    'struct S { sampler_t m; };',
    ["1:22: error: the 'sampler_t' type cannot be used to declare a structure or union field"],
  ],
  ['void f(sampler_t *s) {}', ["1:18: error: pointer to type 'sampler_t' is invalid in OpenCL"]],
  [
    'sampler_t s = 0x14;',
    ['1:11: error: global sampler requires a const or constant address space qualifier'],
  ],
  [
    'constant sampler_t s = 1.0f;',
    ["1:24: error: initializing 'sampler_t' with an expression of incompatible type 'float'"],
  ],
  ['sampler_t f(void);', ["1:11: error: declaring function return value of type 'sampler_t' is not allowed"]],
  [
    'image2d_t f(void);',
    ["1:11: error: declaring function return value of type '__read_only image2d_t' is not allowed"],
  ],
  [
    'typedef read_only image2d_t T; kernel void k(write_only T m) {}',
    ['1:46: error: multiple access qualifiers'],
  ],
];

/** Bodies of the function below, which may call the one before it; columns count from the first character of this line. */
const handleBodies: readonly (readonly [source: string, said: readonly string[]])[] = [
  [
    'local sampler_t m = 0x14;',
    ['17: error: sampler type cannot be used with the __local and __global address space qualifiers'],
  ],
  ['const sampler_t m = i;', ['21: error: sampler_t initialization requires compile time constant']],
  ['const sampler_t m = 5L;', ["21: error: sampler_t initialization requires 32-bit integer, not 'long'"]],
  [
    'sampler(i);',
    ["9: error: sampler_t variable required - got 'int'", '24: note: passing argument to parameter'],
  ],
  [
    'target(a);',
    [
      "8: error: passing '__read_only image2d_t' to parameter of incompatible type '__write_only image2d_t'",
      '63: note: passing argument to parameter',
    ],
  ],
  [
    'read_imagef(b, s, (int2)(0));',
    [
      "1: error: no matching function for call to 'read_imagef'",
      '1: note: argument types are (__write_only image2d_t, sampler_t, int2)',
      '1: note: candidate function: float4 read_imagef(read_only image2d_t, sampler_t, int2)',
    ],
  ],
  [
    'write_imagef(a, (int2)(0), (float4)(0));',
    [
      "1: error: no matching function for call to 'write_imagef'",
      '1: note: argument types are (__read_only image2d_t, int2, float4)',
      '1: note: candidate function: void write_imagef(write_only image2d_t, int2, float4)',
    ],
  ],
  [
    'get_image_depth(a);',
    [
      "1: error: no matching function for call to 'get_image_depth'",
      '1: note: argument types are (__read_only image2d_t)',
      '1: note: candidate function: int get_image_depth(read_only image3d_t)',
    ],
  ],
  ['s = 5;', ["5: error: invalid operands to binary expression ('sampler_t' and 'int')"]],
  ['&a;', ["1: error: pointer to type '__read_only image2d_t' is invalid in OpenCL"]],
  [
    'i ? a : a;',
    ["5: error: incompatible operand types ('__read_only image2d_t' and '__read_only image2d_t')"],
  ],
  [
    'a == a;',
    ["3: error: invalid operands to binary expression ('__read_only image2d_t' and '__read_only image2d_t')"],
  ],
  ['(int)s;', ["1: error: operand of type 'sampler_t' where arithmetic or pointer type is required"]],
  ['constant sampler_t m = 0x14; const sampler_t n = s; sampler(n); sampler(m); sampler(0x14);', []],
];

/** Bodies of the function below; columns count from its first character. */
const bodies: readonly (readonly [source: string, said: readonly string[]])[] = [
  [
    '__attribute__((opencl_unroll_hint(0))) for (;;) ;',
    [
      "1:99: error: 'opencl_unroll_hint' attribute requires a positive integral compile time constant expression",
    ],
  ],
  [
    '__attribute__((opencl_unroll_hint(1, 2))) for (;;) ;',
    ["1:99: error: 'opencl_unroll_hint' attribute takes no more than 1 argument"],
  ],
  [
    '__attribute__((opencl_unroll_hint(2))) i = 1;',
    ["1:99: error: 'opencl_unroll_hint' attribute only applies to 'for', 'while', and 'do' statements"],
  ],
  [
    'image2d_t m;',
    ["1:94: error: type '__read_only image2d_t' can only be used as a function parameter in OpenCL"],
  ],
  ['sampler_t s;', ['1:94: error: sampler variable must be initialized']],
  ['sampler_t s[2];', ["1:94: error: array of 'sampler_t' type is invalid in OpenCL"]],
];

const head = 'kernel void k(global float4 *a, global int4 *b, global float *f, int i, float x) { ';

describe('kernels, attributes and opaque types', () => {
  it.each(programs)('%s', (source, said) => {
    expect(diagnose(source, dialect)).toEqual(said);
  });
  it.each(bodies)('%s', (body, said) => {
    expect(diagnose(`${head}${body} }`, dialect)).toEqual(said);
  });
  it.each(handleBodies)('%s', (body, said) => {
    const source = `void sampler(sampler_t s) {} void target(write_only image2d_t m) {}
kernel void k(read_only image2d_t a, write_only image2d_t b, sampler_t s, int i) {
${body}
}`;
    const found = diagnose(source, openclDialect()).map((line) => line.replace(/^[0-9]+:/, ''));
    expect(found.length === 0).toBe(said.length === 0);
    said.forEach((line, index) => {
      expect(found[index]!.slice(0, line.length)).toBe(line);
    });
  });
});
