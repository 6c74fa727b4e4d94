/** `millrace analyze --roofline`: a launch on this machine, beside what the machine could do. */
import { compile } from 'millrace';
import {
  CountError,
  compileForCounting,
  type MeasuredPeaks,
  machinePeaks,
  remeasuredText,
  remeasurePeaks,
  rooflineOf,
  rooflineSvg,
  rooflineText,
} from 'millrace/roofline';
import { fastestLaunch, launchOnce } from '../arguments/launch.ts';
import { readNamedSpecification } from '../arguments/specification.ts';
import { defaultDevice } from '../device.ts';
import { FailureError, UsageError } from '../errors.ts';
import { shownName, writeFile } from '../files.ts';
import { chooseKernel, planLaunch, printGuesses, type RunOptions, readRequest } from './run.ts';
import { buildOptionsText, isStrict, printLog, readProgram, sourceFiles } from './source.ts';

export interface RooflineOptions extends RunOptions {
  readonly json?: true;
  readonly svg?: string;
  readonly remeasure?: true;
}

/** Prints the text (or the record, with --json) and writes the picture. */
export async function showRoofline(file: string, options: RooflineOptions): Promise<void> {
  if (/\.(?:br|il)$/.test(file))
    throw new UsageError(`${file}: --roofline runs kernels in OpenCL C, or binaries made by millrace build`);
  const request = readRequest(options);
  const given = (options.arg ?? []).map(readNamedSpecification);
  const source = readProgram(file);
  const compileOptions = {
    name: shownName(file),
    options: buildOptionsText(options),
    files: sourceFiles(options),
    timeout: request.timeout * 1000,
    strict: isStrict(options),
  };
  const device = defaultDevice();
  const program = await compile(source, { ...compileOptions, device });
  try {
    printLog(program.diagnostics, program.log);
    const kernel = chooseKernel(program, options.kernel, file);
    const planned = await planLaunch(kernel, device.info.maxMemAllocSize, given, request);
    printGuesses(planned.bound, request.global ? undefined : planned.range.global);
    const counting = await compileForCounting(source, compileOptions);
    try {
      const { range, bound } = planned;
      await launchOnce(counting.program, counting.program.kernel(kernel.name), range, bound, false);
      const counts = counting.count();
      const seconds = await fastestLaunch(program, kernel, range, bound);
      const found = rooflineOf(kernel.name, counts, seconds, await peaksFor(options));
      if (options.json) console.log(JSON.stringify(found, undefined, 2));
      else process.stdout.write(rooflineText(found));
      if (options.svg === undefined) return;
      const picture = rooflineSvg(found);
      if (picture === undefined)
        throw new FailureError(
          `${options.svg}: the launch has no operations or no bytes, and so no place in a picture`,
        );
      writeFile(options.svg, new TextEncoder().encode(picture));
    } finally {
      counting.program.release();
    }
  } catch (error) {
    if (error instanceof CountError) throw new FailureError(error.message);
    throw error;
  } finally {
    program.release();
  }
}

async function peaksFor({ remeasure }: RooflineOptions): Promise<MeasuredPeaks> {
  if (!remeasure) return machinePeaks();
  const again = await remeasurePeaks();
  process.stderr.write(remeasuredText(again));
  return again.peaks;
}
