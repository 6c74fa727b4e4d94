/** Two threads at one launch that a kernel has made. */
import { launchState } from '../../../src/devices/wasm/shared-layout.ts';
import type { Coroutine } from '../coroutines.ts';
import { nestedIn } from '../nested-words.ts';
import { files, must, now, type Protocol } from '../protocol.ts';

export const nestedChunks: Protocol = {
  about:
    'chunks of a nested launch: each is run once, the record comes back once, and the launch of the host is complete when all have run',
  mutations: [
    {
      name: 'a chunk is taken by two',
      change: {
        file: files.scheduler,
        from: 'const chunk = Atomics.add(words, launch + nestedLaunch.next, 1);',
        to: 'const chunk = Atomics.load(words, launch + nestedLaunch.next);\n    Atomics.store(words, launch + nestedLaunch.next, chunk + 1);',
      },
    },
    {
      name: 'who passes it on does not count the next',
      change: {
        file: files.scheduler,
        from: 'Atomics.add(words, launch + nestedLaunch.visitors, 1);',
        to: '',
      },
    },
    {
      name: 'the next is counted when it may be there already',
      change: {
        file: files.scheduler,
        from: 'Atomics.add(words, launch + nestedLaunch.visitors, 1);\n    this.#makeReady(launch);',
        to: 'this.#makeReady(launch);\n    Atomics.add(words, launch + nestedLaunch.visitors, 1);',
      },
    },
    {
      name: 'two leave last',
      change: {
        file: files.scheduler,
        from: 'if (Atomics.sub(words, launch + nestedLaunch.visitors, 1) !== 1) return;',
        to: 'Atomics.sub(words, launch + nestedLaunch.visitors, 1);\n    if (Atomics.load(words, launch + nestedLaunch.visitors) !== 0) return;',
      },
    },
  ],
  make(load) {
    return (words) => {
      const model = nestedIn(load, words, 1);
      const kernel = model.thread();
      kernel.begin();
      now(kernel.enqueue({ chunks: 2, flags: 'noWait' }));
      now(kernel.launches['leave']!(0, 1));
      model.onChunk = () => {
        must(model.host('state') !== launchState.done, "the host's launch is complete while a chunk runs");
      };
      function* worker(): Coroutine {
        const mine = model.thread();
        yield* mine.visit();
        yield* mine.visit();
      }
      return {
        threads: { one: worker(), other: worker() },
        check() {
          model.finish();
          must(model.run.length === 2, `${model.run.length} chunks were run`);
        },
      };
    };
  },
};
