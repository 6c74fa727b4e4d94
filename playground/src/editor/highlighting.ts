/** Colours of source text, by variables of style.css so that they follow light and dark. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.controlKeyword], color: 'var(--code-keyword)' },
  { tag: [tags.typeName, tags.standard(tags.typeName)], color: 'var(--code-type)' },
  { tag: [tags.number, tags.bool], color: 'var(--code-number)' },
  { tag: [tags.string, tags.character], color: 'var(--code-string)' },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: 'var(--code-comment)' },
  { tag: [tags.processingInstruction, tags.meta], color: 'var(--code-directive)' },
  { tag: tags.function(tags.variableName), color: 'var(--code-function)' },
]);

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '0.875rem', color: 'var(--text)', backgroundColor: 'var(--editor)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-gutters': { backgroundColor: 'var(--editor)', color: 'var(--faint)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--line)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground, ::selection': {
    backgroundColor: 'var(--selection) !important',
  },
  '.cm-pointed': { backgroundColor: 'var(--pointed)' },
  '.cm-tooltip': { backgroundColor: 'var(--panel)', color: 'var(--text)', border: '1px solid var(--edge)' },
  '.explanation': { padding: '.2rem .6rem', maxWidth: '34rem', maxHeight: '20rem', overflow: 'auto' },
  '.explanation pre': { fontFamily: 'var(--mono)', whiteSpace: 'pre-wrap', margin: '.3rem 0' },
  '.explanation p': { margin: '.3rem 0' },
  '.cm-panels': { backgroundColor: 'var(--panel)', color: 'var(--text)' },
});

export const appearance = [syntaxHighlighting(colours), look];
