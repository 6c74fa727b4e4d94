import { describe, expect, it } from 'vitest';
import { Diagnostics, tooManyErrors } from '../../src/source/diagnostics.ts';
import { noSpan } from '../../src/source/span.ts';

describe('Diagnostics', () => {
  it('keeps reports in order and counts them', () => {
    const diagnostics = new Diagnostics();
    diagnostics.warning(noSpan, 'unused', 'a');
    diagnostics.error(noSpan, 'b', [{ message: 'c', span: noSpan }]);
    diagnostics.note(noSpan, 'd');
    expect(diagnostics.list.map(({ severity, message }) => `${severity} ${message}`)).toEqual([
      'warning a',
      'error b',
      'note d',
    ]);
    expect(diagnostics.list[0]?.option).toBe('unused');
    expect(diagnostics.list[1]?.notes).toEqual([{ message: 'c', span: noSpan }]);
    expect([diagnostics.errorCount, diagnostics.warningCount]).toEqual([1, 1]);
  });

  it('makes warnings errors for -Werror', () => {
    const diagnostics = new Diagnostics({ warningsAreErrors: true });
    diagnostics.warning(noSpan, 'unused', 'a');
    expect(diagnostics.list).toEqual([
      { severity: 'error', message: 'a', span: noSpan, notes: [], option: 'unused' },
    ]);
    expect([diagnostics.errorCount, diagnostics.warningCount]).toEqual([1, 0]);
  });

  it('drops warnings for -w, -Werror or not', () => {
    const diagnostics = new Diagnostics({ suppressWarnings: true, warningsAreErrors: true });
    diagnostics.warning(noSpan, 'unused', 'a');
    expect(diagnostics.list).toEqual([]);
  });

  it('stops at the error limit and says so once', () => {
    const diagnostics = new Diagnostics({ errorLimit: 2 });
    for (const message of ['a', 'b']) diagnostics.error(noSpan, message);
    expect(diagnostics.isFull).toBe(false);
    for (const message of ['c', 'd']) diagnostics.error(noSpan, message);
    diagnostics.warning(noSpan, 'unused', 'e');
    expect(diagnostics.isFull).toBe(true);
    expect(diagnostics.list.map(({ message }) => message)).toEqual(['a', 'b', tooManyErrors]);
    expect([diagnostics.errorCount, diagnostics.warningCount]).toEqual([2, 0]);
  });

  it('has a limit of 20 errors unless told, and none for 0', () => {
    const limited = new Diagnostics();
    const unlimited = new Diagnostics({ errorLimit: 0 });
    for (let count = 0; count < 50; count += 1) {
      limited.error(noSpan, 'a');
      unlimited.error(noSpan, 'a');
    }
    expect(limited.list.length).toBe(21);
    expect(unlimited.list.length).toBe(50);
  });
});
