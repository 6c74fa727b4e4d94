/** Runs one of the project's case studies, the same program as in Node, with the page for what it asks of the world. */
import { compile, devices } from 'millrace';
import { createContext } from 'millrace/opencl';
import type { Picture, SampleSize, StreamContext } from '../../../samples/support/sample.ts';
import { brook, devicesOfStreams } from '../../../samples/support/streams.ts';
import type { Document } from '../document.ts';
import { failureOf } from './failure.ts';
import { loadPhoto } from './files.ts';
import type { RunOutcome } from './outcome.ts';

/** What a page has the patience for. */
const size: SampleSize = 'small';

/** Never throws. The kernels are the document's, as they were changed. `show` gets how far it has come. */
export async function runStudy(document: Document, show: (outcome: RunOutcome) => void): Promise<RunOutcome> {
  if (document.study === 'vertex-waves') {
    // It draws, which no other does.
    const { runVertexWaves } = await import('./run-vertex-waves.ts');
    return runVertexWaves(document.source, show);
  }
  const { allSamples } = await import('../../../samples/gallery.ts');
  const sample = allSamples.find(({ name }) => name === document.study);
  if (!sample) return { kind: 'failed', message: `There is no case study '${document.study}'.` };
  const pictures: { name: string; picture: Picture }[] = [];
  const drawings: { name: string; svg: string }[] = [];
  try {
    const context: StreamContext = {
      size,
      computeUnits: devices({ drivers: false })[0]!.info.maxComputeUnits,
      compile: (source, options) => compile(source, { options, device: document.device }),
      openContext: () => createContext(),
      brook: (source, { device = devicesOfStreams()[0]! } = {}) => brook(source, { device }),
      streamDevices: document.language === 'brook' ? await streamDevices() : [],
      readKernel: async () => document.source,
      readPhoto: loadPhoto,
      writePicture: async (name, picture) => {
        pictures.push({ name, picture });
        return name;
      },
      writeDrawing: async (name, svg) => {
        drawings.push({ name, svg });
        return name;
      },
      progress: (fraction, text) => show({ kind: 'running', text, fraction }),
    };
    const { runs, findings } = await sample.run(context);
    return {
      kind: 'study',
      runs: runs.map(({ kernel, milliseconds, cpuMilliseconds, check }) => ({
        kernel,
        milliseconds,
        cpuMilliseconds,
        check,
      })),
      findings,
      pictures,
      drawings,
    };
  } catch (error) {
    return { kind: 'failed', ...failureOf(error) };
  }
}

/** The devices of streams, with their threads running: streams wait for them, and threads do not start while somebody waits. */
async function streamDevices() {
  const all = devicesOfStreams();
  for (const device of all) await device.ready();
  return all;
}
