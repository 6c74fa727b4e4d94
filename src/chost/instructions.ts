/**
 * How long the instructions of WebAssembly are: enough to walk through a function and find those that one looks for
 * (WebAssembly 2.0, 5.4, with threads, tail calls, exceptions and relaxed SIMD).
 */

/** A place in a module's bytes that moves on as they are read. */
export class Reader {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  byte(): number {
    const byte = this.bytes[this.at];
    if (byte === undefined) throw new Error('it ends in the middle of something');
    this.at += 1;
    return byte;
  }

  /** An unsigned LEB128 number of at most 32 bits. */
  number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
      if (shift > 28) throw new Error(`a number is too long at byte ${this.at}`);
    }
  }

  /** A LEB128 number of any kind, whatever its value. */
  skipNumber(): void {
    while (this.byte() >= 0x80);
  }

  skip(bytes: number): void {
    this.at += bytes;
  }
}

const memorySize = 0x3f;
const memoryGrow = 0x40;
export const opcode = { memorySize, memoryGrow } as const;

/** Reads one instruction and gives its opcode (the first byte of those with a prefix). */
export function readInstruction(reader: Reader): number {
  const code = reader.byte();
  if (code >= 0x28 && code <= 0x3e) memoryArgument(reader);
  else if (code >= 0x45 && code <= 0xc4) return code;
  else immediates(reader, code);
  return code;
}

function immediates(reader: Reader, code: number): void {
  switch (code) {
    // unreachable, nop, else, throw_ref, end, return, catch_all, drop, select, ref.is_null
    case 0x00:
    case 0x01:
    case 0x05:
    case 0x0a:
    case 0x0b:
    case 0x0f:
    case 0x19:
    case 0x1a:
    case 0x1b:
    case 0xd1:
      return;
    // block, loop, if, try; catch, throw, rethrow; br, br_if; call, return_call; delegate; variables, tables;
    // memory.size, memory.grow; i32.const, i64.const; ref.null, ref.func
    case 0x02:
    case 0x03:
    case 0x04:
    case 0x06:
    case 0x07:
    case 0x08:
    case 0x09:
    case 0x0c:
    case 0x0d:
    case 0x10:
    case 0x12:
    case 0x18:
    case 0x20:
    case 0x21:
    case 0x22:
    case 0x23:
    case 0x24:
    case 0x25:
    case 0x26:
    case memorySize:
    case memoryGrow:
    case 0x41:
    case 0x42:
    case 0xd0:
    case 0xd2:
      reader.skipNumber();
      return;
    // br_table
    case 0x0e:
      numbers(reader, reader.number() + 1);
      return;
    // call_indirect, return_call_indirect
    case 0x11:
    case 0x13:
      numbers(reader, 2);
      return;
    // select with types
    case 0x1c:
      numbers(reader, reader.number());
      return;
    case 0x43:
      reader.skip(4);
      return;
    case 0x44:
      reader.skip(8);
      return;
    case 0xfc:
      bulk(reader);
      return;
    case 0xfd:
      vector(reader);
      return;
    case 0xfe:
      // atomic.fence has a byte, all others a place in memory.
      if (reader.number() === 0x03) reader.skip(1);
      else memoryArgument(reader);
      return;
    default:
      throw new Error(
        `it has an instruction that is not known here: 0x${code.toString(16)} at byte ${reader.at - 1}`,
      );
  }
}

function numbers(reader: Reader, count: number): void {
  for (let index = 0; index < count; index += 1) reader.skipNumber();
}

/** Alignment and offset; bit 6 of the alignment says that there is the index of a memory between them. */
function memoryArgument(reader: Reader): void {
  if (reader.number() & 0x40) reader.skipNumber();
  reader.skipNumber();
}

/** Saturating conversions have nothing; then memory.init, data.drop, memory.copy, memory.fill and those of tables. */
const bulkNumbers = [0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1];

function bulk(reader: Reader): void {
  const code = reader.number();
  const count = bulkNumbers[code];
  if (count === undefined) throw new Error(`it has an instruction that is not known here: 0xfc ${code}`);
  numbers(reader, count);
}

function vector(reader: Reader): void {
  const code = reader.number();
  if (code <= 11 || code === 92 || code === 93) memoryArgument(reader);
  // v128.const, i8x16.shuffle
  else if (code === 12 || code === 13) reader.skip(16);
  // One lane of a vector.
  else if (code >= 21 && code <= 34) reader.skip(1);
  // One lane from or to memory.
  else if (code >= 84 && code <= 91) {
    memoryArgument(reader);
    reader.skip(1);
  }
}
