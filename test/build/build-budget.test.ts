/**
 * The budget of a build as users set it: in JavaScript, as a build option, on the command line. What is over it is one error that says
 * what was too much, where, and of which option it is.
 */
import { compile, devices } from 'millrace';
import { CL, createContext } from 'millrace/opencl';
import { describe, expect, it } from 'vitest';
import { folderWith, start } from '../cli/millrace.ts';

const statements = 3000;
/** On the third line the first of many statements. */
const source = `kernel void long_one(global int *p) {
  int x = get_global_id(0);
${Array.from({ length: statements }, (_, index) => `  x = x * ${index * 7 + 3} + (x >> ${index % 31});`).join('\n')}
  p[0] = x;
}
`;
/** What the kernel makes of work-item 0: nothing but zeros. */
const result = 0;

/** In units, with what is too much for each of them, and the place where that is found. */
const cases = [
  // A token costs ten: the 22nd is too much, which is the first `*` of the third line.
  { budget: 210, what: 'the source', place: '3:9' },
  { budget: 100_000, what: 'the source', place: '\\d+:\\d+' },
  { budget: 600_000, what: "'long_one' \\(\\d+ instructions when its calls are inlined\\)", place: '1:13' },
  { budget: 1_000_000, what: "'long_one' \\(code for \\d+ instructions\\)", place: '1:13' },
] as const;

function expected({ budget, what, place }: (typeof cases)[number]): RegExp {
  return new RegExp(
    `^long\\.cl:${place}: error: ${what} takes more work than a build may be: ${budget} units \\(-millrace-budget\\)$`,
    'm',
  );
}

function expectOneError(log: string, one: (typeof cases)[number]): void {
  expect(log).toMatch(expected(one));
  expect(log.match(/error: /g)).toHaveLength(1);
  // The line itself, with a caret.
  expect(log).toMatch(/^ *\^/m);
}

const wasm = devices().find(({ id }) => id === 'wasm')!;

describe.each(cases)('a budget of $budget units', (one) => {
  const { budget } = one;

  it('in JavaScript', async () => {
    let log = '';
    try {
      await compile(source, { device: wasm, name: 'long.cl', budget });
    } catch (error) {
      log = (error as Error).message;
    }
    expectOneError(log, one);
  });

  it('as a build option', () => {
    const context = createContext();
    const [device] = context.devices;
    const program = context.createProgram(source);
    expect(() => program.build(null, `-millrace-budget=${budget}`)).toThrow(
      expect.objectContaining({ name: 'CL_BUILD_PROGRAM_FAILURE', code: -11 }),
    );
    const log = program.getBuildInfo(device!, CL.PROGRAM_BUILD_LOG) as string;
    expect(log).toMatch(new RegExp(`:\\d+:\\d+: error: ${one.what} takes more work than a build may be`));
    context.release();
  });

  it('on the command line', async () => {
    const { code, stdout, stderr } = await start(folderWith({ 'long.cl': source }), [
      ...['compile', 'long.cl', '--emit', 'wat', '--budget', `${budget}`],
    ]).ended;
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expectOneError(stderr, one);
  });
});

describe('a budget that is enough', () => {
  it('changes no result', async () => {
    for (const budget of [2_000_000, undefined]) {
      const program = await compile(source, { device: wasm, ...(budget ? { budget } : {}) });
      const buffer = Int32Array.of(7);
      await program.kernel('long_one')({ global: [1] }, buffer);
      expect(buffer[0]).toBe(result);
      program.release();
    }
  });
});

describe('what is no budget', () => {
  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('in JavaScript: %s', async (budget) => {
    await expect(compile(source, { budget })).rejects.toMatchObject({ code: -30 });
  });

  it.each(['0', '-1', '1.5', 'many'])('on the command line: %s', async (budget) => {
    const folder = folderWith({ 'a.cl': 'kernel void f(global int *p) { p[0] = 1; }' });
    const { code, stderr } = await start(folder, ['compile', 'a.cl', `--budget=${budget}`]).ended;
    expect(code).toBe(2);
    expect(stderr).toContain(`--budget ${budget}: write a whole number of units above 0`);
  });
});
