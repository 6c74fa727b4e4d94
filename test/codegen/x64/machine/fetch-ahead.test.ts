/** For which loads the next line is fetched: on code written here, whose meaning is plain. */
import { describe, expect, it } from 'vitest';
import {
  type GeneralRegister,
  general,
  immediate,
  memory,
} from '../../../../src/codegen/x64/assembler/instruction.ts';
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

interface Nest {
  /** What the address of the rows' loop's other load depends on, and that of the line. */
  readonly needs: { readonly other: readonly Counter[]; readonly line: readonly Counter[] };
  /** Sums for each line. */
  readonly sums?: number;
  /** Whether the next line is read in the same iteration. */
  readonly readsNext?: boolean;
}
type Counter = 'row' | 'column' | 'k';

/** How many lines are asked for by loops over rows, columns and k, of which the innermost reads a number and a line. */
function fetchedIn({ needs, sums = 1, readsNext = false }: Nest): number {
  const fn = new MachineFunction('f', new Program());
  const counters = { row: fn.general(32), column: fn.general(32), k: fn.general(32) };
  const labels = Object.values(counters).map((counter) => {
    fn.emit('mov', counter, immediate(0));
    const label = fn.newLabel();
    fn.place(label);
    fn.depth += 1;
    return label;
  });
  const addressOf = (of: readonly Counter[]): GeneralRegister => {
    const address = fn.general(32);
    fn.emit('mov', address, fn.general(32));
    for (const name of of) fn.emit('add', address, counters[name]);
    return general(address.number, 64);
  };
  const [sum, number, line] = [fn.vector(512), fn.vector(512), fn.vector(512)];
  fn.emit('vbroadcastss', number, memory(32, { base, index: addressOf(needs.other) }));
  const index = addressOf(needs.line);
  fn.emit('vmovups', line, memory(512, { base, index }));
  if (readsNext) fn.emit('vaddps', sum, sum, memory(512, { base, index, offset: 64 }));
  for (let count = 0; count < sums; count += 1) fn.emit('vaddps', sum, sum, line);
  Object.values(counters)
    .toReversed()
    .forEach((counter, at) => {
      fn.emit('add', counter, immediate(1));
      fn.emit('cmp', counter, immediate(100));
      fn.jump('jne', labels[2 - at]!);
      fn.depth -= 1;
    });
  fetchAhead(fn);
  return fn.items.filter(
    (item) => item.kind === 'operation' && item.instruction.mnemonic.startsWith('prefetch'),
  ).length;
}

describe('the next line in an innermost loop', () => {
  it('where each line is read once', () => {
    expect(fetchedIn({ needs: { other: ['k'], line: ['row', 'column', 'k'] } })).toBe(1);
  });

  it('where the loops around count for nothing, as over dimensions that a kernel does not ask for', () => {
    expect(fetchedIn({ needs: { other: ['k'], line: ['column', 'k'] } })).toBe(1);
  });

  it('not where another row reads the line again', () => {
    expect(fetchedIn({ needs: { other: ['row', 'k'], line: ['column', 'k'] } })).toBe(0);
  });

  it('not where the line is the same in each iteration of the loop around', () => {
    expect(fetchedIn({ needs: { other: ['column', 'k'], line: ['k'] } })).toBe(0);
  });

  it('not where much is done with it', () => {
    expect(fetchedIn({ needs: { other: ['k'], line: ['row', 'column', 'k'] }, sums: 5 })).toBe(0);
  });

  it('once for lines that follow each other', () => {
    const needs = { other: ['k'], line: ['row', 'column', 'k'] } as const;
    expect(fetchedIn({ needs, readsNext: true })).toBe(1);
  });
});
