// Makes the declarations that tsc wrote those of the package: users get those of what they can import, and can compile them.
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';

const imported = /(?:from|import|import\()\s*'(\.[^']+)\.ts'/g;

/**
 * Keeps, of dist/types, what the `types` of package.json's `exports` are and what those import, one from another, and gives each
 * of the former the names of browsers.
 */
export function pruneTypes() {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
  const entries = Object.values(exports).flatMap(({ types }) => types ?? []);
  const kept = new Set();
  const waiting = entries.map((entry) => join(entry));
  for (const file of waiting) {
    if (kept.has(file)) continue;
    if (!existsSync(file)) throw new Error(`package.json exports the types of ${file}, which is not there`);
    kept.add(file);
    for (const [, path] of readFileSync(file, 'utf8').matchAll(imported)) {
      waiting.push(join(dirname(file), `${path}.d.ts`));
    }
  }
  prune('dist/types', kept);
  const names = 'dist/types/browser-names.d.ts';
  copyFileSync('scripts/browser-names.d.ts', names);
  for (const entry of new Set(entries)) {
    const reference = `/// <reference path="${relative(dirname(entry), names)}" />\n`;
    writeFileSync(entry, reference + readFileSync(entry, 'utf8'));
  }
}

function prune(folder, kept) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) prune(path, kept);
    else if (!kept.has(path)) rmSync(path);
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
