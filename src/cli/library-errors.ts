/** Errors that the library throws. Apart from main.ts, which is to start without the library. */
import { BuildError, OpenCLError } from 'millrace';
import { printLog } from './commands/source.ts';

/** What there is to say of an error, if anything is left to say. Undefined if it is none of the library's. */
export function ofLibrary(error: unknown): { readonly message?: string } | undefined {
  if (error instanceof BuildError) {
    printLog(error.diagnostics, error.message);
    return {};
  }
  return error instanceof OpenCLError ? { message: `${error.name}: ${error.message}` } : undefined;
}
