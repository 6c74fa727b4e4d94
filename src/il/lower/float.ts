/** Float instructions. Those with a `_vec` twin take one number, that of position w, and give it to all components. */
import type * as ir from '../../ir/ir.ts';
import { i32 } from '../../ir/types.ts';
import { valuesOf } from '../declarations.ts';
import type { Destination, Instruction, Source } from '../tree.ts';
import type { Code } from './code.ts';
import { type Context, signOf } from './context.ts';
import {
  broadcast,
  eachFloat,
  type Handler,
  type Handlers,
  hasModifier,
  type Reader,
  refused,
} from './handlers.ts';

const largest = 3.4028234663852886e38;

type Unary = (cx: Context, x: ir.Value) => ir.Value;

const library =
  (base: string): Unary =>
  ({ code }, x) =>
    code.library(base, [x]);

const unary =
  (fn: ir.UnaryFunction): Unary =>
  ({ code }, x) =>
    code.unary(fn, x);

const floor: Unary = ({ code }, x) => code.know(code.unary('ffloor', x), code.wholeFloor(x));

/** For the position w. */
const single = (compute: Unary): Handler => broadcast((cx, [source]) => compute(cx, cx.floats(source!)(3)));
const each = (compute: Unary): Handler => eachFloat((cx, [x]) => compute(cx, x!));

/** `0 * x` is 0 whatever x is, unless the instruction says `_ieee`. */
function multiply({ code }: Context, a: ir.Value, b: ir.Value, isIeee: boolean): ir.Value {
  const product = code.binary('fmul', a, b, true);
  if (isIeee || isSafe(code.constantOf(a)) || isSafe(code.constantOf(b))) {
    return code.know(product, code.wholeProduct(a, b));
  }
  const zero = code.float(0);
  const hasZero = code.binary('or', code.compare('feq', a, zero), code.compare('feq', b, zero));
  return code.know(code.select(hasZero, zero, product), code.wholeProduct(a, b));
}

/** Whether a factor gives no NaN with any other number. */
const isSafe = (factor: number | undefined): boolean =>
  factor !== undefined && factor !== 0 && Number.isFinite(factor);

function add({ code }: Context, a: ir.Value, b: ir.Value): ir.Value {
  return code.know(code.binary('fadd', a, b, true), code.wholeSum(a, b));
}

/** What a quotient with a divisor of zero is: `_zeroop`, the largest number where it is left out. */
function quotient({ code }: Context, a: ir.Value, b: ir.Value, instruction: Instruction): ir.Value {
  const plain = code.binary('fdiv', a, b);
  const rule = valuesOf(instruction, 'zeroop')[0] ?? 'fltmax';
  if (rule === 'infinity' || rule === 'inf_else_max' || isSafe(code.constantOf(b))) return plain;
  const isZero = code.compare('feq', b, code.float(0));
  const sign = code.binary('fmul', code.binary('fcopysign', code.float(1), a), b);
  const instead = rule === 'zero' ? code.float(0) : code.binary('fcopysign', code.float(largest), sign);
  return code.select(isZero, instead, plain);
}

const reciprocal = (cx: Context, x: ir.Value, instruction: Instruction): ir.Value =>
  quotient(cx, cx.code.float(1), x, instruction);

const reciprocalRoot = (cx: Context, x: ir.Value, instruction: Instruction): ir.Value =>
  reciprocal(cx, cx.code.unary('fsqrt', x), instruction);

/** A logarithm of zero: minus what `_zeroop` says. */
function logarithm(base: 'log' | 'log2'): (cx: Context, x: ir.Value, instruction: Instruction) => ir.Value {
  return (cx, x, instruction) => {
    const { code } = cx;
    const plain = code.library(base, [x]);
    const rule = valuesOf(instruction, 'zeroop')[0] ?? 'infinity';
    if (rule === 'infinity' || rule === 'inf_else_max') return plain;
    const instead = code.float(rule === 'zero' ? 0 : -largest);
    return code.select(code.compare('feq', x, code.float(0)), instead, plain);
  };
}

const singleWith = (compute: (cx: Context, x: ir.Value, instruction: Instruction) => ir.Value): Handler =>
  broadcast((cx, [source], instruction) => compute(cx, cx.floats(source!)(3), instruction));

/** The sum of so many products. */
function dot(cx: Context, a: Reader, b: Reader, count: number, isIeee: boolean): ir.Value {
  let sum = multiply(cx, a(0), b(0), isIeee);
  for (let position = 1; position < count; position += 1) {
    sum = add(cx, sum, multiply(cx, a(position), b(position), isIeee));
  }
  return sum;
}

const dotOf = (count: number): Handler =>
  broadcast((cx, [a, b], instruction) =>
    dot(cx, cx.floats(a!), cx.floats(b!), count, hasModifier(instruction, 'ieee')),
  );

const compareMask =
  (fn: ir.CompareFunction): Handler =>
  (cx, instruction) => {
    const { code } = cx;
    const [a, b] = cx.sources(instruction).map((source) => cx.floats(source));
    cx.write(instruction, (position) => {
      const [x, y] = [a!(position), b!(position)];
      return code.mask(compareWhole(code, fn, x, y) ?? code.compare(fn, x, y));
    });
  };

/**
 * Where one side is known to be an integer and a constant, the comparison of that integer with the other side, rounded:
 * `n + c >= y` is `n >= ceil(y - c)`. The bound of what is no number is one that no integer reaches.
 */
function compareWhole(code: Code, fn: ir.CompareFunction, a: ir.Value, b: ir.Value): ir.Value | undefined {
  if (fn !== 'fge' && fn !== 'flt') return undefined;
  const isFirst = code.whole(a) !== undefined;
  const whole = code.whole(a) ?? code.whole(b);
  const other = isFirst ? b : a;
  if (!whole?.isSmall || whole.scale !== 1 || code.whole(other) || !Number.isInteger(whole.offset * 2))
    return undefined;
  const toInteger = (x: ir.Value): ir.Value => code.unary(isFirst ? 'fceil' : 'ffloor', x);
  const less = (x: ir.Value): ir.Value =>
    whole.offset === 0 ? x : code.binary('fsub', x, code.float(whole.offset));
  // Differences are rounded, too: 1e-10 and one is one, whose integer is not that of 1e-10 and one. Halves are no integers then.
  const bounding = Number.isInteger(whole.offset) ? less(toInteger(other)) : toInteger(less(other));
  const rounded = code.convert('ftos', bounding, i32, { saturate: true });
  // n >= bound, n < bound, n <= bound, n > bound
  const [relation, never] = isFirst
    ? fn === 'fge'
      ? (['sge', 0x7fffffff] as const)
      : (['slt', -0x80000000] as const)
    : fn === 'fge'
      ? (['sle', -0x80000000] as const)
      : (['sgt', 0x7fffffff] as const);
  const bound = code.select(code.compare('feq', other, other), rounded, code.int(never));
  return code.compare(relation, whole.base, bound);
}

const relations: Readonly<Record<string, ir.CompareFunction>> = {
  eq: 'feq',
  ne: 'fne',
  lt: 'flt',
  le: 'fle',
  gt: 'fgt',
  ge: 'fge',
};

/** The comparison that `_relop` names; `otherwise` where it is left out. */
export function relationOf(instruction: Instruction, otherwise: string): ir.CompareFunction {
  return relations[valuesOf(instruction, 'relop')[0] ?? otherwise]!;
}

const minimum = (fn: 'fmin' | 'fmax'): Handler =>
  eachFloat(({ code }, [a, b], instruction) => {
    if (hasModifier(instruction, 'ieee')) return code.binary(fn, a!, b!);
    return code.select(code.compare(fn === 'fmin' ? 'flt' : 'fge', a!, b!), a!, b!);
  });

const cross: Handler = (cx, instruction) => {
  const { code } = cx;
  const [a, b] = cx.sources(instruction).map((source) => cx.floats(source));
  cx.writeFloats(instruction, (position) => {
    if (position === 3) return code.float(1);
    const [next, last] = [(position + 1) % 3, (position + 2) % 3];
    return code.binary(
      'fsub',
      multiply(cx, a!(next), b!(last), false),
      multiply(cx, a!(last), b!(next), false),
    );
  });
};

const length = (cx: Context, read: Reader): ir.Value => cx.code.unary('fsqrt', dot(cx, read, read, 3, true));

const normalised: Handler = (cx, instruction) => {
  const read = cx.floats(cx.sources(instruction)[0]!);
  let factor: ir.Value | undefined;
  cx.writeFloats(instruction, (position) => {
    factor ??= reciprocal(cx, length(cx, read), instruction);
    return cx.code.binary('fmul', read(position), factor);
  });
};

/** Distances of lighting models: (1, a.y * b.y, a.z, b.w). */
const distances: Handler = (cx, instruction) => {
  const [a, b] = cx.sources(instruction).map((source) => cx.floats(source));
  const results: readonly (() => ir.Value)[] = [
    () => cx.code.float(1),
    () => multiply(cx, a!(1), b!(1), false),
    () => a!(2),
    () => b!(3),
  ];
  cx.writeFloats(instruction, (position) => results[position]!());
};

/** Lighting coefficients from x (diffuse), y (specular) and the exponent w. */
const lighting: Handler = (cx, instruction) => {
  const { code } = cx;
  const read = cx.floats(cx.sources(instruction)[0]!);
  const specular = (): ir.Value => {
    const exponent = code.clamped(read(3), -127.9961, 127.9961);
    const zero = code.float(0);
    const isLit = code.binary('and', code.compare('fgt', read(0), zero), code.compare('fgt', read(1), zero));
    return code.select(isLit, code.library('pow', [read(1), exponent]), zero);
  };
  cx.writeFloats(instruction, (position) => {
    if (position === 1) return code.binary('fmax', read(0), code.float(0));
    return position === 2 ? specular() : code.float(1);
  });
};

const reflection: Handler = (cx, instruction) => {
  const { code } = cx;
  const [incident, plain] = cx.sources(instruction).map((source) => cx.floats(source));
  let normal: Reader = plain!;
  if (hasModifier(instruction, 'normalize')) {
    const size = length(cx, plain!);
    normal = (position) => code.binary('fdiv', plain!(position), size);
  }
  let twice: ir.Value | undefined;
  cx.writeFloats(instruction, (position) => {
    twice ??= code.binary('fmul', code.float(2), dot(cx, incident!, normal, 3, true));
    return code.binary('fsub', incident!(position), code.binary('fmul', twice, normal(position)));
  });
};

const faceForward: Handler = (cx, instruction) => {
  const { code } = cx;
  const [normal, incident, reference] = cx.sources(instruction).map((source) => cx.floats(source));
  let isFront: ir.Value | undefined;
  cx.writeFloats(instruction, (position) => {
    isFront ??= code.compare('flt', dot(cx, incident!, reference!, 3, true), code.float(0));
    const value = normal!(position);
    return code.select(isFront, value, code.unary('fneg', value));
  });
};

/** Sine and cosine of position w: cosine to x, sine to y. */
const sineAndCosine: Handler = (cx, instruction) => {
  const { code } = cx;
  const x = cx.floats(cx.sources(instruction)[0]!)(3);
  cx.writeFloats(instruction, (position) => {
    if (position > 1) return code.float(0);
    return code.library(position === 0 ? 'cos' : 'sin', [x]);
  });
};

/**
 * The register so many numbers further on, of an array the element. What a macro is called with is one register each: those that follow
 * it are not the macro's to name.
 */
function further<T extends Source | Destination>(cx: Context, operand: T, by: number): T {
  const { register, span } = operand;
  const { kind, indices, number = 0 } = register;
  if (kind === 'in' || kind === 'out') cx.fail(span, `a matrix cannot be ${kind}${number} of a macro`);
  const last = indices.at(-1);
  if (!last) return { ...operand, register: { ...register, number: number + by } };
  const step = { kind: 'number', text: String(by), isFloat: false, bits: by, span } as const;
  const moved = { terms: [...last.terms, step] };
  return { ...operand, register: { ...register, indices: [...indices.slice(0, -1), moved] } };
}

/** Four registers, read as rows of a matrix and written as its columns. */
const transposed: Handler = (cx, instruction) => {
  const source = cx.sources(instruction)[0]!;
  const destination = cx.destination(instruction);
  cx.refuseFloatModifiers(instruction);
  const rows = [0, 1, 2, 3].map((row) => {
    const read = cx.bits(further(cx, source, row));
    return [0, 1, 2, 3].map((position) => read(position, cx.kindOf(destination, position)));
  });
  for (let row = 0; row < 4; row += 1) {
    cx.writeTo(further(cx, destination, row), (position) => rows[position]![row]!);
  }
};

/** A vector times the rows of a matrix in registers that follow one another. */
const matrixProduct: Handler = (cx, instruction) => {
  const [vector, matrix] = cx.sources(instruction);
  const [columns, rows] = (valuesOf(instruction, 'matrix')[0] ?? '4x4').split('x').map(Number);
  const read = cx.floats(vector!);
  cx.writeFloats(instruction, (position) =>
    position < rows!
      ? dot(cx, read, cx.floats(further(cx, matrix!, position)), columns!, false)
      : cx.code.float(0),
  );
};

/** Of a matrix whose rows are four registers, by the minors of its upper and lower half. */
const determinant: Handler = broadcast((cx, [matrix]) => {
  const { code } = cx;
  const rows = [0, 1, 2, 3].map((row) => cx.floats(further(cx, matrix!, row)));
  const minor = (upper: number, left: number, right: number): ir.Value =>
    code.binary(
      'fsub',
      code.binary('fmul', rows[upper]!(left), rows[upper + 1]!(right)),
      code.binary('fmul', rows[upper]!(right), rows[upper + 1]!(left)),
    );
  const products = [
    ['fadd', 0, 1, 2, 3],
    ['fsub', 0, 2, 1, 3],
    ['fadd', 0, 3, 1, 2],
    ['fadd', 1, 2, 0, 3],
    ['fsub', 1, 3, 0, 2],
    ['fadd', 2, 3, 0, 1],
  ] as const;
  return products.reduce<ir.Value>(
    (sum, [sign, a, b, c, d]) => code.binary(sign, sum, code.binary('fmul', minor(0, a, b), minor(2, c, d))),
    code.float(0),
  );
});

const noNeighbours = refused('a work-item does not see what its neighbours compute');

const frac: Unary = ({ code }, x) => code.binary('fsub', x, code.unary('ffloor', x));

export const floatHandlers: Handlers = {
  abs: each(unary('fabs')),
  acos: each(library('acos')),
  asin: each(library('asin')),
  atan: each(library('atan')),
  tan: each(library('tan')),
  cos_vec: each(library('cos')),
  sin_vec: each(library('sin')),
  exp_vec: each(library('exp2')),
  log_vec: each(library('log2')),
  sqrt_vec: each(unary('fsqrt')),
  rcp_vec: eachFloat((cx, [x], instruction) => reciprocal(cx, x!, instruction)),
  rsq_vec: eachFloat((cx, [x], instruction) => reciprocalRoot(cx, x!, instruction)),
  clg: each(unary('fceil')),
  flr: each(floor),
  round_neginf: each(floor),
  round_posinf: each(unary('fceil')),
  round_plusinf: each(unary('fceil')),
  round_z: each(unary('ftrunc')),
  trc: each(unary('ftrunc')),
  rnd: each(unary('frint')),
  round_nearest: each(unary('frint')),
  frc: each(frac),
  sgn: each(({ code }, x) => signOf(code, x)),
  colorclamp: each(({ code }, x) => code.clamped(x, 0, 1)),
  // into -pi to pi
  pireduce: each((cx, x) => {
    const { code } = cx;
    const turns = code.binary('fadd', code.binary('fmul', x, code.float(0.5 / Math.PI)), code.float(0.5));
    const part = code.binary('fsub', frac(cx, turns), code.float(0.5));
    return code.binary('fmul', part, code.float(2 * Math.PI));
  }),
  cos: single(library('cos')),
  sin: single(library('sin')),
  exp: single(library('exp2')),
  expp: single(library('exp2')),
  exn: single(library('exp')),
  sqrt: single(unary('fsqrt')),
  log: singleWith(logarithm('log2')),
  logp: singleWith(logarithm('log2')),
  ln: singleWith(logarithm('log')),
  rcp: singleWith(reciprocal),
  rsq: singleWith(reciprocalRoot),
  add: eachFloat((cx, [a, b]) => add(cx, a!, b!)),
  sub: eachFloat(({ code }, [a, b]) =>
    code.know(code.binary('fsub', a!, b!, true), code.wholeSum(a!, b!, -1)),
  ),
  mul: eachFloat((cx, [a, b], instruction) => multiply(cx, a!, b!, hasModifier(instruction, 'ieee'))),
  mad: eachFloat((cx, [a, b, c], instruction) =>
    add(cx, multiply(cx, a!, b!, hasModifier(instruction, 'ieee')), c!),
  ),
  fma: eachFloat(({ code }, [a, b, c]) => code.fma(a!, b!, c!)),
  div: eachFloat((cx, [a, b], instruction) => quotient(cx, a!, b!, instruction)),
  mod: eachFloat(({ code }, [a, b]) => {
    const whole = code.unary('ftrunc', code.binary('fdiv', a!, b!));
    return code.binary('fsub', a!, code.binary('fmul', b!, whole));
  }),
  pow: eachFloat(({ code }, [a, b]) => code.library('pow', [a!, b!])),
  min: minimum('fmin'),
  max: minimum('fmax'),
  clamp: eachFloat(({ code }, [x, low, high]) => code.binary('fmin', code.binary('fmax', x!, low!), high!)),
  lrp: eachFloat((cx, [t, a, b]) => {
    const rest = cx.code.binary('fsub', cx.code.float(1), t!);
    return add(cx, multiply(cx, rest, b!, false), multiply(cx, t!, a!, false));
  }),
  eq: compareMask('feq'),
  ge: compareMask('fge'),
  lt: compareMask('flt'),
  ne: compareMask('fne'),
  set: eachFloat(({ code }, [a, b], instruction) =>
    code.select(code.compare(relationOf(instruction, 'ge'), a!, b!), code.float(1), code.float(0)),
  ),
  dp2: dotOf(2),
  dp3: dotOf(3),
  dp4: dotOf(4),
  dp2add: broadcast((cx, [a, b, c], instruction) =>
    add(cx, dot(cx, cx.floats(a!), cx.floats(b!), 2, hasModifier(instruction, 'ieee')), cx.floats(c!)(3)),
  ),
  crs: cross,
  det: determinant,
  len: broadcast((cx, [a]) => length(cx, cx.floats(a!))),
  dist: broadcast((cx, [a, b]) => {
    const [first, second] = [cx.floats(a!), cx.floats(b!)];
    return length(cx, (position) => cx.code.binary('fsub', first(position), second(position)));
  }),
  nrm: normalised,
  dst: distances,
  lit: lighting,
  reflect: reflection,
  faceforward: faceForward,
  sincos: sineAndCosine,
  dxsincos: sineAndCosine,
  transpose: transposed,
  mmul: matrixProduct,
  dsx: noNeighbours,
  dsy: noNeighbours,
  fwidth: noNeighbours,
  noise: refused('its values are nowhere defined'),
};
