/**
 * Program binaries: a program in IR with a few words about it, for every device. No machine code is in them: what comes
 * from elsewhere is not run before the IR's verifier has seen it. docs/binaries.md describes the format.
 */
import { BinaryError, ByteReader, ByteWriter } from '../ir/binary/bytes.ts';
import { readModule } from '../ir/binary/read.ts';
import { formatVersion } from '../ir/binary/schema.ts';
import { writeModule } from '../ir/binary/write.ts';
import type { Module } from '../ir/ir.ts';
import { wholenessProblem } from '../ir/whole-program.ts';
import { parseBuildOptions } from '../opencl/build-options.ts';
import { crc32 } from './crc32.ts';
import { isProgramBinary, magic } from './is-program-binary.ts';

export { BinaryError } from '../ir/binary/bytes.ts';

export type BinaryKind = 'object' | 'library' | 'executable';

const kinds: readonly BinaryKind[] = ['object', 'library', 'executable'];

const headerBytes = magic.length + 6;

/** What a binary holds. The modules have been checked as a container only: {@link moduleOf} reads one. */
export interface ProgramBinary {
  readonly kind: BinaryKind;
  /** The build options it was made with. */
  readonly options: string;
  /** The program in IR by its address width: at least one. */
  readonly modules: ReadonlyMap<32 | 64, Uint8Array>;
}

/** The bytes of a binary with the program for one or both address widths. */
export function encodeProgram(kind: BinaryKind, options: string, modules: readonly Module[]): Uint8Array {
  const places = parseBuildOptions(options).options.debug ? 'all' : 'symbols';
  const content = new ByteWriter();
  content.text(options);
  content.count(modules.length);
  for (const module of modules) {
    const bytes = writeModule(module, { places });
    content.byte(module.addressBits);
    content.count(bytes.length);
    content.bytes(bytes);
  }
  const body = content.toBytes();
  const whole = new Uint8Array(headerBytes + body.length);
  whole.set(magic);
  whole[magic.length] = formatVersion;
  whole[magic.length + 1] = kinds.indexOf(kind);
  new DataView(whole.buffer).setUint32(magic.length + 2, crc32(body), true);
  whole.set(body, headerBytes);
  return whole;
}

/**
 * Reads a binary, but not yet its modules.
 * @throws BinaryError that says what is wrong
 */
export function decodeProgram(bytes: Uint8Array): ProgramBinary {
  if (!isProgramBinary(bytes)) throw new BinaryError('this is no Millrace binary');
  if (bytes.length < headerBytes) throw new BinaryError(`it ends after ${bytes.length} bytes`);
  const version = bytes[magic.length];
  if (version !== formatVersion) {
    throw new BinaryError(`the binary has format ${version}; this Millrace reads format ${formatVersion}`);
  }
  const kind = kinds[bytes[magic.length + 1] ?? kinds.length];
  if (kind === undefined) throw new BinaryError('its header is damaged');
  const body = bytes.subarray(headerBytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(magic.length + 2, true) !== crc32(body)) {
    throw new BinaryError('it is damaged: the checksum is wrong');
  }
  const input = new ByteReader(body);
  const options = input.text();
  const modules = new Map<32 | 64, Uint8Array>();
  const count = input.count(2);
  for (let index = 0; index < count; index += 1) {
    const addressBits = input.byte();
    if ((addressBits !== 32 && addressBits !== 64) || modules.has(addressBits)) {
      return input.fail('its parts are damaged');
    }
    modules.set(addressBits, input.bytes(input.length()));
  }
  if (count === 0 || input.left > 0) input.fail('its parts are damaged');
  return { kind, options, modules };
}

/**
 * The program for an address width, valid by every rule of the IR; anew at every call.
 * @throws BinaryError that says what is wrong
 */
export function moduleOf({ kind, modules }: ProgramBinary, addressBits: 32 | 64): Module {
  const bytes = modules.get(addressBits);
  if (!bytes) throw new BinaryError(`it has no program for addresses of ${addressBits} bits`);
  const module = readModule(bytes);
  if (module.addressBits !== addressBits) throw new BinaryError('its parts are damaged');
  if (kind !== 'executable') return module;
  const problem = wholenessProblem(module);
  if (problem !== undefined) throw new BinaryError(problem);
  return module;
}

/**
 * A way to the program for an address width, anew at every call. It is read once at once, to be sure that it can be.
 * @throws BinaryError that says what is wrong
 */
export function moduleSource(binary: ProgramBinary, addressBits: 32 | 64): () => Module {
  let ready: Module | undefined = moduleOf(binary, addressBits);
  return () => {
    const module = ready ?? moduleOf(binary, addressBits);
    ready = undefined;
    return module;
  };
}
