/** The diagnostics of vectors: source and what is said of it. The words are those of clang 14 where it says the same. */
import { describe, expect, it } from 'vitest';
import { diagnose } from '../../c/diagnose.ts';
import { dialect } from './builtins.ts';

/** Bodies of the function below; columns count from its first character. */
const bodies: readonly (readonly [source: string, said: readonly string[]])[] = [
  [
    'a[0] = (float4)(1, 2, 3);',
    ['1:91: error: too few elements in vector initialization (expected 4 elements, have 3)'],
  ],
  [
    'a[0] = (float4)(1, 2, 3, 4, 5);',
    ['1:91: error: too many elements in vector initialization (expected 4 elements, have 5)'],
  ],
  [
    'a[0] = (float4)(a[0].xy);',
    ["1:91: error: invalid conversion between ext-vector type 'float4' and 'float2'"],
  ],
  [
    'a[0] = (float4)(a[0], 1);',
    ['1:91: error: too many elements in vector initialization (expected 4 elements, have 5)'],
  ],
  [
    'a[0] = (float4)(b[0].xy, 1, 2);',
    ["1:100: error: initializing 'float' with an expression of incompatible type 'int2'"],
  ],
  [
    'a[0] = (float4)(f, 1, 2, 3);',
    ["1:100: error: initializing 'float' with an expression of incompatible type '__global float *'"],
  ],
  [
    'float4 v = {1, 2, 3};',
    ['1:95: error: too few elements in vector initialization (expected 4 elements, have 3)'],
  ],
  ['float4 v = {{1, 2}, 3, 4};', ['1:96: error: too many braces around vector element initializer']],
  ['a[0].xx = 1;', ['1:92: error: vector is not assignable (contains duplicate components)']],
  ['a[0].x12 = 1;', ["1:89: error: illegal vector component name '1'"]],
  ['a[0].q = 1;', ["1:89: error: illegal vector component name 'q'"]],
  ['a[0].s7 = 1;', ["1:89: error: vector component access exceeds type 'float4'"]],
  ['a[0].xy.z = 1;', ["1:92: error: vector component access exceeds type 'float2'"]],
  ['a[0].xyzwx;', ['1:89: error: vector component access has invalid length 5.  Supported: 1,2,3,4,8,16.']],
  ['&a[0].x;', ['1:84: error: address of vector element requested']],
  ['a[0].xy = a[0];', ["1:94: error: assigning to 'float2' from incompatible type 'float4'"]],
  ['a[0] = b[0];', ["1:91: error: assigning to 'float4' from incompatible type 'int4'"]],
  ['a[0] = (float4)b[0];', ["1:91: error: invalid conversion between ext-vector type 'float4' and 'int4'"]],
  [
    'x = (float)a[0];',
    ["1:88: error: invalid conversion between vector type 'float4' and scalar type 'float'"],
  ],
  [
    'a[0] = (float4)f;',
    ["1:91: error: invalid conversion between vector type 'float4' and scalar type '__global float *'"],
  ],
  [
    'struct S { int q; } s; a[0] = (float4)s;',
    ["1:114: error: invalid conversion between vector type 'float4' and scalar type 'struct S'"],
  ],
  ['x = a[0];', ["1:88: error: assigning to 'float' from incompatible type 'float4'"]],
  [
    'a[0] + b[0];',
    ["1:89: error: implicit conversions between vector types ('float4' and 'int4') are not permitted"],
  ],
  [
    'a[0] + a[0].xy;',
    ["1:89: error: implicit conversions between vector types ('float4' and 'float2') are not permitted"],
  ],
  [
    'a[0] * 2.0;',
    [
      "1:89: error: scalar operand type has greater rank than the type of the vector element. ('float4' and 'double')",
    ],
  ],
  [
    'b[0] * 2.0f;',
    [
      "1:89: error: scalar operand type has greater rank than the type of the vector element. ('int4' and 'float')",
    ],
  ],
  [
    'uchar4 c; c + 1;',
    [
      "1:96: error: scalar operand type has greater rank than the type of the vector element. ('uchar4' and 'int')",
    ],
  ],
  [
    'a[0] + f;',
    ["1:89: error: cannot convert between vector and non-scalar values ('float4' and '__global float *')"],
  ],
  ['a[0] % a[0];', ["1:89: error: invalid operands to binary expression ('float4' and 'float4')"]],
  ['~a[0];', ["1:84: error: invalid argument type 'float4' to unary expression"]],
  [
    'i << b[0];',
    ["1:86: error: requested shift is a vector of type 'int4' but the first operand is not a vector ('int')"],
  ],
  [
    'b[0] << b[0].xy;',
    ["1:89: error: vector operands do not have the same number of elements ('int4' and 'int2')"],
  ],
  ['b[0] << x;', ["1:92: error: used type 'float' where integer is required"]],
  ['a[0] ? a[0] : a[0];', ["1:89: error: used type 'float4' where floating point type is not allowed"]],
  [
    'b[0] ? a[0].xy : a[0].xy;',
    [
      "1:89: error: vector condition type 'int4' and result type 'float2' do not have the same number of elements",
    ],
  ],
  [
    'short4 s; s ? a[0] : a[0];',
    [
      "1:96: error: vector condition type 'short4' and result type 'float4' do not have elements of the same size",
    ],
  ],
  ['if (a[0]) i = 1;', ["1:88: error: statement requires expression of scalar type ('float4' invalid)"]],
  [
    'i = a[0] && b[0];',
    ["1:93: error: implicit conversions between vector types ('float4' and 'int4') are not permitted"],
  ],
  ['a[0]++;', ["1:84: error: cannot increment value of type '__global float4'"]],
  ['x += a[0];', ["1:86: error: assigning to 'float' from incompatible type 'float4'"]],
  [
    'uchar4 c = 1; c += 1;',
    [
      "1:100: error: scalar operand type has greater rank than the type of the vector element. ('uchar4' and 'int')",
    ],
  ],
  [
    'short4 s = 3.5f;',
    [
      "1:95: warning: implicit conversion from 'float' to 'short4' changes value from 3.5 to 3 [-Wliteral-conversion]",
    ],
  ],
  ['i = a[0][4];', ["1:88: error: vector component access exceeds type 'float4'"]],
  ['i = a[0][x];', ['1:93: error: array subscript is not an integer']],
];

const head = 'kernel void k(global float4 *a, global int4 *b, global float *f, int i, float x) { ';

describe('vectors', () => {
  it.each(bodies)('%s', (body, said) => {
    expect(diagnose(`${head}${body} }`, dialect)).toEqual(said);
  });
});
