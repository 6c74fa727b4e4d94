/** The launch table. */
import * as layoutWords from '../../../src/devices/wasm/shared-layout.ts';
import type { Coroutine } from '../coroutines.ts';
import { device, launchesIn, prepared, slots } from '../device-words.ts';
import { files, type Made, must, now, type Protocol, same } from '../protocol.ts';

export const launches: Protocol = {
  about:
    'the launch table: of a launch that fails while it runs, and one behind it, each ends once, and the second begins once',
  mutations: [
    {
      name: 'a launch is chained behind one that has ended',
      change: {
        file: files.launches,
        from: 'if (Atomics.compareExchange(words, place, 0, next + 1) !== 0) this.activate(next);',
        to: 'if (Atomics.load(words, place) !== 0) this.activate(next);\n    else Atomics.store(words, place, next + 1);',
      },
    },
    {
      name: 'a chunk is taken by two',
      change: {
        file: files.launches,
        from: 'const chunk = Atomics.add(words, base + launchWords.next, 1);',
        to: 'const chunk = Atomics.load(words, base + launchWords.next);\n    Atomics.store(words, base + launchWords.next, chunk + 1);',
      },
    },
    {
      name: 'who fails a launch counts chunks that were taken since',
      change: {
        file: files.launches,
        from: 'const taken = Atomics.exchange(words, base + launchWords.next, exhausted);',
        to: 'const taken = Atomics.load(words, base + launchWords.next);\n    Atomics.store(words, base + launchWords.next, exhausted);',
      },
    },
    {
      name: 'two leave last',
      change: {
        file: files.launches,
        from: 'if (chunks > 0 && Atomics.sub(this.#control.words, place, chunks) === chunks) this.#end(slot);',
        to: 'if (chunks === 0) return;\n    Atomics.sub(this.#control.words, place, chunks);\n    if (Atomics.load(this.#control.words, place) === 0) this.#end(slot);',
      },
    },
  ],
  make(load) {
    return (words) => {
      const { events, launchTable: table } = launchesIn(load, words);
      const [first, second] = [now(events['allocate']!(1)) as number, now(events['allocate']!(1)) as number];
      prepared(words, 0, 2, first);
      prepared(words, 1, 1, second);
      const start = table();
      now(start['activate']!(0));
      const run: number[] = [];
      const ended: number[] = [];
      let underWay = 0;
      let isEarly = false;
      const [one, other] = [table(), table()].map((made) => {
        (made as unknown as { onEnd: (slot: number) => void }).onEnd = (slot) => {
          ended.push(slot);
          isEarly = isEarly || underWay > 0;
        };
        return made;
      });
      function* worker(mine: Made, fails: boolean): Coroutine {
        const chunk = (yield* mine['take']!(0)) as number;
        if (chunk < 0) return;
        run.push(chunk);
        underWay += 1;
        if (fails) yield* mine['fail']!(0, -5, 'it fails');
        underWay -= 1;
        yield* mine['leave']!(0, 1);
      }
      return {
        threads: {
          one: worker(one!, true),
          other: worker(other!, false),
          processor: start['chain']!(0, 1),
        },
        check() {
          must(new Set(run).size === run.length, `chunks ${run} were run`);
          must(same(ended, [0]), `launches ${ended} ended`);
          must(!isEarly, 'a launch ended while a chunk of it was run');
          const left = words.raw[device.launches + slots.remaining];
          must(left === 0, `${left} chunks are left`);
          const state = (slot: number): number =>
            words.raw[device.launches + slot * slots.size + slots.state]!;
          must(state(0) === layoutWords.launchState.done, `the first is in state ${state(0)}`);
          must(state(1) === layoutWords.launchState.active, `the second is in state ${state(1)}`);
          must(words.raw[device.pool] === 2, `the signal was given ${words.raw[device.pool]} times`);
        },
      };
    };
  },
};
