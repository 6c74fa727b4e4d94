/** Workers and processor. */
import { commonProcessorWords } from '../../../src/devices/wasm/processor-words.ts';
import * as layoutWords from '../../../src/devices/wasm/shared-layout.ts';
import type { Coroutine } from '../coroutines.ts';
import { device, launchesIn, prepared, slots } from '../device-words.ts';
import { files, type Made, must, type Protocol } from '../protocol.ts';
import { workerParts } from '../stand-ins.ts';

export const pool: Protocol = {
  about:
    'workers and processor: every chunk of two launches runs once, and nobody sleeps over what there is to do',
  scaled: [{ file: files.worker, from: 'const spins = 2000;', to: 'const spins = 1;' }],
  // Three threads of some fifty steps each.
  isLarge: true,
  mutations: [
    {
      name: 'a worker sleeps on the signal as it is',
      change: {
        file: files.worker,
        from: 'Atomics.wait(words, signal, seen);',
        to: 'Atomics.wait(words, signal, Atomics.load(words, signal));',
      },
    },
    {
      name: 'a launch begins without a signal',
      change: { file: files.launches, from: 'Atomics.add(words, pool + poolWords.signal, 1);', to: '' },
    },
    {
      name: 'a worker says too late that it sleeps',
      change: {
        file: files.worker,
        from: 'Atomics.add(words, pool + poolWords.sleepers, 1);\n      Atomics.wait(words, signal, seen);',
        to: 'Atomics.wait(words, signal, seen);\n      Atomics.add(words, pool + poolWords.sleepers, 1);',
      },
    },
    {
      name: 'the end of a launch rings no bell',
      change: {
        file: files.bell,
        from: 'Atomics.add(words, processor + commonProcessorWords.bell, 1);',
        to: '',
      },
    },
  ],
  make(load) {
    const { runWorker } = load(files.worker) as Made;
    return (words) => {
      const { control, layout, events, launchTable } = launchesIn(load, words);
      const table = launchTable(events);
      const run: string[] = [];
      workerParts.control = control;
      workerParts.run = (first, end) => {
        for (let group = first; group < end; group += 1) run.push(`${launch}: ${group}`);
      };
      let launch = 0;
      const { seen } = words;
      const bell = device.processor + commonProcessorWords.bell;
      const asleep = device.processor + commonProcessorWords.asleep;
      function* processor(): Coroutine {
        for (launch = 1; launch <= 2; launch += 1) {
          const event = (yield* events['allocate']!(2)) as number;
          const slot = (yield* table['findFree']!()) as number;
          must(slot >= 0, 'there is no free slot');
          prepared(words, slot, 2, event);
          yield* table['activate']!(slot);
          // As Processor does it.
          for (;;) {
            const rung = (yield { name: 'load', args: [seen, bell] }) as number;
            if (((yield* table['state']!(slot)) as number) === layoutWords.launchState.done) break;
            yield { name: 'store', args: [seen, asleep, 1] };
            yield { name: 'wait', args: [seen, bell, rung] };
            yield { name: 'store', args: [seen, asleep, 0] };
          }
          const state = device.launches + slot * slots.size + slots.state;
          yield { name: 'store', args: [seen, state, layoutWords.launchState.free] };
        }
        yield { name: 'store', args: [seen, device.processor + commonProcessorWords.shutdown, 1] };
        yield { name: 'add', args: [seen, device.pool, 1] };
        yield { name: 'notify', args: [seen, device.pool] };
      }
      const start = (index: number): object => ({ control, memory: {}, layout, index });
      return {
        threads: {
          processor: processor(),
          one: runWorker!(start(0), () => {}),
          other: runWorker!(start(1), () => {}),
        },
        check() {
          must([...run].sort().join() === '1: 0,1: 1,2: 0,2: 1', `run: ${run.join()}`);
        },
      };
    };
  },
};
