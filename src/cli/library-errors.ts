/** Errors that the library throws. Apart from main.ts, which is to start without the library. */
import { BuildError, OpenCLError } from 'millrace';
import { printLog } from './commands/source.ts';

/** Sizes come from `--global`, `--local` and `--offset` alone, so what is wrong with them is wrong with the call. */
const ofSizes: ReadonlySet<string> = new Set([
  'CL_INVALID_GLOBAL_OFFSET',
  'CL_INVALID_GLOBAL_WORK_SIZE',
  'CL_INVALID_WORK_GROUP_SIZE',
  'CL_INVALID_WORK_ITEM_SIZE',
]);

/** An error of the library as the command tells it. */
export interface LibraryError {
  /** What is left to say, if anything. */
  readonly message?: string;
  /** Whether it comes of what was typed. */
  readonly isUsage?: boolean;
}

/** What there is to say of an error. Undefined if it is none of the library's. */
export function ofLibrary(error: unknown): LibraryError | undefined {
  if (error instanceof BuildError) {
    printLog(error.diagnostics, error.message);
    return {};
  }
  if (!(error instanceof OpenCLError)) return undefined;
  return { message: `${error.name}: ${error.message}`, isUsage: ofSizes.has(error.name) };
}
