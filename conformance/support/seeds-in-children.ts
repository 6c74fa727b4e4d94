/**
 * Inputs by their seeds, tried in child processes: one may hang, or take all memory. The parent (`runSeeds`) replaces a child that takes too
 * long over an input or ends, and counts what the inputs came to; the child's file calls `serveSeeds`.
 */
import { type ChildProcess, fork } from 'node:child_process';

/** What a child says. */
type Message =
  /** How many originals there are to damage. */
  | { readonly what: 'ready'; readonly originals: number }
  | { readonly what: 'fate'; readonly seed: number; readonly fate: string; readonly milliseconds: number }
  | { readonly what: 'failed'; readonly seed: number; readonly name: string; readonly error: string };

/** What an input came to, `refused` for instance, and what it is called in a report; both may be found out late. */
export interface Trial {
  name: string;
  run(): string | Promise<string>;
}

/** The child's part: makes and runs the input of each seed that it is sent. An error that is thrown is a finding. */
export function serveSeeds(originals: number, trialOf: (seed: number) => Trial): void {
  if (!process.send) throw new Error('this is a part of a campaign, and nothing by itself');
  const say = (message: Message): void => void process.send!(message);
  const runAll = async (seeds: readonly number[]): Promise<void> => {
    for (const seed of seeds) {
      const start = performance.now();
      let name = 'the damage itself';
      try {
        const trial = trialOf(seed);
        ({ name } = trial);
        const fate = await trial.run();
        say({ what: 'fate', seed, fate, milliseconds: performance.now() - start });
      } catch (error) {
        say({ what: 'failed', seed, name, error: (error as Error).stack ?? String(error) });
      }
    }
  };
  process.on('message', (seeds: readonly number[]) => void runAll(seeds));
  // The parent is gone.
  process.on('disconnect', () => process.exit());
  say({ what: 'ready', originals });
}

export interface SeedsOptions {
  readonly count: number;
  /** The first; the others follow. */
  readonly seed: number;
  readonly threads: number;
  /** Seconds that one input may take. */
  readonly timeout: number;
  /** After so many seconds no other input is begun. */
  readonly seconds: number;
  /** The file that children run, which calls `serveSeeds`, and what it is given as arguments. */
  readonly program: string;
  readonly args?: readonly string[];
  /** Is called now and then. */
  progress?(sofar: SeedsResult): void;
  failure(seed: number, text: string): void;
  /** Says more of an input that took its process down, or did not end. */
  lost?(seed: number): Promise<string>;
}

export interface SeedsResult {
  readonly originals: number;
  readonly fates: ReadonlyMap<string, number>;
  readonly failed: number;
  /** The input that took longest. */
  readonly slowest: { readonly seed: number; readonly milliseconds: number };
}

/** Seconds in which a child must have started and made what it damages, on a machine with much else to do. */
const startSeconds = 300;

/** Megabytes of JavaScript that a child may use: what one input takes must be in proportion. */
const childMegabytes = 1024;
/** How many seeds a child is sent at a time, at most; and in how many milliseconds it should be back for more, or a part of slow inputs would go on for long. */
const mostSeeds = 50;
const batchTime = 2000;

/** @throws Error if a child does not even start */
export async function runSeeds(options: SeedsOptions): Promise<SeedsResult> {
  const { seed, count, threads, timeout, seconds, program, args = [], failure } = options;
  const end = performance.now() + seconds * 1000;
  const fates = new Map<string, number>();
  let originals = 0;
  let failed = 0;
  let slowest = { seed: 0, milliseconds: 0 };
  let next = seed;
  const fail = (which: number, text: string): void => {
    failed += 1;
    failure(which, text);
  };

  const work = async (): Promise<void> => {
    let left: number[] = [];
    let batch = 1;
    let begun = 0;
    while (await runChild()) {}

    /** Whether another child is to go on. */
    function runChild(): Promise<boolean> {
      const child: ChildProcess = fork(program, [...args], {
        execArgv: [`--max-old-space-size=${childMegabytes}`],
      });
      let alarm: NodeJS.Timeout | undefined;
      let isLate = false;
      let isReady = false;
      const watch = (most = timeout): void => {
        clearTimeout(alarm);
        alarm = setTimeout(() => {
          isLate = true;
          child.kill('SIGKILL');
        }, most * 1000);
      };
      const begin = (): void => {
        const now = performance.now();
        if (left.length === 0 && now < end) {
          if (begun > 0)
            batch = now - begun < batchTime / 2 ? Math.min(2 * batch, mostSeeds) : Math.ceil(batch / 2);
          begun = now;
          while (left.length < batch && next < seed + count) left.push(next++);
        }
        if (left.length === 0) child.kill('SIGKILL');
        // Should it be gone by now, its end says so.
        else child.send(left, () => {});
        watch();
      };
      child.on('message', (message: Message) => {
        watch();
        if (message.what === 'ready') {
          isReady = true;
          ({ originals } = message);
          begin();
          return;
        }
        left = left.filter((one) => one !== message.seed);
        if (message.what === 'failed') fail(message.seed, `${message.name}: ${message.error}`);
        else {
          fates.set(message.fate, (fates.get(message.fate) ?? 0) + 1);
          if (message.milliseconds > slowest.milliseconds)
            slowest = { seed: message.seed, milliseconds: message.milliseconds };
        }
        options.progress?.({ originals, fates, failed, slowest });
        if (left.length === 0) begin();
      });
      watch(Math.max(timeout, startSeconds));
      return new Promise((resolve, reject) => {
        child.on('error', reject);
        child.on('exit', (code, signal) => {
          clearTimeout(alarm);
          if (!isReady) {
            reject(new Error(`${program} does not start: it ended with ${signal ?? code}`));
            return;
          }
          const lost = left.shift();
          if (lost === undefined) {
            resolve(false);
            return;
          }
          const how = isLate
            ? `it takes longer than ${timeout} seconds`
            : `its process ended with ${signal ?? code}`;
          const more = options.lost ? options.lost(lost).then((text) => `${how}\n${text}`) : how;
          void Promise.resolve(more).then((text) => {
            fail(lost, text);
            resolve(true);
          }, reject);
        });
      });
    }
  };
  await Promise.all(Array.from({ length: threads }, work));
  return { originals, fates, failed, slowest };
}
