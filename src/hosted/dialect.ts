/**
 * C99 for programs that run on the host: plain C with the built-in functions that its library is made of, and with the
 * attributes that say what is imported.
 */
import { type BuiltinCall, type VariableSize, variableSizeName } from '../c/ast.ts';
import type { BuiltinTable, Dialect } from '../c/dialect.ts';
import { value } from '../c/lower/expression.ts';
import type { FunctionLowering } from '../c/lower/function-lowering.ts';
import type { LoweringDialect } from '../c/lower/module-lowering.ts';
import { plainC } from '../c/plain-c.ts';
import {
  type ArithmeticType,
  arithmeticTypes,
  type QualifiedType,
  unqualified,
  voidType,
} from '../c/types.ts';
import type * as ir from '../ir/ir.ts';
import { i32, opaqueType, pointerType } from '../ir/types.ts';
import { isAtomicBuiltin, resolveAtomic } from './atomics.ts';
import { found, type HostBuiltin } from './builtin.ts';

/** A built-in function that is one instruction of the IR. */
interface Operation {
  readonly operands: readonly ArithmeticType[];
  readonly result: ArithmeticType;
  readonly emit: (fn: FunctionLowering, operands: readonly ir.Value[]) => ir.Value;
}

const { int, uint, ulong, float, double } = arithmeticTypes;

function floatOperation(fn: ir.UnaryFunction, type: ArithmeticType): Operation {
  return { operands: [type], result: type, emit: ({ builder }, [x]) => builder.unary(fn, x!) };
}

function twoFloats(fn: ir.BinaryFunction, type: ArithmeticType): Operation {
  return { operands: [type, type], result: type, emit: ({ builder }, [x, y]) => builder.binary(fn, x!, y!) };
}

function bitCount(fn: ir.UnaryFunction, type: ArithmeticType): Operation {
  return {
    operands: [type],
    result: int,
    emit: ({ builder }, [x]) => {
      const count = builder.unary(fn, x!);
      return type.size === 8 ? builder.convert('trunc', count, i32) : count;
    },
  };
}

function reinterpretation(from: ArithmeticType, to: ArithmeticType): Operation {
  return {
    operands: [from],
    result: to,
    emit: (fn, [x]) => fn.builder.convert('bitcast', x!, fn.typeOf(to)),
  };
}

const fma = (type: ArithmeticType): Operation => ({
  operands: [type, type, type],
  result: type,
  emit: ({ builder }, [x, y, z]) => builder.fma(x!, y!, z!),
});

const unaries: Readonly<Record<string, ir.UnaryFunction>> = {
  fabs: 'fabs',
  sqrt: 'fsqrt',
  floor: 'ffloor',
  ceil: 'fceil',
  trunc: 'ftrunc',
  rint: 'frint',
};

const operations: Readonly<Record<string, Operation>> = {
  ...Object.fromEntries(
    Object.entries(unaries).flatMap(([name, fn]) => [
      [`__builtin_${name}`, floatOperation(fn, double)],
      [`__builtin_${name}f`, floatOperation(fn, float)],
    ]),
  ),
  __builtin_copysign: twoFloats('fcopysign', double),
  __builtin_copysignf: twoFloats('fcopysign', float),
  __builtin_fma: fma(double),
  __builtin_fmaf: fma(float),
  __builtin_clz: bitCount('clz', uint),
  __builtin_clzll: bitCount('clz', ulong),
  __builtin_ctz: bitCount('ctz', uint),
  __builtin_ctzll: bitCount('ctz', ulong),
  __builtin_popcount: bitCount('popcount', uint),
  __builtin_popcountll: bitCount('popcount', ulong),
  __builtin_bits_of_double: reinterpretation(double, ulong),
  __builtin_double_of_bits: reinterpretation(ulong, double),
  __builtin_bits_of_float: reinterpretation(float, uint),
  __builtin_float_of_bits: reinterpretation(uint, float),
};

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
    if (!Object.hasOwn(operations, name)) return { kind: 'unknown' };
    const { operands, result, emit } = operations[name]!;
    const parameters = operands.map((type) => unqualified(type));
    return found(name, types, parameters, unqualified(result), emit);
  },
  isBuiltinName: (name) => name === variadic || Object.hasOwn(operations, name) || isAtomicBuiltin(name),
  builtinNames: () => [],
};

const ownAttributes = new Set(['import_module', 'import_name', 'malloc', 'constructor', 'alloc_size']);

/** The dialect of a program with 32-bit addresses. */
export function hostedC(predefinedMacros: Readonly<Record<string, string>>): Dialect {
  const plain = plainC({ addressBits: 32, builtins, predefinedMacros });
  const keywords = new Map(plain.keywords)
    .set('typeof', { kind: 'typeof' })
    .set('_Atomic', { kind: 'qualifier', qualifier: 'atomic' });
  const features = { ...plain.features, variableLengthArrays: true, atomicObjects: true };
  return {
    ...plain,
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
