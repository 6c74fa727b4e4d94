/**
 * Lets an instruction read memory itself, where a register was loaded for it alone:
 *
 *     vmovups v2, [m]
 *     vaddps  v3, v1, v2        vaddps v3, v1, [m]
 *
 * The load moves down to its reader: over nothing that may write there, no atomic operation, and no label or call. That of a general register may be
 * atomic itself: it moves over no other access. What is read has as many bits either way. A register that only the address needs lives longer then, so the
 * way is short where there is one: general registers are few.
 */
import type { Instruction, MemoryOperand, Operand } from '../assembler/instruction.ts';
import { countAccesses } from './access-counts.ts';
import type { MachineFunction } from './function.ts';
import { accessOf, mayMeet, ordersMemory } from './memory-access.ts';
import { memoryForm } from './memory-form.ts';
import {
  firstVirtual,
  isCopy,
  type MachineOperation,
  numberShift,
  ofMnemonic,
  reads,
  roleOf,
  writes,
} from './operation.ts';

const isLoad = ofMnemonic((mnemonic) => /^(mov|vmov(up[sd]|s[sd]|d|q|dqu))$/.test(mnemonic));
/** What does not care in which order its last two sources are; of those that multiply and add, the factors. */
const isCommutative = ofMnemonic((mnemonic) =>
  /^v((add|mul)[sp][sd]|(and|or|xor)p[sd]|p(add|mull|and(?!n)|or|xor|cmpeq|max[su]|min[su]|mulh|mulu|avg).*|fn?m(add|sub)231[sp][sd])$/.test(
    mnemonic,
  ),
);

/** A load moves over so many operations at most, if a register of its address is needed for nothing else. */
const longestWay = 6;

/** A register that a load has given, and nothing has read yet. */
interface Loaded {
  readonly at: number;
  readonly from: MemoryOperand;
  readonly mayBeAtomic: boolean;
  /** The last place that its reader may have. */
  readonly until: number;
}

/** @param avx512 whether there are the instructions of AVX-512 */
export function foldLoads(fn: MachineFunction, { avx512 }: { readonly avx512: boolean }): void {
  const { items } = fn;
  const { readers, writers } = countAccesses(fn);
  const lastReads = findLastReads(fn);
  const loaded = new Map<number, Loaded>();
  const isFolded = new Uint8Array(items.length);
  items.forEach((item, at) => {
    if (item.kind === 'label' || ordersMemory(item)) {
      loaded.clear();
      return;
    }
    if (loaded.size > 0) {
      const load = fold(item, at, loaded, avx512);
      if (load) isFolded[load.at] = 1;
      forgetWritten(item, loaded);
    }
    const load = loadOf(item.instruction);
    if (!load || readers[load.number] !== 1 || writers[load.number] !== 1) return;
    const { number, from, mayBeAtomic } = load;
    const isLast = [from.base, from.index].some(
      (part) => part && part.number >= firstVirtual && lastReads[part.number - firstVirtual] === at,
    );
    loaded.set(number, { at, from, mayBeAtomic, until: isLast ? at + longestWay : items.length });
  });
  fn.items = items.filter((_, at) => isFolded[at] === 0);
}

/** The last place in the function that reads each register, by its number less {@link firstVirtual}. */
function findLastReads({ items, registers }: MachineFunction): Int32Array {
  const last = new Int32Array(registers.length).fill(-1);
  items.forEach((item, at) => {
    if (item.kind === 'label') return;
    for (const access of item.accesses) {
      const index = (access >> numberShift) - firstVirtual;
      if (index >= 0 && (access & reads) !== 0) last[index] = at;
    }
  });
  return last;
}

/** The virtual register that an instruction loads, and from where. */
function loadOf({
  mnemonic,
  operands,
  mask,
}: Instruction): (Pick<Loaded, 'from' | 'mayBeAtomic'> & { readonly number: number }) | undefined {
  const [to, from] = operands;
  if (!isLoad(mnemonic) || mask || operands.length !== 2 || from?.kind !== 'memory') return undefined;
  if ((to?.kind !== 'general' && to?.kind !== 'vector') || to.number < firstVirtual) return undefined;
  const mayBeAtomic = to.kind === 'general';
  return mayBeAtomic && to.bits !== from.bits ? undefined : { number: to.number, from, mayBeAtomic };
}

/** Lets an operation read one of its registers in memory, if it can. Gives what loads it no more. */
function fold(
  item: MachineOperation,
  at: number,
  loaded: Map<number, Loaded>,
  avx512: boolean,
): Loaded | undefined {
  const { instruction } = item;
  const { operands } = instruction;
  if (instruction.mask || isCopy(instruction)) return undefined;
  for (let index = operands.length - 1; index >= 0; index -= 1) {
    const operand = operands[index]!;
    if (operand.kind !== 'general' && operand.kind !== 'vector') continue;
    const load = loaded.get(operand.number);
    if (!load || load.until < at || roleOf(instruction, index) !== 'use') continue;
    // Of a register of 64 bits the upper half counts, too.
    if (operand.kind === 'general' && operand.bits !== load.from.bits) continue;
    const folded = reading(instruction, index, load.from, avx512);
    if (!folded) continue;
    item.instruction = folded;
    loaded.delete(operand.number);
    return load;
  }
  return undefined;
}

/** The instruction with memory in the place of an operand, or of the one that it changes places with; undefined if there is no such one. */
function reading(
  one: Instruction,
  index: number,
  from: MemoryOperand,
  avx512: boolean,
): Instruction | undefined {
  const { operands, mnemonic } = one;
  const direct = memoryForm(one, index, from, { avx512 });
  if (direct || !isCommutative(mnemonic) || index !== 1 || operands.length !== 3) return direct;
  const [to, first, second] = operands as [Operand, Operand, Operand];
  return memoryForm({ ...one, operands: [to, second, first] }, 2, from, { avx512 });
}

/** Forgets what an operation may have changed: content of memory, or a part of an address. */
function forgetWritten(item: MachineOperation, loaded: Map<number, Loaded>): void {
  const access = accessOf(item.instruction);
  const store = access?.writes ? access.operand : undefined;
  const written: number[] = [];
  for (const one of item.accesses) if ((one & writes) !== 0) written.push(one >> numberShift);
  if (!access && written.length === 0 && item.implicitDefinitions.length === 0) return;
  const isWritten = (number: number | undefined): boolean =>
    number !== undefined && (written.includes(number) || item.implicitDefinitions.includes(number));
  for (const [number, { from, mayBeAtomic }] of loaded) {
    const isChanged = store !== undefined && from.constant === undefined && mayMeet(from, store);
    if (isChanged || (mayBeAtomic && access) || isWritten(from.base?.number) || isWritten(from.index?.number))
      loaded.delete(number);
  }
}
