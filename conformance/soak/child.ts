/** The process of a soak: its memory, threads and descriptors are its own. The arguments are the seed and the seconds (campaign/parts.ts). */
import { runSoak, type SoakResult } from './soak.ts';

/** What it says: how far it is, and at the end what it came to. */
export interface SoakMessage {
  readonly isEnd: boolean;
  readonly result: SoakResult;
}

if (!process.send) throw new Error('this is a part of a campaign, and nothing by itself');
process.on('disconnect', () => process.exit());
const [seed, seconds] = process.argv.slice(2).map(Number) as [number, number];
const say = (result: SoakResult, isEnd: boolean): void =>
  void process.send!({ isEnd, result } satisfies SoakMessage);
say(await runSoak({ seed, seconds, progress: (result) => say(result, false) }), true);
