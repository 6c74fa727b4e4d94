/** Launches that wait for the kernel which makes them (CLK_ENQUEUE_FLAGS_WAIT_KERNEL), in two of its work-groups at the same time. */
import type { Coroutine } from '../coroutines.ts';
import { nestedIn } from '../nested-words.ts';
import { files, must, type Protocol } from '../protocol.ts';

export const nestedDeferred: Protocol = {
  about: 'launches that wait for the end of the kernel around them: each begins once, and none before it',
  mutations: [
    {
      name: 'of two who join the list one is lost',
      change: {
        file: files.scheduler,
        from: 'if (Atomics.compareExchange(words, place, first, launch) === first) return;',
        to: 'Atomics.store(words, place, launch);\n      return;',
      },
    },
    {
      name: 'a launch is counted by a plain write',
      change: {
        file: files.scheduler,
        from: 'Atomics.add(words, pending, 1);',
        to: 'Atomics.store(words, pending, Atomics.load(words, pending) + 1);',
      },
    },
    {
      name: 'the list is released by whoever leaves',
      change: {
        file: files.launches,
        from: 'if (chunks > 0 && Atomics.sub(this.#control.words, place, chunks) === chunks) this.#end(slot);',
        to: 'this.onEnd?.(slot);\n    if (chunks > 0 && Atomics.sub(this.#control.words, place, chunks) === chunks) this.#end(slot);',
      },
    },
    {
      name: 'two launches have one record',
      change: {
        file: files.set,
        from: 'if ((Atomics.and(words, place, ~lowest) & lowest) === 0) continue;',
        to: 'Atomics.and(words, place, ~lowest);',
      },
    },
  ],
  make(load) {
    return (words) => {
      const model = nestedIn(load, words, 2);
      model.onChunk = () => {
        must(model.host('remaining') === 0, 'it begins before the kernel around it has ended');
      };
      function* group(): Coroutine {
        const mine = model.thread();
        mine.begin();
        yield* mine.enqueue({ chunks: 1, flags: 'waitKernel' });
        yield* mine.launches['leave']!(0, 1);
      }
      return {
        threads: { one: group(), other: group(), looks: model.thread().visit() },
        check() {
          model.finish();
          must(model.run.length === 2, `${model.run.length} chunks were run`);
        },
      };
    };
  },
};
