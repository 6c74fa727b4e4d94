/** The launch step by step, forwards and backwards: where it is, what its variables hold, who waits where. */
import { useEffect, useState } from 'preact/hooks';
import {
  complaint,
  end,
  guard,
  move,
  pause,
  setCondition,
  setWatched,
  start,
  state,
  stops,
  toggleStop,
  wanted,
  watched,
} from '../debugger/debugger.ts';
import type { DebugView, Move } from '../debugger/messages.ts';
import { ValueRows } from '../debugger/value-rows.tsx';
import { WorkItemGrid, WorkItemLegend } from '../debugger/work-item-grid.tsx';
import { runKindOf } from '../document.ts';
import { PictureView } from '../results/picture-view.tsx';
import { document, pointedLine } from '../state.ts';
import '../debugger/debugger.css';

interface MoveButton {
  readonly how: Move;
  readonly text: string;
  /** As KeyboardEvent names it, with Shift before it. */
  readonly key: string;
}

const buttons: readonly MoveButton[] = [
  { how: 'reverseContinue', text: 'Back to breakpoint', key: 'Shift+F8' },
  { how: 'stepBack', text: 'Step back', key: 'Shift+F10' },
  { how: 'stepOver', text: 'Next line', key: 'F10' },
  { how: 'stepInto', text: 'Step into', key: 'F11' },
  { how: 'stepOut', text: 'Step out', key: 'Shift+F11' },
  { how: 'continue', text: 'Continue', key: 'F8' },
];

export function DebuggerPanel() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const key = `${event.shiftKey ? 'Shift+' : ''}${event.key}`;
      const button = buttons.find((one) => one.key === key);
      if (!button || state.value.kind !== 'stopped') return;
      event.preventDefault();
      event.stopPropagation();
      move(button.how);
    };
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, []);
  const runKind = runKindOf(document.value);
  // Kernels of programs in C are texts in these: what they stop at is no line of the document.
  if (runKind === 'study' || document.value.language === 'c') {
    return (
      <p class="hint">
        The debugger is for kernels that are launched here and programs in Brook+. Those of others are
        debugged by <code>millrace debug</code>.
      </p>
    );
  }
  const { kind } = state.value;
  return (
    <div class="debugger">
      {kind === 'none' ? (
        <>
          <p class="hint">
            Steps through {runKind === 'program' ? 'a launch of the program' : 'the launch of the Run panel'},
            forwards and backwards. A click beside a line number (or F9 in the editor) sets a breakpoint.
          </p>
          {runKind === 'program' && <Wanted />}
          <button type="button" onClick={start}>
            Debug this launch
          </button>
        </>
      ) : (
        <Controls />
      )}
      {complaint.value !== '' && (
        <pre class="complaint" tabIndex={0}>
          {complaint.value}
        </pre>
      )}
      <Stops />
      {kind === 'starting' && <progress aria-label="Starting" />}
      {'view' in state.value && <View view={state.value.view} />}
    </div>
  );
}

/** Which launch of a program. */
function Wanted() {
  const { launch, kernel } = wanted.value;
  return (
    <p class="wanted">
      <label>
        Launch{' '}
        <input
          type="number"
          min="1"
          value={launch}
          onInput={({ currentTarget }) => {
            wanted.value = { launch: Math.max(1, Math.trunc(currentTarget.valueAsNumber) || 1), kernel };
          }}
        />
      </label>{' '}
      <label>
        of{' '}
        <input
          value={kernel}
          placeholder="any kernel"
          spellcheck={false}
          onInput={({ currentTarget }) => {
            wanted.value = { launch, kernel: currentTarget.value.trim() };
          }}
        />
      </label>
    </p>
  );
}

function Controls() {
  const { kind } = state.value;
  const isMoving = kind === 'moving';
  const hasEnded = 'view' in state.value && state.value.view.hasEnded;
  return (
    <div class="moves" role="toolbar" aria-label="Moving the launch">
      {buttons.map(({ how, text, key }) => (
        <button
          type="button"
          key={how}
          title={key}
          aria-keyshortcuts={key}
          disabled={kind !== 'stopped' || (hasEnded && how !== 'stepBack' && how !== 'reverseContinue')}
          onClick={() => move(how)}
        >
          {text}
        </button>
      ))}
      <button type="button" disabled={!isMoving} onClick={pause}>
        Pause
      </button>
      <button type="button" onClick={start}>
        Restart
      </button>
      <button type="button" onClick={end}>
        End
      </button>
    </div>
  );
}

/** The lines to stop at, with their conditions. */
function Stops() {
  if (stops.value.length === 0) return null;
  return (
    <ul class="stops">
      {[...stops.value]
        .sort((a, b) => a.line - b.line)
        .map(({ line, condition }) => (
          <li key={line}>
            <label>
              Line {line}, if{' '}
              <input
                value={condition}
                placeholder="always; or get_global_id(0) == 5"
                onChange={({ currentTarget }) => setCondition(line, currentTarget.value.trim())}
              />
            </label>
            <button type="button" class="quiet" onClick={() => toggleStop(line)}>
              Remove
            </button>
          </li>
        ))}
    </ul>
  );
}

function View({ view }: { view: DebugView }) {
  const { why, isWrong, line, calls, items, variables, pictures, printed, kernel, group } = view;
  const chosen = items[view.selected];
  return (
    <>
      <p class={isWrong ? 'found' : 'stands'} data-line={line}>
        <strong>{why}</strong>
        {line !== undefined && chosen && (
          <>
            {' '}
            — work-item ({chosen.global.join(', ')}) at line {line}
          </>
        )}
      </p>
      {calls.length > 1 && (
        <ol class="calls" aria-label="Calls">
          {calls.map(({ name, line: at }, index) => (
            <li key={`${index} ${name}`}>
              <button
                type="button"
                class="quiet"
                onClick={() => {
                  pointedLine.value = at;
                }}
              >
                {name}, line {at}
              </button>
            </li>
          ))}
        </ol>
      )}
      {items.length > 0 && (
        <section aria-label="Work-group">
          <h2>
            Group ({group.join(', ')}) of {kernel}
          </h2>
          <WorkItemGrid view={view} />
          <WorkItemLegend items={items} />
        </section>
      )}
      <Watched view={view} />
      {variables.map(({ title, values }) => (
        <section key={title} aria-label={title}>
          <h2>{title}</h2>
          <table class="values">
            <tbody>
              <ValueRows values={values} />
            </tbody>
          </table>
        </section>
      ))}
      {pictures.map(({ name, picture }) => (
        <PictureView key={name} name={name} picture={picture} />
      ))}
      {printed !== '' && (
        <section aria-label="Printed">
          <h2>Printed</h2>
          <pre tabIndex={0}>{printed}</pre>
        </section>
      )}
    </>
  );
}

/** Expressions of the person's own; what is guarded stops whoever writes there. */
function Watched({ view }: { view: DebugView }) {
  const [text, setText] = useState('');
  const add = (event: Event) => {
    event.preventDefault();
    if (text.trim() !== '' && !watched.value.includes(text.trim()))
      setWatched([...watched.value, text.trim()]);
    setText('');
  };
  return (
    <section aria-label="Expressions">
      <h2>Expressions</h2>
      <form onSubmit={add}>
        <input
          aria-label="An expression to show"
          placeholder="x[i] + 1"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <button type="submit">Show</button>
        <button type="button" onClick={() => guard(text.trim())}>
          Stop at writes
        </button>
      </form>
      {view.watched.length > 0 && (
        <table class="values">
          <tbody>
            <ValueRows values={view.watched} />
          </tbody>
        </table>
      )}
      {watched.value.length > 0 && (
        <button type="button" class="quiet" onClick={() => setWatched([])}>
          Show none
        </button>
      )}
    </section>
  );
}
