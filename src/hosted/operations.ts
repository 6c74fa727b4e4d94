/** Built-in functions of GNU C that are a few instructions, with their values where they are constants. */
import type { BuiltinResolution } from '../c/dialect.ts';
import type { FunctionLowering } from '../c/lower/function-lowering.ts';
import { arithmeticOf, pointerTo } from '../c/type-facts.ts';
import {
  type ArithmeticType,
  arithmeticTypes,
  type QualifiedType,
  unqualified,
  voidType,
} from '../c/types.ts';
import type * as ir from '../ir/ir.ts';
import { f32, f64, i32, i64, pointerType, type Type } from '../ir/types.ts';
import { type Emit, type Fold, found, noMatch } from './builtin.ts';

interface Operation {
  readonly operands: readonly QualifiedType[];
  readonly result: QualifiedType;
  readonly emit: Emit;
  readonly fold?: Fold;
}

const { int, uint, long, ulong, ushort, float, double } = arithmeticTypes;
const anyPointer = unqualified(
  pointerTo({ ...unqualified(voidType), isConst: true, isVolatile: true, space: 'private' }),
);
const plainPointer = unqualified(pointerTo({ ...unqualified(voidType), space: 'private' }));
const text = unqualified(
  pointerTo({ ...unqualified(arithmeticTypes.char), isConst: true, space: 'private' }),
);
const nothing = unqualified(voidType);

function operation(
  operands: readonly ArithmeticType[],
  result: ArithmeticType,
  emit: Emit,
  fold?: Fold,
): Operation {
  return {
    operands: operands.map((type) => unqualified(type)),
    result: unqualified(result),
    emit,
    ...(fold ? { fold } : {}),
  };
}

const operations: Record<string, Operation> = {};

// ------------------------------------------------------------------------------------------------ numbers

const roundings = {
  fabs: ['fabs', Math.abs],
  sqrt: ['fsqrt', undefined],
  floor: ['ffloor', Math.floor],
  ceil: ['fceil', Math.ceil],
  trunc: ['ftrunc', Math.trunc],
  rint: ['frint', undefined],
} as const;

for (const [suffix, type] of [
  ['', double],
  ['l', double],
  ['f', float],
] as const) {
  for (const [name, [fn, value]] of Object.entries(roundings)) {
    const fold: Fold | undefined = value && (([x]) => value(Number(x)));
    operations[name + suffix] = operation([type], type, ({ builder }, [x]) => builder.unary(fn, x!), fold);
  }
  operations[`copysign${suffix}`] = operation([type, type], type, ({ builder }, [x, y]) =>
    builder.binary('fcopysign', x!, y!),
  );
  operations[`fma${suffix}`] = operation([type, type, type], type, ({ builder }, [x, y, z]) =>
    builder.fma(x!, y!, z!),
  );
  const constant = (value: number): Operation =>
    operation(
      [],
      type,
      (fn) => fn.builder.constant(fn.typeOf(type), value),
      () => value,
    );
  operations[`inf${suffix}`] = constant(Number.POSITIVE_INFINITY);
  operations[`huge_val${suffix}`] = constant(Number.POSITIVE_INFINITY);
  for (const name of ['nan', 'nans']) {
    operations[`${name}${suffix}`] = { ...constant(Number.NaN), operands: [text] };
  }
  const signOf = (fn: FunctionLowering, x: ir.Value): ir.Value => {
    const bits = type.size === 8 ? i64 : i32;
    const value = fn.builder.convert('bitcast', x, bits);
    return truth(fn, fn.builder.compare('slt', value, fn.builder.integer(bits, 0)));
  };
  operations[`signbit${suffix}`] = operation([type], int, (fn, [x]) => signOf(fn, x!));
}

function truth(fn: FunctionLowering, condition: ir.Value): ir.Value {
  return fn.builder.convert('zext', condition, i32);
}

// --------------------------------------------------------------------------------------------------- bits

const width = (type: ArithmeticType): number => type.size * 8;

function countOf(fn: ir.UnaryFunction, type: ArithmeticType): Operation['emit'] {
  return ({ builder }, [x]) => narrowed(type, builder.unary(fn, x!), builder);
}

function narrowed(type: ArithmeticType, count: ir.Value, builder: FunctionLowering['builder']): ir.Value {
  return type.size === 8 ? builder.convert('trunc', count, i32) : count;
}

function ones(value: bigint | number): bigint {
  return BigInt(BigInt(value).toString(2).replaceAll('0', '').length);
}

function leading(value: bigint | number, type: ArithmeticType): bigint {
  return BigInt(width(type) - (BigInt(value) === 0n ? 0 : BigInt(value).toString(2).length));
}

function trailing(value: bigint | number): bigint {
  return BigInt(/0*$/.exec(BigInt(value).toString(2))![0].length);
}

for (const [suffix, type, signed] of [
  ['', uint, int],
  ['l', uint, int],
  ['ll', ulong, long],
] as const) {
  const take =
    (fold: (value: bigint) => bigint | undefined): Fold =>
    ([x]) =>
      fold(BigInt(x as bigint));
  operations[`clz${suffix}`] = operation(
    [type],
    int,
    countOf('clz', type),
    take((x) => (x ? leading(x, type) : undefined)),
  );
  operations[`ctz${suffix}`] = operation(
    [type],
    int,
    countOf('ctz', type),
    take((x) => (x ? trailing(x) : undefined)),
  );
  operations[`popcount${suffix}`] = operation([type], int, countOf('popcount', type), take(ones));
  operations[`parity${suffix}`] = operation(
    [type],
    int,
    ({ builder }, [x]) =>
      builder.binary('and', narrowed(type, builder.unary('popcount', x!), builder), builder.integer(i32, 1)),
    take((x) => ones(x) & 1n),
  );
  operations[`ffs${suffix}`] = operation(
    [type],
    int,
    (fn, [x]) => {
      const { builder } = fn;
      const place = builder.binary(
        'iadd',
        narrowed(type, builder.unary('ctz', x!), builder),
        builder.integer(i32, 1),
      );
      const isZero = builder.compare('eq', x!, builder.integer(x!.type, 0));
      return builder.select(isZero, builder.integer(i32, 0), place);
    },
    take((x) => (x ? trailing(x) + 1n : 0n)),
  );
  operations[`clrsb${suffix}`] = operation(
    [signed],
    int,
    ({ builder }, [x]) => {
      const sign = builder.binary('sshr', x!, builder.integer(x!.type, width(type) - 1));
      const zeros = narrowed(type, builder.unary('clz', builder.binary('xor', x!, sign)), builder);
      return builder.binary('isub', zeros, builder.integer(i32, 1));
    },
    take((x) => leading(x < 0n ? ~x : x, type) - 1n),
  );
}

function swapped(value: bigint, bytes: number): bigint {
  let result = 0n;
  for (let index = 0; index < bytes; index += 1)
    result = (result << 8n) | ((value >> BigInt(8 * index)) & 255n);
  return result;
}

for (const [bits, type] of [
  [16, ushort],
  [32, uint],
  [64, ulong],
] as const) {
  operations[`bswap${bits}`] = operation(
    [type],
    type,
    (fn, [x]) => {
      const { builder } = fn;
      const of = fn.typeOf(type);
      let result = builder.integer(of, 0);
      for (let index = 0; index < bits / 8; index += 1) {
        const byte = builder.binary(
          'and',
          builder.binary('ushr', x!, builder.integer(of, 8 * index)),
          builder.integer(of, 255),
        );
        result = builder.binary(
          'or',
          result,
          builder.binary('shl', byte, builder.integer(of, bits - 8 - 8 * index)),
        );
      }
      return result;
    },
    ([x]) => swapped(BigInt(x as bigint), bits / 8),
  );
}

const reinterpretation = (from: ArithmeticType, to: ArithmeticType): Operation =>
  operation([from], to, (fn, [x]) => fn.builder.convert('bitcast', x!, fn.typeOf(to)));
operations['bits_of_double'] = reinterpretation(double, ulong);
operations['double_of_bits'] = reinterpretation(ulong, double);
operations['bits_of_float'] = reinterpretation(float, uint);
operations['float_of_bits'] = reinterpretation(uint, float);

// -------------------------------------------------------------------------------------- hints and the stack

const first: Emit = (_fn, [x]) => x!;
const expectation: Operation = {
  operands: [unqualified(int), unqualified(int)],
  result: unqualified(int),
  emit: first,
  fold: ([x]) => x,
};
const leaving: Operation = {
  operands: [],
  result: nothing,
  emit: (fn) => {
    fn.unreachable();
    return undefined;
  },
};

Object.assign(operations, {
  expect: expectation,
  expect_with_probability: { ...expectation, operands: [...expectation.operands, unqualified(double)] },
  unreachable: leaving,
  trap: leaving,
  alloca: {
    operands: [unqualified(uint)],
    result: plainPointer,
    emit: (fn, [size]) => {
      const allocate = fn.module.hostInstruction('stack.allocate', [i32], pointerType('private'));
      return fn.builder.call(allocate, [size!]);
    },
  },
  frame_address: {
    operands: [unqualified(uint)],
    result: plainPointer,
    emit: (fn) => fn.reserve('private', 4, 4, 'frame'),
  },
  return_address: {
    operands: [unqualified(uint)],
    result: plainPointer,
    emit: (fn) => fn.builder.constant(pointerType('private'), 0),
  },
  // What is not known of an object's size is the most for a maximum, and the least for a minimum.
  object_size: {
    operands: [anyPointer, unqualified(int)],
    result: unqualified(uint),
    emit: (fn, [, kind]) => {
      const { builder } = fn;
      const bit = builder.binary('and', kind!, builder.integer(i32, 2));
      const isMinimum = builder.compare('ne', bit, builder.integer(i32, 0));
      return builder.select(isMinimum, builder.integer(i32, 0), builder.integer(i32, -1));
    },
  },
} satisfies Record<string, Operation>);

// ------------------------------------------------------------------------- functions of any number of types

type Resolve = (name: string, types: readonly QualifiedType[]) => BuiltinResolution;

function floatingOf(types: readonly QualifiedType[]): ArithmeticType | undefined {
  const kinds = types.map(({ type }) => arithmeticOf(type));
  if (kinds.some((kind) => kind === undefined) || !kinds.some((kind) => kind?.floating)) return undefined;
  return kinds.every((kind) => kind === float) ? float : double;
}

type Ask = (fn: FunctionLowering, operands: readonly ir.Value[], type: Type) => ir.Value;

/** A question about floating-point numbers of one type. */
const question =
  (count: number, ask: Ask, fold: (operands: readonly number[]) => boolean): Resolve =>
  (name, types) => {
    const type = floatingOf(types);
    if (!type || types.length !== count) return noMatch([`'${name}' takes ${count} floating-point numbers`]);
    const emit: Emit = (fn, operands) => truth(fn, ask(fn, operands, type === float ? f32 : f64));
    const parameters = types.map(() => unqualified(type));
    return found(name, types, parameters, unqualified(int), emit, (operands) =>
      fold(operands.map(Number)) ? 1n : 0n,
    );
  };

function compares(kind: ir.CompareFunction, fold: (x: number, y: number) => boolean): Resolve {
  return question(
    2,
    ({ builder }, [x, y]) => builder.compare(kind, x!, y!),
    ([x, y]) => fold(x!, y!),
  );
}

const isNaNValue = ({ builder }: FunctionLowering, x: ir.Value): ir.Value => builder.compare('fne', x, x);
const magnitude = ({ builder }: FunctionLowering, x: ir.Value): ir.Value => builder.unary('fabs', x);
const infinite = ({ builder }: FunctionLowering, type: Type): ir.Value =>
  builder.constant(type, Number.POSITIVE_INFINITY);
const leastNormal = (type: Type): number => (type === f32 ? 2 ** -126 : 2 ** -1022);

const isNormal: Ask = (fn, [x], type) => {
  const size = magnitude(fn, x!);
  const isLarge = fn.builder.compare('fge', size, fn.builder.constant(type, leastNormal(type)));
  return fn.builder.binary('and', isLarge, fn.builder.compare('flt', size, infinite(fn, type)));
};

/** Chooses among the five numbers that are given, as the macros of <math.h> say. */
const classify: Resolve = (name, types) => {
  const type = floatingOf(types.slice(5));
  if (!type || types.length !== 6)
    return noMatch([`'${name}' takes five integers and a floating-point number`]);
  const emit: Emit = (fn, [nan, infinity, normal, subnormal, zero, x]) => {
    const { builder } = fn;
    const of = type === float ? f32 : f64;
    const isZero = builder.compare('feq', x!, builder.constant(of, 0));
    const small = builder.select(isZero, zero!, subnormal!);
    const finite = builder.select(isNormal(fn, [x!], of), normal!, small);
    const isInfinite = builder.compare('feq', magnitude(fn, x!), infinite(fn, of));
    return builder.select(isNaNValue(fn, x!), nan!, builder.select(isInfinite, infinity!, finite));
  };
  const numbers = Array.from({ length: 5 }, () => unqualified(int));
  return found(name, types, [...numbers, unqualified(type)], unqualified(int), emit);
};

const generic: Readonly<Record<string, Resolve>> = {
  isnan: question(
    1,
    (fn, [x]) => isNaNValue(fn, x!),
    ([x]) => Number.isNaN(x),
  ),
  isinf: question(
    1,
    (fn, [x], type) => fn.builder.compare('feq', magnitude(fn, x!), infinite(fn, type)),
    ([x]) => Math.abs(x!) === Number.POSITIVE_INFINITY,
  ),
  isfinite: question(
    1,
    (fn, [x], type) => fn.builder.compare('flt', magnitude(fn, x!), infinite(fn, type)),
    ([x]) => Number.isFinite(x),
  ),
  isnormal: question(1, isNormal, ([x]) => Number.isFinite(x) && Math.abs(x!) >= 2 ** -1022),
  isgreater: compares('fgt', (x, y) => x > y),
  isgreaterequal: compares('fge', (x, y) => x >= y),
  isless: compares('flt', (x, y) => x < y),
  islessequal: compares('fle', (x, y) => x <= y),
  islessgreater: question(
    2,
    ({ builder }, [x, y]) =>
      builder.binary('or', builder.compare('flt', x!, y!), builder.compare('fgt', x!, y!)),
    ([x, y]) => x! < y! || x! > y!,
  ),
  isunordered: question(
    2,
    (fn, [x, y]) => fn.builder.binary('or', isNaNValue(fn, x!), isNaNValue(fn, y!)),
    ([x, y]) => Number.isNaN(x) || Number.isNaN(y),
  ),
  fpclassify: classify,
  prefetch: (name, types) => {
    const isFine = types.length > 0 && types.length < 4 && types[0]!.type.kind === 'pointer';
    if (!isFine) return noMatch([`'${name}' takes a pointer and up to two numbers`]);
    return found(name, types, types, nothing, () => undefined);
  },
  assume_aligned: (name, types) => {
    const isFine = types.length > 1 && types.length < 4 && types[0]!.type.kind === 'pointer';
    if (!isFine) return noMatch([`'${name}' takes a pointer and one or two numbers`]);
    return found(name, types, [anyPointer, ...types.slice(1)], plainPointer, first);
  },
};

const prefix = '__builtin_';

function wordOf(name: string): string {
  return name.startsWith(prefix) ? name.slice(prefix.length) : '';
}

export function isOperation(name: string): boolean {
  const word = wordOf(name);
  return Object.hasOwn(operations, word) || Object.hasOwn(generic, word);
}

export function resolveOperation(name: string, types: readonly QualifiedType[]): BuiltinResolution {
  const word = wordOf(name);
  if (Object.hasOwn(generic, word)) return generic[word]!(name, types);
  const { operands, result, emit, fold } = operations[word]!;
  return found(name, types, operands, result, emit, fold);
}
