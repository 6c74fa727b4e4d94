/** What `millrace check` and `millrace run --check` do while a kernel runs: every access to memory is looked at, and what was found is told. */
import { BuildError, type FoundReport, startChecking } from 'millrace';
import { type BuildErrorRecord, buildErrorRecords } from './build-error-records.ts';
import { colourMessages } from './terminal.ts';

export interface CheckLaunchesOptions {
  /** Print the reports as JSON, when all is over. */
  readonly json?: true | undefined;
  /** Seconds that a work-group may run, as it was given. */
  readonly timeout: string;
}

/** Sets the exit code to 1 if something is wrong; warnings say that something may be. */
export async function checkLaunches(
  { json, timeout }: CheckLaunchesOptions,
  launch: () => Promise<void>,
): Promise<void> {
  const found: FoundReport[] = [];
  startChecking({
    report: (report) => {
      found.push(report);
      if (!json) console.error(report.text(colourMessages));
    },
    timeout: 1000 * (Number(timeout) || 60),
  });
  // A run that fails may have found something before; that it has found nothing then means nothing.
  let hasRun = false;
  let buildErrors: readonly BuildErrorRecord[] = [];
  try {
    await launch();
    hasRun = true;
  } catch (error) {
    if (error instanceof BuildError) buildErrors = buildErrorRecords(error);
    throw error;
  } finally {
    if (json) console.log(JSON.stringify([...buildErrors, ...found], undefined, 2));
    else if (found.length > 0) console.log(`${found.length} found`);
    else if (hasRun) console.log('nothing found');
    if (found.some(({ severity }) => severity === 'error')) process.exitCode = 1;
  }
}
