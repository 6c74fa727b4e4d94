import { expect, it } from 'vitest';
import { KeptOutput } from '../../playground/src/run/kept-output.ts';

it('keeps what a program has written, and of very much the last lines', () => {
  const output = new KeptOutput();
  expect(output.look()).toEqual({ text: '', linesLeftOut: 0 });
  output.add('a\nb');
  output.add('c');
  expect(output.look()).toEqual({ text: 'a\nbc', linesLeftOut: 0 });

  const many = new KeptOutput();
  const lines = Array.from({ length: 100_000 }, (_, at) => `line ${at}\n`);
  for (const line of lines) many.add(line);
  const { text, linesLeftOut } = many.look();
  // 2^18 characters are kept, and the lines are 11 long in the end.
  expect(text.length).toBeGreaterThan((1 << 18) - 11);
  expect(text.length).toBeLessThanOrEqual(1 << 18);
  expect(text).toBe(lines.slice(linesLeftOut).join(''));
});

it('cuts a line that is longer than all that is kept', () => {
  const output = new KeptOutput();
  output.add(`first\n${'x'.repeat(1 << 20)}`);
  expect(output.look()).toEqual({ text: 'x'.repeat(1 << 18), linesLeftOut: 1 });
  output.add('\n');
  expect(output.look()).toEqual({ text: `${'x'.repeat((1 << 18) - 1)}\n`, linesLeftOut: 1 });
});
