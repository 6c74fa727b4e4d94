/**
 * A soak: the API used at random for as long as one likes, in one process. Now and then, when nothing is under way, it looks at what the process
 * has (level.ts). Every sum must be right, every callback must come, and nothing may rise.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Random } from '../../test/support/random.ts';
import { risen, shownUse, type Use } from './level.ts';
import { type House, openHouse, rounds } from './rounds.ts';
import { Tally } from './tally.ts';

export interface SoakOptions {
  readonly seed: number;
  readonly seconds: number;
  /** Rounds between two looks. */
  readonly roundsPerLook?: number;
  /** Is told at every look. */
  readonly progress?: (done: SoakResult) => void;
  /** Is called in every round, for tests that leave something behind. */
  readonly besides?: (house: House) => void;
}

export interface SoakResult {
  readonly commands: number;
  readonly rounds: Readonly<Record<string, number>>;
  readonly callbacks: number;
  readonly looks: readonly Use[];
  readonly problems: readonly string[];
}

/** Looks that are kept; when there are more, every second goes. */
const mostLooks = 600;

export async function runSoak(options: SoakOptions): Promise<SoakResult> {
  const { seed, seconds, roundsPerLook = 400, progress, besides } = options;
  const random = new Random(seed);
  const tally = new Tally();
  const house = openHouse(tally);
  const order = rounds.flatMap((entry) => Array.from({ length: entry[1] }, () => entry));
  const begun = performance.now();
  const passed = (): number => (performance.now() - begun) / 1000;
  let looks: Use[] = [];
  const result = (problems: readonly string[]): SoakResult => ({
    commands: tally.commands,
    rounds: Object.fromEntries(tally.rounds),
    callbacks: tally.called,
    looks,
    problems,
  });
  let round = 0;
  let name = '';
  try {
    while (passed() < seconds) {
      const entry = random.pick(order);
      [name] = entry;
      await entry[2](house, random);
      tally.round(name);
      besides?.(house);
      round += 1;
      if (round % roundsPerLook > 0) continue;
      await tally.settle();
      looks.push(await look(house, passed()));
      if (looks.length > mostLooks) looks = looks.filter((_, index) => index % 2 === 1);
      progress?.(result([]));
    }
    await tally.settle();
    return result(risen(looks));
  } catch (error) {
    return result([`round ${round}, ${name}: ${(error as Error).stack ?? String(error)}`]);
  } finally {
    house.context.releaseAll();
  }
}

let collect: (() => void) | undefined;

async function look({ context, tally }: House, seconds: number): Promise<Use> {
  setFlagsFromString('--expose-gc');
  collect ??= runInNewContext('gc') as () => void;
  // What is dropped is found in one collection, let go by the event loop, and its insides are found in the next.
  for (let time = 0; time < 5; time += 1) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { control, memory, events } = context.runtime;
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  return {
    seconds: Math.round(seconds),
    commands: tally.commands,
    resident: rss,
    heap: heapUsed,
    buffers: arrayBuffers,
    control: control.used,
    device: memory.used,
    eventSlots: events.capacity,
    ...ofSystem(),
  };
}

/** Threads and descriptors, where the system says. */
function ofSystem(): { threads: number; descriptors: number } {
  try {
    const [, threads = '0'] = /^Threads:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return { threads: Number(threads), descriptors: readdirSync('/proc/self/fd').length };
  } catch {
    return { threads: 0, descriptors: 0 };
  }
}

/** For people: what was done, and the first and last look. */
export function shownSoak({ commands, rounds: done, callbacks, looks }: SoakResult): string {
  const kinds = Object.entries(done).map(([name, count]) => `${count} ${name}`);
  const [first, last] = [looks[Math.floor(looks.length / 3)], looks.at(-1)];
  const use = first && last ? `; then ${shownUse(first)}; last ${shownUse(last)}` : '';
  return `${commands.toLocaleString('en')} commands, ${callbacks.toLocaleString('en')} callbacks, rounds: ${kinds.join(', ')}${use}`;
}
