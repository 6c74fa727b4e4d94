/**
 * What is defined before the first line of a program for the host: sizes, limits, and that it is GNU C, of the version that clang says to
 * be, so that headers declare what they declare for gcc and lay it out so.
 */

/** Names of types and the types, as `__INT32_TYPE__` and its like tell them. */
const types: Readonly<Record<string, string>> = {
  SIZE: 'unsigned int',
  PTRDIFF: 'int',
  WCHAR: 'int',
  WINT: 'unsigned int',
  INTMAX: 'long long int',
  UINTMAX: 'long long unsigned int',
  INTPTR: 'int',
  UINTPTR: 'unsigned int',
  SIG_ATOMIC: 'int',
  CHAR16: 'short unsigned int',
  CHAR32: 'unsigned int',
};

const integers = { 8: 'signed char', 16: 'short', 32: 'int', 64: 'long long int' } as const;
const unsigneds = {
  8: 'unsigned char',
  16: 'short unsigned int',
  32: 'unsigned int',
  64: 'long long unsigned int',
} as const;

function typeMacros(): Record<string, string> {
  const macros: Record<string, string> = {};
  for (const [name, type] of Object.entries(types)) macros[`__${name}_TYPE__`] = type;
  for (const bits of [8, 16, 32, 64] as const) {
    const most = { 8: '127', 16: '32767', 32: '2147483647', 64: '9223372036854775807LL' }[bits];
    const greatest = { 8: '255', 16: '65535', 32: '4294967295U', 64: '18446744073709551615ULL' }[bits];
    for (const kind of ['INT', 'INT_LEAST', 'INT_FAST']) {
      macros[`__${kind}${bits}_TYPE__`] = integers[bits];
      macros[`__U${kind}${bits}_TYPE__`] = unsigneds[bits];
      macros[`__${kind}${bits}_MAX__`] = most;
      macros[`__U${kind}${bits}_MAX__`] = greatest;
    }
    const suffix = bits === 64 ? 'LL' : '';
    macros[`__INT${bits}_C(value)`] = suffix ? `value##${suffix}` : 'value';
    macros[`__UINT${bits}_C(value)`] = bits < 32 ? 'value' : `value##U${suffix}`;
  }
  return macros;
}

/** What a floating-point type can hold, under the names of gcc. */
function floatMacros(prefix: string, values: readonly string[]): Record<string, string> {
  const names = [
    'MANT_DIG',
    'DIG',
    'DECIMAL_DIG',
    'MIN_EXP',
    'MIN_10_EXP',
    'MAX_EXP',
    'MAX_10_EXP',
    'MAX',
    'MIN',
  ];
  const all = [...names, 'EPSILON', 'DENORM_MIN'];
  const yes = ['HAS_DENORM', 'HAS_INFINITY', 'HAS_QUIET_NAN'];
  return Object.fromEntries([
    ...all.map((name, index) => [`__${prefix}_${name}__`, values[index]!]),
    ...yes.map((name) => [`__${prefix}_${name}__`, '1']),
  ]);
}

const doubleFacts = [
  ...[
    '53',
    '15',
    '17',
    '(-1021)',
    '(-307)',
    '1024',
    '308',
    '1.7976931348623157e+308',
    '2.2250738585072014e-308',
  ],
  ...['2.2204460492503131e-16', '4.9406564584124654e-324'],
];
const floatFacts = [
  ...['24', '6', '9', '(-125)', '(-37)', '128', '38', '3.40282347e+38F', '1.17549435e-38F'],
  ...['1.19209290e-7F', '1.40129846e-45F'],
];

export const predefinedMacros: Readonly<Record<string, string>> = {
  __STDC_HOSTED__: '1',
  __STDC_IEC_559__: '1',
  __STDC_NO_COMPLEX__: '1',
  __STDC_NO_THREADS__: '1',
  __millrace__: '1',
  __wasm__: '1',
  __wasm32__: '1',
  __wasi__: '1',
  __ILP32__: '1',
  _ILP32: '1',
  __LITTLE_ENDIAN__: '1',
  __BYTE_ORDER__: '1234',
  __ORDER_LITTLE_ENDIAN__: '1234',
  __ORDER_BIG_ENDIAN__: '4321',
  __GNUC__: '4',
  __GNUC_MINOR__: '2',
  __GNUC_PATCHLEVEL__: '1',
  __GNUC_STDC_INLINE__: '1',
  __VERSION__: '"4.2.1 compatible Millrace"',
  __USER_LABEL_PREFIX__: '',
  __REGISTER_PREFIX__: '',
  __FLOAT_WORD_ORDER__: '1234',
  __ORDER_PDP_ENDIAN__: '3412',
  __BIGGEST_ALIGNMENT__: '16',
  __FINITE_MATH_ONLY__: '0',
  __FLT_EVAL_METHOD__: '0',
  __FLT_RADIX__: '2',
  __DECIMAL_DIG__: '17',
  __NO_INLINE__: '1',
  ...typeMacros(),
  ...floatMacros('FLT', floatFacts),
  ...floatMacros('DBL', doubleFacts),
  ...floatMacros(
    'LDBL',
    doubleFacts.map((fact) => (/[.]/.test(fact) ? `${fact}L` : fact)),
  ),
  __SCHAR_MAX__: '127',
  __SHRT_MAX__: '32767',
  __LONG_LONG_MAX__: '9223372036854775807LL',
  __SIZE_MAX__: '4294967295U',
  __PTRDIFF_MAX__: '2147483647',
  __INTPTR_MAX__: '2147483647',
  __UINTPTR_MAX__: '4294967295U',
  __INTMAX_MAX__: '9223372036854775807LL',
  __UINTMAX_MAX__: '18446744073709551615ULL',
  '__INTMAX_C(value)': 'value##LL',
  '__UINTMAX_C(value)': 'value##ULL',
  __WCHAR_MAX__: '2147483647',
  __WCHAR_MIN__: '(-2147483647 - 1)',
  __WINT_MAX__: '4294967295U',
  __WINT_MIN__: '0U',
  __SIG_ATOMIC_MAX__: '2147483647',
  __SIG_ATOMIC_MIN__: '(-2147483647 - 1)',
  __SIZEOF_SHORT__: '2',
  __SIZEOF_LONG_DOUBLE__: '8',
  __SIZEOF_PTRDIFF_T__: '4',
  __SIZEOF_WCHAR_T__: '4',
  __SIZEOF_WINT_T__: '4',
  __SCHAR_WIDTH__: '8',
  __SHRT_WIDTH__: '16',
  __INT_WIDTH__: '32',
  __LONG_WIDTH__: '32',
  __LONG_LONG_WIDTH__: '64',
  __CHAR_BIT__: '8',
  __SIZEOF_POINTER__: '4',
  __SIZEOF_INT__: '4',
  __SIZEOF_LONG__: '4',
  __SIZEOF_LONG_LONG__: '8',
  __SIZEOF_SIZE_T__: '4',
  __SIZEOF_DOUBLE__: '8',
  __SIZEOF_FLOAT__: '4',
  __INT_MAX__: '2147483647',
  __LONG_MAX__: '2147483647L',
  __ATOMIC_RELAXED: '0',
  __ATOMIC_CONSUME: '1',
  __ATOMIC_ACQUIRE: '2',
  __ATOMIC_RELEASE: '3',
  __ATOMIC_ACQ_REL: '4',
  __ATOMIC_SEQ_CST: '5',
  ...Object.fromEntries(
    ['BOOL', 'CHAR', 'CHAR16_T', 'CHAR32_T', 'WCHAR_T', 'SHORT', 'INT', 'LONG', 'LLONG', 'POINTER'].map(
      (type) => [`__GCC_ATOMIC_${type}_LOCK_FREE`, '2'],
    ),
  ),
  __GCC_ATOMIC_TEST_AND_SET_TRUEVAL: '1',
  ...Object.fromEntries([1, 2, 4, 8].map((bytes) => [`__GCC_HAVE_SYNC_COMPARE_AND_SWAP_${bytes}`, '1'])),
  '__builtin_offsetof(type,member)': '((unsigned int)&((type *)0)->member)',
  '__builtin_va_start(list,last)': '((void)((list) = (__builtin_va_list)__builtin_variadic_arguments()))',
  '__builtin_va_copy(to,from)': '((void)((to) = (from)))',
  '__builtin_va_end(list)': '((void)(list))',
  // The place of an argument is aligned, but to no less than four bytes; the list goes on behind it.
  '__builtin_va_arg(list,type)':
    '(*(type *)(((list) = (char *)((((unsigned int)(list) + (_Alignof(type) < 4 ? 4 : _Alignof(type)) - 1) & -(_Alignof(type) < 4 ? 4 : _Alignof(type))) + ((sizeof(type) + 3) & -4))) - ((sizeof(type) + 3) & -4)))',
};
