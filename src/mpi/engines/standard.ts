/** libmpi_abi, which all engines since MPI 5 come with: the numbers are the standard's. */
import { errorClasses, handles, numbers } from '../constants.ts';
import type { EngineTable } from './engine-table.ts';

export const standardTable: EngineTable = {
  name: 'MPI ABI',
  handleType: 'uintptr_t',
  handle: (name) => handles[name],
  numbers,
  inPlace: 1,
  statusIgnore: 0,
  status: { bytes: 32, source: 0, tag: 4, error: 8 },
  errorClasses,
};
