/** Building a program of a source for the short form: loaded when something is first compiled. */
import { type BuildResult, buildFromAsync } from '../../build/build-program.ts';
import { withParts } from '../../parts/part.ts';
import { frontEndFile, rest } from '../../parts/rest.ts';
import type { OpenDevice } from '../../runtime/device.ts';
import { buildOptions, filesAreNear } from './build-options.ts';
import type { CompileOptions } from './compile.ts';

/** `reader` is the module that reads OpenCL C, which is loaded only for this. */
export async function programFromSource(
  device: OpenDevice,
  source: string,
  { name, files, ...options }: CompileOptions,
  reader: typeof import('./reader.ts'),
): Promise<BuildResult> {
  openFrontEnd();
  // Where files lie on a disk the rest of the compiler is loaded at once: kernels can then be compiled when they are first launched.
  if (filesAreNear()) await Promise.all([rest.frontEnd.load(), rest.backEnd.load()]);
  const input = { source, options: buildOptions(options), name, files };
  return buildFromAsync(await withParts(() => reader.readerFor(input, device.device)), device);
}

/** Has the rest of the front end loaded when it is needed: for sources, and for binaries that are to be linked. */
export function openFrontEnd(): void {
  frontEndFile.load = () => import('../../parts/rest-of-front-end.ts');
}
