// What the show prints: a heading, a progress line that is overwritten, a table of kernels. Where the output
// is no terminal there is no progress line, good for a log.
import colours from 'picocolors';
import type { KernelRun, Sample, SampleResult } from './sample.ts';

/** The part of a stream that is used; `process.stdout` is one. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Prints the show to one output. */
export interface Terminal {
  line(text?: string): void;
  heading(sample: Sample): void;
  /** Shows how far the sample is; `fraction` goes from 0 to 1. */
  progress(fraction: number, text: string): void;
  /** Prints a sample's kernels, findings and pictures. */
  result(result: SampleResult): void;
}

export function createTerminal(output: Output): Terminal {
  let shown = 0;

  function clearProgress(): void {
    if (shown > 0) output.write(`\r${' '.repeat(shown)}\r`);
    shown = 0;
  }

  function line(text = ''): void {
    clearProgress();
    output.write(`${text}\n`);
  }

  return {
    line,
    heading(sample) {
      line();
      const name = sample.title === sample.name ? '' : colours.dim(` (${sample.name})`);
      line(colours.bold(sample.title) + name);
      for (const text of wrap(sample.about, Math.min(output.columns ?? 100, 100) - 2)) line(`  ${text}`);
    },
    progress(fraction, text) {
      if (output.isTTY !== true) return;
      const percent = `${Math.round(fraction * 100)} %`.padStart(5);
      const done = Math.round(fraction * 20);
      const full = `  ${'#'.repeat(done)}${'.'.repeat(20 - done)} ${percent}  ${text}`;
      const fitting = full.slice(0, (output.columns ?? 80) - 1);
      clearProgress();
      output.write(fitting);
      shown = fitting.length;
    },
    result(result) {
      line();
      for (const row of tableOf(result.runs)) line(`  ${row}`);
      for (const finding of result.findings) line(`  ${finding}`);
      for (const picture of result.pictures) line(`  ${colours.dim('written')} ${picture}`);
    },
  };
}

function tableOf(runs: readonly KernelRun[]): string[] {
  const head = ['kernel', 'device', 'JavaScript', 'ratio', 'check'];
  const cells = runs.map((run) => [
    run.kernel,
    milliseconds(run.milliseconds),
    milliseconds(run.cpuMilliseconds),
    `${(run.cpuMilliseconds / run.milliseconds).toFixed(1)} x`,
    `${run.check.ok ? '✓' : '✗'} ${run.check.detail}`,
  ]);
  const widths = head.map((title, i) => Math.max(title.length, ...cells.map((row) => row[i]!.length)));
  // The first and the last column read from the left, the numbers between from the right.
  const align = (row: readonly string[]) =>
    row.map((cell, i) => (i === 0 || i === 4 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)));
  return [
    colours.dim(align(head).join('  ').trimEnd()),
    ...cells.map((row, i) => {
      const [kernel, device, javascript, ratio, check] = align(row);
      const verdict = runs[i]!.check.ok ? colours.green(check!.trimEnd()) : colours.red(check!.trimEnd());
      return [kernel, colours.bold(device), javascript, ratio, verdict].join('  ');
    }),
  ];
}

function milliseconds(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(1)} ms`;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of text.split(' ')) {
    if (current !== '' && current.length + 1 + word.length > width) {
      lines.push(current);
      current = word;
    } else {
      current = current === '' ? word : `${current} ${word}`;
    }
  }
  lines.push(current);
  return lines;
}
