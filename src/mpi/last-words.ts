/**
 * Waits until what this process has printed to standard error was read. A launcher that hears of MPI_Abort ends its ranks and reads no
 * more of them: words that were still in the pipe would be lost (MPICH's Hydra, on a busy machine).
 */
import { machineModule, operatingSystem, optionalModule } from '../runtime/host.ts';

interface Koffi {
  load(path: string | null): {
    func(declaration: string): (file: number, request: number, kind: string, place: Int32Array) => number;
  };
}

interface Files {
  fstatSync(file: number): { isFIFO(): boolean };
}

/** FIONREAD of ioctl: how many bytes a pipe holds. It can be asked at either end. */
const bytesHeld: Readonly<Record<string, number>> = { linux: 0x541b, darwin: 0x4004667f };

/** A reader that does not read is not waited for any longer, in milliseconds. */
const patience = 2000;

export function waitForLastWords(): void {
  const request = bytesHeld[operatingSystem() ?? ''];
  const koffi = optionalModule('koffi') as Koffi | undefined;
  const { fstatSync } = machineModule('node:fs') as Files;
  // What FIONREAD counts at a terminal is what was typed.
  if (request === undefined || !koffi || !fstatSync(2).isFIFO()) return;
  const ioctl = koffi.load(null).func('int ioctl(int file, unsigned long request, ...)');
  const held = new Int32Array(1);
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; waited < patience; waited++) {
    if (ioctl(2, request, 'void *', held) !== 0 || held[0] === 0) return;
    Atomics.wait(sleeper, 0, 0, 1);
  }
}
