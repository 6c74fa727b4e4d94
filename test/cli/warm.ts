/**
 * The built command as {@link start} starts it, but many commands one after another in one process: a new one takes a second of processor
 * time until it has read and compiled itself. It is for what a command prints and gives back; whether a process ends, and by what, is
 * seen with one of its own.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Ended, environment } from './millrace.ts';

const program = fileURLToPath(new URL('warm.mjs', import.meta.url));

export class WarmCommand {
  readonly #folder: string;
  #child: ChildProcess | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** Commands will run in a folder, without colours. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Runs `millrace` with arguments when the commands before have ended. */
  run(...args: string[]): Promise<Ended> {
    const ended = this.#last.then(() => this.#ask(args));
    this.#last = ended.catch(() => {});
    return ended;
  }

  close(): void {
    this.#child?.kill();
  }

  #ask(args: readonly string[]): Promise<Ended> {
    this.#child ??= fork(program, {
      cwd: this.#folder,
      execArgv: [],
      env: environment,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const child = this.#child;
    return new Promise((resolve, reject) => {
      const end = (code: number | null, signal: string | null) =>
        reject(new Error(`millrace ${args.join(' ')} ended its process: ${code ?? signal}`));
      child.once('exit', end);
      child.once('message', (answer) => {
        child.off('exit', end);
        const { error, ...ended } = answer as Omit<Ended, 'signal'> & { error?: string };
        if (error === undefined) resolve({ ...ended, signal: null });
        else reject(new Error(`millrace ${args.join(' ')} threw: ${error}`));
      });
      child.send(args);
    });
  }
}
