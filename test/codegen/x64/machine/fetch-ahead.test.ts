/** For which loads the next line is fetched: on code written here, whose meaning is plain. */
import { expect, it } from 'vitest';
import { general, immediate, memory } from '../../../../src/codegen/x64/assembler/instruction.ts';
import { printInstruction } from '../../../../src/codegen/x64/assembler/print.ts';
import { Program } from '../../../../src/codegen/x64/assembler/program.ts';
import { fetchAhead } from '../../../../src/codegen/x64/machine/fetch-ahead.ts';
import { MachineFunction } from '../../../../src/codegen/x64/machine/function.ts';
import { memoryRegister } from '../../../../src/codegen/x64/machine/operation.ts';

const base = general(memoryRegister, 64);

interface Variant {
  readonly depth?: number;
  readonly bits?: 256 | 512;
  /** What is done with the lane. */
  readonly use?: 'address' | 'sum' | 'overwritten';
}

/** The prefetches of a function that loads indices, multiplies them by four, and uses a lane. */
function fetched({ depth = 1, bits = 512, use = 'address' }: Variant): string[] {
  const fn = new MachineFunction('f', new Program());
  fn.depth = depth;
  const [indices, scaled] = [fn.vector(bits), fn.vector(bits)];
  const place = fn.general(32);
  const from = memory(bits, { base, index: general(fn.newGeneral(32), 64), offset: 128 });
  fn.emit('vmovups', indices, from);
  fn.emit('vpslld', scaled, indices, immediate(2));
  fn.emit('vpextrd', place, { ...scaled, bits: 128 }, immediate(1));
  if (use === 'overwritten') fn.emit('mov', place, immediate(0));
  if (use === 'sum') fn.emit('add', fn.general(32), place);
  else fn.emit('vmovss', fn.vector(), memory(32, { base, index: general(place.number, 64) }));
  fetchAhead(fn);
  return fn.items.flatMap((item) =>
    item.kind === 'operation' && item.instruction.mnemonic.startsWith('prefetch')
      ? [printInstruction(item.instruction)]
      : [],
  );
}

it('the next line of a list of places', () => {
  expect(fetched({})).toEqual([expect.stringMatching(/^prefetcht0 BYTE PTR \[.*0xc0\]$/)]);
});

it('not outside of loops, nor of vectors that are no whole line', () => {
  expect(fetched({ depth: 0 })).toEqual([]);
  expect(fetched({ bits: 256 })).toEqual([]);
});

it('not of what becomes no address', () => {
  expect(fetched({ use: 'sum' })).toEqual([]);
  expect(fetched({ use: 'overwritten' })).toEqual([]);
});
