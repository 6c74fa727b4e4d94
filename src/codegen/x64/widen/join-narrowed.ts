/**
 * Puts what two instructions make narrower together before and not after it, so that one does it. Where what they read comes of two instructions that
 * join-halves.ts makes one, nothing has to be put together then.
 *
 *     vcvttpd2dq  v3, v1(256)             vinserti64x4 v6(512), v1, v2
 *     vcvttpd2dq  v4, v2(256)             vcvttpd2dq   v5(256), v6
 *     vinserti128 v5(256), v3, v4
 */
import { immediate, type VectorRegister, vector } from '../assembler/instruction.ts';
import type { MachineFunction } from '../machine/function.ts';
import {
  isOfVector,
  type MachineItem,
  type MachineOperation,
  numberShift,
  ofMnemonic,
  reads,
  writes,
} from '../machine/operation.ts';
import { gatheredBy, halfMoves } from './joinable.ts';

const isNarrowing = ofMnemonic((mnemonic) => /^vcvtt?pd2(u?dq|ps)$/.test(mnemonic));

/** Where a register is written, and how often it is written and read. */
interface Use {
  written: number;
  read: number;
  at: number;
}

/** Rewrites a function for a processor with AVX-512. */
export function joinNarrowed(fn: MachineFunction): void {
  const uses = usesOf(fn.items);
  /** What came instead of an item, of those that go. */
  const instead = new Map<number, readonly MachineItem[]>();
  fn.items.forEach((item, at) => {
    if (item.kind === 'label') return;
    const gathered = gatheredBy(item.instruction, 128);
    if (!gathered) return;
    const low = narrowed(fn.items, uses, gathered.low, at);
    const high = narrowed(fn.items, uses, gathered.high, at);
    if (!low || !high || low.operation.instruction.mnemonic !== high.operation.instruction.mnemonic) return;
    const both = fn.vector(512);
    const [to] = item.instruction.operands;
    const { line } = item.instruction;
    const place = line === undefined ? {} : { line };
    const insert = {
      mnemonic: halfMoves[256].insert,
      operands: [both, vector(low.from.number, 512), high.from, immediate(1)],
      ...place,
    };
    const narrow = { mnemonic: low.operation.instruction.mnemonic, operands: [to!, both], ...place };
    instead.set(at, [item.with(insert), item.with(narrow)]);
    instead.set(low.at, []);
    instead.set(high.at, []);
  });
  if (instead.size > 0)
    fn.items = fn.items.flatMap((item, at): readonly MachineItem[] => instead.get(at) ?? [item]);
}

function usesOf(items: readonly MachineItem[]): ReadonlyMap<number, Use> {
  const uses = new Map<number, Use>();
  items.forEach((item, at) => {
    if (item.kind === 'label') return;
    for (const access of item.accesses) {
      if ((access & isOfVector) === 0) continue;
      const number = access >> numberShift;
      const use = uses.get(number) ?? { written: 0, read: 0, at: -1 };
      if ((access & writes) !== 0) {
        use.written += 1;
        use.at = at;
      }
      if ((access & reads) !== 0) use.read += 1;
      uses.set(number, use);
    }
  });
  return uses;
}

/** What makes a register that is read at one place alone from one of 256 bits that is still the same there. */
function narrowed(
  items: readonly MachineItem[],
  uses: ReadonlyMap<number, Use>,
  number: number,
  readAt: number,
): { readonly operation: MachineOperation; readonly from: VectorRegister; readonly at: number } | undefined {
  const { written, read, at } = uses.get(number)!;
  const item = items[at];
  if (written !== 1 || read !== 1 || at >= readAt || item?.kind !== 'operation') return undefined;
  const { mnemonic, operands, mask, rounding } = item.instruction;
  const [, from] = operands;
  if (!isNarrowing(mnemonic) || mask || rounding || from?.kind !== 'vector' || from.bits !== 256)
    return undefined;
  const source = uses.get(from.number)!;
  if (source.written !== 1 || (source.at > at && source.at < readAt)) return undefined;
  // Behind a label another iteration, or another branch, could have come in between.
  for (let between = at + 1; between < readAt; between += 1)
    if (items[between]!.kind === 'label') return undefined;
  return { operation: item, from, at };
}
