/**
 * Plain C99 as a dialect: everything on, one address space, no functions of its own. For host programs and for tests
 * of the core.
 */
import { type BuiltinTable, type Dialect, type Keyword, noBuiltins } from './dialect.ts';
import { type ArithmeticName, arithmeticTypes, type QualifiedType } from './types.ts';

export interface PlainCOptions {
  readonly addressBits?: 32 | 64;
  readonly builtins?: BuiltinTable;
  readonly predefinedMacros?: Readonly<Record<string, string>>;
}

const statementWords = [
  'if',
  'else',
  'while',
  'do',
  'for',
  'switch',
  'case',
  'default',
  'break',
  'continue',
  'return',
  'goto',
] as const;

/** The words of C99 (6.4.1), which every dialect starts from, and those of C11 and GNU C that clang takes in all. */
export function c99Keywords(): Map<string, Keyword> {
  const words = new Map<string, Keyword>();
  for (const word of statementWords) words.set(word, { kind: 'statement', word });
  for (const storage of ['static', 'extern', 'typedef', 'auto', 'register'] as const) {
    words.set(storage, { kind: 'storage', storage });
  }
  for (const qualifier of ['const', 'volatile', 'restrict'] as const) {
    const keyword: Keyword = { kind: 'qualifier', qualifier };
    words.set(qualifier, keyword);
    words.set(`__${qualifier}`, keyword);
    words.set(`__${qualifier}__`, keyword);
  }
  for (const word of [
    'void',
    'char',
    'short',
    'int',
    'long',
    'float',
    'double',
    'signed',
    'unsigned',
  ] as const) {
    words.set(word, { kind: 'specifier', word });
  }
  words.set('__signed__', { kind: 'specifier', word: 'signed' });
  words.set('_Bool', { kind: 'specifier', word: 'bool' });
  for (const tag of ['struct', 'union', 'enum'] as const) words.set(tag, { kind: 'tag', tag });
  for (const word of ['inline', '__inline', '__inline__'])
    words.set(word, { kind: 'function', word: 'inline' });
  words.set('__extension__', { kind: 'mark', isForExpressions: true });
  words.set('_Noreturn', { kind: 'mark', isForExpressions: false });
  words.set('_Static_assert', { kind: 'static-assert' });
  words.set('__typeof__', { kind: 'typeof' });
  words.set('__typeof', { kind: 'typeof' });
  words.set('__asm__', { kind: 'assembly' });
  words.set('__asm', { kind: 'assembly' });
  words.set('__attribute__', { kind: 'attribute' });
  words.set('__attribute', { kind: 'attribute' });
  words.set('sizeof', { kind: 'operator', word: 'sizeof' });
  words.set('__alignof__', { kind: 'operator', word: 'alignof' });
  words.set('_Alignof', { kind: 'operator', word: 'alignof' });
  words.set('__alignof', { kind: 'operator', word: 'alignof' });
  for (const word of ['_Complex', '_Imaginary']) {
    words.set(word, { kind: 'reserved', message: `complex types are not supported: '${word}'` });
  }
  return words;
}

const names: Readonly<Partial<Record<ArithmeticName, string>>> = {
  bool: '_Bool',
  uchar: 'unsigned char',
  ushort: 'unsigned short',
  uint: 'unsigned int',
  long: 'long long',
  ulong: 'unsigned long long',
};

export function plainC(options: PlainCOptions = {}): Dialect {
  const is64 = options.addressBits === 64;
  const { int, uint, long, ulong, double } = arithmeticTypes;
  return {
    name: 'C99',
    language: 'C99',
    keywords: c99Keywords(),
    typeNames: new Map<string, QualifiedType>(),
    predefinedMacros: options.predefinedMacros ?? {},
    features: {
      functionPointers: true,
      bitFields: true,
      variadicFunctions: true,
      unprototyped: true,
      registerStorage: true,
      promotesFloatArguments: true,
      longDouble: true,
      hostedMain: true,
      shiftsWrap: false,
      floatingConditions: true,
    },
    addressBytes: is64 ? 8 : 4,
    sizeType: is64 ? ulong : uint,
    differenceType: is64 ? long : int,
    longType: is64 ? long : int,
    longLongType: long,
    doubleLiteral: { type: double, warning: undefined },
    builtins: options.builtins ?? noBuiltins,
    rules: {
      variable: () => true,
      parameter: () => true,
      function: () => undefined,
      field: () => true,
      pointer: () => true,
      storageOnly: () => true,
      access: (type) => type,
      pipe: (packet) => packet,
      opaqueValue: () => true,
      typeName: () => true,
      attribute: () => false,
      builtinCall: () => true,
      pragma: () => false,
      unit: () => undefined,
    },
    arithmeticName: (name) => names[name] ?? name,
    spaceName: () => '',
    reinterpretTarget: () => undefined,
    defaultSpace: () => 'private',
    spaceConverts: (from, to) => from === to,
    spaceCasts: () => true,
    opaqueConverts: () => false,
  };
}
