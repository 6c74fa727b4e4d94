/**
 * The disk under the build cache: full, read-only, out of handles, cut off in the middle of a write. Others that write it are another part (shared-cache.ts).
 * Every build must come out as without a cache, and nothing must be left that a later build takes for an entry.
 */
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Random } from '../../test/support/random.ts';
import { buildNumber } from './cache-builds.ts';
import { watchDisk } from './disk-calls.ts';
import type { FaultKind } from './fault-kind.ts';

const codes = ['ENOSPC', 'EROFS', 'EACCES', 'EIO', 'EMFILE', 'ENFILE', 'EDQUOT', 'EPERM', 'ENOENT', 'EEXIST'];

/** What is made of the disk's calls until the next seed. */
let disturb: ((name: string) => string | undefined) | undefined;
let folder = '';

export const cacheFileFaults: FaultKind = {
  about: "a disk that is full, read-only, cut off or another process's, under the build cache",
  start() {
    folder = mkdtempSync(join(tmpdir(), 'millrace-campaign-'));
    process.env['MILLRACE_CACHE'] = '1';
    process.env['MILLRACE_CACHE_DIR'] = folder;
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    watchFiles();
  },
  async run(random) {
    const code = random.pick(codes);
    const name = random.pick([
      '',
      'openSync',
      'writeSync',
      'writeFileSync',
      'renameSync',
      'mkdirSync',
      'readFileSync',
      'readSync',
      'fstatSync',
      'closeSync',
    ]);
    const always = random.below(3) === 0;
    let left = 1 + random.below(always ? 3 : 12);
    let isHit = false;
    const numbers = Array.from({ length: 3 }, () => random.below(40));
    disturb = (called) => {
      if (name !== '' && called !== name) return undefined;
      left -= 1;
      if (left > 0 || (left < 0 && !always)) return undefined;
      isHit = true;
      return code;
    };
    try {
      for (const number of numbers) buildNumber(number);
    } finally {
      disturb = undefined;
    }
    if (random.below(2) === 0) damageOne(random);
    for (const number of numbers) buildNumber(number);
    if (random.below(20) === 0) rmSync(folder, { recursive: true, force: true });
    return isHit ? `${code} in ${name || 'any call'}` : 'not disturbed';
  },
};

function watchFiles(): void {
  watchDisk((name, values, own) => {
    const code = disturb?.(name);
    if (code === undefined) return;
    // A disk that is full takes a part of what is written.
    if (code === 'ENOSPC' && name === 'writeFileSync')
      own(values[0], (values[1] as Uint8Array).slice(0, 100));
    throw Object.assign(new Error(`${code}: injected, ${name}`), { code, errno: -28, syscall: name });
  });
}

/** As a process leaves it that is killed while it writes without care, or a disk that is going. */
function damageOne(random: Random): void {
  if (!existsSync(folder)) return;
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  if (names.length === 0) return;
  const entry = random.pick(names);
  const path = join(entry.parentPath, entry.name);
  const bytes = readFileSync(path);
  if (random.below(2) === 0) truncateSync(path, random.below(bytes.length + 1));
  else if (bytes.length > 0) {
    bytes[random.below(bytes.length)]! ^= 1 << random.below(8);
    writeFileSync(path, bytes);
  }
}
