/** What the last run gave. */
import type { KernelOutcome, StudyOutcome } from '../run/outcome.ts';
import { outcome } from '../state.ts';
import { BufferView } from './buffer-view.tsx';
import { milliseconds } from './milliseconds.ts';
import { PictureView } from './picture-view.tsx';
import { ProgramView } from './program-view.tsx';
import { svgAddress } from './svg-address.ts';

export function OutcomeView() {
  const shown = outcome.value;
  switch (shown.kind) {
    case 'none':
      return <p class="hint">Run it to see what it computes.</p>;
    case 'running':
      return (
        <p class="hint">
          {shown.text}{' '}
          <progress
            {...(shown.fraction === undefined ? {} : { value: shown.fraction })}
            aria-label="Running"
          />
        </p>
      );
    case 'stopped':
      return <p class="hint">Stopped.</p>;
    case 'failed':
      return (
        <div class="failure">
          <p>{shown.message}</p>
          {shown.log && <pre tabIndex={0}>{shown.log}</pre>}
        </div>
      );
    case 'kernel':
      return <KernelView outcome={shown} />;
    case 'program':
      return <ProgramView outcome={shown} />;
    case 'study':
      return <StudyView outcome={shown} />;
  }
}

function KernelView({
  outcome: { kernel, global, guesses, results, printed, log, ...times },
}: {
  outcome: KernelOutcome;
}) {
  return (
    <>
      <p class="verdict">
        <b>{kernel}</b>: {global.join(' × ')} work-items in <b>{milliseconds(times.milliseconds)}</b>, built
        in {milliseconds(times.buildMilliseconds)}
      </p>
      {guesses.length > 0 && <p class="hint">Guessed: {guesses.join(', ')}</p>}
      {log && <pre tabIndex={0}>{log}</pre>}
      {printed && (
        <pre class="printed" tabIndex={0} role="region" aria-label="Printed">
          {printed}
        </pre>
      )}
      {results.map((result) => (
        <BufferView key={result.name} result={result} />
      ))}
    </>
  );
}

function StudyView({ outcome: { runs, findings, pictures, drawings } }: { outcome: StudyOutcome }) {
  return (
    <>
      <div class="table" role="region" aria-label="Kernels and their checks" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col" class="words">
                kernel
              </th>
              <th scope="col">here</th>
              <th scope="col">JavaScript</th>
              <th scope="col" class="words">
                check
              </th>
            </tr>
          </thead>
          <tbody>
            {runs.map(({ kernel, check, ...times }) => (
              <tr key={kernel}>
                <th scope="row">{kernel}</th>
                <td>{milliseconds(times.milliseconds)}</td>
                <td>{milliseconds(times.cpuMilliseconds)}</td>
                <td class={check.ok ? 'right' : 'wrong'}>
                  {check.ok ? 'right' : 'wrong'}: {check.detail}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {findings.length > 0 && (
        <ul class="findings">
          {findings.map((finding) => (
            <li key={finding}>{finding}</li>
          ))}
        </ul>
      )}
      {pictures.map(({ name, picture }) => (
        <PictureView key={name} name={name} picture={picture} />
      ))}
      {drawings.map(({ name, svg }) => (
        <figure key={name}>
          <img alt={`The drawing ${name}`} src={svgAddress(svg)} />
          <figcaption>{name}</figcaption>
        </figure>
      ))}
    </>
  );
}
