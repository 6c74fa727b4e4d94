/** How near the document's launch comes to what this machine can do: the roofline, as a picture and as a table. */
import { counted } from '../../../src/cli/arguments/counted.ts';
import { runKindOf } from '../document.ts';
import { svgAddress } from '../results/svg-address.ts';
import { keep, readKept } from '../roofline/kept.ts';
import type { MeasuredRoofline, RooflineReply } from '../roofline/messages.ts';
import { documentTask } from '../run/document-task.ts';
import { startRoofline } from '../run/start.ts';
import { announcement, document } from '../state.ts';
import { TaskProgress } from './task-progress.tsx';

const measurement = documentTask<RooflineReply>();

async function measure(isAgain: boolean): Promise<void> {
  const reply = await measurement.start((show) =>
    startRoofline(document.value, { kept: readKept(), isAgain }, show),
  );
  if (!reply) return;
  announcement.value = 'failure' in reply ? 'The measurement failed' : reply.title;
  if ('keep' in reply) keep(reply.keep);
}

export function MachineSection() {
  const { language } = document.value;
  if (language === 'il') {
    return (
      <p class="hint">
        What a launch does is counted in kernels in OpenCL C only: AMD IL has the estimates for the cards.
      </p>
    );
  }
  if (runKindOf(document.value) !== 'kernel') {
    return (
      <p class="hint">
        For kernels that are launched here, by the Run panel. This one is launched by a program of its own.
      </p>
    );
  }
  const state = measurement.state.value;
  return (
    <>
      <p class="hint">
        The launch of the Run panel beside what this machine can do: its operations and bytes are counted in
        some of its work-groups, the fastest of its launches is timed, and the machine’s peaks are measured,
        which is done once.
      </p>
      {state.kind === 'running' ? (
        <TaskProgress label="Measuring" step={state.step} stop={measurement.stop} />
      ) : (
        <button type="button" onClick={() => void measure(false)}>
          Measure this launch
        </button>
      )}
      {state.kind === 'done' && <Reply reply={state.result} />}
    </>
  );
}

function Reply({ reply }: { reply: RooflineReply }) {
  if ('failure' in reply) return <pre tabIndex={0}>{reply.failure}</pre>;
  return <Measured found={reply} />;
}

function Measured({ found }: { found: MeasuredRoofline }) {
  const { title, bound, rows, pictures, threads, measured, again, text } = found;
  const when = new Date(measured).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <>
      {pictures ? (
        <figure class="roofline">
          <picture>
            <source media="(max-width: 30rem)" srcset={svgAddress(pictures.narrow)} />
            <img alt={`Roofline. ${title}. The table has its numbers.`} src={svgAddress(pictures.wide)} />
          </picture>
          <figcaption>{title}</figcaption>
        </figure>
      ) : (
        <p>The launch has no operations or no bytes, and so no place in a picture.</p>
      )}
      <div class="table" role="region" aria-label="Roofs and the launch" tabIndex={0}>
        <table>
          <thead>
            <tr>
              {['roof', 'the machine', 'this launch', 'share', 'operations a byte'].map((heading) => (
                <th scope="col" key={heading} class={heading === 'roof' ? 'words' : ''}>
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ roof, peak, attained, share, intensity, isBound }) => (
              <tr key={roof} class={isBound ? 'bound' : ''}>
                <th scope="row">{roof}</th>
                <td>{peak}</td>
                <td>{attained}</td>
                <td>{share || 'no limit'}</td>
                <td>{intensity}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p>Bound by {bound}.</p>
      <p>
        <span class="hint">
          The machine’s peaks with {counted(threads, 'thread')}, of {when}. If other things ran then, they are
          too low.
        </span>{' '}
        <button type="button" class="quiet" onClick={() => void measure(true)}>
          Measure the machine again
        </button>
      </p>
      {again && <pre class="wrapped">{again}</pre>}
      <details>
        <summary>In words</summary>
        <pre tabIndex={0}>{text}</pre>
      </details>
    </>
  );
}
