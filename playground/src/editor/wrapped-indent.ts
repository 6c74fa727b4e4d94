/**
 * A line that is wrapped goes on under its own beginning, a little further in: CodeMirror begins it at the margin, where it looks like
 * a line of its own.
 */
import { type Extension, RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, ViewPlugin } from '@codemirror/view';

/** In columns: how much further in, and how much at the most, so that deep lines have room on a phone. */
const further = 4;
const most = 12;

const byColumns = Array.from({ length: most + 1 }, (_, columns) =>
  Decoration.line({
    // 6px is what CodeMirror's own style has before a line.
    attributes: { style: `text-indent: -${columns}ch; padding-left: calc(${columns}ch + 6px)` },
  }),
);

function indented({ state, visibleRanges }: EditorView): DecorationSet {
  const marks = new RangeSetBuilder<Decoration>();
  let last = -1;
  for (const { from, to } of visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = state.doc.lineAt(at);
      if (line.from > last) {
        const space = /^\s*/.exec(line.text)![0];
        const columns = [...space].reduce((sum, one) => sum + (one === '\t' ? state.tabSize : 1), further);
        marks.add(line.from, line.from, byColumns[Math.min(columns, most)]!);
        last = line.from;
      }
      at = line.to + 1;
    }
  }
  return marks.finish();
}

export const wrappedIndent: Extension = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = indented(view);
    }
    update({
      docChanged,
      viewportChanged,
      view,
    }: {
      docChanged: boolean;
      viewportChanged: boolean;
      view: EditorView;
    }) {
      if (docChanged || viewportChanged) this.decorations = indented(view);
    }
  },
  { decorations: ({ decorations }) => decorations },
);
