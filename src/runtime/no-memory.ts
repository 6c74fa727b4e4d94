/** No memory in the middle of a build, as OpenCL says it. */
import { isMemoryFull } from '../source/stack-full.ts';
import { OpenCLError } from './status.ts';

/** What is to be thrown in the place of an error of a build: CL_OUT_OF_HOST_MEMORY if the engine had no memory for an array. */
export function refusalOf(error: unknown): unknown {
  if (!isMemoryFull(error)) return error;
  return new OpenCLError('CL_OUT_OF_HOST_MEMORY', 'no memory to compile in', { cause: error });
}
