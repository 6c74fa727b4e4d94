/** The event table. */
import { head } from '../../../src/runtime/control-memory.ts';
import type { Coroutine } from '../coroutines.ts';
import { classIn, controlOf, files, type Made, must, now, type Protocol, same } from '../protocol.ts';

export const events: Protocol = {
  about: 'the event table: a command ends once, all who watch are told once, and its slot becomes free once',
  mutations: [
    {
      name: 'who watches and who ends do not see each other',
      change: {
        file: files.events,
        from: 'const before = Atomics.or(this.#control.words, slot + field.watch, watchBits.host);\n    return (before & watchBits.done) === 0;',
        to: 'const before = Atomics.load(this.#control.words, slot + field.watch);\n    Atomics.store(this.#control.words, slot + field.watch, before | watchBits.host);\n    return (before & watchBits.done) === 0;',
      },
    },
    {
      name: 'two threads end one command',
      change: {
        file: files.events,
        from: 'if (Atomics.or(words, slot + field.watch, watchBits.claimed) & watchBits.claimed) return;',
        to: 'if (Atomics.load(words, slot + field.watch) & watchBits.claimed) return;\n    Atomics.or(words, slot + field.watch, watchBits.claimed);',
      },
    },
    {
      name: 'the last holder is not known',
      change: {
        file: files.events,
        from: 'if (Atomics.sub(words, slot + field.references, 1) !== 1) return;',
        to: 'Atomics.sub(words, slot + field.references, 1);\n    if (Atomics.load(words, slot + field.references) !== 0) return;',
      },
    },
    {
      name: 'a slot is lost that is put on the list',
      change: {
        file: files.events,
        from: 'if (Atomics.compareExchange(words, list, first, item) === first) return;',
        to: 'Atomics.store(words, list, item);\n    return;',
      },
    },
  ],
  make(load) {
    const EventTable = classIn(load(files.events), 'EventTable');
    return (words) => {
      const control = controlOf(words);
      let messages = 0;
      const table = (): Made =>
        new EventTable(control, () => {
          messages += 1;
        });
      const [host, one, other] = [table(), table(), table()];
      const slot = now(host['allocate']!(3)) as number;
      const second = now(host['allocate']!(1)) as number;
      now(host['setOwner']!(slot, 7));
      let isTold: unknown;
      function* watcher(): Coroutine {
        isTold = yield* host['watchFromHost']!(slot);
        yield* host['release']!(slot);
      }
      function* ender(status: number, mine: Made): Coroutine {
        yield* mine['complete']!(slot, status);
        yield* mine['release']!(slot);
      }
      return {
        threads: {
          host: watcher(),
          worker: ender(-5, one),
          processor: ender(-58, other),
          releaser: table()['release']!(second),
        },
        check() {
          const { raw } = words;
          const list = raw[head.hostList]!;
          must(
            (list === slot) === isTold,
            `the host asked ${isTold ? 'in time' : 'too late'}, and its list is ${list}`,
          );
          must(raw[head.failureCount] === 1, `${raw[head.failureCount]} failures were noted`);
          must(!isTold || messages === 1, `${messages} messages`);
          const free: number[] = [];
          for (let at = raw[head.freeSlots]!; at !== 0 && free.length < 5; at = raw[at]!) free.push(at);
          // A slot that is free links to the next: the host's list came first.
          if (isTold !== true) must(same(free, [slot, second]), `free: ${free}, of ${[slot, second]}`);
        },
      };
    };
  },
};
