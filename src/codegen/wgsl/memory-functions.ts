/** Functions in WGSL by which a program gets at its memory, made for the program as they are needed. */
import type * as ir from '../../ir/ir.ts';
import { genericTags, type MemoryUse, type Place } from './spaces.ts';

const atomicNames: Readonly<Partial<Record<ir.AtomicFunction, string>>> = {
  exchange: 'atomicExchange',
  add: 'atomicAdd',
  sub: 'atomicSub',
  and: 'atomicAnd',
  or: 'atomicOr',
  xor: 'atomicXor',
  umin: 'atomicMin',
  umax: 'atomicMax',
};

/** What an operation makes of the old value `a` and an operand `b`. */
const combined: Readonly<Partial<Record<ir.AtomicFunction, string>>> = {
  exchange: 'b',
  add: 'a + b',
  sub: 'a - b',
  and: 'a & b',
  or: 'a | b',
  xor: 'a ^ b',
  smin: 'u32(min(i32(a), i32(b)))',
  smax: 'u32(max(i32(a), i32(b)))',
  umin: 'min(a, b)',
  umax: 'max(a, b)',
};

export class MemoryFunctions {
  readonly #texts = new Map<string, string>();
  readonly #memory: MemoryUse;

  constructor(memory: MemoryUse) {
    this.#memory = memory;
  }

  get texts(): readonly string[] {
    return [...this.#texts.values()];
  }

  #define(name: string, text: () => string): string {
    if (!this.#texts.has(name)) {
      this.#texts.set(name, '');
      this.#texts.set(name, text());
    }
    return name;
  }

  /** What is in a word, with the functions that this needs. */
  word(place: Place, index: string): string {
    if (place === 'generic') this.#genericLoad();
    return this.#memory.word(place, index);
  }

  setWord(place: Place, index: string, value: string): string {
    if (place === 'generic') this.#genericStore();
    return this.#memory.setWord(place, index, value);
  }

  #genericLoad(): void {
    this.#define(
      'generic_load',
      () => `fn generic_load(index: u32) -> u32 {
  if (index < 0x20000000u) {
    return ${this.#memory.word('memory', 'index')};
  }
  if (index < 0x30000000u) {
    return ${this.#memory.word('local_memory', 'index & 0x0fffffffu')};
  }
  return ${this.#memory.word('private_memory', 'index & 0x0fffffffu')};
}`,
    );
  }

  #genericStore(): void {
    this.#define(
      'generic_store',
      () => `fn generic_store(index: u32, value: u32) {
  if (index < 0x20000000u) {
    ${this.#memory.setWord('memory', 'index', 'value')}
  } else if (index < 0x30000000u) {
    ${this.#memory.setWord('local_memory', 'index & 0x0fffffffu', 'value')}
  } else {
    ${this.#memory.setWord('private_memory', 'index & 0x0fffffffu', 'value')}
  }
}`,
    );
  }

  /** A function of an address: the four bytes from there on. */
  unalignedLoad(place: Place): string {
    return this.#define(
      `${place}_bytes`,
      () => `fn ${place}_bytes(address: u32) -> u32 {
  let index = address >> 2u;
  let shift = (address & 3u) * 8u;
  return (${this.word(place, 'index')} >> shift) | ((${this.word(place, 'index + 1u')} << 1u) << (31u - shift));
}`,
    );
  }

  /** A function of an index, a mask and bits under the mask. */
  setBits(place: Place): string {
    return this.#define(`${place}_set_bits`, () => {
      const head = `fn ${place}_set_bits(index: u32, mask: u32, bits: u32) {`;
      if (place === 'generic') {
        const [memory, local, own] = (['memory', 'local_memory', 'private_memory'] as const).map((each) =>
          this.setBits(each),
        );
        return `${head}
  if (index < 0x20000000u) {
    ${memory}(index, mask, bits);
  } else if (index < 0x30000000u) {
    ${local}(index & 0x0fffffffu, mask, bits);
  } else {
    ${own}(index & 0x0fffffffu, mask, bits);
  }
}`;
      }
      if (!this.#memory.isAtomic(place))
        return `${head}
  ${place}[index] = (${place}[index] & ~mask) | bits;
}`;
      return `${head}
  atomicAnd(&${place}[index], ~mask);
  atomicOr(&${place}[index], bits);
}`;
    });
  }

  /** A function of an address, a mask of the bytes that count, which are the first, and those bytes. */
  setBytes(place: Place): string {
    return this.#define(
      `${place}_set_bytes`,
      () => `fn ${place}_set_bytes(address: u32, mask: u32, bytes: u32) {
  let index = address >> 2u;
  let shift = (address & 3u) * 8u;
  ${this.setBits(place)}(index, mask << shift, bytes << shift);
  let rest = (mask >> 1u) >> (31u - shift);
  if (rest != 0u) {
    ${this.setBits(place)}(index + 1u, rest, (bytes >> 1u) >> (31u - shift));
  }
}`,
    );
  }

  /** A function of two addresses and a number of bytes. With `words` all three are multiples of four. */
  copy(to: Place, from: Place, words: boolean): string {
    const name = `copy_${words ? 'words' : 'bytes'}_${to}_from_${from}`;
    return this.#define(
      name,
      () => `fn ${name}(to: u32, source: u32, size: u32) {
  var at = 0u;
  while (at < size) {
${
  words
    ? `    ${this.setWord(to, '(to + at) >> 2u', this.word(from, '(source + at) >> 2u'))}
    at += 4u;`
    : `    let shift = ((source + at) & 3u) * 8u;
    let byte = (${this.word(from, '(source + at) >> 2u')} >> shift) & 0xffu;
    ${this.setBytes(to)}(to + at, 0xffu, byte);
    at += 1u;`
}
  }
}`,
    );
  }

  /** A function of an address, a number of bytes and a word of equal bytes. */
  fill(to: Place, words: boolean): string {
    const name = `fill_${words ? 'words' : 'bytes'}_${to}`;
    return this.#define(
      name,
      () => `fn ${name}(to: u32, size: u32, value: u32) {
  var at = 0u;
  while (at < size) {
    ${words ? this.setWord(to, '(to + at) >> 2u', 'value') : `${this.setBytes(to)}(to + at, 0xffu, value & 0xffu);`}
    at += ${words ? 4 : 1}u;
  }
}`,
    );
  }

  /** A function of an index and an operand, or for compare_exchange two; of the index alone for load. */
  atomic(place: Place, fn: ir.AtomicFunction): string {
    const name = `${place}_atomic_${fn}`;
    return this.#define(name, () => {
      const parameters =
        fn === 'load' ? '' : fn === 'compare_exchange' ? ', expected: u32, b: u32' : ', b: u32';
      const values = fn === 'load' ? '' : fn === 'compare_exchange' ? ', expected, b' : ', b';
      const head = `fn ${name}(index: u32${parameters})${fn === 'store' ? '' : ' -> u32'} {`;
      if (place === 'generic') {
        const word = fn === 'store' ? '' : 'return ';
        const [memory, local, own] = (['memory', 'local_memory', 'private_memory'] as const).map((each) =>
          this.atomic(each, fn),
        );
        return `${head}
  if (index < 0x20000000u) {
    ${word}${memory}(index${values});
  } else if (index < 0x30000000u) {
    ${word}${local}(index & 0x0fffffffu${values});
  } else {
    ${word}${own}(index & 0x0fffffffu${values});
  }
}`;
      }
      return `${head}\n${this.#atomicBody(place, fn)}\n}`;
    });
  }

  #atomicBody(place: Place, fn: ir.AtomicFunction): string {
    const target = `&${place}[index]`;
    if (fn === 'load') return `  return ${this.word(place, 'index')};`;
    if (fn === 'store') return `  ${this.setWord(place, 'index', 'b')}`;
    if (place === 'private_memory') {
      const value = fn === 'compare_exchange' ? 'select(a, b, a == expected)' : combined[fn];
      return `  let a = private_memory[index];\n  private_memory[index] = ${value};\n  return a;`;
    }
    if (fn === 'compare_exchange') {
      // The loop is left before the function is: naga refuses a body whose end has no `return`.
      return `  var a: u32;
  loop {
    let r = atomicCompareExchangeWeak(${target}, expected, b);
    a = r.old_value;
    if (r.exchanged || a != expected) {
      break;
    }
  }
  return a;`;
    }
    const name = atomicNames[fn];
    if (name) return `  return ${name}(${target}, b);`;
    return `  var a = atomicLoad(${target});
  loop {
    let r = atomicCompareExchangeWeak(${target}, a, ${combined[fn]});
    if (r.exchanged) {
      break;
    }
    a = r.old_value;
  }
  return a;`;
  }

  /** An address of one space as one of another. */
  space(from: Place, to: Place, pointer: string): string {
    const isAsItIs = (place: Place): boolean =>
      !['local_memory', 'private_memory', 'generic'].includes(place);
    if (from === to || isAsItIs(from) || isAsItIs(to)) return pointer;
    if (to === 'generic') {
      const tag = from === 'local_memory' ? genericTags.local : genericTags.private;
      return `select(${pointer} | 0x${tag.toString(16)}u, 0u, ${pointer} == 0u)`;
    }
    if (from === 'generic') return `(${pointer} & 0x${genericTags.mask.toString(16)}u)`;
    return pointer;
  }
}
