/** The words of OpenCL C and Brook+ that C++ highlighting does not know: marked over the text that is in view. */
import { syntaxTree } from '@codemirror/language';
import { type Extension, RangeSetBuilder } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';

/** Words of one kind each, as parts of regular expressions. */
interface Words {
  readonly qualifiers: string;
  readonly types: string;
  readonly builtIns: string;
}

const vectors = '(?:u?(?:char|short|int|long)|float|double|half)(?:2|3|4|8|16)';

const marks = [
  Decoration.mark({ class: 'cl-qualifier' }),
  Decoration.mark({ class: 'cl-type' }),
  Decoration.mark({ class: 'cl-built-in' }),
];

/** Nodes of the syntax tree in which words are text. */
const text = /Comment|String/;

function marked({ visibleRanges, state }: EditorView, words: RegExp): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  const tree = syntaxTree(state);
  for (const { from, to } of visibleRanges) {
    for (const match of state.doc.sliceString(from, to).matchAll(words)) {
      if (text.test(tree.resolveInner(from + match.index, 1).name)) continue;
      const kind = match[1] ? 0 : match[2] ? 1 : 2;
      builder.add(from + match.index, from + match.index + match[0].length, marks[kind]!);
    }
  }
  return builder.finish();
}

function markedWords({ qualifiers, types, builtIns }: Words): Extension {
  const words = new RegExp(`\\b(?:(${qualifiers})|(${types})|(${builtIns}))\\b`, 'g');
  return ViewPlugin.define(
    (view) => {
      const plugin = {
        words: marked(view, words),
        update: (update: ViewUpdate) => {
          // The tree grows while nothing else happens.
          const isNew = syntaxTree(update.state) !== syntaxTree(update.startState);
          if (update.docChanged || update.viewportChanged || isNew) plugin.words = marked(update.view, words);
        },
      };
      return plugin;
    },
    { decorations: (plugin) => plugin.words },
  );
}

export const openclWords = markedWords({
  qualifiers: '(?:__)?(?:kernel|global|local|constant|private|generic|read_only|write_only|read_write|pipe)',
  types:
    `${vectors}|uchar|ushort|uint|ulong|half|size_t|ptrdiff_t|` +
    'image[123]d(?:_array|_buffer)?(?:_depth)?_t|sampler_t|event_t|queue_t|ndrange_t|clk_event_t|reserve_id_t',
  builtIns:
    'get_(?:global|local|group)_(?:id|size)|get_(?:num_groups|work_dim|global_offset|enqueued_local_size)|' +
    '(?:work_group_)?barrier|mem_fence|read_image(?:f|u?i)|write_image(?:f|u?i)|printf',
});

export const brookWords = markedWords({
  qualifiers: 'kernel|reduce|out|shared|iter|Attribute|GroupSize',
  types: `${vectors}|uchar|ushort|uint|ulong`,
  builtIns:
    'indexof|instance(?:InGroup)?|syncGroup|streamRead|streamWrite|domain(?:Offset|Size)|' +
    'isSync|finish|errorLog|error|printf',
});
