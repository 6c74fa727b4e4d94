/** Makes a protocol's model of the code as it is, or as a mutation changes it. */
import type { Change, CoroutineLoader, Imports } from './coroutines.ts';
import type { MakeModel } from './explore.ts';
import { files, type Module, type Mutation, type Protocol } from './protocol.ts';
import { standIns } from './stand-ins.ts';

/** Blocks of event slots are small here. */
const fewSlots: Change = {
  file: files.events,
  from: 'const slotsPerBlock = 1024;',
  to: 'const slotsPerBlock = 4;',
};

/** Files that are run by models wherever they are imported. */
const modelled: Readonly<Record<string, string>> = {
  'shared-set.ts': files.set,
  'shared-ring.ts': files.ring,
  'events.ts': files.nestedEvents,
  'queue-table.ts': files.queueTable,
  'command-stream.ts': files.stream,
  'queue-record.ts': files.queueRecord,
  'in-order-queue.ts': files.inOrder,
  'out-of-order-queue.ts': files.outOfOrder,
  'new-queues.ts': files.newQueues,
  'dependencies.ts': files.dependencies,
  'event-table.ts': files.events,
  'launch-table.ts': files.launches,
  'processor-words.ts': files.bell,
};

/** A protocol's model, of the code as it is or changed by a mutation. */
export function modelOf(loader: CoroutineLoader, protocol: Protocol, mutation?: Mutation): MakeModel {
  const changes = [fewSlots, ...(protocol.scaled ?? []), ...(mutation ? [mutation.change] : [])];
  const loaded = new Map<string, Module>();
  const importsOf: Imports = (specifier) => {
    const name = specifier.split('/').at(-1)!;
    const file = modelled[name];
    return file === undefined ? (standIns[name] ?? {}) : load(file);
  };
  function load(file: string): Module {
    let module = loaded.get(file);
    if (!module) {
      module = loader.load(file, changes, importsOf) as Module;
      loaded.set(file, module);
    }
    return module;
  }
  return protocol.make(load);
}
