/**
 * The processor's flags: who sets them, and who reads what somebody has set. They hold until somebody sets them anew; past a label, a call or an end
 * nobody wants them. Behind a jump that is not taken they are what they were.
 */
import { endsBlock, type MachineItem, ofMnemonic } from './operation.ts';

const setsFlags = ofMnemonic((mnemonic) =>
  /^(add|adc|sub|sbb|inc|dec|neg|i?mul|i?div|and|or|xor|andn|cmp|test|bt[crs]?|sh[lr]d?|sa[lr]|ro[lr]|rc[lr]|popcnt|[lt]zcnt|xadd|cmpxchg|vptest|vtestp[sd]|vu?comis[sd]|kortest[bwdq]|call)$/.test(
    mnemonic,
  ),
);
const isEnd = ofMnemonic((mnemonic) => /^(jmp|ret|ud2)$/.test(mnemonic));

/** Whether it reads what another instruction has left in the flags. */
export const readsFlags = ofMnemonic((mnemonic) =>
  /^(j(?!mp).*|set.*|cmov.*|adc|sbb|rc[lr])$/.test(mnemonic),
);

/**
 * The places of who reads the flags as they are behind an item.
 * @param isLeftOut items that are as good as not there, by their places
 */
export function flagReaders(
  items: readonly MachineItem[],
  at: number,
  isLeftOut?: Readonly<Uint8Array>,
): number[] {
  const found: number[] = [];
  for (let place = at + 1; place < items.length; place += 1) {
    const item = items[place]!;
    if (item.kind === 'label') break;
    if (isLeftOut?.[place]) continue;
    const { mnemonic } = item.instruction;
    if (readsFlags(mnemonic)) found.push(place);
    if (setsFlags(mnemonic) || isEnd(mnemonic)) break;
  }
  return found;
}

/**
 * Whether an operation sets flags that somebody reads.
 * @param isLeftOut as of {@link flagReaders}
 */
export function givesFlags(
  items: readonly MachineItem[],
  at: number,
  isLeftOut?: Readonly<Uint8Array>,
): boolean {
  const item = items[at]!;
  if (item.kind === 'label' || !setsFlags(item.instruction.mnemonic)) return false;
  return flagReaders(items, at, isLeftOut).length > 0;
}

/** The place of what has set the flags that an operation takes; undefined if that may be beyond its block. */
export function flagSetter(items: readonly MachineItem[], at: number): number | undefined {
  for (let place = at - 1; place >= 0; place -= 1) {
    const item = items[place]!;
    if (item.kind === 'label') return undefined;
    const { mnemonic } = item.instruction;
    if (setsFlags(mnemonic)) return place;
    if (endsBlock(mnemonic)) return undefined;
  }
  return undefined;
}
