/** What `import { blas } from 'millrace/blas'` gives: BLAS on a device, by the names of CBLAS (docs/blas.md). */
export type { BalanceReport, DeviceShare } from './balanced-gemm.ts';
export { Blas, type BlasOptions, blas } from './blas.ts';
export * from './constants.ts';
export { BlasError } from './errors.ts';
export type { Complex } from './number-kinds.ts';
export { at, type Memory, type Operand, Place } from './operand.ts';
export type { ComplexRotation, ModifiedRotation, Rotation } from './rotations.ts';
export type { ComplexScalar, RoutineMethods } from './routine-types.ts';
