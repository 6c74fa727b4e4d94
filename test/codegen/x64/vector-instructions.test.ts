/**
 * What processors have instructions for that WebAssembly has not, with AVX-512 and without: shifts of lanes by counts of their own, numbers of bits of
 * 64, integer division, products of 64 bits and conversions of unsigned integers. Against BigInt and JavaScript's numbers.
 */
import { describe, expect, it } from 'vitest';
import { Random } from '../../support/random.ts';
import { buffer, compileForTest, wasmRunner } from '../../support/run-kernel.ts';
import { fault, nativeKernelEngine } from './engine.ts';

const items = 256;
const types = {
  short: { bits: 16, isSigned: true, array: Int16Array },
  ushort: { bits: 16, isSigned: false, array: Uint16Array },
  int: { bits: 32, isSigned: true, array: Int32Array },
  uint: { bits: 32, isSigned: false, array: Uint32Array },
  long: { bits: 64, isSigned: true, array: BigInt64Array },
  ulong: { bits: 64, isSigned: false, array: BigUint64Array },
} as const;
type TypeName = keyof typeof types;
type Operation = (a: bigint, b: bigint, bits: bigint) => bigint;

const isWide = (type: TypeName): boolean => types[type].bits === 64;
const wrapped = (type: TypeName, value: bigint): bigint =>
  types[type].isSigned ? BigInt.asIntN(types[type].bits, value) : BigInt.asUintN(types[type].bits, value);
const arrayOf = (type: TypeName, values: readonly bigint[]): ArrayBufferView & Iterable<number | bigint> =>
  isWide(type)
    ? new (types[type].array as BigInt64ArrayConstructor)(values)
    : new (types[type].array as Int32ArrayConstructor)(values.map(Number));

/** All counts of small lanes come, and what is taken modulo the width; so do all edges of the type with each other. */
function operands(type: TypeName, seed: number): bigint[] {
  const random = new Random(seed);
  const edges = [
    0n,
    1n,
    -1n,
    2n,
    1n << BigInt(types[type].bits - 1),
    (1n << BigInt(types[type].bits - 1)) - 1n,
  ];
  const some = (at: number): bigint => {
    if (at < 36) return edges[seed === 1 ? at % 6 : Math.floor(at / 6)]!;
    if (seed !== 1 && at < 128) return BigInt(at - 40);
    return BigInt(Math.floor(random.next() * 2 ** 32)) * BigInt(Math.floor(random.next() * 2 ** 32) + 1);
  };
  return Array.from({ length: items }, (_, at) => wrapped(type, some(at)));
}

const count = (b: bigint, bits: bigint): bigint => b & (bits - 1n);
const shifts: readonly [string, Operation][] = [
  ['(TYPE)(a << b)', (a, b, bits) => a << count(b, bits)],
  ['(TYPE)(a >> b)', (a, b, bits) => a >> count(b, bits)],
  [
    'rotate(a, b)',
    (a, b, bits) => {
      const whole = BigInt.asUintN(Number(bits), a);
      return (whole << count(b, bits)) | (whole >> (bits - count(b, bits)));
    },
  ],
];
/** Only what C gives a meaning. */
const mayDivide = (type: TypeName, a: bigint, b: bigint): boolean =>
  b !== 0n && !(types[type].isSigned && b === -1n && a === wrapped(type, 1n << BigInt(types[type].bits - 1)));

const modes = [
  ['AVX2', false],
  ['AVX-512', undefined],
] as const;

describe.skipIf(fault).each(modes)(`with %s${fault ? ` (skipped: ${fault})` : ''}`, (_, avx512) => {
  const engine = nativeKernelEngine(...(avx512 === undefined ? [] : [avx512]));

  function computed(type: TypeName, expression: string, to: TypeName = type): (number | bigint)[] {
    const source = `kernel void test(global const ${type} *as, global const ${type} *bs, global ${to} *out, ${type} u) {
      int i = get_global_id(0);
      ${type} a = as[i], b = bs[i];
      out[i] = ${expression.replaceAll('TYPE', type)};
    }`;
    const given = [operands(type, 1), operands(type, 2), new Array<bigint>(items).fill(0n)];
    const arrays = given.map((values, at) => arrayOf(at === 2 ? to : type, values));
    const run = wasmRunner(compileForTest(source), { engine, lanes: 'chosen' });
    const bytes = types[type].bits / 8;
    const u = new Uint8Array(arrayOf(type, [7n]).buffer.slice(0, bytes));
    run('test', { global: [items], local: [64] }, [...arrays.map(buffer), { bytes: u }]);
    return [...arrays[2]!];
  }
  const expected = (type: TypeName, of: Operation, to: TypeName = type): (number | bigint)[] => {
    const b = operands(type, 2);
    const values = operands(type, 1).map((a, at) => wrapped(to, of(a, b[at]!, BigInt(types[type].bits))));
    return [...arrayOf(to, values)];
  };

  it.each(Object.keys(types) as TypeName[])('shifts and rotations of %s', (type) => {
    // Of short integers C shifts as int: a count of 16 and more leaves no bit, or the sign alone.
    const narrow = types[type].bits === 16;
    for (const [expression, of] of shifts) {
      if (narrow && !expression.startsWith('rotate')) continue;
      expect(computed(type, expression), expression).toEqual(expected(type, of));
    }
  });

  it.each(Object.keys(types) as TypeName[])('numbers of bits of %s', (type) => {
    const bits: Operation = (a, _b, width) =>
      BigInt(BigInt.asUintN(Number(width), a).toString(2).replaceAll('0', '').length);
    expect(computed(type, 'popcount((TYPE)(a ^ b))')).toEqual(
      expected(type, (a, b, w) => bits(a ^ b, 0n, w)),
    );
  });

  it.each(['int', 'uint'] as const)('divisions of %s', (type) => {
    const divided =
      (of: Operation): Operation =>
      (a, b, bits) =>
        mayDivide(type, a, b) ? of(a, b, bits) : 5n;
    const limit = type === 'int' ? '(b == -1 && a == INT_MIN)' : 'false';
    const guarded = (text: string): string => `b == 0 || ${limit} ? 5 : ${text}`;
    expect(computed(type, guarded('a / b'))).toEqual(
      expected(
        type,
        divided((a, b) => a / b),
      ),
    );
    expect(computed(type, guarded('a % b'))).toEqual(
      expected(
        type,
        divided((a, b) => a % b),
      ),
    );
    expect(computed(type, 'a / u')).toEqual(expected(type, (a) => a / 7n));
    expect(computed(type, 'a % u')).toEqual(expected(type, (a) => a % 7n));
  });

  it.each(['long', 'ulong'] as const)('products of %s', (type) => {
    expect(computed(type, 'a * b')).toEqual(expected(type, (a, b) => a * b));
    expect(computed(type, 'a * (b & 0xffffff)')).toEqual(expected(type, (a, b) => a * (b & 0xffffffn)));
  });

  it('conversions of unsigned integers', () => {
    const single: Operation = (a) => BigInt(Math.fround(Number(a)));
    expect(computed('uint', 'convert_ulong_rtz((float)a)', 'ulong')).toEqual(
      expected('uint', single, 'ulong'),
    );
    const limited: Operation = (a) => {
      const float = BigInt(Math.fround(Number(a)));
      return float > 0xffffffffn ? 0xffffffffn : float;
    };
    expect(computed('uint', 'convert_uint_sat((float)a)')).toEqual(expected('uint', limited));
    expect(computed('uint', 'convert_uint_sat(-(float)a)')).toEqual(expected('uint', () => 0n));
    expect(computed('uint', 'convert_uint((double)a * 0.5)')).toEqual(expected('uint', (a) => a >> 1n));
  });
});
