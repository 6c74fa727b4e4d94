// What the show prints, on a terminal and into a log, with the colours taken out.
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { KernelRun } from '../../samples/support/sample.ts';
import { createTerminal } from '../../samples/support/terminal.ts';

function record(isTTY: boolean): { text(): string; output: Parameters<typeof createTerminal>[0] } {
  let written = '';
  return {
    text: () => stripVTControlCharacters(written),
    output: { isTTY, columns: 60, write: (text) => (written += text) },
  };
}

const right: KernelRun = {
  kernel: 'add',
  milliseconds: 2,
  wall: 3,
  cpuMilliseconds: 25,
  check: { ok: true, detail: '8 numbers equal' },
  output: new Uint32Array(8),
};
const wrong: KernelRun = { ...right, kernel: 'subtract', check: { ok: false, detail: '1 of 8 differ' } };

describe('terminal', () => {
  it('prints a table with aligned columns, findings and pictures', () => {
    const { text, output } = record(false);
    createTerminal(output).result({ runs: [right, wrong], findings: ['y = 2 x'], pictures: ['out/a.png'] });
    expect(text()).toMatchInlineSnapshot(`
      "
        kernel     device  JavaScript   ratio  check
        add       2.00 ms     25.0 ms  12.5 x  ✓ 8 numbers equal
        subtract  2.00 ms     25.0 ms  12.5 x  ✗ 1 of 8 differ
        y = 2 x
        written out/a.png
      "
    `);
  });

  it('overwrites its progress on a terminal and leaves nothing of it behind', () => {
    const { text, output } = record(true);
    const terminal = createTerminal(output);
    terminal.progress(0.5, 'reference');
    terminal.line('done');
    const bar = '  ##########..........  50 %  reference';
    expect(text()).toBe(`${bar}\r${' '.repeat(bar.length)}\rdone\n`);
  });

  it('has no progress in a log', () => {
    const { text, output } = record(false);
    createTerminal(output).progress(0.5, 'reference');
    expect(text()).toBe('');
  });

  it('cuts progress that would not fit on the line', () => {
    const { text, output } = record(true);
    createTerminal(output).progress(0, 'x'.repeat(200));
    expect(text()).toHaveLength(59);
  });
});
