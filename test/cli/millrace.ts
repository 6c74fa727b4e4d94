/** Starts the built command as a user does. `npm test` builds it first. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { PATH } = process.env;
/** What a command finds: no colours, and no builds of other runs. */
export const environment = { PATH, NO_COLOR: '1', MILLRACE_CACHE: '0' };
/** The built command. */
export const command = fileURLToPath(new URL('../../dist/millrace.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  /** Resolves when it has written something to standard output, or can no more. */
  readonly printed: Promise<void>;
  readonly ended: Promise<Ended>;
  kill(signal: NodeJS.Signals): void;
  /** Lets the reader of the command's output go away. */
  closeOutput(): void;
}

/** Starts `millrace` in a folder. No colours unless `env` says so. */
export function start(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Running {
  const child = spawn(process.execPath, [command, ...args], {
    cwd: folder,
    env: { ...environment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return {
    printed: new Promise((resolve) => {
      for (const event of ['data', 'close']) child.stdout.once(event, () => resolve());
    }),
    ended: new Promise((resolve) => {
      child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
    }),
    kill: (signal) => child.kill(signal),
    closeOutput: () => child.stdout.destroy(),
  };
}

/** A new folder with files. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-cli-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}
