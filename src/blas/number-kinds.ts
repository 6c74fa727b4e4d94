/**
 * The four kinds of numbers that BLAS has, by the letter in its names: how they lie in memory, and the OpenCL C in which kernels
 * compute with them. A kernel's text is written once, with T, LD, MUL and so on, for all four.
 */
export type Letter = 's' | 'd' | 'c' | 'z';

export interface NumberKind {
  readonly letter: Letter;
  /** In OpenCL C, of one part. */
  readonly real: 'float' | 'double';
  readonly isComplex: boolean;
  /** Numbers of the typed array for one of these. */
  readonly parts: 1 | 2;
  /** Bytes of one part. */
  readonly bytes: 4 | 8;
  readonly array: Float32ArrayConstructor | Float64ArrayConstructor;
}

const kind = (letter: Letter, real: 'float' | 'double', isComplex: boolean): NumberKind => ({
  letter,
  real,
  isComplex,
  parts: isComplex ? 2 : 1,
  bytes: real === 'float' ? 4 : 8,
  array: real === 'float' ? Float32Array : Float64Array,
});

export const numberKinds: Readonly<Record<Letter, NumberKind>> = {
  s: kind('s', 'float', false),
  d: kind('d', 'double', false),
  c: kind('c', 'float', true),
  z: kind('z', 'double', true),
};

/** A real number, or a complex one as its two parts. */
export type Complex = readonly [re: number, im: number];

/** The kind whose parts are of the same type and which is not complex. */
export const realOf = ({ real }: NumberKind): NumberKind => numberKinds[real === 'float' ? 's' : 'd'];

const common = `#define ADD(a, b) ((a) + (b))
#define SUB(a, b) ((a) - (b))
`;

const ofReal = `${common}#define LD(p, i) (p)[i]
#define ST(p, i, v) (p)[i] = (v)
#define MUL(a, b) ((a) * (b))
#define MAD(a, b, c) ((a) * (b) + (c))
#define DIV(a, b) ((a) / (b))
#define CONJ(a) (a)
#define RE(a) (a)
#define ABS1(a) fabs(a)
#define ONE ((T)1)
#define ZERO ((T)0)
`;

// Division by the smaller part's ratio (Smith, 1962), so that squares do not overflow.
const ofComplex = `${common}#define LD(p, i) vload2(i, p)
#define ST(p, i, v) vstore2(v, i, p)
static T MUL(T a, T b) { return (T)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
#define MAD(a, b, c) (MUL(a, b) + (c))
static T DIV(T a, T b) {
  if (fabs(b.x) >= fabs(b.y)) {
    R r = b.y / b.x, d = b.x + b.y * r;
    return (T)((a.x + a.y * r) / d, (a.y - a.x * r) / d);
  }
  R r = b.x / b.y, d = b.x * r + b.y;
  return (T)((a.x * r + a.y) / d, (a.y * r - a.x) / d);
}
#define CONJ(a) (T)((a).x, -(a).y)
#define RE(a) (T)((a).x, 0)
#define ABS1(a) (fabs((a).x) + fabs((a).y))
#define ONE (T)(1, 0)
#define ZERO (T)(0)
`;

/** What the text of a kernel for a kind begins with. */
export function prologueOf({ real, isComplex }: NumberKind): string {
  const types = `typedef ${real} R;\ntypedef ${real}${isComplex ? '2' : ''} T;\n`;
  return types + (isComplex ? ofComplex : ofReal);
}
