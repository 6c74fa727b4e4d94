/** The samples at full size against their references in plain JavaScript on one thread. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compile, devices } from 'millrace';
import { firstPart } from '../samples/gallery.ts';
import { createContext } from '../samples/support/node-context.ts';
import type { Row } from './measure.ts';

/** Runs every sample; a wrong result is an error, for its time would mean nothing. */
export async function measureSamples(): Promise<Row[]> {
  const outFolder = mkdtempSync(join(tmpdir(), 'millrace-bench-'));
  const context = createContext({
    size: 'full',
    samplesFolder: new URL('../../samples/', import.meta.url),
    outFolder,
    computeUnits: devices({ drivers: false })[0]!.info.maxComputeUnits,
    compile: (source, options) => compile(source, options === undefined ? {} : { options }),
  });
  const rows: Row[] = [];
  try {
    for (const sample of firstPart) {
      const { runs } = await sample.run(context);
      for (const { kernel, milliseconds, cpuMilliseconds, check } of runs) {
        if (!check.ok) throw new Error(`${sample.name}: ${kernel} is wrong: ${check.detail}`);
        rows.push({
          name: kernel,
          value: milliseconds,
          unit: 'ms',
          against: { name: 'JavaScript', value: cpuMilliseconds },
        });
      }
    }
  } finally {
    rmSync(outFolder, { recursive: true, force: true });
  }
  return rows;
}
