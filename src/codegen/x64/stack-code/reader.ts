/**
 * Reads the body of a function that codegen/wasm's function compiler wrote, instruction by instruction. In this back end these bodies are
 * called *stack code*: what WebAssembly's instructions mean is defined to the last bit, so they are the low-level form from which
 * machine code is selected, and all that is decided between the IR and them (frames, work-item loops, fusion of groups, masks, printf)
 * is decided in one place for both.
 */

import { typeCodes, type WasmType } from '../../wasm/module/encoder.ts';
import { immediateOf, nameOfOpcode, type OpName } from '../../wasm/module/opcodes.ts';

/** One instruction, with what of the immediates it has. */
export interface StackInstruction {
  readonly name: OpName;
  /** Where it begins, as marks of accesses say it. */
  readonly at: number;
  /** A number: of a local, global, function or label (how many blocks further out); an i32, f32 or f64; a lane. */
  readonly value: number;
  readonly wide: bigint;
  /** What a memory instruction adds to the address. */
  readonly offset: number;
  /** Sixteen bytes: of a v128.const or a shuffle. */
  readonly bytes: Uint8Array | undefined;
  /** Labels of a br_table, the default one last. */
  readonly labels: readonly number[];
  /** What a block leaves. */
  readonly result: WasmType | undefined;
  /** Whether what it gives is dropped at once. */
  isDropped: boolean;
}

const resultTypes = new Map(Object.entries(typeCodes).map(([name, code]) => [code, name as WasmType]));

/** All instructions of a body, up to the final `end` and with it. */
export function readStackCode(code: Uint8Array): StackInstruction[] {
  const view = new DataView(code.buffer, code.byteOffset, code.byteLength);
  const instructions: StackInstruction[] = [];
  let at = 0;
  const u32 = (): number => {
    let result = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = code[at++]!;
      result |= (byte & 127) << shift;
      if (byte < 128) return result >>> 0;
    }
  };
  const signed = (bits: 32 | 64): bigint => {
    let result = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = code[at++]!;
      result |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asIntN(bits, byte & 64 ? result - (1n << (shift + 7n)) : result);
    }
  };
  const s32 = (): number => {
    let result = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = code[at++]!;
      result |= (byte & 127) << shift;
      if (byte < 128) return byte & 64 && shift < 25 ? result | (-1 << (shift + 7)) : result | 0;
    }
  };
  const sixteen = (): Uint8Array => {
    at += 16;
    return code.slice(at - 16, at);
  };
  while (at < code.length) {
    const start = at;
    const byte = code[at++]!;
    const opcode = byte >= 0xfc ? byte * 0x1000 + u32() : byte;
    const name = nameOfOpcode(opcode);
    if (name === undefined) throw new Error(`x64: stack code has no instruction ${opcode.toString(16)}`);
    let value = 0;
    let wide = 0n;
    let offset = 0;
    let bytes: Uint8Array | undefined;
    let labels: number[] = [];
    let result: WasmType | undefined;
    switch (immediateOf(name)) {
      case 'block':
        result = resultTypes.get(code[at++]!);
        break;
      case 'label':
      case 'function':
      case 'local':
      case 'global':
        value = u32();
        break;
      case 'table': {
        const count = u32();
        labels = Array.from({ length: count + 1 }, u32);
        break;
      }
      case 'type-and-table':
        value = u32();
        at += 1;
        break;
      case 'memory-lane':
      case 'memory':
        u32();
        offset = u32();
        if (immediateOf(name) === 'memory-lane') value = code[at++]!;
        break;
      case 'two-zeros':
        at += 2;
        break;
      case 'zero':
        at += 1;
        break;
      case 'i32':
        value = s32();
        break;
      case 'i64':
        wide = signed(64);
        break;
      case 'f32':
        // The bits: a NaN's do not survive as a number.
        value = view.getUint32(at, true);
        at += 4;
        break;
      case 'f64':
        wide = view.getBigUint64(at, true);
        at += 8;
        break;
      case 'v128':
      case 'lanes':
        bytes = sixteen();
        break;
      case 'lane':
        value = code[at++]!;
        break;
      default:
    }
    if (name === 'drop') instructions.at(-1)!.isDropped = true;
    instructions.push({ name, at: start, value, wide, offset, bytes, labels, result, isDropped: false });
  }
  return instructions;
}
