/** What a program in C or Brook+ has printed, how it ended, what failed in it, and the files that it has left. */
import { lazy, Suspense } from 'preact/compat';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ProgramOutcome } from '../run/outcome.ts';
import { milliseconds } from './milliseconds.ts';

/** Not part of the page's first load. */
const FileView = lazy(async () => ({ default: (await import('./file-view.tsx')).FileView }));

/** Of more files only the names are worth the room. */
const mostFiles = 20;

export function ProgramView({ outcome }: { outcome: ProgramOutcome }) {
  const { text, linesLeftOut, stopped, files } = outcome;
  const shownFiles = [...files].slice(0, mostFiles);
  return (
    <>
      <p class={stopped ? 'verdict failure' : 'verdict'}>{verdict(outcome)}</p>
      {stopped && stopped.functions.length > 0 && <p class="hint">In {calls(stopped.functions)}.</p>}
      <Failures outcome={outcome} />
      {linesLeftOut > 0 && <p class="hint">The last lines; {linesLeftOut} before them are not kept.</p>}
      {text !== '' && <Printed text={text} isRunning={outcome.exitCode === undefined} />}
      <Suspense fallback={null}>
        {shownFiles.map(([name, bytes]) => (
          <FileView key={name} name={name} bytes={bytes} />
        ))}
      </Suspense>
      {files.size > mostFiles && <p class="hint">And {files.size - mostFiles} more files.</p>}
    </>
  );
}

function verdict({ exitCode, milliseconds: time, stopped, text }: ProgramOutcome): string {
  if (exitCode === undefined) return 'Running…';
  if (exitCode === 'stopped') return 'Stopped.';
  if (stopped) return `Stopped after ${milliseconds(time)}: ${stopped.reason}.`;
  const nothing = text === '' ? ' It has printed nothing.' : '';
  return `Ended with exit code ${exitCode} after ${milliseconds(time)}.${nothing}`;
}

/** `deep, called by deep, called by main`; of very many the first and the last. */
function calls(functions: readonly string[]): string {
  const some = functions.length > 4 ? [...functions.slice(0, 2), '…', functions.at(-1)!] : functions;
  return some.join(', called by ');
}

/**
 * Programs forget to look whether a function has failed, or say no more than a number. In one that ends well queries may fail, and
 * other functions because it tries what they do; a kernel does not fail because somebody meant it to.
 */
function Failures({ outcome: { failures, exitCode } }: { outcome: ProgramOutcome }) {
  const isQuery = (text: string): boolean => /^(?:clGet|cal\w*Get)/.test(text);
  if (failures.length === 0 || (exitCode === 0 && failures.every(isQuery))) return null;
  const mayBeMeant = exitCode === 0 && failures.every((text) => /^(?:cl|cal|calcl)[A-Z]\w*: /.test(text));
  return (
    <div class={mayBeMeant ? 'hint' : 'failure'}>
      <p>{mayBeMeant ? 'What failed in it, perhaps as it was meant to:' : 'What failed in it:'}</p>
      <ul>
        {failures.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {failures.some((text) => text.includes('CL_DEVICE_NOT_FOUND')) && (
        <p class="hint">Under Device type, above, the device can be made to say that it is a GPU.</p>
      )}
    </div>
  );
}

/** While it grows its end is in sight, unless somebody looks at something else in it. */
function Printed({ text, isRunning }: { text: string; isRunning: boolean }) {
  const place = useRef<HTMLPreElement>(null);
  const follows = useRef(true);
  useLayoutEffect(() => {
    const { current } = place;
    if (current && isRunning && follows.current) current.scrollTop = current.scrollHeight;
  }, [text, isRunning]);
  const look = ({
    currentTarget: { scrollTop, scrollHeight, clientHeight },
  }: {
    currentTarget: HTMLPreElement;
  }) => {
    follows.current = scrollTop + clientHeight >= scrollHeight - 20;
  };
  return (
    <pre ref={place} class="printed" tabIndex={0} role="region" aria-label="Printed" onScroll={look}>
      {text}
    </pre>
  );
}
