/** How the document is run, and what came of it. */
import { runKindOf } from '../document.ts';
import { OutcomeView } from '../results/outcome-view.tsx';
import { document } from '../state.ts';
import { LaunchForm } from './launch-form.tsx';
import { StartForm } from './start-form.tsx';

export function RunPanel() {
  const kind = runKindOf(document.value);
  return (
    <>
      {kind === 'kernel' && <LaunchForm />}
      {kind === 'program' && <StartForm />}
      {kind === 'study' && (
        <p class="hint">
          A case study: its host program makes the data, runs these kernels (as you have changed them), and
          compares with a reference in JavaScript.
        </p>
      )}
      <OutcomeView />
    </>
  );
}
