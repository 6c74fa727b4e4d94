/** Instructions that compute a value from values: see "Values" and "Arithmetic" in ir.ts. */
import type { Common } from './common.ts';

/**
 * A scalar constant: `boolean` for bool; a number for i8 to i32 (always the signed reading, so i8 255 is -1)
 * and for floats (already rounded to the type); a bigint for i64 (signed reading); 0 for a null pointer; for a sampler,
 * the CLK_ constants it is made of.
 */
export type ScalarConstant = number | bigint | boolean;

/** Result: the value. Vectors list their lanes. */
export interface Constant extends Common {
  readonly op: 'constant';
  readonly value: ScalarConstant | readonly ScalarConstant[];
}

/** Result: any value of the type, such as that of a variable before it is set. */
export interface Undefined extends Common {
  readonly op: 'undefined';
}

export type UnaryFunction =
  | 'not' // bool or int: every bit
  | 'clz' // int: leading zeros, the width for 0
  | 'ctz' // int: trailing zeros, the width for 0
  | 'popcount'
  | 'fneg'
  | 'fabs'
  | 'fsqrt' // correctly rounded
  | 'ffloor'
  | 'fceil'
  | 'ftrunc'
  | 'frint'; // to nearest, ties to even

/** Operand: x. Result: same type. */
export interface Unary extends Common {
  readonly op: 'unary';
  readonly fn: UnaryFunction;
}

export type BinaryFunction =
  | 'iadd'
  | 'isub'
  | 'imul'
  | 'sdiv' // truncating
  | 'udiv'
  | 'srem' // sign of the dividend
  | 'urem'
  | 'and' // bool or int
  | 'or'
  | 'xor'
  | 'shl' // count modulo width
  | 'sshr'
  | 'ushr'
  | 'rotl' // count modulo width
  | 'smin'
  | 'smax'
  | 'umin'
  | 'umax'
  | 'smulhi' // upper half of the double-width product
  | 'umulhi'
  | 'fadd'
  | 'fsub'
  | 'fmul'
  | 'fdiv' // correctly rounded
  | 'fmin' // if one operand is NaN, the other
  | 'fmax'
  | 'fcopysign'; // magnitude of the first, sign of the second

/** Operands: a, b of one type. Result: same type. */
export interface Binary extends Common {
  readonly op: 'binary';
  readonly fn: BinaryFunction;
  /** fadd, fsub, fmul: may be fused with a neighbouring operation, skipping one rounding. */
  readonly contract?: boolean;
  /**
   * fadd, fsub: a sum of several terms that is made of such operations may be added up in any order. fdiv: the divisor's reciprocal may
   * be multiplied with.
   */
  readonly reassociate?: boolean;
}

/** Operands: a, b, c of one float type. Result: a * b + c, rounded once. */
export interface FusedMultiplyAdd extends Common {
  readonly op: 'fma';
}

export type CompareFunction =
  | 'eq'
  | 'ne'
  | 'slt'
  | 'sle'
  | 'sgt'
  | 'sge'
  | 'ult'
  | 'ule'
  | 'ugt'
  | 'uge'
  | 'feq' // the ordered comparisons: false if an operand is NaN
  | 'fne' // true if an operand is NaN
  | 'flt'
  | 'fle'
  | 'fgt'
  | 'fge';

/** Operands: a, b of one type (eq, ne and u-forms on pointers too). Result: bool, or a vector of bool. */
export interface Compare extends Common {
  readonly op: 'compare';
  readonly fn: CompareFunction;
}

/** Operands: condition (bool, or a vector of bool with the lanes of the others), a, b. Result: a where true, else b. */
export interface Select extends Common {
  readonly op: 'select';
}

export type ConvertFunction =
  | 'sext' // int or bool to a wider int (bool true becomes all ones)
  | 'zext' // int or bool to a wider int (bool true becomes 1)
  | 'trunc' // int to a narrower int
  | 'stof' // signed int to float
  | 'utof' // unsigned int to float
  | 'ftos' // float to signed int
  | 'ftou' // float to unsigned int
  | 'fwiden'
  | 'fnarrow'
  | 'bitcast' // the same number of bits, lanes may differ; lane 0 is the lowest bytes
  | 'ptoi' // pointer to int of address width
  | 'itop' // int of address width to pointer
  | 'space'; // pointer to pointer of another address space

/** To nearest even, toward zero, up, down (OpenCL 1.2, 6.2.3.2). */
export type RoundingMode = 'rte' | 'rtz' | 'rtp' | 'rtn';

/** Operand: x. Result: its conversion to the result's type; lane counts are equal but for bitcast. */
export interface Convert extends Common {
  readonly op: 'convert';
  readonly fn: ConvertFunction;
  /** Default: rtz for ftos and ftou, rte for stof, utof and fnarrow. */
  readonly rounding?: RoundingMode | undefined;
  /** ftos, ftou: clamp to the range of the result, NaN to 0. */
  readonly saturate?: boolean;
}

/** Operand: a scalar. Result: a vector, every lane that scalar. */
export interface Splat extends Common {
  readonly op: 'splat';
}

/** Operands: one scalar a lane. Result: the vector of them. */
export interface Build extends Common {
  readonly op: 'build';
}

/** Operand: a vector. Result: one lane of it. */
export interface Extract extends Common {
  readonly op: 'extract';
  readonly lane: number;
}

/** Operands: a vector, a scalar. Result: the vector with one lane replaced. */
export interface Insert extends Common {
  readonly op: 'insert';
  readonly lane: number;
}

/** Operands: vectors a, b of one type. Result: lanes picked from a's then b's; a negative index means any value. */
export interface Shuffle extends Common {
  readonly op: 'shuffle';
  readonly lanes: readonly number[];
}

/** Operand: a mask. Result: bool; for `count`, how many of its lanes are true, an i32. */
export interface Test extends Common {
  readonly op: 'test';
  readonly fn: 'any' | 'all' | 'count';
}

export type Computation =
  | Constant
  | Undefined
  | Unary
  | Binary
  | FusedMultiplyAdd
  | Compare
  | Select
  | Convert
  | Splat
  | Build
  | Extract
  | Insert
  | Shuffle
  | Test;
