// Which functions are called when plain kernels are compiled: V8's coverage tells.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compilePlainKernels } from '../plain-kernels.mjs';

/**
 * Runs the modules.
 * @returns for each, as sets of `START:END`, the functions that were called while the modules were evaluated, and those that were called
 *   afterwards
 */
export async function traceCalls(modules) {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-split-'));
  const session = new Session();
  session.connect();
  try {
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    for (const [path, { text }] of modules) {
      const file = join(folder, path.replace(/ts$/, 'js'));
      mkdirSync(dirname(file), { recursive: true });
      // The endings are of one length, so every place stays what it is.
      writeFileSync(file, text.replace(/((?:from|import\() ?"\.[^"\n]*\.)ts"/g, '$1js"'));
    }
    const url = (path) => pathToFileURL(join(folder, path.replace(/ts$/, 'js'))).href;
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    const load = (path) => import(url(path));
    const compile = await compilePlainKernels(load);
    const evaluated = await calledSince(session, modules, url);
    await compile();
    const compiled = await calledSince(session, modules, url);
    await session.post('Profiler.stopPreciseCoverage');
    return { evaluated, compiled };
  } finally {
    session.disconnect();
    rmSync(folder, { recursive: true });
  }
}

async function calledSince(session, modules, url) {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const byUrl = new Map(result.map(({ url: each, functions }) => [each, functions]));
  return new Map(
    [...modules.keys()].map((path) => {
      const called = (byUrl.get(url(path)) ?? []).filter(({ ranges: [range] }) => range.count > 0);
      // The first is the module itself.
      return [path, called.map(({ ranges: [{ startOffset, endOffset }] }) => [startOffset, endOffset])];
    }),
  );
}
