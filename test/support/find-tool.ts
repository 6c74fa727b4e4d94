/**
 * Finds a compiler or a tool of its that the machine may have under its plain name or with a version behind it: Debian's clang-19 has
 * no plain name unless its package `clang` is there, too.
 */
import { readdirSync } from 'node:fs';
import { delimiter } from 'node:path';

/** The names under which the folders of PATH have a tool: the plain one first, then those with versions, the highest first. */
export function toolNames(tool: string, path = process.env['PATH'] ?? ''): string[] {
  const versions = new Set<number>();
  let isPlain = false;
  for (const folder of path.split(delimiter)) {
    for (const name of namesIn(folder)) {
      const bare = name.replace(/\.exe$/, '');
      if (bare === tool) isPlain = true;
      const version = bare.startsWith(`${tool}-`) ? bare.slice(tool.length + 1) : '';
      if (/^\d+$/.test(version)) versions.add(Number(version));
    }
  }
  const numbered = [...versions].sort((a, b) => b - a).map((version) => `${tool}-${version}`);
  return isPlain ? [tool, ...numbered] : numbered;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The name of a tool of the same version: `wasm-ld-19` for `clang-19`. */
export function siblingTool(tool: string, of: string): string {
  return `${tool}${/-\d+$/.exec(of)?.[0] ?? ''}`;
}
