/**
 * Several processes on one build cache: they write and read the same entries, one of them empties it, and some are killed at any of their calls of
 * the disk. What any of them builds must be right, those that live must end, and every file that has the name of an entry must be a whole one.
 */
import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { CacheFolder } from '../../src/build/cache/cache-folder.ts';
import type { Random } from '../../test/support/random.ts';
import { buildNumber } from './cache-builds.ts';
import type { FaultKind } from './fault-kind.ts';

/** Programs that there are: few, so that processes meet. */
export const sharedNumbers = 6;

/** Milliseconds for a process to end, on a machine however busy. */
const longest = 120_000;

let folder = '';

export const sharedCacheFaults: FaultKind = {
  about: 'processes that write, read and empty one build cache, some of which are killed in the middle',
  start() {
    folder = fs.mkdtempSync(join(tmpdir(), 'millrace-campaign-'));
    process.env['MILLRACE_CACHE'] = '1';
    process.env['MILLRACE_CACHE_DIR'] = folder;
    process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  },
  async run(random) {
    const count = 2 + random.below(3);
    const endings = Array.from({ length: count }, () => runProcess(random));
    // This process is one of them, from the beginning to the end.
    let isOver = false;
    const all = Promise.all(endings).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      buildNumber(random.below(sharedNumbers));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const killed = (await all).filter((ending) => ending === 'killed').length;
    mustBeWhole();
    for (let number = 0; number < sharedNumbers; number += 1) buildNumber(number);
    return `${count} processes, ${killed} of them killed`;
  },
};

/** Every file under the name of an entry is one. */
function mustBeWhole(): void {
  const cache = new CacheFolder(folder, fs as never);
  for (const name of fs.readdirSync(folder)) {
    if (!name.endsWith('.mlrc')) continue;
    if (cache.read(basename(name, '.mlrc')) === undefined) {
      const { size } = fs.statSync(join(folder, name));
      throw new Error(`${name} is no whole entry: it has ${size} bytes`);
    }
  }
}

function runProcess(random: Random): Promise<'killed' | 'ended'> {
  const isKilled = random.below(2) === 0;
  // A build with the cache makes about ten calls, most of them of the same few kinds.
  const end = isKilled ? 1 + random.below(2 ** (3 + random.below(5))) : 0;
  const args = [random.bits(), 2 + random.below(20), end, random.next()].map(String);
  const program = join(dirname(process.argv[1] ?? '.'), 'cache-run.js');
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      said += text;
    });
  return new Promise((resolve, reject) => {
    const alarm = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`a process does not end: ${said}`));
    }, longest);
    child.on('close', (status, signal) => {
      clearTimeout(alarm);
      if (status === 0 && said.includes('fate: all right')) resolve('ended');
      else if (isKilled && signal === 'SIGKILL') resolve('killed');
      else reject(new Error(`a process ended with ${signal ?? status}: ${said.slice(0, 2000)}`));
    });
  });
}
