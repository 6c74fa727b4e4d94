/** A runner that is given a folder that is missing says so in one message. Needs the built dist/. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const runners = ['piglit', 'il', 'accept', 'webcl', 'cts', 'brook', 'oclgrind', 'gpuverify'];

test.each(runners)(
  '%s',
  (runner) => {
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      ['dist/conformance/run.js', runner, '/nowhere/missing'],
      { encoding: 'utf8' },
    );
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(/'\/nowhere\/missing' is invalid.*no such file or folder/i);
  },
  120_000,
);
