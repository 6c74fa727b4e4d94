/**
 * A compiled program as bytes, for a cache that only this machine's user can write: it is read without being checked.
 * The numbers and names go as JSON, the WebAssembly module and the constants as they are, behind it.
 */
import type { WasmProgram } from '../../codegen/wasm/module/abi.ts';
import { typeNumbers, types } from '../../ir/binary/schema.ts';
import type { ProgramOutline } from './program-outline.ts';

const none = new Uint8Array(0);

export function encodeOutline(outline: ProgramOutline): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(outline));
}

export function decodeOutline(bytes: Uint8Array): ProgramOutline {
  return JSON.parse(new TextDecoder().decode(bytes)) as ProgramOutline;
}

export function encodeCode({ bytes, constants, printfs, ...rest }: WasmProgram): Uint8Array {
  const facts = {
    ...rest,
    constants: { ...constants, bytes: undefined },
    // Types are known by what they are, so only their numbers can be written.
    printfs: printfs.map(({ format, types: list }) => ({
      format,
      types: list.map((type) => typeNumbers.get(type)),
    })),
    moduleBytes: bytes.length,
  };
  const head = new TextEncoder().encode(JSON.stringify(facts));
  const whole = new Uint8Array(4 + head.length + bytes.length + constants.bytes.length);
  new DataView(whole.buffer).setUint32(0, head.length, true);
  whole.set(head, 4);
  whole.set(bytes, 4 + head.length);
  whole.set(constants.bytes, 4 + head.length + bytes.length);
  return whole;
}

type Facts = Omit<WasmProgram, 'bytes' | 'printfs'> & {
  readonly printfs: readonly { readonly format: string; readonly types: readonly number[] }[];
  readonly moduleBytes: number;
};

export function decodeCode(whole: Uint8Array): WasmProgram {
  const view = new DataView(whole.buffer, whole.byteOffset, whole.byteLength);
  const start = 4 + view.getUint32(0, true);
  const text = new TextDecoder().decode(whole.subarray(4, start));
  const { constants, printfs, moduleBytes, ...rest } = JSON.parse(text) as Facts;
  const end = start + moduleBytes;
  return {
    ...rest,
    bytes: whole.slice(start, end),
    constants: { ...constants, bytes: constants.size > 0 ? whole.slice(end) : none },
    printfs: printfs.map(({ format, types: list }) => ({ format, types: list.map((type) => types[type]!) })),
  };
}
