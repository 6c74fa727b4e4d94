/** What a launch does wrong: races, accesses out of bounds, values that nobody set. */
import type { CheckReply } from '../check/messages.ts';
import { documentTask } from '../run/document-task.ts';
import { startCheck } from '../run/start.ts';
import { announcement, document, pointedLine } from '../state.ts';

const checking = documentTask<CheckReply>();

async function check(): Promise<void> {
  const reply = await checking.start(() => startCheck(document.value));
  if (!reply) return;
  announcement.value = 'findings' in reply ? countText(reply.findings.length) : 'The check failed';
}

export function CheckPanel() {
  const { language, study } = document.value;
  if (language !== 'opencl' || study !== '') {
    return (
      <p class="hint">The checker is for kernels that are launched here, not for programs of their own.</p>
    );
  }
  const state = checking.state.value;
  return (
    <>
      <p class="hint">
        Runs the launch of the Run panel with every access to memory looked at: races, accesses outside of
        buffers, values that were never set, barriers that not all work-items reach.
      </p>
      {state.kind === 'running' ? (
        <p>
          <progress aria-label="Checking" />{' '}
          <button type="button" class="quiet" onClick={() => checking.stop()}>
            Stop
          </button>
        </p>
      ) : (
        <button type="button" onClick={() => void check()}>
          Check this launch
        </button>
      )}
      {state.kind === 'done' && <Reply reply={state.result} />}
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
