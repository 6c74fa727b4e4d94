/** `npm run stress -- --minutes N`: the stress test of queues, for as long as one likes. */
import { Command } from 'commander';
import { positiveNumber } from '../support/option-numbers.ts';
import { runStress, type StressResult } from './stress.ts';

export function stressCommand(): Command {
  return new Command('stress')
    .description(
      'runs eight queues that share pipes, with nested launches and events, and counts every token',
    )
    .option('--minutes <count>', 'how long', positiveNumber, 1)
    .option('--seed <number>', 'of what is enqueued', Number, 20)
    .action(async ({ minutes, seed }: { minutes: number; seed: number }) => {
      let last = performance.now();
      const progress = (done: StressResult): void => {
        if (performance.now() - last < 10_000) return;
        last = performance.now();
        console.log(said(done));
      };
      const result = await runStress({ seconds: 60 * minutes, seed, progress });
      console.log(said(result));
      for (const problem of result.problems) console.log(problem);
      console.log(result.problems.length === 0 ? 'nothing was lost and everything ended' : 'FAILED');
      process.exitCode = result.problems.length === 0 ? 0 : 1;
    });
}

function said({ rounds, commands, hops, nestedItems, refused }: StressResult): string {
  const [c, h, n] = [commands, hops, nestedItems].map((count) => count.toLocaleString('en'));
  return `${rounds} rounds: ${c} commands, ${h} hops of tokens, ${n} work-items of nested launches (${refused} found no room)`;
}
