/**
 * What `import ... from 'millrace/kernels'` gives: what modules made of files with kernels import (`import { saxpy } from './saxpy.cl'`;
 * docs/modules.md). Their programs are binaries, so that neither this nor what it loads has the compiler's front end.
 */
import { begin } from '../../build/machine.ts';
import { calledByProgram } from '../../runtime/observe-calls.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { binaryReader } from './binary-reader.ts';
import { checkKeys } from './known-keys.ts';
import { onDevice, openProgram, type Program, type ProgramOptions } from './program.ts';

export interface LoadOptions extends ProgramOptions {
  /** How messages call the program. */
  readonly name?: string | undefined;
}

const keys: readonly (keyof LoadOptions)[] = ['device', 'prefer', 'timeout', 'print', 'name'];

/**
 * A program of the binary of an executable, as bytes or in base64.
 * @throws OpenCLError CL_INVALID_BINARY, CL_INVALID_DEVICE, CL_DEVICE_NOT_FOUND; BuildError if the device cannot build it
 */
export async function loadProgram(binary: string | Uint8Array, options: LoadOptions = {}): Promise<Program> {
  begin();
  checkKeys(options, keys, 'CL_INVALID_VALUE', 'a program is loaded with');
  if (options.prefer && options.device) throw new OpenCLError('CL_INVALID_VALUE', "prefer 'gpu' alone");
  const bytes = typeof binary === 'string' ? bytesOf(binary) : binary;
  return calledByProgram('Millrace', 'loadProgram', [options], () =>
    onDevice(options, (device, fallback) =>
      openProgram(
        device,
        options,
        [binaryReader.load()],
        (opened) => binaryReader.get().programFromBinary(opened, bytes, options),
        fallback,
      ),
    ),
  );
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
