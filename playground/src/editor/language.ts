/** Completion and hovers in the editor, by what the compiler's worker knows of the source. */
import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { hoverTooltip, type Tooltip } from '@codemirror/view';
import { completionsIn, explanationIn, hoverIn } from '../compiler/compiler.ts';
import { document as current } from '../state.ts';
import { markdown } from './markdown.ts';

async function complete(context: CompletionContext): Promise<CompletionResult | null> {
  const { pos, explicit, state } = context;
  // Without a request: behind a letter, a dot or the sign of a directive.
  if (!explicit && !/[\w.#>]/.test(state.sliceDoc(pos - 1, pos))) return null;
  const asked = { ...current.peek(), source: state.doc.toString() };
  const { from, options } = await completionsIn(asked, pos);
  if (context.aborted || options.length === 0) return null;
  return {
    from,
    validFor: /^\w*$/,
    options: options.map((option) => ({
      ...option,
      info: async () => {
        const text = await explanationIn(asked, option.label);
        return text === undefined ? null : markdown(text);
      },
    })),
  };
}

async function describe(
  view: { state: { doc: { toString(): string } } },
  pos: number,
): Promise<Tooltip | null> {
  const hover = await hoverIn({ ...current.peek(), source: view.state.doc.toString() }, pos);
  if (!hover) return null;
  return {
    pos: hover.start,
    end: hover.end,
    create: () => ({ dom: markdown(hover.text) }),
  };
}

export const languageAnswers: Extension = [
  autocompletion({ override: [complete] }),
  hoverTooltip(describe, { hoverTime: 400 }),
];
