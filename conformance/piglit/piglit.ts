/** `npm run conformance -- piglit DIR`: runs every test in piglit's OpenCL format under a folder on a device. */
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Device } from 'millrace';
import { filesUnder, parentsOf } from '../support/folder-files.ts';
import type { Outcome } from '../support/outcome.ts';
import { runFile } from './run-file.ts';
import { readTestFile } from './test-file.ts';

/** The outcomes of all tests under `folder`, in the order of the files' names. */
export async function runPiglit(folder: string, device: Device): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const path of filesUnder(resolve(folder), ['.cl', '.program_test'])) {
    const text = readFileSync(path, 'latin1');
    const file = readTestFile(path, text);
    if (!file) continue;
    const source =
      'text' in file.source
        ? file.source.text
        : readFileSync(join(dirname(path), file.source.file), 'latin1');
    const roots = [dirname(path), ...parentsOf(path)];
    const shown = relative(folder, path) || path;
    outcomes.push(...(await runFile(shown, file, source, { device, roots })));
  }
  return outcomes;
}
