/** What a launch does wrong: races, accesses out of bounds, values that nobody set. */
import type { CheckReply, Finding } from '../check/messages.ts';
import { type RunKind, runKindOf } from '../document.ts';
import { documentTask } from '../run/document-task.ts';
import { startCheck } from '../run/start.ts';
import { announcement, document, pointedLine } from '../state.ts';
import { TaskProgress } from './task-progress.tsx';

const checking = documentTask<CheckReply>();

async function check(): Promise<void> {
  const reply = await checking.start((show) => startCheck(document.value, show));
  if (!reply) return;
  announcement.value = 'findings' in reply ? countText(reply.findings.length) : 'The check failed';
}

const whatRuns: Readonly<Record<RunKind, string>> = {
  kernel: 'the launch of the Run panel',
  study: 'the case study, on one thread and so for longer,',
  program: 'the program, its kernels on one thread,',
};

export function CheckPanel() {
  const kind = runKindOf(document.value);
  const state = checking.state.value;
  return (
    <>
      <p class="hint">
        Runs {whatRuns[kind]} with every access to memory by kernels looked at: races, accesses outside of
        buffers, values that were never set, barriers that not all work-items reach
        {document.value.language === 'c' && '; and null pointers that the program itself follows'}.
      </p>
      {state.kind === 'running' ? (
        <TaskProgress label="Checking" step={state.step} stop={checking.stop} />
      ) : (
        <button type="button" onClick={() => void check()}>
          Check this {kind === 'kernel' ? 'launch' : kind === 'study' ? 'case study' : 'program'}
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
      {reply.ended && <p class="hint">{reply.ended}</p>}
      {reply.findings.map((finding, index) => (
        <FindingView key={index} finding={finding} />
      ))}
      {reply.printed && (
        <section aria-labelledby="check-printed">
          <h2 class="heading" id="check-printed">
            Printed
          </h2>
          <pre class="printed" tabIndex={0}>
            {reply.printed}
          </pre>
        </section>
      )}
    </>
  );
}

/** One that has its place in the document leads there. */
function FindingView({ finding: { line, text } }: { finding: Finding }) {
  if (line === undefined) {
    return (
      <pre class="wrapped" tabIndex={0}>
        {text}
      </pre>
    );
  }
  const point = () => {
    pointedLine.value = line;
  };
  return (
    <button type="button" class="finding" onClick={point}>
      <pre>{text}</pre>
    </button>
  );
}
