/** Records of printf as the host reads them, from kernels that may have written anything. */
import { describe, expect, it } from 'vitest';
import { type PrintfSite, recordLayout, recordTexts } from '../../../src/ir/printf/record.ts';
import { f32, i8, i32, i64, pointerType, vectorType } from '../../../src/ir/types.ts';
import { Random } from '../../support/random.ts';

const sites: PrintfSite[] = [
  { format: 'none.', types: [] },
  { format: '%d %ld %v3hhd %s.', types: [i32, i64, vectorType(i8, 3), pointerType('constant')] },
  { format: '%v4hlf', types: [vectorType(f32, 4)] },
];

function read(records: Uint8Array): string[] {
  return [...recordTexts({ records, sites, addressBits: 32, readString: (at) => `at ${at}` })];
}

/** A record of site 1, put together by hand from the description in record.ts. */
function handMade(): Uint8Array {
  const bytes = new Uint8Array(40);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 40, true);
  view.setUint32(4, 2, true);
  view.setInt32(8, -5, true);
  view.setBigInt64(16, 1n << 40n, true);
  bytes.set([1, 2, 255], 24);
  view.setUint32(28, 77, true);
  return bytes;
}

describe('printf records', () => {
  it('have their operands at multiples of their elements', () => {
    expect(recordLayout(sites[0]!.types, 4)).toEqual({ offsets: [], size: 8 });
    expect(recordLayout(sites[1]!.types, 4)).toEqual({ offsets: [8, 16, 24, 28], size: 32 });
    expect(recordLayout(sites[1]!.types, 8)).toEqual({ offsets: [8, 16, 24, 32], size: 40 });
  });

  it('are read in order, but for those whose format is missing', () => {
    const whole = handMade().slice(0, 32);
    new DataView(whole.buffer).setUint32(0, 32, true);
    const unfinished = whole.slice();
    new DataView(unfinished.buffer).setUint32(4, 0, true);
    const all = new Uint8Array([...whole, ...unfinished, 8, 0, 0, 0, 1, 0, 0, 0, ...whole]);
    const text = '-5 1099511627776 1,2,-1 at 77.';
    expect(read(all)).toEqual([text, 'none.', text]);
  });

  it('end where the bytes make no sense', () => {
    expect(read(handMade())).toEqual([]);
    expect(read(new Uint8Array(64))).toEqual([]);
    expect(read(new Uint8Array(64).fill(255))).toEqual([]);
    expect(read(handMade().slice(0, 20))).toEqual([]);
  });

  it('do no harm whatever they hold', () => {
    const random = new Random(1);
    for (let round = 0; round < 2000; round += 1) {
      const bytes = new Uint8Array(96).map(() => random.below(256));
      const view = new DataView(bytes.buffer);
      for (let at = 0; at < 96; at += 8)
        if (random.next() < 0.7) view.setUint32(at, random.pick([8, 16, 24, 32, 40]), true);
      for (let at = 4; at < 96; at += 8) if (random.next() < 0.7) view.setUint32(at, random.below(5), true);
      for (const text of read(bytes)) expect(text.length).toBeLessThan(300);
    }
  });
});
