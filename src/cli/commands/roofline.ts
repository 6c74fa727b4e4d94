/** `millrace analyze --roofline`: a launch on this machine, beside what the machine could do. */
import { compile, devices, type Program } from 'millrace';
import {
  CountError,
  compileForCounting,
  machinePeaks,
  rooflineOf,
  rooflineSvg,
  rooflineText,
} from 'millrace/roofline';
import { launchOnce } from '../arguments/launch.ts';
import { readNamedSpecification } from '../arguments/specification.ts';
import { FailureError, UsageError } from '../errors.ts';
import { writeFile } from '../files.ts';
import {
  chooseKernel,
  type PlannedLaunch,
  planLaunch,
  printGuesses,
  type RunOptions,
  readRequest,
} from './run.ts';
import { buildOptionsText, diskFiles, printLog, readProgram } from './source.ts';

export interface RooflineOptions extends RunOptions {
  readonly json?: true;
  readonly svg?: string;
}

/** Milliseconds to go on with launches, and how many there are at least and at most: the fastest counts. */
const launchTime = 500;
const fewestLaunches = 5;
const mostLaunches = 200;

/** Prints the text (or the record, with --json) and writes the picture. */
export async function showRoofline(file: string, options: RooflineOptions): Promise<void> {
  if (/\.(?:br|il)$/.test(file))
    throw new UsageError(`${file}: --roofline runs kernels in OpenCL C, or binaries made by millrace build`);
  const request = readRequest(options);
  const given = (options.arg ?? []).map(readNamedSpecification);
  const source = readProgram(file);
  const compileOptions = {
    name: file,
    options: buildOptionsText(options),
    files: diskFiles,
    timeout: request.timeout * 1000,
    check: options.check,
  };
  const device = devices()[0]!;
  const program = await compile(source, { ...compileOptions, device });
  try {
    printLog(program.diagnostics, program.log);
    const kernel = chooseKernel(program, options.kernel, file);
    const planned = planLaunch(kernel, device.info.maxMemAllocSize, given, request);
    printGuesses(planned.bound, request.global ? undefined : planned.range.global);
    const counting = await compileForCounting(source, compileOptions);
    try {
      await launchWith(counting.program, kernel.name, planned);
      const counts = counting.count();
      const seconds = await fastestLaunch(program, kernel.name, planned);
      const found = rooflineOf(kernel.name, counts, seconds, await machinePeaks());
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

function launchWith(
  program: Program,
  name: string,
  { range, bound }: PlannedLaunch,
): ReturnType<typeof launchOnce> {
  return launchOnce(program, program.kernel(name), range, bound, false);
}

/** Seconds. Each launch has fresh arguments. */
async function fastestLaunch(program: Program, name: string, planned: PlannedLaunch): Promise<number> {
  const begin = performance.now();
  let best = Number.POSITIVE_INFINITY;
  for (let count = 0; count < mostLaunches; count += 1) {
    if (count >= fewestLaunches && performance.now() - begin > launchTime) break;
    const { started, ended } = await launchWith(program, name, planned);
    best = Math.min(best, Math.max(Number(ended - started), 1));
  }
  return best / 1e9;
}
