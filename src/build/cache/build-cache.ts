/**
 * The cache of builds on the machine's disk, where there is one: not in a page. docs/build-cache.md says what it does;
 * cached-front-end.ts what is kept.
 */
import { environment, machineModule, operatingSystem } from '../../runtime/host.ts';
import { version } from '../../runtime/version.ts';
import type { FileFunctions } from './cache-files.ts';
import { CacheFolder, type CacheLog } from './cache-folder.ts';

/** What `millrace cache` tells. */
export interface CacheInfo {
  /** Whether builds look there. */
  readonly enabled: boolean;
  /** Undefined where there is no disk. */
  readonly folder: string | undefined;
  /** Why the folder is not used: it is another user's, or others can write it. Undefined if it is used. */
  readonly problem?: string | undefined;
  readonly entries: number;
  readonly bytes: number;
}

let known: CacheFolder | undefined;

/** The cache, if there is one and it is not turned off. */
export function buildCache(): CacheFolder | undefined {
  return isOn() ? cacheFolder() : undefined;
}

/** How much the cache on this machine's disk holds. */
export function cacheInfo(): CacheInfo {
  const folder = cacheFolder();
  const problem = folder?.problem();
  return {
    enabled: isOn() && folder !== undefined && problem === undefined,
    folder: folder?.path,
    ...(problem === undefined ? {} : { problem }),
    ...(folder?.size() ?? { entries: 0, bytes: 0 }),
  };
}

/** Empties the cache on this machine's disk; how many builds it held. */
export function clearCache(): number {
  return cacheFolder()?.clear() ?? 0;
}

/** What tells this Millrace from others: its version, and when the file it runs from was made. */
export function producer(): string {
  const files = machineModule('node:fs') as { statSync(path: URL): { mtimeMs: number; size: number } };
  try {
    const { mtimeMs, size } = files.statSync(new URL(import.meta.url));
    return `${version} ${mtimeMs} ${size}`;
  } catch {
    return version;
  }
}

function isOn(): boolean {
  const wish = environment('MILLRACE_CACHE');
  return wish !== '0' && wish !== 'off' && wish !== 'false';
}

function cacheFolder(): CacheFolder | undefined {
  const files = machineModule('node:fs') as FileFunctions | undefined;
  if (!files) return undefined;
  const path = folderPath();
  if (path === undefined) return undefined;
  if (known?.path !== path) known = new CacheFolder(path, files, undefined, undefined, debugLog());
  return known;
}

/** What `NODE_DEBUG=millrace` shows on the standard error output. */
function debugLog(): CacheLog {
  const util = machineModule('node:util') as { debuglog(section: string): CacheLog };
  return util.debuglog('millrace');
}

/** MILLRACE_CACHE_DIR, else where the system keeps caches. */
function folderPath(): string | undefined {
  const chosen = environment('MILLRACE_CACHE_DIR');
  if (chosen) return chosen;
  const shared = environment('XDG_CACHE_HOME');
  if (shared) return `${shared}/millrace`;
  const home = (machineModule('node:os') as { homedir(): string }).homedir();
  if (home === '') return undefined;
  switch (operatingSystem()) {
    case 'darwin':
      return `${home}/Library/Caches/millrace`;
    case 'win32':
      return `${environment('LOCALAPPDATA') ?? `${home}/AppData/Local`}/millrace/cache`;
    default:
      return `${home}/.cache/millrace`;
  }
}
