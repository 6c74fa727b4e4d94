/** What the wasm device does on machines and not in pages, which have no cache of builds. build/machine.ts provides it. */
import { baselineOf } from './baseline/baseline-tier.ts';
import { decodeCode, decodeOutline, encodeCode, encodeOutline } from './program-code.ts';

export const onMachines = { baselineOf, decodeCode, decodeOutline, encodeCode, encodeOutline };

export type OnMachines = typeof onMachines;
