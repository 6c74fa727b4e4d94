/** A profile as a table for people. */
import { type CallRow, callRows } from './call-summary.ts';
import { columns } from './columns.ts';
import type { BuildRecord, Profile } from './profile.ts';
import { type Summary, type SummaryRow, summarise } from './summary.ts';
import { bytesText, percentText, rateText, timeText } from './units.ts';

const heading = [
  'command',
  'count',
  'total',
  'mean',
  'min',
  'max',
  'share',
  'waited',
  'moved',
  'rate',
  'occupancy',
  'threads busy',
];

/**
 * The table: commands by kernel and kind, for each device; then builds; then what the host program called; then what ran at the same
 * time. Ends with a line end.
 */
export function profileTable(profile: Profile): string {
  const summary = summarise(profile);
  const lines: string[] = [];
  profile.devices.forEach(({ name, units }, device) => {
    const rows = summary.rows.filter((row) => row.device === device);
    const builds = profile.builds.filter((build) => build.device === device);
    if (rows.length === 0 && builds.length === 0) return;
    lines.push(`${name} (${units} compute unit${units === 1 ? '' : 's'})`);
    if (rows.length > 0) lines.push(...columns(heading, rows.map(cellsOf)));
    lines.push(...builds.map(buildLine), '');
  });
  lines.push(...callLines(profile));
  return `${[...lines, ...totalLines(profile, summary)].join('\n')}\n`;
}

const callHeading = ['host call', 'count', 'total', 'mean', 'min', 'max', 'failed'];

/** What the host program has called, by functions, the longest total first. */
function callLines(profile: Profile): string[] {
  const rows = callRows(profile.calls);
  if (rows.length === 0) return [];
  const apis = [...new Set(rows.map(({ api }) => api))].join(', ');
  const missed = profile.missedCalls > 0 ? [`${profile.missedCalls} more calls are not in the profile`] : [];
  return [`Calls of the host program: ${apis}`, ...columns(callHeading, rows.map(callCells)), ...missed, ''];
}

function callCells({ name, count, total, min, max, failures }: CallRow): string[] {
  const codes = failures.map(({ name: error, times }) => (times === 1 ? error : `${times} ${error}`));
  return [
    name,
    String(count),
    timeText(total),
    timeText(total / count),
    timeText(min),
    timeText(max),
    codes.join(', '),
  ];
}

function cellsOf(row: SummaryRow): string[] {
  return [
    row.failed > 0 ? `${row.name} (${row.failed} failed)` : row.name,
    String(row.count),
    timeText(row.total),
    timeText(row.mean),
    timeText(row.min),
    timeText(row.max),
    percentText(row.share),
    timeText(row.waited),
    row.bytes > 0 ? bytesText(row.bytes) : '',
    row.bytesPerSecond === undefined ? '' : rateText(row.bytesPerSecond),
    row.occupancy === undefined ? '' : percentText(row.occupancy),
    row.threadsBusy === undefined ? '' : percentText(row.threadsBusy),
  ];
}

/** Programs with more kernels than a line has room for name some. */
const mostNames = 4;

function buildLine({ kind, kernels, started, ended }: BuildRecord): string {
  const took = timeText(ended - started);
  if (kernels.length === 0) return `${kind} that failed, or of no kernel: ${took}`;
  const more = kernels.length > mostNames ? ` and ${kernels.length - mostNames} more` : '';
  return `${kind} of ${kernels.slice(0, mostNames).join(', ')}${more}: ${took}`;
}

function totalLines(profile: Profile, { wall, busy, overlap }: Summary): string[] {
  const { commands, missed, missedSpans, unfinished } = profile;
  const lines =
    commands.length === 0
      ? ['no command has ended']
      : [
          `${timeText(wall)} from the first command to the end of the last; ` +
            `commands ran in ${percentText(wall > 0 ? busy / wall : 0)} of it, ` +
            `two or more at once in ${percentText(wall > 0 ? overlap / wall : 0)}`,
        ];
  if (unfinished > 0) lines.push(`${unfinished} had not ended`);
  if (missed > 0) lines.push(`${missed} more are not in the profile: it was full`);
  if (missedSpans > 0) {
    lines.push(
      `what threads did was overwritten ${missedSpans} times before it was read: ` +
        "'threads busy' leaves out the launches that this may belong to",
    );
  }
  return lines;
}
