/**
 * Every sample, at small size, on the threads' device and on the interpreter: each kernel's check against the CPU
 * reference holds, and both devices compute the same, bit for bit.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compile, type Device, devices } from 'millrace';
import { afterAll, describe, expect, it } from 'vitest';
import { allSamples, firstPart, gallery, secondPart, thirdPart } from '../../samples/gallery.ts';
import { createContext } from '../../samples/support/node-context.ts';
import type { KernelRun } from '../../samples/support/sample.ts';

const outFolder = mkdtempSync(join(tmpdir(), 'millrace-samples-'));
afterAll(() => rmSync(outFolder, { recursive: true, force: true }));

function deviceCalled(id: string): Device {
  const device = devices().find((candidate) => candidate.id === id);
  if (!device) throw new Error(`there is no device ${id}`);
  return device;
}

async function runOn(device: Device, name: string): Promise<readonly KernelRun[]> {
  const sample = allSamples.find((candidate) => candidate.name === name)!;
  const context = createContext({
    size: 'small',
    samplesFolder: new URL('../../samples/', import.meta.url),
    outFolder,
    computeUnits: 2,
    deviceName: device.name,
    compile: (source, options) => compile(source, { device, ...(options === undefined ? {} : { options }) }),
  });
  return (await sample.run(context)).runs;
}

describe('samples', () => {
  it('are those of the case studies, and two more parts', () => {
    expect(firstPart.map((sample) => sample.name)).toEqual([
      'saxpy',
      'matrix-multiplication',
      'histogram',
      'buffer-parts',
      'image-filters',
      'image-sampling',
      'jpeg',
      'bitonic-sort',
      'regression',
      'nearest-neighbours',
    ]);
    expect(gallery.slice(firstPart.length)).toEqual(secondPart);
    expect(allSamples.slice(gallery.length)).toEqual(thirdPart);
  });

  for (const { name } of allSamples) {
    it(`${name} is right, and the same on the interpreter`, { timeout: 120_000 }, async () => {
      const threads = await runOn(deviceCalled('wasm'), name);
      const interpreter = await runOn(deviceCalled('interpreter'), name);
      expect(threads.length).toBeGreaterThan(0);
      expect(threads.map((run) => run.kernel)).toEqual(interpreter.map((run) => run.kernel));
      for (const [index, run] of threads.entries()) {
        const other = interpreter[index]!;
        expect(run.check, `${run.kernel} on threads`).toMatchObject({ ok: true });
        expect(other.check, `${run.kernel} on the interpreter`).toMatchObject({ ok: true });
        expect(run.output, run.kernel).toEqual(other.output);
      }
    });
  }
});
