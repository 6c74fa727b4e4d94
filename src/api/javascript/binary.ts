/** Building a program from a binary for the short form: loaded, with the verifier of what binaries hold, when the first is compiled. */
import { executableFrontEnd, type FrontEnd, linkingFrontEnd } from '../../build/build-program.ts';
import { decodeProgram, moduleSource } from '../../build/program-binary.ts';

export { BinaryError } from '../../build/program-binary.ts';

/**
 * The front end for a binary.
 * @throws BinaryError if it holds no valid program for the address width
 */
export function binaryFrontEnd(bytes: Uint8Array, options: string, addressBits: 32 | 64): FrontEnd {
  const binary = decodeProgram(bytes);
  const read = moduleSource(binary, addressBits);
  if (binary.kind === 'executable')
    return executableFrontEnd(read, bytes, options || binary.options, addressBits);
  const isLibrary = binary.kind === 'library';
  return linkingFrontEnd([{ isLibrary, module: read(), options, documentedKernels: new Set() }]);
}
