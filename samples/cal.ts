// The steps of learning CAL, one after another: `node dist/samples/cal-show.js [name ...]`. They run on two modelled cards, so that what
// they print is the same everywhere. Each is there in C, too: `millrace run samples/cal-hello/hello.c`.
import { calChooseDevices } from 'millrace/cal';
import { compile } from './cal-compile/compile.ts';
import { contexts } from './cal-contexts/contexts.ts';
import { doublePrecision } from './cal-double-precision/double-precision.ts';
import { downloadReadback } from './cal-download-readback/download-readback.ts';
import { findDevices } from './cal-find-devices/find-devices.ts';
import { gather } from './cal-gather/gather.ts';
import { hello } from './cal-hello/hello.ts';
import { matrixMultiplication } from './cal-matrix-multiplication/matrix-multiplication.ts';
import { multiDevice } from './cal-multi-device/multi-device.ts';
import { openClose } from './cal-open-close/open-close.ts';
import { overlap } from './cal-overlap/overlap.ts';
import { resources } from './cal-resources/resources.ts';
import { scatter } from './cal-scatter/scatter.ts';
import type { Print } from './cal-support/cal-steps.ts';

/** By the names of their folders, without `cal-`. */
export const calSamples: Readonly<Record<string, (print: Print) => void | Promise<void>>> = {
  'find-devices': findDevices,
  'open-close': openClose,
  contexts,
  resources,
  compile,
  'download-readback': downloadReadback,
  hello,
  'double-precision': doublePrecision,
  'matrix-multiplication': matrixMultiplication,
  scatter,
  gather,
  overlap,
  'multi-device': multiDevice,
};

/** The devices for which `expected.txt` in each folder has what is printed. */
export const sampleDevices = 'hd 3870,hd 4870';

/** Runs samples by their names; all without any. */
export async function runCalSamples(names: readonly string[], print: Print): Promise<void> {
  calChooseDevices(sampleDevices);
  for (const [name, sample] of Object.entries(calSamples)) {
    if (names.length > 0 && !names.includes(name)) continue;
    print(`-- ${name}`);
    await sample(print);
  }
}
