/**
 * Threads that end at any point, that are refused, that find no memory for code, or are only slow: every wait must end, commands that ended
 * well must have done their work, the next context must work, and no thread may be left.
 */
import type { Random } from '../../test/support/random.ts';
import type { FaultKind } from './fault-kind.ts';
import type { ThreadFault } from './fault-plan.ts';
import { everyThreadEnds, tryContext } from './try-context.ts';
import { injectFaults, watchThreads } from './watched-threads.ts';

export const threadFaults: FaultKind = {
  about: 'threads that end at any point, are refused, find no memory for code, or are slow',
  start: watchThreads,
  async run(random) {
    const { name, fault, file, which } = faultOf(random);
    let left = which;
    injectFaults((started) => {
      if (started !== file && file !== '') return undefined;
      left -= 1;
      return file === '' || left === 0 ? fault : undefined;
    });
    const ending = await tryContext({ random, hasQueues: true });
    injectFaults(undefined);
    if (ending !== 'right' && name === 'delays') throw new Error('slow threads make commands fail');
    await everyThreadEnds();
    if ((await tryContext({ random, hasQueues: true })) !== 'right')
      throw new Error('the next context does not work');
    await everyThreadEnds();
    return `${name}: ${ending}`;
  },
};

interface Chosen {
  readonly name: string;
  readonly fault: ThreadFault | 'refused';
  /** In threads of which file; all for ''. */
  readonly file: string;
  /** In the how manieth of them. */
  readonly which: number;
}

function faultOf(random: Random): Chosen {
  const file = random.pick(['worker.js', 'worker.js', 'processor.js']);
  const which = 1 + random.below(2);
  const choice = random.below(10);
  if (choice === 0) return { name: 'refused', fault: 'refused', file, which };
  if (choice === 1)
    return { name: 'no code', fault: { kind: 'no code', at: 1 + random.below(6) }, file: 'worker.js', which };
  if (choice < 5) {
    const oneIn = 2 ** (3 + random.below(8));
    return { name: 'delays', fault: { kind: 'delays', oneIn, seed: random.bits() }, file: '', which };
  }
  // Early points are few and special, late ones many and alike.
  const at = 1 + random.below(2 ** (3 + random.below(12)));
  return { name: `${file} ends`, fault: { kind: 'end', at }, file, which };
}
