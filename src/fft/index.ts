/** What `import { fft } from 'millrace/fft'` gives: Fourier transforms on a device (docs/fft.md). */
export { at, type Memory, type Operand, Place } from '../blas/operand.ts';
export { Fft, type FftOptions, fft, Plan, type PlanOptions } from './fft.ts';
