/**
 * How calls of printf lie in the buffer of a launch until the host prints them. A buffer begins with
 * {@link bufferHeader}; a call claims its record's bytes by an atomic addition, so records follow each other without a
 * gap, in the order of their claims. Who writes them is a kernel, which may do anything to them: whoever reads checks
 * all.
 */
import { readerOf } from '../interpreter/values.ts';
import { elementOf, sizeOf, type Type } from '../types.ts';
import { type FormatPiece, parseFormat } from './format.ts';
import { type PrintfValue, printfText, type StringReader } from './text.ts';

/** Byte offsets in a buffer: how many bytes are claimed (more than there are once it is full), and how many calls found no room. */
export const bufferHeader = { claimed: 0, refused: 4, records: 8 } as const;

/** Byte offsets in a record: its own size, and 1 + the number of its format, written last. */
export const recordHeader = { size: 0, format: 4, operands: 8 } as const;

/** Records are multiples of this. */
const recordAlign = 8;

/** One printf of a program: its format and what it is called with. */
export interface PrintfSite {
  readonly format: string;
  readonly types: readonly Type[];
}

/** Where a record has its operands, each aligned to its elements, and how long it is. */
export function recordLayout(
  types: readonly Type[],
  addressBytes: number,
): { offsets: number[]; size: number } {
  let end: number = recordHeader.operands;
  const offsets = types.map((type) => {
    const align = sizeOf(elementOf(type), addressBytes);
    const offset = Math.ceil(end / align) * align;
    end = offset + sizeOf(type, addressBytes);
    return offset;
  });
  return { offsets, size: Math.ceil(end / recordAlign) * recordAlign };
}

/** What a buffer holds, once nobody writes it any more. */
export interface BufferReader {
  /** From the header's end, as many as are claimed and there. */
  readonly records: Uint8Array;
  readonly sites: readonly PrintfSite[];
  readonly addressBits: 32 | 64;
  readonly readString: StringReader;
}

/** The texts of all whole records, in order. Stops where the bytes make no sense. */
export function* recordTexts({ records, sites, addressBits, readString }: BufferReader): Generator<string> {
  const view = new DataView(records.buffer, records.byteOffset, records.byteLength);
  const readers = new Map<number, SiteReader>();
  for (let at = 0; at + recordHeader.operands <= records.length; ) {
    const size = view.getUint32(at + recordHeader.size, true);
    if (size < recordHeader.operands || size % recordAlign !== 0 || at + size > records.length) return;
    const number = view.getUint32(at + recordHeader.format, true) - 1;
    let reader = readers.get(number);
    if (!reader && sites[number]) {
      reader = new SiteReader(sites[number], addressBits);
      readers.set(number, reader);
    }
    // A thread that was ended in between has not written its format.
    if (reader?.size === size) yield printfText(reader.pieces, reader.read(view, at), readString);
    at += size;
  }
}

class SiteReader {
  readonly pieces: readonly FormatPiece[];
  readonly size: number;
  readonly #operands: readonly { read(view: DataView, at: number): PrintfValue }[];

  constructor({ format, types }: PrintfSite, addressBits: 32 | 64) {
    this.pieces = parseFormat(format).pieces;
    const { offsets, size } = recordLayout(types, addressBits / 8);
    this.size = size;
    this.#operands = types.map((type, index) => {
      const read = readerOf(type, addressBits);
      const offset = offsets[index]!;
      return { read: (view, at) => ({ type, value: read(view, at + offset) }) };
    });
  }

  read(view: DataView, at: number): PrintfValue[] {
    return this.#operands.map((operand) => operand.read(view, at));
  }
}
