/** Numbers made up for a buffer or an image: all the same, a range, or random ones. */
import type { Elements } from './elements.ts';
import { toNumber, toWhole } from './numbers.ts';
import type { ArgumentSpecification } from './specification.ts';

/** Fills elements with them; `parameter` is for messages. */
export function generate(
  elements: Elements,
  how: ArgumentSpecification & { kind: 'fill' | 'range' | 'random' },
  parameter: string,
): void {
  const { places } = elements.shape;
  switch (how.kind) {
    case 'fill':
      if (how.value === '0') return;
      elements.setTexts(
        places.map(() => how.value),
        parameter,
      );
      elements.repeatFirst();
      return;
    case 'range': {
      const start = toWhole(how.start);
      const step = toWhole(how.step);
      if (
        start !== undefined &&
        step !== undefined &&
        places.some(({ type }) => type.size === 8 && !type.floating)
      ) {
        for (let index = 0; index < elements.numbers; index++)
          elements.set(index, start + BigInt(index) * step);
      } else {
        const first = toNumber(how.start);
        const by = toNumber(how.step);
        for (let index = 0; index < elements.numbers; index++) elements.set(index, first + index * by);
      }
      return;
    }
    case 'random': {
      const next = randomNumbers(how.seed);
      const low = how.low ?? 0;
      for (let index = 0; index < elements.numbers; index++) {
        const { type } = places[index % places.length]!;
        const high = how.high ?? (type.floating ? 1 : type.name === 'char' ? 128 : 256);
        elements.set(index, low + next() * (high - low));
      }
    }
  }
}

/** Evenly distributed numbers in [0, 1), the same for the same seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
