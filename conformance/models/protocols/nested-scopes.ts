/** A launch with an event, one that it led to, and one that waits for the event: all three are in other threads' hands. */
import type { Coroutine } from '../coroutines.ts';
import { nestedIn, place } from '../nested-words.ts';
import { files, must, now, type Protocol } from '../protocol.ts';

export const nestedScopes: Protocol = {
  about:
    "the end of a nested launch's event: once, when it and all that it led to have ended; who waits for it begins once, after that",
  mutations: [
    {
      name: 'the last of a scope is not known',
      change: {
        file: files.scheduler,
        from: 'if (Atomics.sub(words, launch + nestedLaunch.pending, 1) !== 1) return;',
        to: 'Atomics.sub(words, launch + nestedLaunch.pending, 1);\n      if (Atomics.load(words, launch + nestedLaunch.pending) !== 0) return;',
      },
    },
    {
      name: 'it does not wait for the call that makes it',
      change: {
        file: files.scheduler,
        from: 'Atomics.store(words, launch + nestedLaunch.waits, 1 + events.length);',
        to: 'Atomics.store(words, launch + nestedLaunch.waits, Math.max(1, events.length));',
      },
    },
    {
      name: 'who releases it last is not known',
      change: {
        file: files.scheduler,
        from: 'if (Atomics.sub(words, launch + nestedLaunch.waits, 1) !== 1) return;',
        to: 'Atomics.sub(words, launch + nestedLaunch.waits, 1);\n    if (Atomics.load(words, launch + nestedLaunch.waits) !== 0) return;',
      },
    },
    {
      name: 'the event ends with the launch, not with what it led to',
      change: {
        file: files.scheduler,
        from: 'const first = event === 0 ? this.#free(launch) : launch;',
        to: 'const first = event === 0 ? this.#free(launch) : launch;\n    if (event !== 0) this.#events.end(event, executionStatus.complete);',
      },
    },
  ],
  make(load) {
    return (words) => {
      const model = nestedIn(load, words, 1);
      const [kernel, one, other] = [model.thread(), model.thread(), model.thread()];
      kernel.begin();
      now(kernel.enqueue({ chunks: 1, flags: 'noWait', event: 0 }));
      const around = one.take();
      one.begin(around);
      now(one.enqueue({ chunks: 1, flags: 'noWait' }));
      const inside = other.take();
      let running = 2;
      function* leaves(mine: typeof one, launch: number): Coroutine {
        running -= 1;
        yield* mine.scheduler['leave']!(launch);
      }
      let waited = 0;
      function* looks(): Coroutine {
        const launch = (yield* kernel.scheduler['take']!()) as number;
        if (launch === 0) return;
        waited += 1;
        must(running === 0, 'the marker begins before its event has ended');
        yield* kernel.scheduler['leave']!(launch);
      }
      function* waits(): Coroutine {
        yield* kernel.enqueueMarker(0);
        yield* looks();
        yield* kernel.launches['leave']!(0, 1);
      }
      return {
        threads: {
          around: leaves(one, around),
          inside: leaves(other, inside),
          waits: waits(),
        },
        check() {
          now(looks());
          must(waited === 1, `the marker began ${waited} times`);
          model.finish();
          must(model.heldEvents === 1, `${model.heldEvents} events are held`);
          now(kernel.scheduler['releaseEvent']!(kernel.handleAt(place(0))));
          must(model.heldEvents === 0, 'the event is held for ever');
        },
      };
    };
  },
};
