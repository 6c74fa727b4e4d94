/** Instructions on doubles, which take two components each, the low word first; and conversions. */
import type * as ir from '../../ir/ir.ts';
import { f16, f32, f64, i16, i32 } from '../../ir/types.ts';
import { valuesOf } from '../declarations.ts';
import type { Code } from './code.ts';
import type { Context } from './context.ts';
import { type Handler, type Handlers, hasModifier } from './handlers.ts';

const largest = Number.MAX_VALUE;

const pair =
  (
    compute: (code: Code, values: readonly ir.Value[], instruction: Parameters<Handler>[1]) => ir.Value,
  ): Handler =>
  (cx, instruction) => {
    const values = cx.sources(instruction).map((source) => cx.double(source));
    cx.writePair(instruction, compute(cx.code, values, instruction));
  };

const binary = (fn: ir.BinaryFunction, contract = false): Handler =>
  pair((code, [a, b]) => code.binary(fn, a!, b!, contract));

const compare =
  (fn: ir.CompareFunction): Handler =>
  (cx, instruction) => {
    const [a, b] = cx.sources(instruction).map((source) => cx.double(source));
    const mask = cx.code.mask(cx.code.compare(fn, a!, b!));
    cx.write(instruction, () => mask);
  };

/** Zero as a divisor: as for floats (`_zeroop`), but infinity where nothing is said. */
function quotient(code: Code, a: ir.Value, b: ir.Value, instruction: Parameters<Handler>[1]): ir.Value {
  const plain = code.binary('fdiv', a, b);
  const rule = valuesOf(instruction, 'zeroop')[0] ?? 'infinity';
  if (rule === 'infinity' || rule === 'inf_else_max') return plain;
  const sign = code.binary('fmul', code.binary('fcopysign', code.double(1), a), b);
  const instead = rule === 'zero' ? code.double(0) : code.binary('fcopysign', code.double(largest), sign);
  return code.select(code.compare('feq', b, code.double(0)), instead, plain);
}

/** The exponent to x, the fraction between a half and one to z and w. */
const split: Handler = (cx, instruction) => {
  const { code } = cx;
  const value = cx.double(cx.sources(instruction)[0]!);
  const fraction = code.parted(code.library('frexp_fraction', [value], f64));
  cx.write(instruction, (position) => {
    if (position === 0) return code.library('frexp_exponent', [value], i32);
    return position === 1 ? code.int(0) : fraction[position - 2]!;
  });
};

const scaled: Handler = (cx, instruction) => {
  const [value, exponent] = cx.sources(instruction);
  const operands = [cx.double(value!), cx.integers(exponent!)(0)];
  cx.writePair(instruction, cx.code.library('ldexp', operands, f64));
};

const chosen: Handler = (cx, instruction) => {
  const [condition, a, b] = cx.sources(instruction);
  const isSet = cx.code.isSet(cx.integers(condition!)(0));
  cx.writePair(instruction, cx.code.select(isSet, cx.double(a!), cx.double(b!)));
};

export const doubleHandlers: Handlers = {
  dmov: pair((_, [x]) => x!),
  dabs: pair((code, [x]) => code.unary('fabs', x!)),
  dsqrt: pair((code, [x]) => code.unary('fsqrt', x!)),
  drsq: pair((code, [x]) => code.binary('fdiv', code.double(1), code.unary('fsqrt', x!))),
  drcp: pair((code, [x], instruction) => quotient(code, code.double(1), x!, instruction)),
  dfrac: pair((code, [x]) => code.binary('fsub', x!, code.unary('ffloor', x!))),
  dfrexp: split,
  dldexp: scaled,
  dadd: binary('fadd', true),
  dsub: binary('fsub', true),
  dmul: binary('fmul', true),
  dmax: binary('fmax'),
  dmin: binary('fmin'),
  ddiv: pair((code, [a, b], instruction) => quotient(code, a!, b!, instruction)),
  dmad: pair((code, [a, b, c]) => code.binary('fadd', code.binary('fmul', a!, b!, true), c!, true)),
  dfma: pair((code, [a, b, c]) => code.fma(a!, b!, c!)),
  dmovc: chosen,
  deq: compare('feq'),
  dge: compare('fge'),
  dlt: compare('flt'),
  dne: compare('fne'),
};

// ----------------------------------------------------------------------------------------------- conversions

/** From a float to a number of 32 bits, toward zero and within its range. */
const fromFloat =
  (fn: 'ftos' | 'ftou'): Handler =>
  (cx, instruction) => {
    const { code } = cx;
    const read = cx.floats(cx.sources(instruction)[0]!);
    cx.write(instruction, (position) => {
      const value = read(position);
      const whole = code.whole(value);
      // a position that has gone through floats; only rounding down is known of it
      if (whole?.isSmall && whole.offset >= 0) return code.floorOf(whole);
      return code.convert(fn, value, i32, { saturate: true });
    });
  };

const toFloat =
  (fn: 'stof' | 'utof'): Handler =>
  (cx, instruction) => {
    const { code } = cx;
    const read = cx.integers(cx.sources(instruction)[0]!);
    cx.writeFloats(instruction, (position) => {
      const value = read(position);
      const whole = { base: value, scale: 1, offset: 0, isSmall: false };
      return code.know(code.convert(fn, value, f32), fn === 'stof' ? whole : undefined);
    });
  };

const fromDouble =
  (fn: 'ftos' | 'ftou'): Handler =>
  (cx, instruction) => {
    const value = cx.code.convert(fn, cx.double(cx.sources(instruction)[0]!), i32, { saturate: true });
    cx.write(instruction, () => value);
  };

const toDouble =
  (fn: 'stof' | 'utof'): Handler =>
  (cx, instruction) => {
    const value = cx.integers(cx.sources(instruction)[0]!)(0);
    cx.writePair(instruction, cx.code.convert(fn, value, f64));
  };

/** Byte n of a word as a float. */
const unpacked =
  (index: number): Handler =>
  (cx, instruction) => {
    const { code } = cx;
    const read = cx.integers(cx.sources(instruction)[0]!);
    cx.writeFloats(instruction, (position) => {
      const byte = code.binary(
        'and',
        code.binary('ushr', read(position), code.int(8 * index)),
        code.int(255),
      );
      return code.convert('stof', byte, f32);
    });
  };

/** Four floats, rounded, as the bytes of one word. */
const packed: Handler = (cx, instruction) => {
  const { code } = cx;
  const read = cx.floats(cx.sources(instruction)[0]!);
  let word: ir.Value | undefined;
  for (let position = 0; position < 4; position += 1) {
    const rounded = code.unary('frint', code.clamped(read(position), 0, 255));
    const byte = code.convert('ftos', rounded, i32, { saturate: true });
    const moved = code.binary('shl', byte, code.int(8 * position));
    word = word ? code.binary('or', word, moved) : moved;
  }
  cx.write(instruction, () => word!);
};

export const convertHandlers: Handlers = {
  ftoi: fromFloat('ftos'),
  ftou: fromFloat('ftou'),
  itof: toFloat('stof'),
  utof: toFloat('utof'),
  dtoi: fromDouble('ftos'),
  dtou: fromDouble('ftou'),
  itod: toDouble('stof'),
  utod: toDouble('utof'),
  d2f: (cx, instruction) => {
    const value = cx.code.convert('fnarrow', cx.double(cx.sources(instruction)[0]!), f32);
    cx.writeFloats(instruction, () => value);
  },
  f2d: (cx, instruction) => {
    const value = cx.floats(cx.sources(instruction)[0]!)(0);
    cx.writePair(instruction, cx.code.convert('fwiden', value, f64));
  },
  f2f16: (cx, instruction) => {
    const { code } = cx;
    const read = cx.floats(cx.sources(instruction)[0]!);
    cx.write(instruction, (position) => {
      const half = code.convert('fnarrow', read(position), f16);
      return code.convert('zext', code.convert('bitcast', half, i16), i32);
    });
  },
  f162f: (cx, instruction) => {
    const { code } = cx;
    const read = cx.integers(cx.sources(instruction)[0]!);
    cx.writeFloats(instruction, (position) => {
      const half = code.convert('bitcast', code.convert('trunc', read(position), i16), f16);
      return code.convert('fwiden', half, f32);
    });
  },
  f_2_u4: packed,
  unpack0: unpacked(0),
  unpack1: unpacked(1),
  unpack2: unpacked(2),
  unpack3: unpacked(3),
};

// ----------------------------------------------------------------------------------------------------- moves

const move: Handler = (cx, instruction) => {
  const destination = cx.destination(instruction);
  const read = cx.bits(cx.sources(instruction)[0]!);
  cx.writeBits(instruction, (position) => read(position, cx.kindOf(destination, position)));
};

/** Of two sources the one that a condition picks, position by position. */
const choice =
  (isTrue: (cx: Context, instruction: Parameters<Handler>[1]) => (position: number) => ir.Value): Handler =>
  (cx, instruction) => {
    const { code } = cx;
    const destination = cx.destination(instruction);
    const [, a, b] = cx.sources(instruction);
    const condition = isTrue(cx, instruction);
    const [readA, readB] = [cx.bits(a!), b && cx.bits(b)];
    cx.writeBits(instruction, (position) => {
      const kind = cx.kindOf(destination, position);
      const first = code.as(kind, readA(position, kind));
      const second =
        readB?.(position, kind) ?? cx.components(destination.register, destination.span)(position, kind);
      return code.select(condition(position), first, code.as(kind, second));
    });
  };

export const moveHandlers: Handlers = {
  mov: move,
  invariant_move: move,
  // to the address register: down, or to the nearest
  mova: (cx, instruction) => {
    const { code } = cx;
    const read = cx.floats(cx.sources(instruction)[0]!);
    const fn = hasModifier(instruction, 'round') ? 'frint' : 'ffloor';
    cx.write(instruction, (position) =>
      code.convert('ftos', code.unary(fn, read(position)), i32, { saturate: true }),
    );
  },
  cmov_logical: choice((cx, instruction) => {
    const read = cx.integers(cx.sources(instruction)[0]!);
    return (position) => cx.code.isSet(read(position));
  }),
  // where the condition is zero, the destination keeps what it has
  cmov: choice((cx, instruction) => {
    const read = cx.floats(cx.sources(instruction)[0]!);
    return (position) => cx.code.compare('fne', read(position), cx.code.float(0));
  }),
  cmp: choice((cx, instruction) => {
    const read = cx.floats(cx.sources(instruction)[0]!);
    const bound = Number(valuesOf(instruction, 'cmpval')[0] ?? 0);
    const relation = valuesOf(instruction, 'relop')[0] ?? 'ge';
    return (position) =>
      cx.code.compare(`f${relation}` as ir.CompareFunction, read(position), cx.code.float(bound));
  }),
};
