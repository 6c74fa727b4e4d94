/** Headers that programs for the host ask for and that are not there: why, for the message. */
const noSockets = 'there are no sockets; arpa/inet.h has htonl and its like';
const noProcesses = 'there are no other processes';
const cPlusPlus = 'this is C++, which clang++ compiles';

export const absentHeaders: ReadonlyMap<string, string> = new Map([
  ['omp.h', 'there is no OpenMP; pthread.h and threads.h have threads'],
  ['setjmp.h', 'there is no setjmp'],
  ['complex.h', 'there are no complex numbers'],
  ['wchar.h', 'there are no wide strings'],
  ['wctype.h', 'there are no wide strings'],
  ['windows.h', 'programs run on a POSIX-like system'],
  ...['sys/socket.h', 'sys/un.h', 'sys/select.h', 'netdb.h', 'netinet/tcp.h', 'poll.h', 'sys/poll.h'].map(
    (name): [string, string] => [name, noSockets],
  ),
  ...['sys/wait.h', 'sys/ipc.h', 'sys/shm.h', 'sys/sem.h', 'spawn.h'].map((name): [string, string] => [
    name,
    noProcesses,
  ]),
  ['dlfcn.h', 'no libraries are loaded while a program runs'],
  ['CL/cl.hpp', cPlusPlus],
  ['CL/cl2.hpp', cPlusPlus],
  ['CL/opencl.hpp', cPlusPlus],
  ['iostream', cPlusPlus],
  ['string', cPlusPlus],
  ['vector', cPlusPlus],
  ['cstdio', cPlusPlus],
  ['cstdlib', cPlusPlus],
]);
