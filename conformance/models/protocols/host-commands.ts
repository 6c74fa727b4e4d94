/** Commands that the host runs, in a queue that is out of order. */
import { machineIn, smallMachine } from '../command-machine.ts';
import { files, type Protocol } from '../protocol.ts';

export const hostCommands: Protocol = {
  about: 'commands of the host: the host is called once, and who waits for them goes on behind its answer',
  scaled: smallMachine,
  mutations: [
    {
      name: 'nobody is told of its end',
      change: {
        file: files.outOfOrder,
        from: 'this.#processor.dependencies.ended(command.event);\n        this.#processor.events.release',
        to: 'this.#processor.events.release',
      },
    },
    {
      name: 'its end is expected from the processor itself',
      change: {
        file: files.outOfOrder,
        from: 'this.#processor.dependencies.awaitForeign(',
        to: 'this.#processor.dependencies.await(',
      },
    },
    {
      name: 'it is not counted as done',
      change: { file: files.outOfOrder, from: 'this.#ended(command);\n      });', to: '});' },
    },
    {
      name: 'the host is called before the command runs',
      change: {
        file: files.processor,
        from: 'this.events.submit(event);\n    this.events.start(event);\n    if (command.kind === commandKind.host) {\n      this.events.callHost(event);',
        to: 'if (command.kind === commandKind.host) this.events.callHost(event);\n    this.events.submit(event);\n    this.events.start(event);\n    if (command.kind === commandKind.host) {',
      },
    },
  ],
  make: (load) =>
    machineIn(load, {
      queues: { q: { outOfOrder: true } },
      commands: {
        failing: { kind: 'host', queue: 'q', fails: -5 },
        behind: { kind: 'marker', queue: 'q', waits: ['failing'] },
      },
      first: ['failing', 'behind'],
      later: [],
    }),
};
