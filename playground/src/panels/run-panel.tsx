/** How the document is run, and what came of it. */
import { useEffect, useRef } from 'preact/hooks';
import { runKindOf } from '../document.ts';
import { LiveView } from '../live/live-view.tsx';
import { player } from '../live/player.ts';
import { OutcomeView } from '../results/outcome-view.tsx';
import { document, isRunning } from '../state.ts';
import { LaunchForm } from './launch-form.tsx';
import { StartForm } from './start-form.tsx';

export function RunPanel() {
  const kind = runKindOf(document.value);
  const place = useRef<HTMLDivElement>(null);
  const running = isRunning.value;
  useEffect(() => {
    // Where the panels stand below the source, what comes of a run would be out of sight.
    if (running && matchMedia('(max-width: 48rem)').matches) place.current!.scrollIntoView();
  }, [running]);
  return (
    <>
      <LiveView />
      {kind === 'kernel' && <LaunchForm />}
      {kind === 'program' && <StartForm />}
      {kind === 'study' && (
        <p class="hint">
          A case study: its host program makes the data, runs these kernels (as you have changed them), and
          compares with a reference in JavaScript.
        </p>
      )}
      <div ref={place}>{player.value === undefined && <OutcomeView />}</div>
    </>
  );
}
