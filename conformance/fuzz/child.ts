/**
 * A process that checks one generated kernel after the other, as its parent asks (child-pool.ts). Kernels run here and not in the
 * parent's process, because one may hang, or take the engine down with it.
 */
import { nativeKernelEngine } from '../../test/codegen/x64/engine.ts';
import { useKernelEngine } from '../../test/support/run-kernel.ts';
import { failureReport, fuzzCase, type Kind } from './fuzz-case.ts';
import { failed, type Verdict } from './verdict.ts';

/** What the parent asks for. */
export interface Task {
  readonly kind: Kind;
  readonly seed: number;
  /** Milliseconds to make the kernel small in, should it fail. */
  readonly shrinking: number;
}

/**
 * What a child says: once that it is ready for tasks; for each what it came to; and for one that failed its report
 * after that.
 */
export type Message =
  | { readonly what: 'ready' }
  | { readonly what: 'verdict'; readonly verdict: Verdict }
  | { readonly what: 'report'; readonly text: string };

/** The arguments: `native`, and `wasm` if that is what it is compared with. */
const [, , device, against] = process.argv;
const isCompared = against === 'wasm';

async function work({ kind, seed, shrinking }: Task, say: (message: Message) => void): Promise<void> {
  let verdict: Verdict;
  try {
    const made = fuzzCase(kind, seed, isCompared);
    verdict = made.check(made.source);
    say({ what: 'verdict', verdict });
    if (verdict.status !== 'failed') return;
    say({ what: 'report', text: await failureReport(made, verdict.reason ?? '', { shrinking }) });
  } catch (error) {
    // The generator's own faults; those of what runs the kernels are verdicts.
    verdict = failed(String(error));
    say({ what: 'verdict', verdict });
    say({ what: 'report', text: (error as Error).stack ?? String(error) });
  }
}

if (device === 'native') useKernelEngine(nativeKernelEngine());
if (!process.send) throw new Error("this is a part of 'npm run fuzz', and nothing by itself");
const say = (message: Message): void => void process.send!(message);
process.on('message', (task: Task) => void work(task, say));
// The parent is gone.
process.on('disconnect', () => process.exit());
say({ what: 'ready' });
