/**
 * C99 for programs that run on the host: plain C with the built-in functions that its library is made of, and with the
 * attributes that say what is imported.
 */
import { type BuiltinCall, type VariableSize, variableSizeName } from '../c/ast.ts';
import { isCommonAttribute } from '../c/check/attributes.ts';
import type { BuiltinTable, Dialect } from '../c/dialect.ts';
import { value } from '../c/lower/expression.ts';
import type { FunctionLowering } from '../c/lower/function-lowering.ts';
import type { LoweringDialect } from '../c/lower/module-lowering.ts';
import { gnuForms } from '../c/parser/gnu-builtins.ts';
import { plainC } from '../c/plain-c.ts';
import { pointerTo } from '../c/type-facts.ts';
import { arithmeticTypes, namedValue, type QualifiedType, unqualified, voidType } from '../c/types.ts';
import type * as ir from '../ir/ir.ts';
import { opaqueType, pointerType } from '../ir/types.ts';
import { isAtomicBuiltin, resolveAtomic } from './atomics.ts';
import type { HostBuiltin } from './builtin.ts';
import { libraryFunctionType } from './library-types.ts';
import { isOperation, resolveOperation } from './operations.ts';
import { isOverflowBuiltin, resolveOverflow } from './overflow.ts';

const variadic = '__builtin_variadic_arguments';
const pointerToVoid: QualifiedType = unqualified({
  kind: 'pointer',
  pointee: { ...unqualified(voidType), space: 'private' },
});

const builtins: BuiltinTable = {
  resolveBuiltin(name, types) {
    if (name === variadic) {
      return { kind: 'found', builtin: { name }, parameters: [], result: pointerToVoid };
    }
    if (isAtomicBuiltin(name)) return resolveAtomic(name, types);
    if (isOverflowBuiltin(name)) return resolveOverflow(name, types);
    return isOperation(name) ? resolveOperation(name, types) : { kind: 'unknown' };
  },
  isBuiltinName: (name) =>
    name === variadic || isOperation(name) || isAtomicBuiltin(name) || isOverflowBuiltin(name),
  builtinNames: () => [],
  libraryFunction: libraryFunctionType,
};

/** Attributes of GNU C that programs may carry: what they say changes nothing here, but for the imports' and the last two. */
const ownAttributes = new Set([
  ...[
    'import_module',
    'import_name',
    'malloc',
    'alloc_size',
    'alloc_align',
    'assume_aligned',
    'returns_nonnull',
  ],
  ...[
    'warn_unused_result',
    'sentinel',
    'leaf',
    'artificial',
    'gnu_inline',
    'no_instrument_function',
    'section',
  ],
  ...[
    'format_arg',
    'returns_twice',
    'no_sanitize',
    'no_sanitize_address',
    'noclone',
    'no_reorder',
    'error',
    'warning',
  ],
  ...[
    'unavailable',
    'designated_init',
    'nonstring',
    'transparent_union',
    'tls_model',
    'common',
    'nocommon',
    'optimize',
  ],
  ...[
    'target',
    'no_icf',
    'access',
    'externally_visible',
    'no_stack_protector',
    'noipa',
    'noplt',
    'simd',
    'cdecl',
  ],
  ...[
    'stdcall',
    'fastcall',
    'regparm',
    'ms_struct',
    'gcc_struct',
    'dllimport',
    'dllexport',
    'internal_linkage',
    'nodebug',
  ],
  ...['constructor', 'destructor', 'cleanup', 'alias'],
]);

const macroBuiltins = new Set(
  ['offsetof', 'va_start', 'va_copy', 'va_end', 'va_arg'].map((name) => `__builtin_${name}`),
);

export function isKnownBuiltin(name: string): boolean {
  if (builtins.isBuiltinName(name) || gnuForms.has(name) || macroBuiltins.has(name)) return true;
  return name.startsWith('__builtin_') && libraryFunctionType(name.slice('__builtin_'.length)) !== undefined;
}

export function isKnownAttribute(name: string): boolean {
  return ownAttributes.has(name) || isCommonAttribute(name);
}

/** The dialect of a program with 32-bit addresses. */
export function hostedC(predefinedMacros: Readonly<Record<string, string>>): Dialect {
  const plain = plainC({ addressBits: 32, builtins, predefinedMacros });
  const keywords = new Map(plain.keywords)
    .set('typeof', { kind: 'typeof' })
    .set('asm', { kind: 'assembly' })
    .set('_Generic', { kind: 'generic' })
    .set('_Alignas', { kind: 'alignas' })
    .set('__auto_type', { kind: 'auto-type' })
    .set('__label__', { kind: 'local-label' })
    .set('_Thread_local', { kind: 'thread-local' })
    .set('__thread', { kind: 'thread-local' })
    .set('__signed', { kind: 'specifier', word: 'signed' })
    .set('_Atomic', { kind: 'qualifier', qualifier: 'atomic' });
  const features = { ...plain.features, variableLengthArrays: true, atomicObjects: true, gnu: true };
  const list = namedValue(
    pointerTo({ ...unqualified(arithmeticTypes.char), space: 'private' }),
    '__builtin_va_list',
  );
  const typeNames = new Map(plain.typeNames).set('__builtin_va_list', list);
  return {
    ...plain,
    typeNames,
    keywords,
    features,
    rules: { ...plain.rules, attribute: ({ name }) => ownAttributes.has(name) },
  };
}

/** What the dialect adds to the lowering of C. */
export const hostedLowering: LoweringDialect = {
  builtinCall(fn: FunctionLowering, call: BuiltinCall): ir.Value | undefined {
    const { name } = call.builtin;
    if (name === variableSizeName) return fn.sizeOfVariable((call.builtin as VariableSize).variable);
    if (name === variadic) {
      if (fn.variableArguments) return fn.variableArguments;
      fn.error(call.span, "'va_start' used in function with fixed args");
      return fn.builder.constant(pointerType('private'), 0);
    }
    const operands = call.arguments.map((argument) => value(fn, argument));
    return (call.builtin as HostBuiltin).emit(fn, operands);
  },
  opaqueType: ({ name }) => opaqueType(name),
  kernelFacts: () => {
    throw new Error('a program for the host has no kernels');
  },
};
