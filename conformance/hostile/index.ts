/** All kinds of hostile inputs, by the names that `npm run campaign` takes. */
import { imageKind, isaKind } from './cal.ts';
import { cacheKind, linkKind, npyKind, pictureKind, simulationKind, traceKind } from './files.ts';
import type { HostileKind } from './kind.ts';
import { languageServiceKind } from './language-service.ts';
import { debugAdapterKind, languageServerKind } from './messages.ts';
import { brookKind, hostProgramKind, ilKind, irKind, openclKind } from './programs.ts';

export interface KindEntry {
  /** For people: what the inputs are. */
  readonly about: string;
  /** Reads and makes the originals. */
  readonly make: () => HostileKind | Promise<HostileKind>;
}

export const hostileKinds: Readonly<Record<string, KindEntry>> = {
  opencl: { about: 'sources in OpenCL C, damaged or asking for too much', make: openclKind },
  brook: { about: 'Brook+ kernels, damaged or asking for too much', make: brookKind },
  il: { about: 'programs in AMD IL, damaged or asking for too much', make: ilKind },
  ir: { about: 'IR as text, damaged or asking for too much', make: irKind },
  'c-hosts': { about: 'host programs in C, damaged or asking for too much', make: hostProgramKind },
  'language-service': {
    about: 'damaged texts in an editor, and questions about them',
    make: languageServiceKind,
  },
  'language-server': {
    about: 'messages to the language server with something wrong in them',
    make: languageServerKind,
  },
  'debug-adapter': {
    about: 'messages to the debug adapter with something wrong in them',
    make: debugAdapterKind,
  },
  isa: { about: 'programs of the R600 family as text, damaged', make: isaKind },
  'cal-images': { about: 'damaged images of CAL', make: imageKind },
  pictures: { about: 'damaged pictures: PNG, JPEG, BMP, PGM, PPM', make: pictureKind },
  npy: { about: 'damaged arrays of NumPy', make: npyKind },
  simulations: { about: "damaged simulation files of Oclgrind's form", make: simulationKind },
  traces: { about: 'damaged traces of the profiler', make: traceKind },
  links: { about: "damaged links of the playground's documents", make: linkKind },
  cache: { about: 'damaged entries of the build cache', make: cacheKind },
};
