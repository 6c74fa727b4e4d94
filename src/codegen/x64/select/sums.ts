/**
 * Sums and small shifts of i32, which wait on the stack for what else is added: addresses such as `base + i * 4 + 64` become one `lea`. All is
 * modulo 2^32, as `lea` computes it in a register of 32 bits whatever is above them in what it reads.
 */
import type { FunctionSelector } from './function-selector.ts';
import type { PlainRule } from './rule.ts';
import type { Entry, Sum, Term } from './values.ts';

const wrapped = (value: bigint | number): number => Number(BigInt.asIntN(32, BigInt(value)));

/** The largest factor of a register in an address. */
const mostShift = 3;

/** An entry as a sum; a number is none. */
function sumOf({ stack }: FunctionSelector, entry: Entry): Sum {
  if (entry.kind === 'sum') return entry;
  const base: Term =
    entry.kind === 'register'
      ? { number: entry.number, local: entry.local }
      : { number: stack.register(entry), local: false };
  return { kind: 'sum', type: 'i32', base, scale: 1, offset: 0 };
}

/** The value of a sum in a register, as a sum of that alone. */
function computed({ stack }: FunctionSelector, sum: Sum): Sum {
  if (sum.base && !sum.index && sum.offset === 0) return sum;
  const base = { number: stack.register(sum), local: false };
  return { kind: 'sum', type: 'i32', base, scale: 1, offset: 0 };
}

/** Both in one, if two registers are enough, of which one is scaled. */
function joined(a: Sum, b: Sum): Sum | undefined {
  const plain: Term[] = [];
  let scaled: Sum | undefined;
  for (const one of [a, b]) {
    if (one.base) plain.push(one.base);
    if (!one.index) continue;
    if (one.scale === 1) plain.push(one.index);
    else if (scaled) return undefined;
    else scaled = one;
  }
  if (plain.length > (scaled ? 1 : 2)) return undefined;
  const index = scaled ? scaled.index : plain[1];
  const offset = wrapped(a.offset + b.offset);
  return { kind: 'sum', type: 'i32', base: plain[0], index, scale: scaled?.scale ?? 1, offset };
}

function push({ stack }: FunctionSelector, sum: Sum): void {
  const { base, index, scale, offset } = sum;
  // What a single register is needs no instruction.
  const only = base && index ? undefined : (base ?? (scale === 1 ? index : undefined));
  if (only && offset === 0) stack.push({ kind: 'register', type: 'i32', ...only });
  else stack.push(sum);
}

export const addRule: PlainRule = (s) => {
  const { stack } = s;
  const b = stack.pop();
  const a = stack.pop();
  if (a.kind === 'number' && b.kind === 'number') {
    stack.push({ kind: 'number', type: 'i32', value: BigInt.asUintN(32, a.value + b.value) });
    return;
  }
  if (a.kind === 'number' || b.kind === 'number') {
    const [number, other] = a.kind === 'number' ? [a, b] : [b as Extract<Entry, { kind: 'number' }>, a];
    const sum = sumOf(s, other);
    push(s, { ...sum, offset: wrapped(BigInt(sum.offset) + number.value) });
    return;
  }
  const [one, two] = [sumOf(s, a), sumOf(s, b)];
  const whole = joined(one, two);
  if (whole) push(s, whole);
  // What has two registers becomes one; both where that is not enough.
  else if (one.base && one.index) {
    const first = computed(s, one);
    push(s, joined(first, two) ?? joined(first, computed(s, two))!);
  } else push(s, joined(one, computed(s, two))!);
};

/** Products with 2, 4 and 8, and with 3, 5 and 9; others as they are done otherwise. */
export function multiplyRule(usual: PlainRule, shift: PlainRule): PlainRule {
  return (s) => {
    const { stack } = s;
    const b = stack.pop();
    const a = stack.pop();
    const [number, other] = a.kind === 'number' ? [a, b] : [b, a];
    const factor = number.kind === 'number' ? Number(BigInt.asUintN(32, number.value)) : 0;
    const scale = [2, 4, 8].find((one) => factor === one || factor === one + 1);
    if (scale === undefined || other.kind === 'number') {
      stack.push(a);
      stack.push(b);
      usual(s);
      return;
    }
    if (factor === scale) {
      stack.push(other);
      stack.push({ kind: 'number', type: 'i32', value: BigInt(Math.log2(scale)) });
      shift(s);
      return;
    }
    const { base } = computed(s, sumOf(s, other));
    stack.push({ kind: 'sum', type: 'i32', base, index: base, scale: scale as 2, offset: 0 });
  };
}

/** Subtraction of a number; of anything else as it is done otherwise. */
export function subtractRule(usual: PlainRule): PlainRule {
  return (s) => {
    const { stack } = s;
    const b = stack.pop();
    if (b.kind !== 'number') {
      stack.push(b);
      usual(s);
      return;
    }
    stack.push({ ...b, value: BigInt.asUintN(32, -b.value) });
    addRule(s);
  };
}

/** Shifts to the left by a number; others as they are done otherwise. */
export function shiftRule(usual: PlainRule): PlainRule {
  return (s) => {
    const { stack } = s;
    const count = stack.pop();
    const value = stack.pop();
    const by = count.kind === 'number' ? Number(count.value & 31n) : undefined;
    if (by === undefined || by === 0 || by > mostShift || value.kind === 'number') {
      stack.push(value);
      stack.push(count);
      usual(s);
      return;
    }
    const sum = sumOf(s, value);
    const single = sum.base && sum.index ? computed(s, sum) : sum;
    const scale = (single.index ? single.scale : 1) << by;
    const offset = wrapped(BigInt(single.offset) << BigInt(by));
    const index = single.index ?? single.base;
    if (scale <= 8) {
      stack.push({ kind: 'sum', type: 'i32', index, scale: scale as 2, offset });
      return;
    }
    stack.push(single);
    stack.push(count);
    usual(s);
  };
}
