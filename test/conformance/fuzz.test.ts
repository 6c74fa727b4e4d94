/** `npm run fuzz`: that no kernel is lost, whatever becomes of the process that it runs in, and that one that fails is made small. */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { type FuzzOptions, runFuzz } from '../../conformance/fuzz/fuzz.ts';
import { type FuzzCase, failureReport } from '../../conformance/fuzz/fuzz-case.ts';
import { failed, passed } from '../../conformance/fuzz/verdict.ts';
import { generateKernel } from '../../conformance/generator/generate.ts';

const child = fileURLToPath(new URL('./fuzz-child.mjs', import.meta.url));

function fuzz(changes: Partial<FuzzOptions>) {
  return runFuzz({
    kinds: ['small'],
    seed: 1,
    count: 8,
    threads: 2,
    timeout: 5,
    isShrunk: true,
    program: child,
    ...changes,
  });
}

it('counts what passes and names every seed that fails, hangs or crashes', async () => {
  const { kinds, failures } = await fuzz({ count: 6 });
  expect(kinds).toEqual([{ kind: 'small', seed: 1, passed: 1, failed: 4, skipped: 1 }]);
  const found = [...failures].sort((a, b) => a.seed - b.seed).map(({ seed, reason }) => [seed, reason]);
  expect(found).toEqual([
    [2, 'argument 0 differs'],
    [4, 'it takes longer than 5 seconds'],
    [5, 'its process ended with SIGSEGV'],
    [6, 'its process ended with 3'],
  ]);
  expect(failures.find(({ seed }) => seed === 2)?.report).toBe('the report');
});

it('shares kernels out among kinds, each with seeds without a gap, and begins none after its time', async () => {
  const { kinds } = await fuzz({ kinds: ['large', 'idioms'], count: 4 });
  expect(kinds).toEqual([
    { kind: 'idioms', seed: 1, passed: 1, failed: 1, skipped: 1 },
    { kind: 'large', seed: 1, passed: 1, failed: 0, skipped: 0 },
  ]);
  const { kinds: none } = await fuzz({ seconds: 0 });
  expect(none[0]).toMatchObject({ passed: 0, failed: 0, skipped: 0 });
});

it('complains if children do not start', async () => {
  await expect(fuzz({ program: 'there/is/none.mjs' })).rejects.toThrow('does not start');
});

it('a report has the seed, the launch and the kernel made small', async () => {
  const generated = generateKernel(11, { size: 'small' });
  const made: FuzzCase = {
    kind: 'small',
    seed: 11,
    source: generated.source,
    program: generated.program,
    launch: 'the launch',
    check: (source) =>
      source.includes('kernel void') ? failed(`argument 0 differs at ${source.length}`) : passed,
  };
  const whole = await failureReport(made, 'argument 0 differs at 1', { shrinking: 0 });
  expect(whole).toBe(
    `small, seed 11: argument 0 differs at 1\nlaunched with the launch\n${generated.source}`,
  );
  const small = await failureReport(made, 'argument 0 differs at 1');
  expect(small).toContain('kernel void');
  expect(small.length).toBeLessThan(whole.length / 2);
});
