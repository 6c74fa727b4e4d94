/**
 * IL programs damaged in every way: each is refused with diagnostics that point into the text, or is a program whose
 * printed form reads as the same tree, and that becomes sound IR or is refused then. MILLRACE_MUTATIONS says how many are tried.
 */
import { describe, expect, it } from 'vitest';
import { lowerIl } from '../../src/il/lower/lower.ts';
import { printIl } from '../../src/il/print.ts';
import { readIl } from '../../src/il/read.ts';
import { verifyModule } from '../../src/ir/verify.ts';
import { Diagnostics } from '../../src/source/diagnostics.ts';
import { SourceFile } from '../../src/source/source-file.ts';
import { called, reversed, scaledSum } from '../il/programs.ts';
import { shapeOf } from '../il/read-text.ts';
import { Random } from '../support/random.ts';
import { mutate } from './mutate.ts';

const count = Number(process.env['MILLRACE_MUTATIONS'] ?? 4000);
const originals = [scaledSum, called, reversed];

function read(text: string) {
  const diagnostics = new Diagnostics();
  const program = readIl(new SourceFile('mutated.il', text), diagnostics);
  return { program, diagnostics };
}

describe('damaged IL', () => {
  it('is refused with a place, or reads and prints', { timeout: 3_600_000 }, () => {
    const random = new Random(7);
    let accepted = 0;
    for (let round = 0; round < count; round += 1) {
      const text = mutate(random.pick(originals), originals, random);
      const { program, diagnostics } = read(text);
      for (const { span } of diagnostics.list) {
        const isInside = span.start >= 0 && span.start <= span.end && span.end <= text.length;
        expect(isInside, text).toBe(true);
      }
      expect(program === undefined, text).toBe(diagnostics.errorCount > 0);
      if (program === undefined) continue;
      accepted += 1;
      const again = read(printIl(program));
      expect(again.diagnostics.errorCount, text).toBe(0);
      expect(again.program && shapeOf(again.program), text).toEqual(shapeOf(program));
      if (accepted % 4 !== 0) continue;
      const lowered = lowerIl(program, diagnostics);
      expect(lowered === undefined, text).toBe(diagnostics.errorCount > 0);
      if (lowered) expect(verifyModule(lowered.module, 1), text).toEqual([]);
    }
    expect(accepted).toBeGreaterThan(count / 50);
    expect(accepted).toBeLessThan(count / 2);
  });

  it.each([
    ['if_logicalnz r0.x', 'endif'],
    ['whileloop', 'endloop'],
    ['switch r0.x\ncase 1', 'break\nendswitch'],
  ])('that nests %s too deeply is refused where it does', (open, close) => {
    const nested = (depth: number): string =>
      `il_ps_2_0\n${`${open}\n`.repeat(depth)}${`${close}\n`.repeat(depth)}end\n`;
    const { program, diagnostics } = read(nested(190));
    const lowered = program && lowerIl(program, diagnostics);
    expect(diagnostics.list.map(({ message }) => message)).toEqual([]);
    expect(lowered).toBeDefined();
    const deep = read(nested(20_000)).diagnostics.list;
    expect(deep.map(({ message }) => message)).toEqual(['blocks stand more than 200 deep']);
    expect(deep[0]!.span.start).toBe('il_ps_2_0\n'.length + 200 * (open.length + 1));
  });

  it('of great length ends with few messages', () => {
    const many = 20_000;
    for (const part of [
      '_sat',
      'ifnz r0.x ',
      '[x0',
      '(',
      'mov r0, r1 ',
      'endif ',
      'r1_neg',
      '1',
      ';',
      '\n',
      'break ',
    ]) {
      for (const before of ['mov r0, x0', 'whileloop ', 'mov']) {
        const { diagnostics } = read(`il_ps_2_0\n${before}${part.repeat(many)}`);
        expect(diagnostics.errorCount, part).toBeGreaterThan(0);
        expect(diagnostics.list.length, part).toBeLessThan(30);
        expect(Math.max(...diagnostics.list.map(({ message }) => message.length)), part).toBeLessThan(300);
      }
    }
  });
});
