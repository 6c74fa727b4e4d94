/** How the document is run, and what came of it. */
import { OutcomeView } from '../results/outcome-view.tsx';
import { document } from '../state.ts';
import { LaunchForm } from './launch-form.tsx';

export function RunPanel() {
  const { language, study } = document.value;
  return (
    <>
      {language === 'opencl' && study === '' && <LaunchForm />}
      {study !== '' && (
        <p class="hint">
          A case study: its host program makes the data, runs these kernels (as you have changed them), and
          compares with a reference in JavaScript.
        </p>
      )}
      <OutcomeView />
    </>
  );
}
