/** What is said of calls of printf; in clang 14's words where it says the same. */
import { describe, expect, it } from 'vitest';
import { compileOpenCL } from '../../../src/opencl/compile.ts';
import { openclDialect } from '../../../src/opencl/dialect/index.ts';
import { diagnose } from '../../c/diagnose.ts';

/** Calls in the kernel below; columns count from the call's first character. */
const calls: readonly (readonly [call: string, said: readonly string[]])[] = [
  ['printf("%d %u %x %5.1f %c %s %p\\n", i, u, c, f, i, "text", g)', []],
  ['printf("%f %e %g %a", f, d, 1.0f, 1.0)', []],
  [
    'printf("%ld %lu %hd %hhu %zu", l, (ulong)l, c, c, get_global_id(0))',
    ["26: warning: length modifier 'z' is not supported by OpenCL C; 'l' prints 64 bits [-Wformat]"],
  ],
  ['printf("%v4hlf %v2d %v2hlu %v4hhx %v2ld", v, w, w, b, (long2)(1))', []],
  ['printf(fmt, i) + printf(pointer)', []],
  ['printf("%d\\n")', ["9: warning: more '%' conversions than data arguments [-Wformat-insufficient-args]"]],
  [
    'printf("\\x41\\n%d %d", i)',
    ["18: warning: more '%' conversions than data arguments [-Wformat-insufficient-args]"],
  ],
  [
    'printf("a" "b%d")',
    ["14: warning: more '%' conversions than data arguments [-Wformat-insufficient-args]"],
  ],
  ['printf("none", i, f)', ['16: warning: data argument not used by format string [-Wformat-extra-args]']],
  [
    'printf("%d", f)',
    ["14: warning: format specifies type 'int' but the argument has type 'float' [-Wformat]"],
  ],
  [
    'printf("%d", l)',
    ["14: warning: format specifies type 'int' but the argument has type 'long' [-Wformat]"],
  ],
  [
    'printf("%lu", i)',
    ["15: warning: format specifies type 'ulong' but the argument has type 'int' [-Wformat]"],
  ],
  [
    'printf("%f", i)',
    ["14: warning: format specifies type 'double' but the argument has type 'int' [-Wformat]"],
  ],
  [
    'printf("%c", f)',
    ["14: warning: format specifies type 'int' but the argument has type 'float' [-Wformat]"],
  ],
  [
    'printf("%p", i)',
    ["14: warning: format specifies type 'void *' but the argument has type 'int' [-Wformat]"],
  ],
  [
    'printf("%f", v)',
    ["14: warning: format specifies type 'double' but the argument has type 'float4' [-Wformat]"],
  ],
  [
    'printf("%v4hld", v)',
    ["18: warning: format specifies type 'int4' but the argument has type 'float4' [-Wformat]"],
  ],
  [
    'printf("%v4f", v)',
    ["16: warning: format specifies type 'double4' but the argument has type 'float4' [-Wformat]"],
  ],
  [
    'printf("%v2hlf", v)',
    ["18: warning: format specifies type 'float2' but the argument has type 'float4' [-Wformat]"],
  ],
  [
    'printf("%v4hd", b)',
    ["17: warning: format specifies type 'short4' but the argument has type 'uchar4' [-Wformat]"],
  ],
  [
    'printf("%v5d", w)',
    [
      "9: warning: invalid vector length '5': it must be 2, 3, 4, 8 or 16 [-Wformat-invalid-specifier]",
      '16: warning: data argument not used by format string [-Wformat-extra-args]',
    ],
  ],
  ['printf("100%")', ['12: warning: incomplete format specifier [-Wformat]']],
  [
    'printf("%y", i)',
    [
      "9: warning: invalid conversion specifier 'y' [-Wformat-invalid-specifier]",
      '14: warning: data argument not used by format string [-Wformat-extra-args]',
    ],
  ],
  [
    'printf("%05s", "x")',
    ["9: warning: flag '0' results in undefined behavior with 's' conversion specifier [-Wformat]"],
  ],
  ['printf("")', ['8: warning: format string is empty [-Wformat-zero-length]']],
  ['printf("a\\0b")', ["10: warning: format string contains '\\0' within the string body [-Wformat]"]],
  ['printf("%*d", i, i)', ["9: error: OpenCL C's printf takes no '*' as field width: write a number"]],
  ['printf("%.*f", i, f)', ["9: error: OpenCL C's printf takes no '*' as precision: write a number"]],
  ['printf("%n", g)', ["9: error: conversion specifier 'n' is not supported by OpenCL C's printf"]],
  [
    'printf("%s", g)',
    [
      "14: warning: the argument of '%s' must be a string literal or point to constant chars; this has type '__global int *', so that it prints '(not a string)' [-Wformat]",
    ],
  ],
  [
    'printf("%s", i)',
    [
      "14: error: the argument of '%s' must be a string literal or point to constant chars; this has type 'int'",
    ],
  ],
  [
    'printf("%d", pair)',
    [
      "14: warning: format specifies type 'int' but the argument has type 'struct Pair' [-Wformat]",
      "14: error: cannot print a value of type 'struct Pair'",
    ],
  ],
  [
    'printf(text)',
    ['8: error: the format of printf must be a string literal, or a constant array that one initializes'],
  ],
  [
    'printf(i ? "a" : "b")',
    ['8: error: the format of printf must be a string literal, or a constant array that one initializes'],
  ],
  [
    'printf(chars)',
    [
      "1: error: no matching function for call to 'printf'",
      '1: note: argument types are (__private char *)',
      '1: note: candidate function: int printf(constant const char *, ...): the 1st argument does not fit',
    ],
  ],
  [
    'printf()',
    [
      "1: error: no matching function for call to 'printf'",
      '1: note: argument types are ()',
      '1: note: candidate function: int printf(constant const char *, ...): requires at least 1 argument, but 0 were provided',
    ],
  ],
];

const head = `constant char fmt[] = "%d\\n";
constant char *constant pointer = "text";
struct Pair { int a, b; };
kernel void k(global int *g, int i, uint u, char c, float f, double d, long l, float4 v, int2 w, uchar4 b, constant char *text) {
  struct Pair pair = {1, 2};
  char chars[4] = "abc";
`;

describe('calls of printf', () => {
  it.each(calls)('%s', (call, said) => {
    const lines = diagnose(`${head}(void)(\n${call}\n);\n}`, openclDialect());
    expect(lines.map((line) => line.replace(/^8:/, ''))).toEqual(said);
  });

  it('point into the format', () => {
    const { log } = compileOpenCL('kernel void k() { printf("%d of %5.2f\\n", 1); }');
    expect(log).toMatchInlineSnapshot(`
      "<kernel>:1:33: warning: more '%' conversions than data arguments [-Wformat-insufficient-args]
      kernel void k() { printf("%d of %5.2f\\n", 1); }
                                      ^~~~~
      1 warning generated.
      "
    `);
  });
});
