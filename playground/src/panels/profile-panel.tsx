/** Where the time of the last run went: its timeline, the profiler's table, the trace for Perfetto to take away; another run beside it. */
import { lazy, Suspense } from 'preact/compat';
import { comparedWith, document as current, profiled } from '../state.ts';

const TimelineView = lazy(async () => ({
  default: (await import('../results/timeline-view.tsx')).TimelineView,
}));

export function ProfilePanel() {
  const found = profiled.value;
  if (!found) {
    return <p class="hint">Run a kernel, a program or a case study to see when its commands ran.</p>;
  }
  const { timeline, table, trace, comparison } = found;
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
      <Comparison trace={trace} comparison={comparison} />
    </>
  );
}

/** Two runs beside each other: this one or one of a file is kept, and the next ones are compared with it. */
function Comparison({ trace, comparison }: { trace: string; comparison: string | undefined }) {
  const kept = comparedWith.value;
  const keep = () => {
    const time = new Date().toLocaleTimeString();
    comparedWith.value = { trace, name: `${current.value.name}, kept at ${time}` };
  };
  const read = async (file: File | undefined) => {
    if (file) comparedWith.value = { trace: await file.text(), name: file.name };
  };
  return (
    <section aria-labelledby="comparison-title">
      <h2 class="heading" id="comparison-title">
        Comparison
      </h2>
      {kept ? (
        <p>
          Runs are compared with <b>{kept.name}</b>.{' '}
          <button
            type="button"
            class="quiet"
            onClick={() => {
              comparedWith.value = undefined;
            }}
          >
            No more
          </button>
        </p>
      ) : (
        <p class="hint">
          Keep this run, or open a trace of <code>millrace run --profile</code>. The next run is shown next to
          it.
        </p>
      )}
      <p class="choices">
        <button type="button" onClick={keep}>
          Keep this run
        </button>
        <label class="button">
          Open a trace
          <input
            class="unseen"
            type="file"
            accept=".json,application/json"
            onChange={({ currentTarget }) => void read(currentTarget.files?.[0])}
          />
        </label>
      </p>
      {kept && comparison && (
        <pre tabIndex={0} role="region" aria-label="The kept run, A, beside this one, B">
          {comparison}
        </pre>
      )}
    </section>
  );
}
