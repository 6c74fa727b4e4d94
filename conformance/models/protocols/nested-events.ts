/** The events that kernels make. */
import * as nestedTables from '../../../src/devices/wasm/nested/words.ts';
import type { Coroutine } from '../coroutines.ts';
import { classIn, controlOf, files, type Made, must, now, type Protocol } from '../protocol.ts';

export const nestedEvents: Protocol = {
  about:
    'the events that kernels make: each launch that waits for one is released once, as failed if it failed',
  mutations: [
    {
      name: 'a list is open after the end',
      change: {
        file: files.nestedEvents,
        from: 'const last = Atomics.exchange(this.#control.words, place, -1);',
        to: 'const last = Atomics.exchange(this.#control.words, place, 0);',
      },
    },
    {
      name: 'of two who join a list one is lost',
      change: {
        file: files.nestedEvents,
        from: 'if (Atomics.compareExchange(words, place, first, node) === first) return true;',
        to: 'Atomics.store(words, place, node);\n      return true;',
      },
    },
    {
      name: 'two end one event',
      change: {
        file: files.nestedEvents,
        from: 'if (Atomics.compareExchange(words, event + nestedEvent.isUser, 1, 2) !== 1) return false;',
        to: 'if (Atomics.load(words, event + nestedEvent.isUser) !== 1) return false;\n    Atomics.store(words, event + nestedEvent.isUser, 2);',
      },
    },
    {
      name: 'it has ended before its status says how',
      change: {
        file: files.nestedEvents,
        from: 'Atomics.store(this.#control.words, event + nestedEvent.status, status);\n    const waiting = this.#close(event + nestedEvent.waiting);',
        to: 'const waiting = this.#close(event + nestedEvent.waiting);\n    Atomics.store(this.#control.words, event + nestedEvent.status, status);',
      },
    },
  ],
  make(load) {
    const { createSet, putInto, takeOne } = load(files.set) as Made;
    const NestedEvents = classIn(load(files.nestedEvents), 'NestedEvents');
    const { nestedWords, nestedEvent, nestedNode, nestedLaunch, queueRecord } = nestedTables;
    return (words) => {
      const { raw, seen } = words;
      const control = controlOf(words);
      const allocate = (count: number): number => {
        const at = control.next;
        control.next += count;
        return at;
      };
      const table = allocate(nestedWords.size);
      const record = allocate(queueRecord.size);
      raw[table + nestedWords.events] = allocate(2 * nestedEvent.size);
      raw[table + nestedWords.freeEvents] = now(createSet!(control, 2)) as number;
      now(putInto!(seen, raw[table + nestedWords.freeEvents]!, 0));
      raw[record + queueRecord.nodes] = allocate(4 * nestedNode.size);
      raw[record + queueRecord.freeNodes] = now(createSet!(control, 4)) as number;
      const first = raw[record + queueRecord.nodes]!;
      const nodes = [first, first + nestedNode.size];
      for (const node of nodes) raw[node + nestedNode.record] = record;
      const waiting = [allocate(nestedLaunch.size), allocate(nestedLaunch.size)];
      // One for the call that makes it, and one for the event.
      for (const launch of waiting) raw[launch + nestedLaunch.waits] = 2;
      const released: number[] = [];
      const events = new NestedEvents(control, {}, table, { reach() {} }, (launch: number) => {
        released.push(launch);
        Atomics.sub(raw, launch + nestedLaunch.waits, 1);
      });
      const event = now(events['create']!(true)) as number;
      const join = (which: number): Coroutine => events['await']!(waiting[which], event, nodes[which]);
      function* ends(): Coroutine {
        yield* events['endUser']!(event, -5);
      }
      return {
        threads: { one: join(0), other: join(1), ender: ends(), again: ends() },
        check() {
          for (const launch of waiting) {
            const left = raw[launch + nestedLaunch.waits];
            must(left === 1, `a launch waits for ${left} where 1 is left`);
            must(raw[launch + nestedLaunch.failed] === 1, 'a launch does not know that its event failed');
          }
          let free = 0;
          while ((now(takeOne!(seen, raw[record + queueRecord.freeNodes]!)) as number) >= 0) free += 1;
          must(free === 2, `${free} nodes came back`);
          must(raw[event + nestedEvent.holders] === 1, `${raw[event + nestedEvent.holders]} holders`);
        },
      };
    };
  },
};
