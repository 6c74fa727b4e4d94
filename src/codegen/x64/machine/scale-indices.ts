/**
 * Lets addresses multiply by 2, 4 and 8 themselves, where stack code has the product in a local because several read it:
 *
 *     mov  v2, v1
 *     shl  v2, 2
 *     lea  v3, [v4+v2]                lea  v3, [v4+v1*4]
 *     lea  v5, [v4+v2+64]     =>      lea  v5, [v4+v1*4+64]
 *
 * That takes no longer, and nothing waits for the product. A product goes if nothing else reads it, all in one block. Sums of 32 bits may wrap, as
 * the product may.
 */
import {
  type GeneralRegister,
  general,
  type Instruction,
  type MemoryOperand,
  memory,
} from '../assembler/instruction.ts';
import { countAccesses } from './access-counts.ts';
import type { MachineFunction } from './function.ts';
import {
  endsBlock,
  firstVirtual,
  isCopy,
  type MachineOperation,
  numberShift,
  reads,
  writes,
} from './operation.ts';

/** A product in the block that is looked at. */
interface Product {
  readonly of: number;
  readonly scale: 2 | 4 | 8;
  /** The places of the copy and the shift. */
  readonly made: readonly [number, number];
  /** The sums that have read it so far. */
  readonly sums: MachineOperation[];
}

export function scaleIndices(fn: MachineFunction): void {
  const { items } = fn;
  const { readers, writers } = countAccesses(fn);
  const isLeftOut = new Uint8Array(items.length);
  const products = new Map<number, Product>();
  const finish = (number: number, product: Product): void => {
    const { sums, made } = product;
    // The copy and the shift write it, and the shift reads it, too.
    if (sums.length === 0 || writers[number] !== 2 || readers[number] !== 1 + sums.length) return;
    // Of two products in one sum the first that is done is multiplied there.
    const instructions = sums.map(({ instruction }) => scaled(instruction, number, product));
    if (instructions.includes(undefined)) return;
    sums.forEach((item, at) => {
      item.instruction = instructions[at]!;
    });
    for (const at of made) isLeftOut[at] = 1;
  };
  const finishAll = (): void => {
    for (const [number, product] of products) finish(number, product);
    products.clear();
  };
  items.forEach((item, at) => {
    if (item.kind === 'label' || item.isCall || endsBlock(item.instruction.mnemonic)) {
      finishAll();
      return;
    }
    for (const access of item.accesses) {
      const number = access >> numberShift;
      const product = products.get(number);
      if (product && (access & reads) !== 0 && scaled(item.instruction, number, product)) {
        product.sums.push(item);
      }
      if ((access & writes) === 0) continue;
      // What is multiplied changes: sums that follow read the product.
      for (const [made, one] of products) {
        if (made !== number && one.of !== number) continue;
        finish(made, one);
        products.delete(made);
      }
    }
    const found = productAt(items[at - 1], item, at);
    if (found) products.set(found.number, found.product);
  });
  finishAll();
  if (isLeftOut.includes(1)) fn.items = items.filter((_, at) => isLeftOut[at] === 0);
}

/** A copy and its shift to the left. */
function productAt(
  before: MachineFunction['items'][number] | undefined,
  item: MachineOperation,
  at: number,
): { readonly number: number; readonly product: Product } | undefined {
  const [to, by] = item.instruction.operands;
  if (item.instruction.mnemonic !== 'shl' || to?.kind !== 'general' || by?.kind !== 'immediate')
    return undefined;
  const scale = ({ 1: 2, 2: 4, 3: 8 } as const)[Number(by.value)];
  if (!scale || to.bits !== 32 || to.number < firstVirtual) return undefined;
  if (before?.kind !== 'operation' || !isCopy(before.instruction)) return undefined;
  const [copy, from] = before.instruction.operands;
  if (copy?.kind !== 'general' || from?.kind !== 'general' || copy.number !== to.number) return undefined;
  if (from.number < firstVirtual || from.number === to.number) return undefined;
  return { number: to.number, product: { of: from.number, scale, made: [at - 1, at], sums: [] } };
}

/** A sum of 32 bits with what is multiplied in the place of the product. */
function scaled(
  { mnemonic, operands, ...rest }: Instruction,
  number: number,
  { of, scale }: Product,
): Instruction | undefined {
  const [to, sum] = operands;
  if (mnemonic !== 'lea' || to?.kind !== 'general' || to.bits !== 32 || sum?.kind !== 'memory')
    return undefined;
  const other = otherTerm(sum, number);
  if (!other) return undefined;
  const address = memory(sum.bits, { base: other, index: general(of, 64), scale, offset: sum.offset ?? 0 });
  return { ...rest, mnemonic, operands: [to, address] };
}

/** What is added to a register in a sum of two, neither of which is scaled. */
function otherTerm({ base, index, scale }: MemoryOperand, number: number): GeneralRegister | undefined {
  if (!base || index?.kind !== 'general' || (scale ?? 1) !== 1) return undefined;
  if (index.number === number && base.number !== number) return base;
  if (base.number === number && index.number !== number) return index;
  return undefined;
}
