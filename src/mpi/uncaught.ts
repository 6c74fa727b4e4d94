/** The error that ends a process. Node prints it when everything else is over, which a process that MPI ends does not live to see. */
import { later, machineModule } from '../runtime/host.ts';

interface Watched {
  on(event: 'uncaughtExceptionMonitor', listener: (error: unknown) => void): unknown;
}

interface Files {
  writeSync(file: number, text: string): unknown;
}

interface Inspector {
  inspect(value: unknown): string;
}

export interface Uncaught {
  /** Prints the error that is ending the process to standard error, if one is. */
  print(): void;
}

export function watchUncaught(): Uncaught {
  let last: { readonly error: unknown } | undefined;
  (machineModule('node:process') as Watched | undefined)?.on('uncaughtExceptionMonitor', (error) => {
    const own = { error };
    last = own;
    // Who is back in the event loop has caught it.
    later(() => {
      if (last === own) last = undefined;
    });
  });
  return {
    print() {
      if (!last) return;
      const { inspect } = machineModule('node:util') as Inspector;
      printError(`Uncaught ${inspect(last.error)}`);
    },
  };
}

/** Prints a line at once. */
export function printError(line: string): void {
  const { writeSync } = machineModule('node:fs') as Files;
  writeSync(2, `${line}\n`);
}
