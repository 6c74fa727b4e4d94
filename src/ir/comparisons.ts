/** What becomes of a comparison when its result is negated or its operands change places. */
import type * as ir from './ir.ts';

/**
 * The comparison that holds where the given one does not. None for the ordered ones of floats: with a NaN neither of the two
 * holds.
 */
export function oppositeOf(fn: ir.CompareFunction): ir.CompareFunction | undefined {
  return opposites[fn];
}

/** The comparison of b with a that says what the given one says of a with b. */
export function swapped(fn: ir.CompareFunction): ir.CompareFunction {
  return swaps[fn];
}

const opposites: Readonly<Partial<Record<ir.CompareFunction, ir.CompareFunction>>> = {
  eq: 'ne',
  ne: 'eq',
  slt: 'sge',
  sle: 'sgt',
  sgt: 'sle',
  sge: 'slt',
  ult: 'uge',
  ule: 'ugt',
  ugt: 'ule',
  uge: 'ult',
  feq: 'fne',
  fne: 'feq',
};

const swaps: Readonly<Record<ir.CompareFunction, ir.CompareFunction>> = {
  eq: 'eq',
  ne: 'ne',
  slt: 'sgt',
  sle: 'sge',
  sgt: 'slt',
  sge: 'sle',
  ult: 'ugt',
  ule: 'uge',
  ugt: 'ult',
  uge: 'ule',
  feq: 'feq',
  fne: 'fne',
  flt: 'fgt',
  fle: 'fge',
  fgt: 'flt',
  fge: 'fle',
};
