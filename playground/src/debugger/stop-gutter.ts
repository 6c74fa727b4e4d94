/** The editor's gutter for the debugger's stops: a click, or F9 at the cursor, sets one or takes it away. */
import { type Extension, RangeSet, StateEffect, StateField } from '@codemirror/state';
import { EditorView, GutterMarker, gutter, keymap } from '@codemirror/view';
import { effect } from '@preact/signals';
import { stops, toggleStop } from './debugger.ts';

class StopMarker extends GutterMarker {
  override toDOM(): HTMLElement {
    const dot = document.createElement('span');
    dot.className = 'cm-stop';
    return dot;
  }
}

const marker = new StopMarker();
const show = StateEffect.define<readonly number[]>();

const markers = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update(shown, transaction) {
    let now = shown.map(transaction.changes);
    for (const one of transaction.effects) {
      if (!one.is(show)) continue;
      const { doc } = transaction.state;
      const lines = one.value.filter((line) => line <= doc.lines).sort((a, b) => a - b);
      now = RangeSet.of(lines.map((line) => marker.range(doc.line(line).from)));
    }
    return now;
  },
});

/** When lines come or go, stops stay with their text. */
const follow = EditorView.updateListener.of(({ docChanged, state, startState }) => {
  if (!docChanged || startState.field(markers, false) === undefined) return;
  const lines: number[] = [];
  for (const at = state.field(markers).iter(); at.value; at.next())
    lines.push(state.doc.lineAt(at.from).number);
  const old = [...stops.value].sort((a, b) => a.line - b.line);
  if (lines.length !== old.length || old.every(({ line }, index) => line === lines[index])) return;
  stops.value = old.map((stop, index) => ({ ...stop, line: lines[index]! }));
});

export const stopGutter: Extension = [
  markers,
  follow,
  gutter({
    class: 'cm-stops',
    renderEmptyElements: true,
    markers: (view) => view.state.field(markers),
    domEventHandlers: {
      mousedown(view, line) {
        toggleStop(view.state.doc.lineAt(line.from).number);
        return true;
      },
    },
  }),
  keymap.of([
    {
      key: 'F9',
      run(view) {
        toggleStop(view.state.doc.lineAt(view.state.selection.main.head).number);
        return true;
      },
    },
  ]),
];

/** Shows the stops in an editor, until the answer is called. */
export function showStops(view: EditorView): () => void {
  return effect(() => {
    const lines = stops.value.map(({ line }) => line);
    view.dispatch({ effects: show.of(lines) });
  });
}
