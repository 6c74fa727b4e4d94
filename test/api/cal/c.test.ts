/**
 * CAL as programs in C see it: the programs of c/ count their checks, of which none may fail; compiled by Millrace, and by clang
 * where it is there.
 */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import * as cal from 'millrace/cal';
import { describe, expect, it } from 'vitest';
import { CHost } from '../../../src/api/c/index.ts';
import { CalHost, calFunctions } from '../../../src/api/cal/c/functions.ts';
import { start } from '../../cli/millrace.ts';
import { compileC, hasClang } from '../../support/clang.ts';

const programs = ['pointers', 'formats'];
const source = (name: string): string => resolve(`test/api/cal/c/${name}.c`);

async function run(args: readonly string[]): Promise<void> {
  const { code, stdout } = await start('.', ['run', ...args]).ended;
  expect(stdout).toMatch(/^\d+ passed, 0 failed\n$/);
  expect(code).toBe(0);
}

describe('programs in C', () => {
  it.each(programs)('%s, compiled by Millrace', { timeout: 30_000 }, (name) => run([source(name)]));

  it.skipIf(!hasClang).each(programs)('%s, compiled by clang', { timeout: 60_000 }, async (name) => {
    const out = join(mkdtempSync(join(tmpdir(), 'millrace-cal-')), `${name}.wasm`);
    compileC(source(name), out, ['-O1', '-Wall', '-Wextra', '-Werror', '-laticalrt', '-laticalcl', '-Llib']);
    await run([out]);
  });
});

describe('the headers', () => {
  const text = ['cal.h', 'calcl.h', 'cal_ext.h']
    .map((name) => readFileSync(resolve('include', name), 'utf8'))
    .join('');

  it('have the numbers of JavaScript', () => {
    const numbers = [...text.matchAll(/\b(CAL_[A-Z0-9_]+) = (0x[0-9a-f]+|\d+)/g)];
    const ofC = Object.fromEntries(numbers.map(([, name, value]) => [name, Number(value)]));
    const names = Object.entries(cal).filter(([name]) => name.startsWith('CAL_'));
    delete ofC['CAL_FALSE'];
    delete ofC['CAL_TRUE'];
    expect(ofC).toEqual(Object.fromEntries(names));
  });

  it('declare the functions that there are to import, and no others', () => {
    const declared = new Set(
      [...text.matchAll(/(?:CAL_FUNCTION\([\w *]+, |CAL_EXT_FUNCTION\(|CAL_IMPORT\()(cal\w+)\)/g)].map(
        ([, name]) => name,
      ),
    );
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    const host = new CHost({ memory, maximumPages: 1, table: () => undefined });
    const functions = calFunctions(
      new CalHost({ memory: host.memory, devices: () => [], chosen: undefined, callback: () => () => {} }),
    );
    expect([...declared].sort()).toEqual(Object.keys(functions).sort());
  });

  it('declare what JavaScript has', () => {
    const functions = Object.keys(cal).filter((name) => /^calc?l?[A-Z]/.test(name));
    const own = ['calChooseDevices', 'calDeviceName', 'calProgramInfo', 'calAwaitEvent', 'calAwaitMap'];
    const missing = functions.filter((name) => !own.includes(name) && !text.includes(`${name})`));
    expect(missing).toEqual([]);
    // Forty-nine of the guide's appendix and calcl.h, with those of later headers beside them.
    expect(functions.length - own.length).toBeGreaterThanOrEqual(49);
  });
});
