/** Runs one of the project's case studies, the same program as in Node, with the page for what it asks of the world. */
import { compile, devices } from 'millrace';
import { createContext } from 'millrace/opencl';
import type { Picture } from '../../../samples/support/sample.ts';
import type { Document } from '../document.ts';
import { loadPhoto } from './files.ts';
import type { RunOutcome } from './outcome.ts';

/** Never throws. The kernels are the document's, as they were changed. `show` gets how far it has come. */
export async function runStudy(document: Document, show: (outcome: RunOutcome) => void): Promise<RunOutcome> {
  const { gallery } = await import('../../../samples/gallery.ts');
  const sample = gallery.find(({ name }) => name === document.study);
  if (!sample) return { kind: 'failed', message: `There is no case study '${document.study}'.` };
  const pictures: { name: string; picture: Picture }[] = [];
  const drawings: { name: string; svg: string }[] = [];
  try {
    const { runs, findings } = await sample.run({
      size: 'small',
      computeUnits: devices()[0]!.info.maxComputeUnits,
      compile: (source, options) => compile(source, { options }),
      openContext: () => createContext(),
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
    });
    return { kind: 'study', runs, findings, pictures, drawings };
  } catch (error) {
    return { kind: 'failed', message: (error as Error).message };
  }
}
