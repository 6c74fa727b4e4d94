/** What is wrong with calls of arrays, in words. */
import { OpenCLError } from '../runtime/status.ts';

export const invalid = (message: string): OpenCLError => new OpenCLError('CL_INVALID_VALUE', message);

export const wrongObject = (message: string): OpenCLError =>
  new OpenCLError('CL_INVALID_MEM_OBJECT', message);
