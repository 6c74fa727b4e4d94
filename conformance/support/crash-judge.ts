/**
 * Tells what takes a process down, or does not end: each trial runs in a process of its own kind, which is used again as long as it lives. The
 * process says `{ hello }` when it can be asked, and anything at all when a trial is over.
 */
import { type ChildProcess, fork } from 'node:child_process';

/** Milliseconds for a process to start, on a machine with much else to do. */
const longestStart = 120_000;

export class CrashJudge<Trial extends object, Hello> {
  readonly #program: string;
  readonly #seconds: number;
  #child: ChildProcess | undefined;
  #hello: Hello | undefined;

  /** @param seconds after which a trial counts as one that does not end */
  constructor(program: string, seconds: number) {
    this.#program = program;
    this.#seconds = seconds;
  }

  /** What the process says of itself. @throws Error if it does not start */
  async hello(): Promise<Hello> {
    await this.#living();
    return this.#hello!;
  }

  /** How the process ends that runs it; undefined if it lives. What else a trial comes to is none of this. */
  async fate(trial: Trial): Promise<string | undefined> {
    const child = await this.#living();
    const answer = this.#next(child, this.#seconds * 1000);
    // Should it be gone by now, its end says so.
    child.send(trial, () => {});
    const { fate } = await answer;
    return fate;
  }

  close(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }

  async #living(): Promise<ChildProcess> {
    if (this.#child) return this.#child;
    const child = fork(this.#program, [], { serialization: 'advanced', stdio: 'ignore' });
    this.#child = child;
    const { fate, said } = await this.#next(child, longestStart);
    if (fate !== undefined) throw new Error(`${this.#program} does not start: ${fate}`);
    this.#hello = (said as { readonly hello: Hello }).hello;
    return child;
  }

  /** What a process says next, or how it ends. */
  #next(child: ChildProcess, milliseconds: number): Promise<{ fate?: string; said?: unknown }> {
    return new Promise((resolve, reject) => {
      let isLate = false;
      const alarm = setTimeout(() => {
        isLate = true;
        child.kill('SIGKILL');
      }, milliseconds);
      const over = (): void => {
        clearTimeout(alarm);
        child.removeAllListeners();
      };
      child.once('error', (error) => {
        over();
        reject(error);
      });
      child.once('message', (said) => {
        over();
        resolve({ said });
      });
      child.once('exit', (code, signal) => {
        over();
        if (this.#child === child) this.#child = undefined;
        const late = `it takes longer than ${milliseconds / 1000} seconds`;
        resolve({ fate: isLate ? late : `its process ended with ${signal ?? code}` });
      });
    });
  }
}
