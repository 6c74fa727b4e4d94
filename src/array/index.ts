/**
 * What `import { arrays } from 'millrace/array'` gives: arrays of numbers on a device, after NumPy and PyOpenCL (docs/array.md).
 */
export { Arrays, type ArraysOptions, arrays } from './arrays.ts';
export { type AxisOptions, NdArray, type Nested, type Operand } from './nd-array.ts';
export type { ArrayOf, NumberType } from './number-types.ts';
export { RandomNumbers } from './random.ts';
export type { Shape } from './shape.ts';
export type { ReductionOptions, ScanOptions, UserArgument, UserOptions } from './user-kernels.ts';
export type { Slice } from './views.ts';
