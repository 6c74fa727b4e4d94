/** Diagnostics stay short, however long names and lines are and however often a warning repeats itself. */
import { describe, expect, it } from 'vitest';
import { compileBrook } from '../../src/brook/compile.ts';
import { openclDialect } from '../../src/opencl/dialect/index.ts';
import { Diagnostics } from '../../src/source/diagnostics.ts';
import { renderDiagnostics } from '../../src/source/render.ts';
import { noSpan } from '../../src/source/span.ts';
import { diagnose } from '../c/diagnose.ts';
import { logOf } from '../il/read-text.ts';

const long = 'x'.repeat(1_000_000);

describe('a warning that repeats itself', () => {
  const diagnostics = new Diagnostics();
  for (let index = 0; index < 100_000; index += 1) diagnostics.warning(noSpan, 'unknown', `number ${index}`);
  diagnostics.warning(noSpan, 'other', 'another');

  it('is kept a hundred times, and the rest is counted', () => {
    const { list } = diagnostics;
    expect(list).toHaveLength(102);
    expect(list[99]?.message).toBe('number 99');
    expect(list[100]).toMatchObject({
      severity: 'note',
      message: '99900 more warnings of -Wunknown from here on left out',
    });
    expect(list[101]?.message).toBe('another');
    expect(diagnostics.warningCount).toBe(100_001);
  });

  it('makes a short log', () => {
    expect(renderDiagnostics(diagnostics.list).length).toBeLessThan(20_000);
  });

  it('as unknown attributes do', () => {
    const source = `${'__attribute__((frobnicate)) '.repeat(1000)}kernel void k(void) {}`;
    const said = diagnose(source, openclDialect());
    expect(said).toHaveLength(101);
    expect(said[100]).toContain('900 more warnings of -Wunknown-attributes');
  });
});

describe('a name of a million characters', () => {
  it.each([
    ['a type', `${long} y;`],
    ['a value', `int f(void) { return ${long}; }`],
    ['a function', `int f(void) { return ${long}(); }`],
    ['an attribute', `__attribute__((${long})) int f(void);`],
    ['a text', `#error ${long} ${long}\n`],
    ['a file', `#line 7 "${long}"\nint f(void) { return missing; }`],
    ['a macro', `#define ${long} missing\nint f(void) { return ${long}; }`],
  ])('%s, in OpenCL C', (_, source) => {
    const said = diagnose(source, openclDialect());
    expect(said.length).toBeGreaterThan(0);
    expect(Math.max(...said.map((line) => line.length))).toBeLessThan(2200);
  });

  it('in Brook+', () => {
    const { log } = compileBrook('k.br', `kernel void f(float a<>, out float b<>) { b = ${long}; }`, {
      kernelsOnly: true,
    });
    expect(log).toContain('xxx... not defined');
    expect(log.length).toBeLessThan(1000);
    // The caret stands below the name, in what is shown of the line.
    const [, statement, caret] = log.split('\n');
    expect(statement?.charAt((caret ?? '').indexOf('^'))).toBe('x');
  });

  it('in AMD IL', () => {
    expect(logOf(`il_ps_2_0\n${long} r0\nend\n`).length).toBeLessThan(1000);
  });
});
