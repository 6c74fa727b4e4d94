/** Packages that tests need and Millrace does not: from npm, into a folder of the user's cache, where they stay. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');

export interface NpmPackages {
  /** Its node_modules has them. */
  readonly folder: string;
  /** Why they cannot be had here; undefined if they are there. */
  readonly missing: string | undefined;
}

/**
 * Installs packages of these versions (`1.2.3`, or `22` for the newest that begins so), unless they are there.
 * @param name of the folder, one for each set of packages
 */
export async function npmPackages(
  name: string,
  versions: Readonly<Record<string, string>>,
): Promise<NpmPackages> {
  const folder = join(cache, 'millrace-tests', name);
  const modules = join(folder, 'node_modules');
  // What an earlier commit has installed may be of another version.
  const isThere = ([each, version]: [string, string]) => {
    const file = join(modules, each, 'package.json');
    if (!existsSync(file)) return false;
    const { version: installed } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
    return installed === version || installed.startsWith(`${version}.`);
  };
  const areThere = () => Object.entries(versions).every(isThere);
  if (areThere()) return { folder, missing: undefined };
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    const packages = Object.entries(versions).map(([each, version]) => `${each}@${version}`);
    const install = ['install', '--no-audit', '--no-fund', ...packages];
    await promisify(execFile)('npm', install, { cwd: folder, timeout: 240_000 });
    return { folder, missing: areThere() ? undefined : 'npm has installed nothing' };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { folder, missing: why.trim().split('\n')[0]! };
  }
}
