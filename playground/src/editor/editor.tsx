/** The editor: CodeMirror over the document's source, with what the compiler says of it under the lines. */
import { closeBrackets, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { effect, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Remark } from '../compiler/messages.ts';
import { showStops, stopGutter } from '../debugger/stop-gutter.ts';
import { changeSource, document as current, examined, opened, pointedLine } from '../state.ts';
import { appearance } from './highlighting.ts';
import { languageAnswers } from './language.ts';
import { languageSupport } from './language-support.ts';
import { wrappedIndent } from './wrapped-indent.ts';

/** The line that another part of the page points to. */
const point = StateEffect.define<number | undefined>();
const pointed = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, transaction) => {
    for (const one of transaction.effects) {
      if (!one.is(point)) continue;
      const { doc } = transaction.state;
      if (one.value === undefined || one.value > doc.lines) return Decoration.none;
      return Decoration.set([Decoration.line({ class: 'cm-pointed' }).range(doc.line(one.value).from)]);
    }
    return marks.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Whoever has come by Tab, or presses it, may want to go on by it, and is told how. */
const usesTab = signal(false);

const extensions = [
  stopGutter,
  lineNumbers(),
  history(),
  drawSelection(),
  indentOnInput(),
  indentUnit.of('    '),
  bracketMatching(),
  closeBrackets(),
  languageAnswers,
  highlightActiveLine(),
  highlightSelectionMatches(),
  // Half of a screen holds no long lines, and a phone less.
  EditorView.lineWrapping,
  wrappedIndent,
  lintGutter(),
  appearance,
  pointed,
  EditorView.contentAttributes.of({ 'aria-label': 'Source', 'aria-describedby': 'editor-keys' }),
  EditorView.domEventHandlers({
    keyup: ({ key }) => {
      if (key === 'Tab') usesTab.value = true;
    },
    blur: () => {
      usesTab.value = false;
    },
  }),
  // Escape and then Tab leaves the editor, as CodeMirror documents it.
  keymap.of([
    ...defaultKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...completionKeymap,
    ...lintKeymap,
    indentWithTab,
  ]),
  EditorView.updateListener.of((update) => {
    if (update.docChanged) changeSource(update.state.doc.toString());
  }),
];

/** Offsets of a text that has since become shorter still have to lie in it. */
function diagnosticsOf(remarks: readonly Remark[], length: number): Diagnostic[] {
  return remarks.map(({ severity, message, start, end }) => ({
    severity: severity === 'note' ? 'info' : severity,
    message,
    from: Math.min(start, length),
    to: Math.min(Math.max(end, start), length),
  }));
}

export function Editor() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const view = new EditorView({ parent: place.current! });
    // For those who scroll by keys, though the cursor's keys scroll, too.
    view.scrollDOM.tabIndex = 0;
    view.scrollDOM.setAttribute('role', 'region');
    view.scrollDOM.setAttribute('aria-label', 'Source, scrolled');
    const stops = [
      effect(() => {
        // A document that was opened, not one that was typed into.
        void opened.value;
        const { source, language } = current.peek();
        view.setState(
          EditorState.create({ doc: source, extensions: [extensions, languageSupport(language)] }),
        );
      }),
      showStops(view),
      effect(() => {
        const remarks = examined.value?.remarks ?? [];
        view.dispatch(setDiagnostics(view.state, diagnosticsOf(remarks, view.state.doc.length)));
      }),
      effect(() => {
        const line = pointedLine.value;
        const effects: StateEffect<unknown>[] = [point.of(line)];
        if (line !== undefined && line <= view.state.doc.lines)
          effects.push(EditorView.scrollIntoView(view.state.doc.line(line).from, { y: 'nearest' }));
        view.dispatch({ effects });
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      view.destroy();
    };
  }, []);
  return (
    <div class="editor">
      <div class="editor" ref={place} />
      <p id="editor-keys" class={usesTab.value ? 'keys' : 'unseen'}>
        Tab indents; Escape and then Tab leaves the source.
      </p>
    </div>
  );
}
