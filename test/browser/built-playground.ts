/**
 * The playground as it is built, for the tests that look at it: built once for what there is to build it from, whichever of them
 * comes first.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'vite';

const sources = ['dist', 'playground', 'samples', 'src/cli/arguments'];
const builds = resolve('out/playground-tests');

/** Changes when a file of what the page is made from does. */
function stateOfSources(): string {
  const hash = createHash('sha256');
  for (const folder of sources) {
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      if (/^dist|\.map$|^(bench|conformance|types)/.test(file)) continue;
      const { mtimeMs, size } = statSync(join(folder, file));
      hash.update(`${folder}/${file} ${mtimeMs} ${size}\n`);
    }
  }
  return hash.digest('hex').slice(0, 16);
}

/** The folder of the built page. */
export async function builtPlayground(): Promise<string> {
  const folder = join(builds, stateOfSources());
  const isDone = join(folder, 'done');
  mkdirSync(builds, { recursive: true });
  let isOurs = true;
  try {
    mkdirSync(folder);
  } catch {
    isOurs = false;
  }
  const outDir = join(folder, 'page');
  if (isOurs) {
    try {
      await build({
        configFile: 'playground/vite.config.ts',
        build: { outDir, emptyOutDir: true },
        logLevel: 'warn',
      });
      writeFileSync(isDone, '');
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
    removeOthers(folder);
    return outDir;
  }
  const deadline = Date.now() + 180_000;
  while (!existsSync(isDone)) {
    // Whoever began has failed or was ended: what it left must not be waited for again.
    if (!existsSync(folder) || Date.now() > deadline) {
      rmSync(folder, { recursive: true, force: true });
      throw new Error('the playground was not built by the test that began to');
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return outDir;
}

/** Builds of what is no more; an hour is longer than any test looks at one. */
function removeOthers(folder: string): void {
  for (const name of readdirSync(builds)) {
    const other = join(builds, name);
    if (other !== folder && Date.now() - statSync(other).mtimeMs > 3_600_000)
      rmSync(other, { recursive: true, force: true });
  }
}
