/** millrace/mpi on four ranks, under each engine of this machine. What ranks check they check themselves, and end the job if it is wrong. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { hasCxx } from '../support/cxx.ts';
import { engines, hosted, mpirun, program, skipped } from '../support/mpi.ts';

const lines = (ranks: number): string[] =>
  Array.from({ length: ranks }, (_, rank) => `rank ${rank} of ${ranks}: well`);

let made: string | undefined;

/** Where ranks write down which process they are. */
function folder(): string {
  made ??= mkdtempSync(join(tmpdir(), 'millrace-mpi-'));
  return made;
}

afterAll(() => {
  if (made) rmSync(made, { recursive: true });
});

describe(`millrace/mpi${skipped}`, () => {
  it.skipIf(engines.length > 0)('is skipped: install Open MPI or MPICH, and koffi', () => undefined);

  describe.each(engines)('on $name', (engine) => {
    it.each(['point-to-point.mjs', 'collectives.mjs', 'structure.mjs', 'cluster.mjs', 'cluster-samples.mjs'])(
      '%s: four ranks find what they should',
      { timeout: 600_000 },
      async (name) => {
        const { code, stdout, stderr } = await mpirun(engine, 4, program(name));
        expect(stderr).toBe('');
        expect(stdout.trim().split('\n').sort()).toEqual(lines(4));
        expect(code).toBe(0);
      },
    );

    it('a program in C with mpi.h finds what it should', { timeout: 600_000 }, async () => {
      const { code, stdout, stderr } = await mpirun(engine, 4, hosted('program.c', 'word'));
      expect(stderr).toBe('');
      expect(stdout.trim().split('\n').sort()).toEqual(lines(4));
      expect(code).toBe(0);
    });

    it.skipIf(!hasCxx)('a program in C++ does, too', { timeout: 600_000 }, async () => {
      const { code, stdout, stderr } = await mpirun(engine, 3, hosted('program.cpp'));
      expect(stderr).toBe('');
      // Squares of 1 to 300, each rank a third of them.
      expect(stdout).toBe('9045050\n');
      expect(code).toBe(0);
    });

    it('an error that a program in C does not ask for ends the job', { timeout: 600_000 }, async () => {
      const { code, stdout, stderr } = await mpirun(engine, 3, hosted('fatal.c'));
      expect(code).not.toBe(0);
      expect(stdout + stderr).toMatch(/invalid rank|MPI_ERR_RANK/i);
      expect(stdout).not.toContain('after it');
    });

    it('any number of ranks, one of them included', { timeout: 600_000 }, async () => {
      for (const ranks of [1, 3]) {
        const { code, stdout } = await mpirun(engine, ranks, program('collectives.mjs'));
        expect(stdout.trim().split('\n').sort()).toEqual(lines(ranks));
        expect(code).toBe(0);
      }
    });

    it.each([
      ['throw', /RangeError: rank 2 cannot go on/],
      ['reject', /RangeError: rank 2 cannot go on/],
      ['exit', /MPI rank 2 ends the job with exit code 7/],
      ['abort', /MPI rank 2 ends the job with exit code 9/],
      ['kill', /signal 9|Killed/i],
    ] as const)('a rank that ends by %s ends the job, in words', { timeout: 600_000 }, async (way, words) => {
      const { code, stdout, stderr } = await mpirun(engine, 4, [...program('failing.mjs'), way, folder()]);
      expect(code).not.toBe(0);
      expect(stdout + stderr).toMatch(words);
      // Nobody is left behind.
      for (const rank of [0, 1, 2, 3])
        await ended(Number(readFileSync(join(folder(), String(rank)), 'utf8')));
    });

    it('words that nobody has read yet keep a rank from ending its job', { timeout: 60_000 }, () => {
      // The shell's pipe holds them: Node's own would be a socket. The reader must not find the number of the engine's before.
      const reader =
        '{ until [ -s pid ]; do sleep 0.1; done; sleep 1; kill -0 "$(cat pid)" && echo lives; cat; }';
      rmSync(join(folder(), 'pid'), { force: true });
      const { stdout } = spawnSync(
        'sh',
        ['-c', `"$0" "$1" 2>&1 >pid | ${reader}`, ...program('last-words.mjs')],
        {
          cwd: folder(),
          encoding: 'utf8',
          env: { ...process.env, MILLRACE_MPI: engine.name === 'MPICH' ? 'mpich' : 'openmpi' },
        },
      );
      expect(stdout).toMatch(/^lives\nMPI rank 0 ends the job with exit code 9\n/);
    });

    it('a program that ends well without MPI_Finalize ends well', { timeout: 600_000 }, async () => {
      const { code, stderr } = await mpirun(engine, 4, [...program('failing.mjs'), 'end', folder()]);
      expect(stderr).toBe('');
      expect(code).toBe(0);
    });
  });
});

/** Waits for a process to be gone; the test's own limit ends it if it stays. */
async function ended(id: number): Promise<void> {
  for (;;) {
    try {
      process.kill(id, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
