/**
 * A compiled program as bytes, for a cache that only this machine's user can write: it is read without being checked.
 * The numbers and names go as JSON, the WebAssembly module and the constants as they are, behind it.
 */
import type { WasmProgram } from '../../codegen/wasm/abi.ts';
import { typeNumbers, types } from '../../ir/binary/schema.ts';
import type { ParameterInfo } from '../../ir/ir.ts';

/** What a program is loaded from. `infos` gives for each kernel name what the source says about its parameters. */
export interface ProgramCode {
  readonly program: WasmProgram;
  readonly infos: ReadonlyMap<string, readonly (ParameterInfo | undefined)[]>;
}

const none = new Uint8Array(0);

export function encodeCode({ program, infos }: ProgramCode): Uint8Array {
  const { bytes, constants, printfs, ...rest } = program;
  const facts = {
    ...rest,
    constants: { ...constants, bytes: undefined },
    // Types are known by what they are, so only their numbers can be written.
    printfs: printfs.map(({ format, types: list }) => ({
      format,
      types: list.map((type) => typeNumbers.get(type)),
    })),
    infos: [...infos],
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
  readonly infos: readonly (readonly [string, readonly (ParameterInfo | null)[]])[];
  readonly moduleBytes: number;
};

export function decodeCode(whole: Uint8Array): ProgramCode {
  const view = new DataView(whole.buffer, whole.byteOffset, whole.byteLength);
  const start = 4 + view.getUint32(0, true);
  const text = new TextDecoder().decode(whole.subarray(4, start));
  const { constants, printfs, infos, moduleBytes, ...rest } = JSON.parse(text) as Facts;
  const end = start + moduleBytes;
  const program: WasmProgram = {
    ...rest,
    bytes: whole.slice(start, end),
    constants: { ...constants, bytes: constants.size > 0 ? whole.slice(end) : none },
    printfs: printfs.map(({ format, types: list }) => ({ format, types: list.map((type) => types[type]!) })),
  };
  const read = infos.map(([name, list]) => [name, list.map((info) => info ?? undefined)] as const);
  return { program, infos: new Map(read) };
}
