/** What a launch does wrong: races, accesses out of bounds, values that nobody set. */
import { useState } from 'preact/hooks';
import type { CheckReply } from '../check/messages.ts';
import { startCheck } from '../run/start.ts';
import { announcement, document, opened, pointedLine } from '../state.ts';

type State = { readonly of: number; readonly reply: CheckReply | 'running' } | undefined;

export function CheckPanel() {
  const [state, setState] = useState<State>(undefined);
  const { language, study } = document.value;
  if (language !== 'opencl' || study !== '') {
    return (
      <p class="hint">The checker is for kernels that are launched here, not for programs of their own.</p>
    );
  }
  const check = async () => {
    const of = opened.value;
    setState({ of, reply: 'running' });
    const reply = await startCheck(document.value);
    setState({ of, reply });
    announcement.value = 'findings' in reply ? countText(reply.findings.length) : 'The check failed';
  };
  // Of another document nothing is told.
  const reply = state?.of === opened.value ? state.reply : undefined;
  return (
    <>
      <p class="hint">
        Runs the launch of the Run panel with every access to memory looked at: races, accesses outside of
        buffers, values that were never set, barriers that not all work-items reach.
      </p>
      <button type="button" disabled={reply === 'running'} onClick={() => void check()}>
        Check this launch
      </button>
      {reply === 'running' && <progress aria-label="Checking" />}
      {reply !== undefined && reply !== 'running' && <Reply reply={reply} />}
    </>
  );
}

function countText(count: number): string {
  return count === 0
    ? 'Nothing wrong was found'
    : count === 1
      ? 'One thing is wrong'
      : `${count} things are wrong`;
}

function Reply({ reply }: { reply: CheckReply }) {
  if ('failure' in reply) return <pre tabIndex={0}>{reply.failure}</pre>;
  return (
    <>
      <p class={reply.findings.length === 0 ? 'found-nothing' : 'found'}>
        {countText(reply.findings.length)}.
      </p>
      {reply.findings.map(({ line, text }) => (
        <button
          type="button"
          class="finding"
          key={text}
          onClick={() => {
            pointedLine.value = line;
          }}
        >
          <pre>{text}</pre>
        </button>
      ))}
    </>
  );
}
