/**
 * What `import ... from 'millrace/roofline'` gives: how near a launch comes to what this machine can do
 * (docs/performance-model.md). Compile for counting and launch there once, launch the same on the device and take the time, and
 * put both under the machine's peaks:
 *
 *     const counting = await compileForCounting(source);
 *     await counting.program.kernel('saxpy')(range, 2, x, y);
 *     console.log(rooflineText(rooflineOf('saxpy', counting.count(), seconds, await machinePeaks())));
 */

export type {
  LaunchCounts,
  MachinePeaks,
  RooflineBound,
  RooflinePoint,
} from '../../model/roofline.ts';
export { type PictureOptions, rooflineSvg, rooflineTitle } from './chart.ts';
export { CountError, type CountedLaunch, type CountingProgram, compileForCounting } from './count-launch.ts';
export {
  betterPeaks,
  machinePeaks,
  type PeaksOptions,
  type RemeasuredPeaks,
  readPeaks,
  remeasuredText,
  remeasurePeaks,
} from './kept-peaks.ts';
export { type MeasuredPeaks, measurePeaks, type PeaksProgress } from './machine-peaks.ts';
export {
  boundText,
  type Roofline,
  type RooflineRow,
  rooflineOf,
  rooflineRows,
  rooflineText,
} from './report.ts';
