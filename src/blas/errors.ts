/** Arguments that a routine does not take, in the words of cblas_xerbla. */
import { OpenCLError } from '../runtime/status.ts';

export class BlasError extends OpenCLError {
  /** `cblas_dgemm`. */
  readonly routine: string;
  /** Which argument of the routine it is, from 1 on. */
  readonly parameter: number;
  readonly why: string;

  constructor(routine: string, parameter: number, why: string) {
    super('CL_INVALID_VALUE', `Parameter ${parameter} to routine ${routine} was incorrect: ${why}`);
    this.name = 'BlasError';
    this.routine = routine;
    this.parameter = parameter;
    this.why = why;
  }
}
