/** The ring of launches that may begin. */
import type { Coroutine } from '../coroutines.ts';
import { controlOf, files, type Made, must, now, type Protocol, same } from '../protocol.ts';

export const ring: Protocol = {
  about: 'the ring of launches that may begin: each number that is pushed is taken once',
  mutations: [
    {
      name: 'two pushers take one place',
      change: {
        file: files.ring,
        from: 'if (Atomics.compareExchange(words, base + ring.tail, place, (place + 1) | 0) !== place) continue;',
        to: 'Atomics.store(words, base + ring.tail, (place + 1) | 0);',
      },
    },
    {
      name: 'two takers take one place',
      change: {
        file: files.ring,
        from: 'if (Atomics.compareExchange(words, base + ring.head, place, (place + 1) | 0) !== place) continue;',
        to: 'Atomics.store(words, base + ring.head, (place + 1) | 0);',
      },
    },
    {
      name: 'a cell is full before its number is there',
      change: {
        file: files.ring,
        from: 'words[cell + 1] = value;\n    Atomics.store(words, cell, (place + 1) | 0);',
        to: 'Atomics.store(words, cell, (place + 1) | 0);\n    Atomics.load(words, cell);\n    words[cell + 1] = value;',
      },
    },
    {
      name: 'a cell is empty before its number is taken',
      change: {
        file: files.ring,
        from: 'const value = words[cell + 1]!;\n    Atomics.store(words, cell, (place + mask + 1) | 0);\n    return value;',
        to: 'Atomics.store(words, cell, (place + mask + 1) | 0);\n    Atomics.load(words, cell);\n    return words[cell + 1]!;',
      },
    },
  ],
  make(load) {
    const { createRing, pushTo, takeFrom } = load(files.ring) as Made;
    return (words) => {
      const { seen } = words;
      const place = now(createRing!(controlOf(words), 2)) as number;
      // It has gone round once.
      now(pushTo!(seen, place, 1));
      now(takeFrom!(seen, place));
      now(pushTo!(seen, place, 10));
      const taken: number[] = [];
      function* taker(again: number): Coroutine {
        for (let time = 0; time < 2; time += 1) {
          const value = (yield* takeFrom!(seen, place)) as number;
          if (value < 0) continue;
          taken.push(value);
          // There is room for it: it has just been taken.
          if (value < again) yield* pushTo!(seen, place, value + again);
        }
      }
      return {
        threads: { pusher: pushTo!(seen, place, 20), first: taker(100), second: taker(0) },
        check() {
          for (
            let value = now(takeFrom!(seen, place)) as number;
            value >= 0;
            value = now(takeFrom!(seen, place)) as number
          )
            taken.push(value);
          const known = taken.filter((value) => value >= 100).map((value) => value - 100);
          must(
            same(
              taken.filter((value) => value < 100),
              [10, 20],
            ),
            `taken: ${taken}`,
          );
          must(
            known.every((value) => taken.includes(value)) && new Set(taken).size === taken.length,
            `taken: ${taken}`,
          );
        },
      };
    };
  },
};
