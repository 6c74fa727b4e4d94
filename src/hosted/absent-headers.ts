/** Headers that programs for the host ask for and that are not there: why, for the message. */
const cPlusPlus = 'this is C++, which clang++ compiles';

export const absentHeaders: ReadonlyMap<string, string> = new Map([
  ['omp.h', 'there is no OpenMP; pthread.h and threads.h have threads'],
  ['setjmp.h', 'there is no setjmp'],
  ['complex.h', 'there are no complex numbers'],
  ['wchar.h', 'there are no wide strings'],
  ['wctype.h', 'there are no wide strings'],
  ['windows.h', 'programs run on a POSIX-like system'],
  ['CL/cl.hpp', cPlusPlus],
  ['CL/cl2.hpp', cPlusPlus],
  ['CL/opencl.hpp', cPlusPlus],
  ['iostream', cPlusPlus],
  ['string', cPlusPlus],
  ['vector', cPlusPlus],
  ['cstdio', cPlusPlus],
  ['cstdlib', cPlusPlus],
]);
