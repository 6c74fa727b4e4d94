/** Counts and times the document's launch and puts it under the machine's peaks, as `millrace analyze --roofline` does. */
import { compile, type Program } from 'millrace';
import {
  betterPeaks,
  boundText,
  type CountingProgram,
  compileForCounting,
  type MeasuredPeaks,
  measurePeaks,
  readPeaks,
  remeasuredText,
  rooflineOf,
  rooflineRows,
  rooflineSvg,
  rooflineText,
  rooflineTitle,
} from 'millrace/roofline';
import { fastestLaunch, launchOnce } from '../../../src/cli/arguments/launch.ts';
import type { Document } from '../document.ts';
import { failureOf } from '../run/failure.ts';
import type { TaskStep } from '../run/messages.ts';
import { chooseKernel, compileOptions, planLaunch } from '../run/run-kernel.ts';
import type { RooflineReply, RooflineRequest } from './messages.ts';

/** Peaks count for this engine and this build of Millrace, whose file has its contents in its name. */
const measuredBy = `${navigator.userAgent} ${import.meta.url}`;

/** Never throws. */
export async function measureRoofline(
  document: Document,
  { kept, isAgain }: RooflineRequest,
  tell: (step: TaskStep) => void,
): Promise<RooflineReply> {
  let program: Program | undefined;
  let counting: CountingProgram | undefined;
  try {
    tell({ text: 'Compiling', done: 0 });
    const options = compileOptions(document);
    program = await compile(document.source, options);
    counting = await compileForCounting(document.source, options);
    const kernel = chooseKernel(program, document.launch.kernel);
    const { bound, range } = await planLaunch(kernel, document);
    tell({ text: 'Counting what work-items do', done: 0.1 });
    await launchOnce(counting.program, counting.program.kernel(kernel.name), range, bound, false);
    const counts = counting.count();
    tell({ text: 'Launching it some times', done: 0.3 });
    const seconds = await fastestLaunch(program, kernel, range, bound);
    const before = keptPeaks(kept);
    const now =
      before && !isAgain
        ? before
        : await measurePeaks((done, next) =>
            tell({ text: `Measuring the machine: ${next}`, done: 0.5 + done / 2 }),
          );
    const peaks = betterPeaks(before, now);
    const found = rooflineOf(kernel.name, counts, seconds, peaks);
    const [wide, narrow] = [640, 360].map((width) => rooflineSvg(found, { width, hasTitle: false }));
    return {
      title: rooflineTitle(found),
      bound: boundText(found.point),
      rows: rooflineRows(found),
      pictures: wide && narrow ? { wide, narrow } : undefined,
      text: rooflineText(found),
      threads: peaks.threads,
      measured: peaks.measured,
      keep: JSON.stringify({ measuredBy, peaks: JSON.stringify(peaks) }),
      again: isAgain ? remeasuredText({ before, now, peaks }) : undefined,
    };
  } catch (error) {
    const { message, log } = failureOf(error);
    return { failure: log ?? message };
  } finally {
    counting?.program.release();
    program?.release();
  }
}

/** What a page has kept, if it was measured by this build in this browser; whatever else the text is. */
function keptPeaks(kept: string | undefined): MeasuredPeaks | undefined {
  if (kept === undefined) return undefined;
  try {
    const { measuredBy: whose, peaks } = JSON.parse(kept) as Record<string, unknown>;
    return whose === measuredBy && typeof peaks === 'string' ? readPeaks(peaks) : undefined;
  } catch {
    return undefined;
  }
}
