/** What `import { linalg } from 'millrace/linalg'` gives: LU, Cholesky and QR with solves (docs/linalg.md). */
export * from '../blas/constants.ts';
export { BlasError } from '../blas/errors.ts';
export { at, type Memory, type Operand, Place } from '../blas/operand.ts';
export { Linalg, type LinalgOptions, linalg } from './linalg.ts';
export type { LinalgMethods, LuResult } from './routine-types.ts';
