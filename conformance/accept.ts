/**
 * `npm run conformance -- accept DIR`: compiles every .cl file under a folder and reports the rate and the first error
 * of each file that is refused.
 */
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { BuildError, compile, type Device } from 'millrace';
import { filesUnder, folderFiles, parentsOf } from './support/folder-files.ts';
import type { Outcome } from './support/outcome.ts';

/** One outcome a file, for builds with the given options. */
export async function acceptFolder(folder: string, options: string, device: Device): Promise<Outcome[]> {
  const root = resolve(folder);
  const outcomes: Outcome[] = [];
  for (const path of filesUnder(root, ['.cl'])) {
    const name = relative(root, path) || path;
    const source = readFileSync(path, 'latin1');
    const roots = [dirname(path), ...parentsOf(path).filter((parent) => parent.startsWith(root))];
    const started = performance.now();
    try {
      const program = await compile(source, { device, options, name: path, files: folderFiles(roots) });
      program.release();
      outcomes.push({ name, status: 'passed' });
    } catch (error) {
      outcomes.push({ name, status: 'failed', reason: firstError(error) });
    }
    const took = performance.now() - started;
    if (took > 2000) console.log(`slow: ${name} took ${(took / 1000).toFixed(1)} s`);
  }
  return outcomes;
}

function firstError(error: unknown): string {
  if (error instanceof BuildError) {
    const first = error.log.split('\n').find((line) => line.includes('error:'));
    return first ?? error.message;
  }
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
