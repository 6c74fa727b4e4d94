/** Exceptions of C++ that a program does not catch, which it tells of itself. */

/** What a program in C++ exports to say which exception has left it (lib/c++/exceptions.cpp). */
const uncaughtName = '__millrace_uncaught';

/** The functions that programs begin with. */
const starts = ['_start', 'wasi_thread_start'] as const;

/** The exports of a program, with starts that tell of exceptions that nobody caught while there are streams to tell it. */
export function tellingOfExceptions(exports: WebAssembly.Exports): WebAssembly.Exports {
  const { Exception } = WebAssembly as unknown as { Exception?: new () => unknown };
  if (!Exception) return exports;
  const told: Record<string, WebAssembly.ExportValue> = { ...exports };
  for (const name of starts) {
    const start = exports[name] as ((...args: number[]) => void) | undefined;
    if (!start) continue;
    told[name] = (...args: number[]) => {
      try {
        start(...args);
      } catch (error) {
        throw error instanceof Exception ? uncaught(exports) : error;
      }
    };
  }
  return told;
}

function uncaught(exports: WebAssembly.Exports): unknown {
  const tell = exports[uncaughtName];
  try {
    if (typeof tell === 'function') tell();
  } catch (aborted) {
    return aborted;
  }
  return new WebAssembly.RuntimeError('an exception that nobody caught');
}
