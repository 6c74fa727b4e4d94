/** Where the time of the last run went: its timeline, the profiler's table, and the trace for Perfetto to take away. */
import { lazy, Suspense } from 'preact/compat';
import { profiled } from '../state.ts';

const TimelineView = lazy(async () => ({
  default: (await import('../results/timeline-view.tsx')).TimelineView,
}));

export function ProfilePanel() {
  const found = profiled.value;
  if (!found) {
    return (
      <p class="hint">
        Run a kernel or a case study to see when its commands ran. Programs in C are profiled by the command:
        millrace run --profile.
      </p>
    );
  }
  const { timeline, table, trace } = found;
  const save = () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([trace], { type: 'application/json' }));
    link.download = 'millrace-trace.json';
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <>
      <Suspense fallback={null}>
        <TimelineView timeline={timeline} />
      </Suspense>
      <p>
        <button type="button" onClick={save}>
          Save the trace
        </button>{' '}
        <small>opens in ui.perfetto.dev</small>
      </p>
      <pre tabIndex={0} role="region" aria-label="Times by kernel and kind of command">
        {table}
      </pre>
    </>
  );
}
