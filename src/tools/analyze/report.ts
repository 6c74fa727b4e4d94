/** An analysis as text: the listing of one chip, what it consists of, the times on all cards, wavefronts, advice. */
import type { Analysis, CardAnalysis, ChipAnalysis, KernelAnalysis, ProgramAnalysis } from './analysis.ts';
import { occupancyChart } from './chart.ts';

export interface ReportOptions {
  /** The chip whose listing is shown. Default the newest that can run the kernel. */
  readonly chip?: string | undefined;
  /** Only this kernel. */
  readonly kernel?: string | undefined;
}

export function reportText(analysis: Analysis, options: ReportOptions = {}): string {
  const kernels = analysis.kernels.filter(
    ({ name }) => options.kernel === undefined || name === options.kernel,
  );
  const left = analysis.left.map(({ name, reason }) => `kernel ${name}: left out, as ${reason}\n`);
  return [...kernels.map((kernel) => kernelText(kernel, analysis, options)), ...left].join('\n');
}

function kernelText(kernel: KernelAnalysis, { width, height }: Analysis, { chip }: ReportOptions): string {
  const shown = chip
    ? kernel.chips.find((one) => one.chip === chip)
    : kernel.chips.findLast(({ program }) => program !== undefined);
  const parts = [`kernel ${kernel.name}\n`];
  for (const { chip: name, problem } of kernel.chips)
    if (problem) parts.push(`  not on ${name}: ${at(problem.line)}${problem.message}\n`);
  if (shown?.program) parts.push(programText(shown, shown.program));
  parts.push(cardTable(kernel.cards, width * height));
  if (shown?.program)
    parts.push(
      `\nwavefronts of a SIMD engine by registers\n${indented(occupancyChart(shown.program.registers))}`,
    );
  if (kernel.advice.length > 0) {
    const advice = kernel.advice.map(
      ({ line, topic, text, rule }) => `  ${at(line)}${topic}: ${text} (${rule})\n`,
    );
    parts.push(`\nadvice\n${advice.join('')}`);
  }
  return parts.join('');
}

const at = (line: number | undefined): string => (line === undefined ? '' : `line ${line}: `);

const indented = (text: string): string => text.replace(/^(?=.)/gm, '  ');

function programText({ chip }: ChipAnalysis, program: ProgramAnalysis): string {
  const { mix } = program;
  const kinds = Object.entries(mix.byKind)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${kind}`);
  const slots = Object.entries(mix.bySlot).map(([slot, count]) => `${slot} ${count}`);
  const ratio =
    mix.fetches === 0 ? 'no fetches' : `${(mix.bundles / mix.fetches).toFixed(2)} bundles a fetch`;
  const facts = [
    `${program.clauses} entries of control flow, ${mix.bundles} bundles, ${mix.fetches} fetches, ${mix.writes} writes, ${mix.branches} branches; ${ratio}`,
    `${mix.slots} instructions (${kinds.join(', ')}); ${mix.slotsPerBundle.toFixed(2)} a bundle; slots ${slots.join(', ')}`,
    `${program.registers} registers, ${program.temporaries} clause temporaries: ${program.wavefronts} wavefronts a SIMD engine`,
    ...(program.localBytes > 0 ? [`${program.localBytes} bytes of local memory a group`] : []),
    ...(program.scratchBytes > 0
      ? [
          `${program.scratchBytes} bytes of scratch memory a work-item, for ${program.spilledWords} words without a register`,
        ]
      : []),
  ];
  const listing = program.listing.map(({ text, line }) =>
    line === undefined ? `  ${text}\n` : `  ${text.padEnd(74)} ; line ${line}\n`,
  );
  return `\n${chip}, ${program.kind} kernel\n${listing.join('')}\n${facts.map((fact) => `  ${fact}\n`).join('')}`;
}

function cardTable(cards: readonly CardAnalysis[], threads: number): string {
  const head = ['card', 'chip', 'ALU ms', 'fetch ms', 'memory ms', 'bound', 'with waits', 'cache hits'];
  const rows = cards.map(({ card, chip, run }) => {
    if (!run) return [card, chip, '-', '-', '-', '-', '-', '-'];
    const { alu, fetch, memory, bound } = run.estimate;
    const times = [alu, fetch, memory].map((seconds) => milliseconds(seconds));
    const hits = run.cache.fetches === 0 ? '-' : `${(run.cache.hitRate * 100).toFixed(0)}%`;
    return [card, chip, ...times, bound, milliseconds(run.seconds), hits];
  });
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  );
  const text = [head, ...rows].map(
    (row) =>
      `  ${row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd()}\n`,
  );
  return `\nestimates for ${threads} work-items\n${text.join('')}`;
}

function milliseconds(seconds: number): string {
  return (seconds * 1e3).toPrecision(3);
}
