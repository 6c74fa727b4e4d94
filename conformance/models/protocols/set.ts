/** The sets of free records. */
import type { Coroutine } from '../coroutines.ts';
import { controlOf, files, type Made, must, now, type Protocol, same } from '../protocol.ts';

export const set: Protocol = {
  about: 'the sets of free records: nobody takes a number that another holds, and none is lost',
  mutations: [
    {
      name: 'two takers are promised one number',
      change: {
        file: files.set,
        from: 'if (Atomics.compareExchange(words, base + set.count, there, there - count) === there) return true;',
        to: 'Atomics.store(words, base + set.count, there - count);\n    return true;',
      },
    },
    {
      name: 'two takers take one bit',
      change: {
        file: files.set,
        from: 'if ((Atomics.and(words, place, ~lowest) & lowest) === 0) continue;',
        to: 'Atomics.and(words, place, ~lowest);',
      },
    },
    {
      name: 'a number is put by a plain write',
      change: {
        file: files.set,
        from: 'Atomics.or(words, base + set.bits + at, 1 << (number & 31));',
        to: 'const old = Atomics.load(words, base + set.bits + at);\n  Atomics.store(words, base + set.bits + at, old | (1 << (number & 31)));',
      },
    },
  ],
  make(load) {
    const { createSet, putInto, takeOne, takeSome } = load(files.set) as Made;
    return (words) => {
      const { seen } = words;
      const place = now(createSet!(controlOf(words), 40)) as number;
      for (const number of [3, 35]) now(putInto!(seen, place, number));
      const held: number[] = [];
      function* one(): Coroutine {
        const number = (yield* takeOne!(seen, place)) as number;
        if (number >= 0) held.push(number);
      }
      function* two(): Coroutine {
        const numbers = (yield* takeSome!(seen, place, 2)) as number[] | undefined;
        if (!numbers) return;
        held.push(numbers[1]!);
        // It gives one back.
        yield* putInto!(seen, place, numbers[0]!);
      }
      return {
        threads: { one: one(), two: two(), putter: putInto!(seen, place, 5) },
        check() {
          for (
            let number = now(takeOne!(seen, place)) as number;
            number >= 0;
            number = now(takeOne!(seen, place)) as number
          )
            held.push(number);
          must(same(held, [3, 5, 35]), `held in the end: ${held}`);
        },
      };
    };
  },
};
