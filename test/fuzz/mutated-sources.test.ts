/**
 * No source makes the compiler do anything but compile or give diagnostics: ten thousand damaged copies of the
 * samples and of the tests' kernels go through the whole of it, and what compiles must be valid WebAssembly.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileModule } from '../../src/codegen/wasm/module/compile-module.ts';
import { compileOpenCL } from '../../src/opencl/compile.ts';
import { optimise } from '../../src/passes/pipeline.ts';
import { Random } from '../support/random.ts';
import { mutate } from './mutate.ts';

// MILLRACE_MUTATIONS and MILLRACE_SEED make longer runs of other sources.
const rounds = Number(process.env['MILLRACE_MUTATIONS'] ?? 10_000);
const firstSeed = Number(process.env['MILLRACE_SEED'] ?? 1000);
const batches = 10;

function kernelFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return kernelFiles(path);
    return entry.name.endsWith('.cl') ? [path] : [];
  });
}

const corpus = [...kernelFiles('samples'), ...kernelFiles('test')].map((file) => readFileSync(file, 'utf8'));

/** Whole files are long; a mutation is felt more in a piece of one. */
function piece(text: string, random: Random): string {
  if (text.length < 4000) return text;
  const lines = text.split('\n');
  const start = random.below(lines.length);
  return lines.slice(start, start + 20 + random.below(60)).join('\n');
}

/** Compiles as far as it goes; returns what stage it got to. */
function compileAll(source: string): 'rejected' | 'compiled' {
  const { module } = compileOpenCL(source, { name: 'mutated.cl' });
  if (!module) return 'rejected';
  optimise(module);
  const { bytes } = compileModule(module, { shared: true });
  if (!WebAssembly.validate(bytes as BufferSource)) throw new Error('the module is not valid WebAssembly');
  return 'compiled';
}

describe('damaged sources', () => {
  for (let batch = 0; batch < batches; batch++) {
    it(`never break the compiler (batch ${batch + 1} of ${batches})`, { timeout: 3_600_000 }, () => {
      const random = new Random(firstSeed + batch);
      const counts = { rejected: 0, compiled: 0 };
      for (let round = 0; round < rounds / batches; round++) {
        const source = mutate(piece(random.pick(corpus), random), corpus, random);
        try {
          counts[compileAll(source)]++;
        } catch (error) {
          throw new Error(`round ${round}: ${(error as Error).stack}\n--- source ---\n${source}`);
        }
      }
      // Both outcomes must occur, or the mutations test nothing.
      expect(counts.rejected).toBeGreaterThan(rounds / batches / 10);
      expect(counts.compiled).toBeGreaterThan(0);
    });
  }
});
