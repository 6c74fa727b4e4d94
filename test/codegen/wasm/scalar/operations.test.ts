/**
 * Every operation on every type and lane count, compiled, against the interpreter: two programs by different hands.
 * One kernel computes all operations of a type on each of its work-items' operands.
 */

import { describe, expect, it } from 'vitest';
import type { Builder } from '../../../../src/ir/builder.ts';
import { bitsOfHalf } from '../../../../src/ir/half.ts';
import type * as ir from '../../../../src/ir/ir.ts';
import {
  binaryFunctions,
  compareFunctions,
  roundingModes,
  unaryFunctions,
} from '../../../../src/ir/text/functions.ts';
import {
  bool,
  type FloatType,
  f16,
  f32,
  f64,
  type IntType,
  i8,
  i16,
  i32,
  i64,
  type LaneCount,
  type ScalarType,
  sizeOf,
  type Type,
  typeName,
  type VectorType,
  vectorType,
} from '../../../../src/ir/types.ts';
import { run } from '../../../ir/run.ts';
import { element, globalPointer, items, kernelModule, launch } from '../harness.ts';

const workItems = 96;
const laneCounts = [1, 2, 3, 4, 8, 16] as const;
const ints: readonly IntType[] = [i8, i16, i32, i64];
const floats: readonly FloatType[] = [f16, f32, f64];

function shaped(element: ScalarType, lanes: number): ScalarType | VectorType {
  return lanes === 1 ? element : vectorType(element, lanes as LaneCount);
}

// ----------------------------------------------------------------------------------------------- operands

let seed = 12345;
function random(): number {
  seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
  return (seed >>> 0) / 2 ** 32;
}

const specialFloats = [
  0,
  -0,
  1,
  -1,
  0.5,
  1.5,
  2.5,
  -2.5,
  1e-45,
  -1e-40,
  5e-324,
  65504,
  65519.999,
  65520,
  2 ** -24,
];
const moreFloats = [
  2 ** -25,
  2 ** -14,
  3.4e38,
  -1e308,
  127.5,
  255.5,
  -128.5,
  2147483647,
  2 ** 31,
  2 ** 63,
  -(2 ** 63),
];
const wildFloats = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  ...specialFloats,
  ...moreFloats,
];

function randomFloat(): number {
  const kind = random();
  if (kind < 0.3) return wildFloats[Math.floor(random() * wildFloats.length)]!;
  if (kind < 0.6) return (random() - 0.5) * 1000;
  return (random() - 0.5) * 2 ** Math.floor((random() - 0.5) * 2 ** Math.floor(random() * 11));
}

function randomInt(bits: number): bigint {
  const kind = random();
  const low = BigInt(Math.floor(random() * 2 ** 32));
  const all = (BigInt(Math.floor(random() * 2 ** 32)) << 32n) | low;
  if (kind < 0.25) return BigInt(Math.floor(random() * 7) - 3);
  if (kind < 0.4) return (1n << BigInt(bits - 1)) - BigInt(Math.floor(random() * 3));
  return all >> BigInt(Math.floor(random() * 64));
}

function write(view: DataView, at: number, type: ScalarType, value: number | bigint): void {
  if (type.kind === 'float') {
    if (type.bits === 64) view.setFloat64(at, Number(value), true);
    else if (type.bits === 32) view.setFloat32(at, Number(value), true);
    else view.setUint16(at, bitsOfHalf(Math.fround(Number(value))), true);
    return;
  }
  const size = sizeOf(type);
  for (let byte = 0; byte < size; byte++) {
    view.setUint8(at + byte, Number((BigInt(value) >> BigInt(8 * byte)) & 0xffn));
  }
}

/** Random lanes of a type; `make` may choose them. */
function operandBytes(type: Type, make?: () => number | bigint): Uint8Array {
  const scalar = (type.kind === 'vector' ? type.element : type) as ScalarType;
  const bytes = new Uint8Array(sizeOf(type) * workItems);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < bytes.length; at += sizeOf(scalar)) {
    const value = make
      ? make()
      : scalar.kind === 'float'
        ? randomFloat()
        : randomInt(scalar.kind === 'int' ? scalar.bits : 1);
    write(view, at, scalar, value);
  }
  return bytes;
}

// --------------------------------------------------------------------------------------------- comparison

type Compute = (b: Builder, operands: readonly ir.Value[]) => ir.Value;

interface Operation {
  readonly name: string;
  readonly compute: Compute;
  /** Zeros may have either sign. */
  readonly anyZero?: boolean;
}

/** Runs the operations both ways on the same operands and compares every lane of every result. */
function compareOperations(
  operandTypes: readonly Type[],
  operands: readonly Uint8Array[],
  operations: readonly Operation[],
): void {
  const outs: { type: Type; at: number }[] = [];
  let stride = 0;
  const module = kernelModule([...operandTypes.map(() => globalPointer), globalPointer], (b, ...pointers) => {
    items(b, () => {
      const id = b.query('linear_local_id');
      const values = operandTypes.map((type, index) =>
        b.load(type, element(b, pointers[index]!, id, sizeOf(type)), scalarSize(type)),
      );
      const results = operations.map((one) => {
        const result = one.compute(b, values);
        return isTruth(result.type) ? b.convert('zext', result, truthAsInt(result.type)) : result;
      });
      for (const { type } of results) {
        outs.push({ type, at: stride });
        stride += Math.ceil(sizeOf(type) / 16) * 16;
      }
      const row = element(b, pointers.at(-1)!, id, stride);
      results.forEach((result, index) => {
        const at = b.offset(row, b.integer(i32, outs[index]!.at));
        b.store(at, result, scalarSize(result.type));
      });
    });
  });
  const compiled = new Uint8Array(stride * workItems);
  const interpreted = new Uint8Array(stride * workItems);
  const range = { globalSize: [workItems], localSize: [workItems] };
  run(module, [...operands, interpreted], range);
  launch(module, 'k', { global: [workItems], local: [workItems] }, [
    ...operands.map((one) => one.slice()),
    compiled,
  ]);
  const problems: string[] = [];
  operations.forEach((operation, index) => {
    const { type, at } = outs[index]!;
    for (let item = 0; item < workItems; item++) {
      const got = laneTexts(compiled, item * stride + at, type, operation.anyZero);
      const expected = laneTexts(interpreted, item * stride + at, type, operation.anyZero);
      if (got !== expected && problems.length < 20) {
        const from = operandTypes
          .map((one, which) => laneTexts(operands[which]!, item * sizeOf(one), one))
          .join(' ; ');
        problems.push(`${operation.name} ${typeName(type)} of ${from}: ${got} instead of ${expected}`);
        break;
      }
    }
  });
  expect(problems).toEqual([]);
}

const isTruth = (type: Type): boolean => (type.kind === 'vector' ? type.element : type) === bool;
const truthAsInt = (type: Type): Type => (type.kind === 'vector' ? vectorType(i32, type.lanes) : i32);
const scalarSize = (type: Type): number => sizeOf(type.kind === 'vector' ? type.element : type);

function laneTexts(bytes: Uint8Array, at: number, type: Type, anyZero = false): string {
  const scalar = (type.kind === 'vector' ? type.element : type) as ScalarType;
  const view = new DataView(bytes.buffer);
  const texts: string[] = [];
  for (let lane = 0; lane < (type.kind === 'vector' ? type.lanes : 1); lane++) {
    const place = at + lane * sizeOf(scalar);
    let value: number | bigint;
    if (scalar.kind === 'float') {
      if (scalar.bits === 64) value = view.getFloat64(place, true);
      else if (scalar.bits === 32) value = view.getFloat32(place, true);
      else {
        const bits = view.getUint16(place, true);
        texts.push(
          (bits & 0x7fff) > 0x7c00 ? 'NaN' : anyZero && bits === 0x8000 ? 'h0' : `h${bits.toString(16)}`,
        );
        continue;
      }
      if (anyZero && value === 0) value = 0;
    } else if (sizeOf(scalar) === 8) value = view.getBigInt64(place, true);
    else if (sizeOf(scalar) === 4) value = view.getInt32(place, true);
    else value = sizeOf(scalar) === 2 ? view.getInt16(place, true) : view.getInt8(place);
    texts.push(Object.is(value, -0) ? '-0' : String(value));
  }
  return texts.join(',');
}

// -------------------------------------------------------------------------------------------------- tests

const isFloatName = (name: string): boolean => name.startsWith('f');
const floatCompares = compareFunctions.filter((fn) => /^f(eq|ne|lt|le|gt|ge)$/.test(fn));
const intCompares = compareFunctions.filter((fn) => !floatCompares.includes(fn));

describe.each(laneCounts)('%d lanes', (lanes) => {
  it.each(ints)('integers of $bits bits', (scalar) => {
    const type = shaped(scalar, lanes);
    const operations: Operation[] = [
      ...unaryFunctions
        .filter((fn) => !isFloatName(fn))
        .map((fn): Operation => ({ name: fn, compute: (b, [x]) => b.unary(fn, x!) })),
      ...binaryFunctions
        .filter((fn) => !isFloatName(fn) && !/(div|rem)$/.test(fn))
        .map((fn): Operation => ({ name: fn, compute: (b, [x, y]) => b.binary(fn, x!, y!) })),
      ...binaryFunctions
        .filter((fn) => /^[su](div|rem)$/.test(fn))
        .flatMap((fn): Operation[] => [
          { name: `${fn} by positive`, compute: (b, [x, , d]) => b.binary(fn, x!, d!) },
          { name: `${fn} by constant`, compute: (b, [x]) => b.binary(fn, x!, b.integer(type, 7)) },
        ]),
      ...(['shl', 'sshr', 'ushr'] as const).map(
        (fn): Operation => ({
          name: `${fn} by constant`,
          compute: (b, [x]) => b.binary(fn, x!, b.integer(type, 3)),
        }),
      ),
      ...(lanes === 1 ? [] : (['shl', 'sshr', 'ushr'] as const)).map(
        (fn): Operation => ({
          name: `${fn} by one count for all lanes`,
          compute: (b, [x, y]) => b.binary(fn, x!, b.splat(b.extract(y!, 1), type as VectorType)),
        }),
      ),
      ...intCompares.flatMap((fn): Operation[] => [
        { name: fn, compute: (b, [x, y]) => b.compare(fn, x!, y!) },
        { name: `not ${fn}`, compute: (b, [x, y]) => b.unary('not', b.compare(fn, x!, y!)) },
        { name: `select ${fn}`, compute: (b, [x, y, d]) => b.select(b.compare(fn, x!, y!), d!, x!) },
      ]),
      {
        name: 'xor of truths',
        compute: (b, [x, y, d]) => b.binary('xor', b.compare('slt', x!, y!), b.compare('ult', y!, d!)),
      },
      { name: 'eq zero', compute: (b, [x]) => b.compare('eq', x!, b.integer(type, 0)) },
    ];
    const { bits } = scalar;
    compareOperations(
      [type, type, type],
      [operandBytes(type), operandBytes(type), operandBytes(type, () => (randomInt(bits) & 0x3fn) + 1n)],
      operations,
    );
  });

  it('divisions do not trap', () => {
    for (const scalar of ints) {
      const type = shaped(scalar, lanes);
      const divisors = operandBytes(type, () => BigInt(Math.floor(random() * 2)) * -1n);
      const lowest = operandBytes(type, () => -(1n << BigInt(scalar.bits - 1)));
      const out = new Uint8Array(lowest.length);
      for (const fn of ['sdiv', 'srem', 'udiv', 'urem'] as const) {
        const module = kernelModule([globalPointer, globalPointer, globalPointer], (b, x, y, to) => {
          items(b, () => {
            const at = b.binary('imul', b.query('linear_local_id'), b.integer(i32, sizeOf(type)));
            const a = b.load(type, b.offset(x!, at), 1);
            b.store(b.offset(to!, at), b.binary(fn, a, b.load(type, b.offset(y!, at), 1)), 1);
          });
        });
        launch(module, 'k', { global: [workItems], local: [workItems] }, [lowest, divisors, out]);
      }
    }
  });

  it.each(floats)('floats of $bits bits', (scalar) => {
    const type = shaped(scalar, lanes);
    const operations: Operation[] = [
      ...unaryFunctions
        .filter(isFloatName)
        .map((fn): Operation => ({ name: fn, compute: (b, [x]) => b.unary(fn, x!) })),
      ...binaryFunctions.filter(isFloatName).map(
        (fn): Operation => ({
          name: fn,
          compute: (b, [x, y]) => b.binary(fn, x!, y!),
          anyZero: fn === 'fmin' || fn === 'fmax',
        }),
      ),
      ...floatCompares.flatMap((fn): Operation[] => [
        { name: fn, compute: (b, [x, y]) => b.compare(fn, x!, y!) },
        { name: `select ${fn}`, compute: (b, [x, y, z]) => b.select(b.compare(fn, x!, y!), z!, x!) },
      ]),
      { name: 'fma', compute: (b, [x, y, z]) => b.fma(x!, y!, z!) },
      {
        name: 'fma that cancels',
        compute: (b, [x, y]) => b.fma(x!, y!, b.unary('fneg', b.binary('fmul', x!, y!))),
      },
      { name: 'fma with a near addend', compute: (b, [x, y]) => b.fma(x!, y!, b.binary('fmul', x!, x!)) },
    ];
    for (let round = 0; round < 4; round++) {
      compareOperations(
        [type, type, type],
        [operandBytes(type), operandBytes(type), operandBytes(type)],
        operations,
      );
    }
  });

  it('conversions between integers', () => {
    for (const from of [...ints, bool]) {
      const operations: Operation[] = [];
      for (const to of ints) {
        const fns =
          from.kind === 'bool' || from.bits < to.bits ? (['sext', 'zext'] as const) : (['trunc'] as const);
        if (from === to) continue;
        for (const fn of fns) {
          operations.push({
            name: `${fn} ${typeName(from)}`,
            compute: (b, [x]) => {
              const value = from === bool ? b.compare('slt', x!, b.integer(shaped(i16, lanes), 0)) : x!;
              return b.convert(fn, value, shaped(to, lanes));
            },
          });
        }
      }
      const type = shaped(from === bool ? i16 : from, lanes);
      compareOperations([type], [operandBytes(type)], operations);
    }
  });

  it.each(roundingModes)('conversions between integers and floats, %s', (rounding) => {
    for (const int of ints) {
      for (const float of floats) {
        compareOperations(
          [shaped(int, lanes), shaped(float, lanes)],
          [operandBytes(shaped(int, lanes)), operandBytes(shaped(float, lanes))],
          [
            ...(['stof', 'utof'] as const).map(
              (fn): Operation => ({
                name: `${fn} ${typeName(int)}`,
                compute: (b, [x]) => b.convert(fn, x!, shaped(float, lanes), { rounding }),
              }),
            ),
            ...(['ftos', 'ftou'] as const).map(
              (fn): Operation => ({
                name: `${fn} ${typeName(float)} saturate`,
                compute: (b, [, x]) => b.convert(fn, x!, shaped(int, lanes), { rounding, saturate: true }),
              }),
            ),
          ],
        );
      }
    }
  });

  it('conversions between floats', () => {
    for (const from of floats) {
      const type = shaped(from, lanes);
      const operations: Operation[] = [];
      for (const to of floats) {
        if (from.bits < to.bits) {
          operations.push({
            name: 'fwiden',
            compute: (b, [x]) => b.convert('fwiden', x!, shaped(to, lanes)),
          });
        } else if (from.bits > to.bits) {
          for (const rounding of roundingModes) {
            operations.push({
              name: `fnarrow ${rounding}`,
              compute: (b, [x]) => b.convert('fnarrow', x!, shaped(to, lanes), { rounding }),
            });
          }
        }
      }
      for (let round = 0; round < 4; round++) compareOperations([type], [operandBytes(type)], operations);
    }
  });
});

describe('lanes', () => {
  const vectors = ([2, 3, 4, 8, 16] as const).flatMap((lanes) =>
    [...ints, ...floats].map((scalar) => vectorType(scalar, lanes)),
  );

  it.each(vectors.map((type) => [typeName(type), type] as const))('of %s', (_, type) => {
    const { lanes, element: scalar } = type;
    const operations: Operation[] = [{ name: 'the vector', compute: (_b, [x]) => x! }];
    for (let lane = 0; lane < lanes; lane++) {
      operations.push({ name: `extract ${lane}`, compute: (b, [x]) => b.extract(x!, lane) });
      operations.push({ name: `insert ${lane}`, compute: (b, [x, , s]) => b.insert(x!, s!, lane) });
    }
    operations.push({ name: 'splat', compute: (b, [, , s]) => b.splat(s!, type) });
    operations.push({
      name: 'build',
      compute: (b, [x, y]) =>
        b.build(
          type,
          Array.from({ length: lanes }, (_lane, i) => b.extract(i % 2 ? x! : y!, lanes - 1 - i)),
        ),
    });
    for (const count of [2, 3, 4, 8, 16]) {
      for (let round = 0; round < 3; round++) {
        const picks = Array.from({ length: count }, () => Math.floor(random() * lanes * 2));
        operations.push({ name: `shuffle ${picks}`, compute: (b, [x, y]) => b.shuffle(x!, y!, picks) });
      }
    }
    compareOperations(
      [type, type, scalar],
      [operandBytes(type), operandBytes(type), operandBytes(scalar)],
      operations,
    );
  });

  it('bit casts', () => {
    const plain = () => BigInt(Math.floor(random() * 60) + 1) * 0x0101010101010101n;
    const all: Type[] = [...ints, ...floats, ...vectors];
    for (const from of all) {
      const others = all.filter((to) => to !== from && sizeOf(to) === sizeOf(from));
      const integer = vectors.find((one) => one.element === i8 && one.lanes === sizeOf(from)) ?? i8;
      const bytes = operandBytes(integer, plain);
      const operand = from === integer || sizeOf(integer) === sizeOf(from) ? bytes : operandBytes(from);
      compareOperations(
        [from],
        [operand],
        others.map((to) => ({
          name: `bitcast ${typeName(from)}`,
          compute: (b, [x]) => b.convert('bitcast', x!, to),
        })),
      );
    }
  });
});
