/** What a word of an OpenCL C text is: its declaration, the comment above it, a built-in function's forms and text. */
import { lanesNamed } from '../../../c/check/swizzles.ts';
import { printDeclaration, printType } from '../../../c/type-printer.ts';
import { unqualified } from '../../../c/types.ts';
import { outermostUse, type Span } from '../../../source/span.ts';
import type { Hover } from '../reading.ts';
import { type BuiltinForm, formsOf, formText, needsOf } from './builtin-forms.ts';
import {
  code,
  commentAt,
  describeBinding,
  describeMacro,
  describeTag,
  shortened,
  sizeInWords,
} from './describe.ts';
import { documentationOf } from './documentation/index.ts';
import { keywordText } from './keywords.ts';
import { declarationOf, type Meaning, type OpenCLProgram, type Word } from './program.ts';

/** Functions of images have dozens of forms. */
const formsShown = 5;

export function hoverAt(program: OpenCLProgram, offset: number): Hover | undefined {
  const word = program.wordAt(offset);
  const text = word && textOf(program, word);
  if (!word || text === undefined) return undefined;
  return { start: word.token.start, end: word.token.end, text };
}

function textOf(program: OpenCLProgram, { token, meaning }: Word): string | undefined {
  const { dialect, version } = program;
  if (!meaning) return undefined;
  switch (meaning.kind) {
    case 'binding': {
      const { binding } = meaning;
      const size = binding.kind === 'typedef' ? sizeInWords(binding.type, dialect) : undefined;
      return parts(code(describeBinding(binding, dialect)), size, remark(program, meaning));
    }
    case 'tag': {
      const { tag } = meaning;
      const size = tag.kind === 'record' ? sizeInWords(unqualified(tag), dialect) : undefined;
      return parts(code(describeTag(tag, dialect)), size, remark(program, meaning));
    }
    case 'field': {
      const { field, record } = meaning;
      const owner = `${record.union ? 'union' : 'struct'} ${record.tag ?? ''}`.trim();
      const place = `At byte ${field.offset} of \`${owner}\`.`;
      return parts(
        code(printDeclaration(field.type, field.name ?? '', dialect)),
        place,
        remark(program, meaning),
      );
    }
    case 'swizzle': {
      const from = printType({ ...meaning.object, space: undefined }, dialect);
      const { element, lanes: count } = meaning.vector;
      const lanes = lanesNamed(count, from, token.text);
      if (typeof lanes === 'string') return parts(code(from), lanes);
      const type = lanes.length === 1 ? element.name : `${element.name}${lanes.length}`;
      const which = lanes.length === 1 ? `Component ${lanes[0]}` : `Components ${lanes.join(', ')}`;
      return parts(code(`${type} .${token.text}`), `${which} of a \`${from}\`.`);
    }
    case 'macro': {
      const expansion = expansionAt(program, token.start);
      const shown = expansion === undefined ? '' : `\n\nExpands to\n${code(shortened(expansion, 600))}`;
      return parts(code(describeMacro(meaning.macro)) + shown, remark(program, meaning));
    }
    case 'macro-parameter':
      return `Parameter of the macro \`${meaning.macro.name}\`.`;
    case 'predefined': {
      const head = token.text.includes('(') ? token.text : `#define ${token.text} ${meaning.value}`;
      return parts(code(head), 'Predefined by OpenCL C or by the device.');
    }
    case 'builtin':
      return builtinText(token.text, version);
    case 'type':
      return parts(code(token.text), typeText(program, meaning));
    case 'keyword':
      return keywordText(token.text);
  }
}

function typeText({ dialect }: OpenCLProgram, { type }: Extract<Meaning, { kind: 'type' }>): string {
  const size = sizeInWords(type, dialect);
  if (type.type.kind === 'vector') {
    return `A vector of ${type.type.lanes} ${type.type.element.name}s: ${size}.`;
  }
  const plain = printType({ ...type, alias: undefined }, dialect);
  return size === undefined ? 'A type of OpenCL C.' : `\`${plain}\`: ${size}.`;
}

/** The comment at a declaration, and the file it is in if that is another. */
function remark(program: OpenCLProgram, meaning: Meaning): string | undefined {
  const place = declarationOf(meaning, program.recording);
  if (!place) return undefined;
  // A prototype may have the comment that the definition has not.
  const first = meaning.kind === 'binding' ? meaning.binding.span : place;
  const comment = commentAt(place) ?? commentAt(first);
  if (place.file === program.file) return comment;
  const { line } = place.file.position(place.start);
  return parts(comment, `${place.file.name}:${line}`);
}

function parts(...texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== '').join('\n\n');
}

/** The tokens that a macro's use became, its arguments among them; undefined where it became none that the parser saw. */
function expansionAt({ recording: { tokens }, file }: OpenCLProgram, start: number): string | undefined {
  const useOf = (token: Span): Span | undefined => {
    const use = outermostUse(token);
    return use.file === file && use.start >= start ? use : undefined;
  };
  const first = tokens.findIndex((token) => token.expansion && useOf(token)?.start === start);
  if (first < 0) return undefined;
  const { end } = outermostUse(tokens[first]!);
  let from = first;
  while (from > 0 && isWithin(useOf(tokens[from - 1]!), end)) from -= 1;
  let text = '';
  for (let index = from; index < tokens.length && isWithin(useOf(tokens[index]!), end); index += 1) {
    const { spaceBefore, text: word } = tokens[index]!;
    text += (spaceBefore && text !== '' ? ' ' : '') + word;
    if (text.length > 2000) break;
  }
  return text;
}

function isWithin(use: Span | undefined, end: number): boolean {
  return use !== undefined && use.end <= end;
}

/** Forms, text and needs of a built-in function; undefined if there is none of that name. */
export function builtinText(name: string, version: number): string | undefined {
  const forms = formsOf(name);
  const documentation = documentationOf(name);
  if (forms.length === 0 && !documentation) return undefined;
  const lines = forms.slice(0, formsShown).map((form) => formText(name, form));
  if (forms.length > formsShown) lines.push(`// and ${forms.length - formsShown} more`);
  return parts(code(lines.join('\n')), documentation?.text, whereOf(forms), `*${needsOf(name, version)}*`);
}

function whereOf(forms: readonly BuiltinForm[]): string {
  return [...new Set(forms.map(({ where }) => where))].filter((where) => where !== '').join('\n\n');
}
