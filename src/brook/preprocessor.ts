/**
 * brcc's own preprocessor, which `-pp` turns on (2.15 of the guide): #define of plain names, #undef, #ifdef, #ifndef, #if of a number
 * or a name, #else and #endif, each on one line. It says in brcc's words what else there is.
 *
 * What it leaves has the same places: lines that do not count are blank, and definitions stay, since what they mean is the same
 * in C, whose preprocessor puts them in.
 */
import type { SourceFile } from '../source/source-file.ts';
import type { Report } from './check/report.ts';

const signed32 = { least: -(2 ** 31), most: 2 ** 31 - 1 };
const wrongNumber = 'Follow signed integer semantics (only decimal format) for macro value';
const unsupported = 'Unsupported preprocessor directive syntax';

/** A group of lines between #if and #endif. */
interface Group {
  readonly isOuterActive: boolean;
  isActive: boolean;
  hasElse: boolean;
}

/** Whether `-D` may have it: `NAME`, or `NAME=` and a number. Undefined, or what is wrong. */
export function definitionProblem(definition: string): string | undefined {
  const [, value] = /^[^=]*=(.*)$/s.exec(definition) ?? [];
  return value === undefined || numberOf(value) !== undefined ? undefined : wrongNumber;
}

/**
 * The text of a file for the C preprocessor.
 * @param definitions as behind `-D`
 */
export function preprocessAsBrcc(file: SourceFile, definitions: readonly string[], report: Report): string {
  return new Lines(file, definitions, report).text();
}

class Lines {
  readonly #file: SourceFile;
  readonly #report: Report;
  readonly #macros: Map<string, string>;
  readonly #groups: Group[] = [];
  #isInComment = false;
  /** Where the line begins. */
  #start = 0;
  #line = '';

  constructor(file: SourceFile, definitions: readonly string[], report: Report) {
    this.#file = file;
    this.#report = report;
    this.#macros = new Map(
      definitions.map((definition) => {
        const [name = '', ...value] = definition.split('=');
        return [name, value.length > 0 ? value.join('=') : '1'];
      }),
    );
  }

  text(): string {
    const out: string[] = [];
    for (const line of this.#file.text.split('\n')) {
      this.#line = line;
      out.push(this.#next() ? line : line.replace(/\S/g, ' '));
      this.#start += line.length + 1;
    }
    this.#start = Math.max(this.#start - 1 - this.#line.length, 0);
    if (this.#groups.length > 0) this.#error("Expecting '#endif' before end of file");
    return out.join('\n');
  }

  get #isActive(): boolean {
    return this.#groups.every(({ isActive }) => isActive);
  }

  /** Whether the line stays. */
  #next(): boolean {
    if (this.#isInComment || !/^\s*#/.test(this.#line)) {
      const isActive = this.#isActive;
      this.#isInComment = endsInComment(this.#line, this.#isInComment);
      return isActive;
    }
    const bare = this.#line.replace(/\/\*.*?\*\//g, ' ').replace(/\/\/.*$/, '');
    if (bare.includes('/*')) {
      const note = 'Note: comment should end in the same line if it is in the preprocessor directive line';
      this.#error(`Expecting end of comment\n\t${note}`);
      this.#isInComment = true;
      return false;
    }
    const [, word = '', rest = ''] = /^\s*#\s*(\w*)(.*)$/s.exec(bare) ?? [];
    return this.#directive(word, rest);
  }

  #directive(word: string, rest: string): boolean {
    switch (word) {
      case 'if':
        this.#open(() => this.#condition(rest.trim()));
        return false;
      case 'ifdef':
      case 'ifndef':
        this.#open(() => {
          const name = this.#name(word, rest);
          return name !== undefined && this.#macros.has(name) === (word === 'ifdef');
        });
        return false;
      case 'else':
        this.#else(rest);
        return false;
      case 'endif':
        if (this.#groups.pop() === undefined) this.#error(unsupported);
        else this.#nothingBehind('#endif', rest);
        return false;
    }
    if (!this.#isActive) return false;
    switch (word) {
      case 'define':
        return this.#define(rest);
      case 'undef': {
        const name = this.#name(word, rest);
        if (name !== undefined) this.#macros.delete(name);
        return name !== undefined;
      }
      case 'line':
      case 'include':
        this.#error(`'#${word}' is not yet supported`);
        return false;
      default:
        this.#error(unsupported);
        return false;
    }
  }

  #open(condition: () => boolean): void {
    const isOuterActive = this.#isActive;
    this.#groups.push({ isOuterActive, isActive: isOuterActive && condition(), hasElse: false });
  }

  #else(rest: string): void {
    const group = this.#groups[this.#groups.length - 1];
    if (!group || group.hasElse) {
      this.#error(unsupported);
      return;
    }
    group.hasElse = true;
    group.isActive = group.isOuterActive && !group.isActive;
    this.#nothingBehind('#else', rest);
  }

  #define(rest: string): boolean {
    const [, name, behind = ''] = /^\s+([A-Za-z_]\w*)(.*)$/s.exec(rest) ?? [];
    if (name === undefined) {
      this.#error("Expecting token after '#define'");
      return false;
    }
    const value = behind.trim();
    if (behind.startsWith('(') || value.endsWith('\\')) {
      this.#error(unsupported);
      return false;
    }
    if (this.#macros.has(name)) {
      const words = `See previous definition of "${name}" and latest one considered as macro`;
      this.#warning(`"${name}": Macro redefinition\n\t${words}`);
    }
    this.#macros.set(name, value);
    return true;
  }

  /** The one name behind a directive. */
  #name(word: string, rest: string): string | undefined {
    const [, name, behind = ''] = /^\s+([A-Za-z_]\w*)(.*)$/s.exec(rest) ?? [];
    if (name === undefined) this.#error(`Expecting token after '#${word}'`);
    else this.#nothingBehind(`#${word} "${name}"`, behind);
    return name;
  }

  #nothingBehind(directive: string, rest: string): void {
    if (rest.trim() === '') return;
    this.#warning(`Unexpected token following preprocessor directive (${directive}) -- expected a new line`);
  }

  #condition(text: string): boolean {
    if (/^[A-Za-z_]\w*$/.test(text)) {
      const value = this.#macros.get(text);
      if (value === undefined) {
        this.#error(`Undefined preprocessor directive("${text}")`);
        return false;
      }
      return this.#isTrue(value);
    }
    if (/^[+-]?\w+$/.test(text)) return this.#isTrue(text);
    this.#error('Unsupported #if syntax');
    return false;
  }

  #isTrue(text: string): boolean {
    const value = numberOf(text);
    if (value === undefined) this.#error(wrongNumber);
    return value !== undefined && value !== 0;
  }

  #error(message: string): void {
    this.#report.error(this.#span, '', message);
  }

  #warning(message: string): void {
    this.#report.warning(this.#span, '', message);
  }

  get #span() {
    const indent = this.#line.length - this.#line.trimStart().length;
    const length = this.#line.trimEnd().length;
    return { file: this.#file, start: this.#start + indent, end: this.#start + Math.max(length, indent) };
  }
}

/** A decimal number of 32 bits. */
function numberOf(text: string): number | undefined {
  if (!/^[+-]?\d+$/.test(text.trim())) return undefined;
  const value = Number(text);
  return value >= signed32.least && value <= signed32.most ? value : undefined;
}

/** Whether a comment goes on behind a line that is no directive. */
function endsInComment(line: string, begins: boolean): boolean {
  let isInside = begins;
  const parts = /\/\*|\*\/|\/\/|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?/g;
  for (let found = parts.exec(line); found; found = parts.exec(line)) {
    const [part] = found;
    if (isInside) {
      // Only the end of the comment counts, which may begin in what looks like something else.
      const end = line.indexOf('*/', found.index);
      if (end < 0) return true;
      isInside = false;
      parts.lastIndex = end + 2;
    } else if (part === '/*') isInside = true;
    else if (part === '//') return false;
  }
  return isInside;
}
