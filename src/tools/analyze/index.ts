/** What `import ... from 'millrace/analyze'` gives: what kernels would cost on AMD's R600 family (docs/performance-model.md). */

export type {
  GroupNeeds,
  Occupancy,
  OccupancyAxis,
  OccupancyLimit,
  OccupancyPoint,
} from '../../model/group-occupancy.ts';
export type { Advice } from './advice.ts';
export {
  type Analysis,
  type AnalyzedLine,
  type AnalyzeOptions,
  analyze,
  type CardAnalysis,
  type ChipAnalysis,
  chipNames,
  type KernelAnalysis,
  type ProgramAnalysis,
} from './analysis.ts';
export { occupancyChart, occupancySvg } from './chart.ts';
export {
  axisNames,
  type KernelOccupancy,
  occupancyChartsSvg,
  occupancyOf,
  occupancyText,
} from './occupancy.ts';
export { type ReportOptions, reportText } from './report.ts';
