/**
 * What reads OpenCL C for the short form: loaded for the first source. It is a function of its own, because Rollup moves a module without code into
 * one that has some: that of an application, which may be waiting for it at a top-level await.
 */
import type { FrontEnd } from '../../build/build-program.ts';
import { type SourceProgram, sourceFrontEnd } from '../../build/source-front-end.ts';
import type { Device } from '../../runtime/device.ts';

export function readerFor(input: SourceProgram, device: Device): FrontEnd {
  return sourceFrontEnd(input, device);
}
