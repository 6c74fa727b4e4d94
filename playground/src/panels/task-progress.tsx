/** How far something has come that is done with the document, and the way to end it. */
import type { TaskStep } from '../run/messages.ts';

interface ProgressProps {
  /** What is done, as `Checking`. */
  readonly label: string;
  readonly step: TaskStep | undefined;
  readonly stop: () => void;
}

export function TaskProgress({ label, step, stop }: ProgressProps) {
  const { text = label, done } = step ?? {};
  return (
    <p>
      <progress aria-label={label} {...(done === undefined ? {} : { value: done })} />{' '}
      <span class="hint">{text}…</span>{' '}
      <button type="button" class="quiet" onClick={stop}>
        Stop
      </button>
    </p>
  );
}
