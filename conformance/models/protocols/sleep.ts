/** The host's sleep. */
import { head } from '../../../src/runtime/control-memory.ts';
import type { Coroutine } from '../coroutines.ts';
import { classIn, controlOf, files, type Made, must, now, type Protocol } from '../protocol.ts';

export const sleep: Protocol = {
  about: "the host's sleep: it sees the end of the command that it waits for, however the two meet",
  scaled: [{ file: files.notifications, from: 'const spins = 400;', to: 'const spins = 1;' }],
  mutations: [
    {
      name: 'it does not look again before it sleeps',
      change: {
        file: files.notifications,
        from: 'if (!this.pump() && !told) Atomics.wait(words, head.hostBell, seen, longestSleep);',
        to: 'Atomics.wait(words, head.hostBell, seen, longestSleep);',
      },
    },
    {
      name: 'it sleeps on the bell as it is',
      change: {
        file: files.notifications,
        from: 'Atomics.wait(words, head.hostBell, seen, longestSleep);',
        to: 'Atomics.wait(words, head.hostBell, Atomics.load(words, head.hostBell), longestSleep);',
      },
    },
    {
      name: 'who ends a command rings no bell',
      change: { file: files.events, from: 'Atomics.add(words, head.hostBell, 1);', to: '' },
    },
  ],
  make(load) {
    const EventTable = classIn(load(files.events), 'EventTable');
    const Notifications = classIn(load(files.notifications), 'Notifications');
    return (words) => {
      const control = controlOf(words);
      const table = (): Made => new EventTable(control, () => {});
      const [host, worker] = [table(), table()];
      const slot = now(host['allocate']!(2)) as number;
      const notifications = new Notifications(control, host);
      function* sleeper(): Coroutine {
        yield* notifications['block']!(slot);
      }
      return {
        threads: { host: sleeper(), worker: worker['complete']!(slot, 0) },
        check() {
          must(words.raw[head.hostAsleep] === 0, 'the host is asleep');
        },
      };
    };
  },
};
