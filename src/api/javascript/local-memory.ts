/** Local memory as an argument of kernels. */
import { OpenCLError } from '../../runtime/status.ts';
import { shown } from '../../source/shown.ts';

/** Work-group-local memory for a `__local` pointer; see {@link local}. */
export class LocalMemory {
  readonly bytes: number;

  constructor(bytes: number) {
    this.bytes = bytes;
  }
}

/** So many bytes of local memory for each work-group, as the argument for a `__local` pointer. */
export function local(bytes: number): LocalMemory {
  if (!Number.isInteger(bytes) || bytes <= 0) {
    throw new OpenCLError(
      'CL_INVALID_ARG_SIZE',
      `local(${shown(bytes)}): it takes a number of bytes from 1, such as local(4 * 64)`,
    );
  }
  return new LocalMemory(bytes);
}
