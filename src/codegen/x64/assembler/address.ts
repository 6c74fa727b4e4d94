/** ModRM, SIB and displacement: how an operand in memory is written. */
import type { CodeBuffer } from './code-buffer.ts';
import type { MemoryOperand } from './instruction.ts';

/** Whether the parts of an address can be encoded; what is wrong with them, or undefined. */
export function addressFault({
  base,
  index,
  scale = 1,
  offset = 0,
  constant,
}: MemoryOperand): string | undefined {
  if (base && (base.bits !== 64 || base.number < 0 || base.number > 15))
    return 'its base is no 64-bit register';
  if (index?.kind === 'general') {
    if (index.bits !== 64 || index.number < 0 || index.number > 15) return 'its index is no 64-bit register';
    if (index.number === 4) return 'rsp cannot be an index';
  }
  if (![1, 2, 4, 8].includes(scale)) return `it has scale ${scale}`;
  if (!Number.isInteger(offset) || offset < -0x80000000 || offset > 0x7fffffff)
    return `its offset is ${offset}`;
  if (constant !== undefined && (base || index)) return 'it is a constant with a base or an index';
  return undefined;
}

/** Whether an 8-bit displacement says the offset, in units of so many bytes. */
export function isShort(offset: number, unit: number): boolean {
  const count = offset / unit;
  return Number.isInteger(count) && count >= -128 && count <= 127;
}

/**
 * Writes ModRM and what follows it.
 * @param reg three bits for ModRM.reg
 * @param unit bytes that an 8-bit displacement counts in
 */
export function writeAddress(buffer: CodeBuffer, memory: MemoryOperand, reg: number, unit: number): void {
  const { base, index, scale = 1, offset = 0, constant } = memory;
  const middle = (reg & 7) << 3;
  if (constant !== undefined) {
    buffer.byte(middle | 5);
    buffer.distance('constant', constant, offset);
    return;
  }
  const needsSib = !base || index !== undefined || (base.number & 7) === 4;
  // Without a displacement, rbp and r13 as a base would say that there is none.
  const form = !base ? 0 : offset === 0 && (base.number & 7) !== 5 ? 0 : isShort(offset, unit) ? 1 : 2;
  buffer.byte((form << 6) | middle | (needsSib ? 4 : base.number & 7));
  if (needsSib) {
    const low = index ? index.number & 7 : 4;
    buffer.byte((Math.log2(scale) << 6) | (low << 3) | (base ? base.number & 7 : 5));
  }
  if (form === 1) buffer.byte((offset / unit) & 0xff);
  else if (form === 2 || !base) buffer.number(offset, 4);
}
