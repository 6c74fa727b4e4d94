/** The Run button: whatever the document is, it runs, and its outcome goes to the page. What runs it is loaded now. */
import { announcement, document, isRunning, outcome, runs } from '../state.ts';
import type { RunOutcome } from './outcome.ts';

let end: (() => void) | undefined;

export async function run(): Promise<void> {
  if (isRunning.value) return;
  const what = document.value;
  const show = (next: RunOutcome) => {
    outcome.value = next;
  };
  show({ kind: 'running', text: 'Compiling…' });
  announcement.value = 'Running';
  let result: RunOutcome;
  try {
    if (what.language === 'c') {
      const { runProgram } = await import('./run-program.ts');
      const running = runProgram(what, show);
      end = running.end;
      result = await running.done;
    } else if (what.study !== '') {
      const { runStudy } = await import('./run-study.ts');
      result = await runStudy(what, show);
    } else {
      const { runKernel } = await import('./run-kernel.ts');
      result = await runKernel(what);
    }
  } catch (error) {
    result = {
      kind: 'failed',
      message: `This part of the page could not be loaded: ${(error as Error).message}`,
    };
  }
  end = undefined;
  show(result);
  runs.value += 1;
  announcement.value = result.kind === 'failed' ? `Failed: ${result.message}` : 'Done';
}

/** Ends a program in C; kernels end by their time-out. */
export function stop(): void {
  end?.();
}
