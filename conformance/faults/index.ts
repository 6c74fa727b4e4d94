/** All kinds of faults, by the names that `npm run campaign` takes. */
import { isolationKind } from '../isolation/isolation.ts';
import { machineCodeKind } from '../isolation/machine-code.ts';
import { cacheFileFaults } from './cache-files.ts';
import { commandLineFaults } from './command-line.ts';
import { deviceLossFaults } from './device-loss.ts';
import { driverFaults } from './drivers.ts';
import type { FaultKind } from './fault-kind.ts';
import { memoryFaults } from './memory.ts';
import { sharedCacheFaults } from './shared-cache.ts';
import { threadFaults } from './threads.ts';

export const faultKinds: Readonly<Record<string, FaultKind>> = {
  threads: threadFaults,
  isolation: isolationKind,
  'machine-code': machineCodeKind,
  memory: memoryFaults,
  'cache-files': cacheFileFaults,
  'shared-cache': sharedCacheFaults,
  'device-loss': deviceLossFaults,
  drivers: driverFaults,
  'command-line': commandLineFaults,
};
