/** CL_PROGRAM_BINARIES: what a program has for a device, in the form that createProgramWithBinary takes. */
import { encodeProgram } from '../../build/program-binary.ts';
import type { DeviceState, Executable } from './program-state.ts';

const none = new Uint8Array(0);

/** Binaries are made when they are first asked for. */
const known = new WeakMap<object, Uint8Array>();

/** The program's binary for a device; empty if there is nothing yet. */
export function binaryOf({ executable, unit, loaded, options }: DeviceState): Uint8Array {
  const content = executable ?? unit;
  const isLoaded = executable ? loaded && !loaded.unit : unit === loaded?.unit;
  if (!content || isLoaded) return loaded?.bytes.slice() ?? none;
  let bytes = known.get(content);
  if (!bytes) {
    if (executable) bytes = executableBinary(executable, options);
    else if (unit) bytes = encodeProgram(unit.isLibrary ? 'library' : 'object', unit.options, [unit.module]);
    known.set(content, bytes ?? none);
  }
  return bytes?.slice() ?? none;
}

/** A program that only the device's compiler has read has only that compiler's binary. */
function executableBinary({ frontEnd, program }: Executable, options: string): Uint8Array {
  const { lower } = frontEnd.read();
  return lower ? encodeProgram('executable', options, [lower()]) : program.binary;
}
