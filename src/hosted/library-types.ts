/**
 * The functions of the C library that `__builtin_name` means, and their types: a program may call them so without a header (GNU).
 * Each type is written as letters, the result first: see `letters`.
 */
import { pointerTo } from '../c/type-facts.ts';
import { arithmeticTypes, type FunctionType, type QualifiedType, unqualified, voidType } from '../c/types.ts';

const { char, int, uint, long, float, double } = arithmeticTypes;

function pointer(to: QualifiedType, isConst: boolean): QualifiedType {
  return unqualified(pointerTo({ ...to, isConst, space: 'private' }));
}

const letters: Readonly<Record<string, QualifiedType>> = {
  v: unqualified(voidType),
  p: pointer(unqualified(voidType), false),
  P: pointer(unqualified(voidType), true),
  s: pointer(unqualified(char), false),
  S: pointer(unqualified(char), true),
  i: unqualified(int),
  z: unqualified(uint),
  l: unqualified(long),
  f: unqualified(float),
  d: unqualified(double),
  I: pointer(unqualified(int), false),
};

/** `...` at the end: a variable number of arguments. */
const types: Record<string, string> = {
  memcpy: 'ppPz',
  memmove: 'ppPz',
  mempcpy: 'ppPz',
  memset: 'ppiz',
  memcmp: 'iPPz',
  memchr: 'pPiz',
  strlen: 'zS',
  strnlen: 'zSz',
  strcpy: 'ssS',
  stpcpy: 'ssS',
  strncpy: 'ssSz',
  strcat: 'ssS',
  strncat: 'ssSz',
  strcmp: 'iSS',
  strncmp: 'iSSz',
  strcasecmp: 'iSS',
  strncasecmp: 'iSSz',
  strchr: 'sSi',
  strrchr: 'sSi',
  strstr: 'sSS',
  strpbrk: 'sSS',
  strspn: 'zSS',
  strcspn: 'zSS',
  strdup: 'sS',
  strndup: 'sSz',
  malloc: 'pz',
  calloc: 'pzz',
  realloc: 'ppz',
  free: 'vp',
  abort: 'v',
  exit: 'vi',
  _Exit: 'vi',
  abs: 'ii',
  labs: 'ii',
  llabs: 'll',
  puts: 'iS',
  putchar: 'ii',
  printf: 'iS...',
  sprintf: 'isS...',
  snprintf: 'iszS...',
  ldexp: 'ddi',
  ldexpf: 'ffi',
  scalbn: 'ddi',
  scalbnf: 'ffi',
  frexp: 'ddI',
  frexpf: 'ffI',
};

for (const name of ['isalnum', 'isalpha', 'iscntrl', 'isdigit', 'isgraph', 'islower', 'isprint', 'ispunct'])
  types[name] = 'ii';
for (const name of ['isspace', 'isupper', 'isxdigit', 'tolower', 'toupper']) types[name] = 'ii';

const unaries = [
  ...['sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'sinh', 'cosh', 'tanh', 'asinh', 'acosh', 'atanh'],
  ...['exp', 'exp2', 'expm1', 'log', 'log2', 'log10', 'log1p', 'cbrt', 'round', 'nearbyint', 'logb'],
  ...['erf', 'erfc', 'tgamma', 'lgamma'],
];
for (const name of unaries) {
  types[name] = 'dd';
  types[`${name}f`] = 'ff';
}
for (const name of ['pow', 'atan2', 'fmod', 'remainder', 'hypot', 'fmin', 'fmax', 'fdim', 'nextafter']) {
  types[name] = 'ddd';
  types[`${name}f`] = 'fff';
}

export function libraryFunctionType(name: string): FunctionType | undefined {
  if (!Object.hasOwn(types, name)) return undefined;
  const text = types[name]!;
  const variadic = text.endsWith('...');
  const [result, ...parameters] = [...text.replace('...', '')].map((letter) => letters[letter]!);
  return { kind: 'function', result: result!, parameters, variadic, unprototyped: false };
}
