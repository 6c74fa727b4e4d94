/** The loops of a function whose registers may be virtual: a label that is jumped back to, and all up to the last such jump. */
import { targetOf } from './jumps.ts';
import type { MachineItem } from './operation.ts';

/** Places among a function's items, which those who move items keep right. */
export interface Loop {
  start: number;
  end: number;
}

/** By their labels. */
export function findLoops(items: readonly MachineItem[]): Map<number, Loop> {
  const places = new Map<number, number>();
  const ends = new Map<number, number>();
  items.forEach((item, at) => {
    if (item.kind === 'label') places.set(item.label, at);
    else {
      const target = targetOf(item);
      if (target !== undefined && places.has(target)) ends.set(target, at);
    }
  });
  return new Map([...ends].map(([label, end]) => [label, { start: places.get(label)!, end }]));
}
