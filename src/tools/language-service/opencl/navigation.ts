/** From a word to where it is declared and to the other words of the text that mean the same. */
import { SourceFile } from '../../../source/source-file.ts';
import type { Span } from '../../../source/span.ts';
import type { RenameAnswer, TextRange } from '../reading.ts';
import { declarationOf, type Meaning, type OpenCLProgram } from './program.ts';

/** Where what stands at an offset is declared, or the beginning of the header that it names. */
export function definitionAt(program: OpenCLProgram, offset: number): Span | undefined {
  const header = program.recording.headers.find(({ name }) => name.start <= offset && offset <= name.end);
  if (header) return headerStart(program, header.path);
  const word = program.wordAt(offset);
  return word?.meaning && declarationOf(word.meaning, program.recording);
}

/** A header has a place only once something of it was read; its text is asked for anew. */
function headerStart({ recording, options }: OpenCLProgram, path: string): Span | undefined {
  const read = recording.tokens.find(({ file }) => file.name === path)?.file;
  const text = read ? undefined : options.files?.read(path);
  if (!read && text === undefined) return undefined;
  return { file: read ?? new SourceFile(path, text ?? ''), start: 0, end: 0 };
}

/** All words of the text that mean what the one at an offset does. */
export function referencesAt(program: OpenCLProgram, offset: number): readonly TextRange[] {
  const word = program.wordAt(offset);
  const identity = word?.meaning && identityOf(word.meaning, word.token.text);
  if (!word || identity === undefined) return [];
  const { text } = word.token;
  const found: TextRange[] = [];
  for (const [index, { kind, start, end, text: other }] of program.tokens.entries()) {
    if (kind !== 'identifier' || other !== text) continue;
    const meaning = program.meaningOf(index);
    if (meaning && identityOf(meaning, text) === identity) found.push({ start, end });
  }
  return found;
}

export function renameableAt(program: OpenCLProgram, offset: number): RenameAnswer | undefined {
  const word = program.wordAt(offset);
  if (!word?.meaning) return undefined;
  const { token, meaning } = word;
  if (meaning.kind === 'swizzle') return { refusal: `'${token.text}' are components of a vector` };
  const place = declarationOf(meaning, program.recording);
  if (!place) return { refusal: `'${token.text}' is a name of the language` };
  if (place.file !== program.file) return { refusal: `'${token.text}' is declared in ${place.file.name}` };
  const pasted = program.recording.tokens.some(
    ({ file, start, end, text, kind }) =>
      kind === 'identifier' &&
      text === token.text &&
      file === program.file &&
      !spells(program, start, end, text),
  );
  if (pasted) return { refusal: `a macro makes the name '${token.text}' of parts` };
  return { ranges: referencesAt(program, offset) };
}

function spells({ text }: OpenCLProgram, start: number, end: number, name: string): boolean {
  return text.slice(start, end) === name;
}

/** Equal for words that mean the same thing. */
function identityOf(meaning: Meaning, word: string): string | undefined {
  switch (meaning.kind) {
    case 'binding':
      return meaning.binding.kind === 'functions' ? `function ${word}` : placeOf(meaning.binding.span);
    case 'tag':
      return `tag ${placeOf(meaning.tag.span)}`;
    case 'field':
      return `field ${placeOf(meaning.field.span)}`;
    case 'macro':
      return meaning.macro.definition ? `macro ${placeOf(meaning.macro.definition)}` : undefined;
    case 'macro-parameter':
      return meaning.macro.definition ? `${word} of ${placeOf(meaning.macro.definition)}` : undefined;
    case 'builtin':
    case 'predefined':
    case 'type':
      return `language ${word}`;
    default:
      return undefined;
  }
}

function placeOf({ file, start }: Span): string {
  return `${file.name}:${start}`;
}
