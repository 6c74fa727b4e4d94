/** Who has the newest bytes of a buffer, against an account of every byte by itself. */
import { expect, it } from 'vitest';
import { type Transfer, Validity } from '../../src/cluster/validity.ts';

/** A linear congruential generator: numbers from 0 to before `below`. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const holds = ({ start, end }: { start: number; end: number }, at: number): boolean =>
  start <= at && at < end;

it('knows after any writes and transfers who has what, and sends each lacking byte once, from one who has it', () => {
  for (let seed = 1; seed <= 80; seed += 1) {
    const random = generator(seed);
    // More ranks than a word has bits, too.
    const [bytes, ranks] = [40, seed % 10 === 0 ? 70 : 2 + random(6)];
    const validity = new Validity(bytes, ranks);
    const plain = Array.from({ length: bytes }, () => new Array<boolean>(ranks).fill(true));
    const range = () => {
      const start = random(bytes);
      return { start, end: start + 1 + random(bytes - start) };
    };
    for (let step = 0; step < (ranks > 32 ? 5 : 30); step += 1) {
      const place = `seed ${seed}, step ${step}`;
      // Each rank writes a part, or some do.
      const bounds = [0, bytes, ...Array.from({ length: ranks - 1 }, () => random(bytes))].sort(
        (a, b) => a - b,
      );
      const writes = bounds
        .slice(0, ranks)
        .map((start, rank) => (random(3) === 0 ? [] : [{ start, end: bounds[rank + 1]! }]));
      validity.written(writes);
      for (const [writer, [written]] of writes.entries())
        for (let at = written?.start ?? 0; at < (written?.end ?? 0); at += 1)
          plain[at] = plain[at]!.map((_, rank) => rank === writer);
      const wanted = Array.from({ length: ranks }, () => (random(2) === 0 ? [] : [range(), range()]));
      const ofRanks = Array.from({ length: ranks }, (_, rank) => validity.transfersOf(rank, wanted));
      for (const [to, ranges] of wanted.entries())
        for (let at = 0; at < bytes; at += 1) {
          const coming = ofRanks[to]!.filter((transfer) => transfer.to === to && holds(transfer, at));
          const isWanted = ranges.some((each) => holds(each, at));
          const expected = isWanted && !plain[at]![to] ? 1 : 0;
          if (coming.length !== expected || coming.some(({ from }) => !plain[at]![from]))
            expect.unreachable(`${place}: byte ${at} of rank ${to} comes ${coming.length} times`);
        }
      // Both sides of each pair have the same list.
      const between = (list: Transfer[], from: number, to: number) =>
        list.filter((transfer) => transfer.from === from && transfer.to === to);
      for (const [rank, list] of ofRanks.entries()) {
        if (list.some(({ from, to }) => from !== rank && to !== rank))
          expect.unreachable(`${place}: rank ${rank} has others' transfers`);
        for (const from of new Set(list.filter(({ to }) => to === rank).map((each) => each.from)))
          if (
            JSON.stringify(between(ofRanks[from]!, from, rank)) !== JSON.stringify(between(list, from, rank))
          )
            expect.unreachable(`${place}: ranks ${from} and ${rank} differ`);
      }
      validity.brought(wanted);
      for (const [to, ranges] of wanted.entries())
        for (const each of ranges) for (let at = each.start; at < each.end; at += 1) plain[at]![to] = true;
      const all = Array.from({ length: ranks }, () => [{ start: 0, end: bytes }]);
      for (let rank = 0; rank < ranks; rank += 1) {
        const lacking = validity.transfersOf(rank, all).filter(({ to }) => to === rank);
        for (let at = 0; at < bytes; at += 1)
          if (lacking.some((each) => holds(each, at)) === plain[at]![rank])
            expect.unreachable(`${place}: byte ${at} of rank ${rank}`);
      }
    }
    validity.sameEverywhere({ start: 3, end: 9 });
    const middle = Array.from({ length: ranks }, () => [{ start: 3, end: 9 }]);
    for (let rank = 0; rank < ranks; rank += 1) expect(validity.transfersOf(rank, middle)).toEqual([]);
  }
});
