/**
 * The MPI engines of this machine, for tests: each with the mpirun that starts its ranks. Debian has both next to each other, as
 * mpirun.openmpi and mpirun.mpich. Tests say so where they were skipped.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

export interface Engine {
  readonly name: 'Open MPI' | 'MPICH';
  readonly command: string;
  /** Compiles C programs against it; may not be there. */
  readonly compiler: string;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What both print of themselves. */
function found(command: string, words: RegExp): boolean {
  const { status, stdout } = spawnSync(command, ['--version'], { encoding: 'utf8' });
  return status === 0 && words.test(stdout);
}

function hasKoffi(): boolean {
  try {
    createRequire(import.meta.url)('koffi');
    return true;
  } catch {
    return false;
  }
}

const openMpi = ['mpirun.openmpi', 'mpirun'].find((command) => found(command, /Open MPI|OpenRTE/));
const mpich = ['mpirun.mpich', 'mpirun'].find((command) => found(command, /HYDRA|MPICH/));

/** Those that can be called here. */
export const engines: readonly Engine[] = hasKoffi()
  ? [
      ...(openMpi ? [{ name: 'Open MPI', command: openMpi, compiler: 'mpicc.openmpi' } as const] : []),
      ...(mpich ? [{ name: 'MPICH', command: mpich, compiler: 'mpicc.mpich' } as const] : []),
    ]
  : [];

/** Each engine's name, for the names of tests, and what to do when there is none. */
export const skipped = engines.length === 0 ? ' (SKIPPED: there is no MPI, or no koffi)' : '';

/** Starts so many ranks of a program, and gives what they have printed. Standard input is empty. */
export function mpirun(
  { name, command }: Engine,
  ranks: number,
  program: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  // Test machines have fewer cores than ranks, and containers have root alone.
  const options = name === 'Open MPI' ? ['--allow-run-as-root', '--oversubscribe'] : [];
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...options, '-n', String(ranks), ...program], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // Ranks that share a core are not to keep it while they wait.
      env: { ...process.env, OMPI_MCA_mpi_yield_when_idle: '1', ...env },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', reject);
    // Open MPI tells of being stopped and going on, which who shares the machine may do to it.
    const told = /^.*Forwarding signal \d+ to job\n/gm;
    child.on('close', (code) => resolve({ code, stdout, stderr: stderr.replace(told, '') }));
  });
}

/** A program of a test, by its name in test/mpi/programs. */
export const program = (name: string): string[] => [process.execPath, fileOf(name)];

/** One in C or C++, which `millrace run` compiles. */
export function hosted(name: string, ...args: string[]): string[] {
  const command = new URL('../../dist/millrace.js', import.meta.url).pathname;
  return [process.execPath, command, 'run', fileOf(name), ...args];
}

function fileOf(name: string): string {
  const file = new URL(`../mpi/programs/${name}`, import.meta.url).pathname;
  if (!existsSync(file)) throw new Error(`there is no ${file}`);
  return file;
}
