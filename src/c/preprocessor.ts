/**
 * The C99 preprocessor (6.10): from a source text to the tokens a parser reads.
 *
 * Preprocessor is the text under the macro expander: it reads tokens from the file on top of the stack of inclusions and
 * obeys directives on the way. What each directive does is in directives.ts.
 */
import { BuildBudget, overBudget, unitsPer } from '../source/build-budget.ts';
import { Diagnostics } from '../source/diagnostics.ts';
import { SourceFile } from '../source/source-file.ts';
import { outermostUse, type Span } from '../source/span.ts';
import { readString } from './character-literal.ts';
import { type Conditional, obeyDirective } from './directives.ts';
import type { FeatureQueries } from './feature-queries.ts';
import type { FileSystem } from './header-search.ts';
import { IdentifierTable } from './identifier-table.ts';
import { Lexer, strayName } from './lexer.ts';
import { type DynamicMacro, Macro } from './macro.ts';
import { MacroExpander, type TokenSource } from './macro-expander.ts';
import type { ReadingObserver } from './observer.ts';
import { spacing, Token, type TokenReader, tokenFlags } from './token.ts';

export type { FileSystem } from './header-search.ts';

export interface PreprocessOptions {
  /** where #include finds files; without it no header is found */
  readonly files?: FileSystem;
  /** texts that #include finds before all files, by the names it uses */
  readonly headers?: ReadonlyMap<string, string>;
  /** why headers that are found nowhere are not there, by their names: for the message */
  readonly absentHeaders?: ReadonlyMap<string, string>;
  /** directories to look in, in order */
  readonly includePaths?: readonly string[];
  /** as behind -D: `NAME` (which is 1), `NAME=VALUE` or `F(x)=x` */
  readonly definitions?: readonly string[];
  /** as behind -U; undone after the definitions are made */
  readonly undefinitions?: readonly string[];
  /** headers that the file begins with, as `#include <...>` names them, though it does not say so */
  readonly firstIncludes?: readonly string[];
  /** the macros of the dialect itself, by name or `F(x)` */
  readonly predefined?: Readonly<Record<string, string>>;
  /** what `#if` may ask; without it there is nothing to ask, and no `#include_next` */
  readonly queries?: FeatureQueries;
  /** whether `#include "name"` looks beside the file that asks before it takes one of `headers` */
  readonly localFirst?: boolean;
  /** the moment that __DATE__ and __TIME__ tell, in local time; now if not given */
  readonly date?: Date;
  /** is told of macros and headers */
  readonly observer?: ReadingObserver;
  /** pays for the tokens; a new one if not given */
  readonly budget?: BuildBudget;
}

const dynamicMacros: readonly DynamicMacro[] = [
  '__LINE__',
  '__FILE__',
  '__DATE__',
  '__TIME__',
  '__COUNTER__',
  '__INCLUDE_LEVEL__',
  '__BASE_FILE__',
  '__TIMESTAMP__',
];

/** What every C99 dialect defines; a dialect's own predefined macros may say otherwise. */
const standardMacros: Readonly<Record<string, string>> = { __STDC__: '1', __STDC_VERSION__: '199901L' };

function timeOf(date: Date): string {
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * Preprocesses a file. The list ends with one token of kind `end`, whatever is wrong with the input; string literals
 * that follow one another are not joined. A parser reads from a Preprocessor instead, so that a token lives no longer
 * than somebody needs it.
 */
export function preprocess(file: SourceFile, options: PreprocessOptions, diagnostics: Diagnostics): Token[] {
  const preprocessor = new Preprocessor(file, options, diagnostics);
  const tokens: Token[] = [];
  for (;;) {
    const token = preprocessor.read();
    tokens.push(token);
    if (token.kind === 'end') return tokens;
  }
}

/** One text being read. */
export interface OpenFile {
  readonly lexer: Lexer;
  /** the #if groups that are open in it */
  readonly conditionals: Conditional[];
}

export class Preprocessor implements TokenReader, TokenSource {
  readonly options: PreprocessOptions;
  readonly diagnostics: Diagnostics;
  readonly names = new IdentifierTable();
  readonly expander: MacroExpander;
  /** paths of headers that asked to be read once */
  readonly onceOnly = new Set<string>();
  /** the inclusions in progress, innermost last */
  readonly openFiles: OpenFile[] = [];
  /** a #pragma directive that was read and is to be handed on as a token */
  pragma: Token | undefined;
  /** what was included so far, against headers that include each other without end */
  inclusions = 0;
  includedCharacters = 0;

  #top: OpenFile;
  #peeked: Token | undefined;
  readonly #budget: BuildBudget;
  /** the `end` that all reading answers from then on */
  #end: Token | undefined;
  #counter = 0;
  /** one moment for the whole compilation, so that __DATE__ and __TIME__ agree */
  #now: Date | undefined;

  constructor(file: SourceFile, options: PreprocessOptions, diagnostics: Diagnostics) {
    this.options = options;
    this.diagnostics = diagnostics;
    this.#budget = options.budget ?? new BuildBudget();
    this.expander = new MacroExpander(this, this.names, diagnostics, this.#budget);
    this.#top = this.open(file);
    if (options.predefined === nothing) return;
    this.expander.macros.share(builtIn(options.predefined ?? noMacros));
    const first = options.firstIncludes ?? [];
    if (first.length > 0) {
      const directives = first.map((name) => `#include <${name}>\n`);
      this.open(new SourceFile('<built-in>', directives.join('')));
    }
    const definitions = options.definitions ?? [];
    const undefinitions = options.undefinitions ?? [];
    if (definitions.length + undefinitions.length > 0) {
      this.open(new SourceFile('<command line>', commandLine(definitions, undefinitions)));
    }
  }

  read(): Token {
    const { expander, diagnostics } = this;
    while (this.#end === undefined) {
      let token = expander.next();
      if (token.kind === 'end') {
        this.#end = onLastLine(token);
        break;
      }
      if (token.kind === 'identifier' && token.text === '_Pragma') {
        const pragma = this.#pragmaOperator(token);
        if (pragma === undefined) continue;
        token = pragma;
      }
      if (diagnostics.isFull) this.#end = endAt(token);
      else if (!this.#budget.spend(unitsPer.token)) {
        diagnostics.fatal(outermostUse(token), overBudget('the source', this.#budget));
        this.#end = endAt(token);
      } else if ((token.flags & tokenFlags.stray) !== 0) {
        diagnostics.error(token, `unexpected character ${strayName(token)}`);
      } else return token;
    }
    return this.#end;
  }

  /** The file being read. */
  get current(): OpenFile {
    return this.#top;
  }

  /** Begins to read a text; what is read now goes on after it. */
  open(file: SourceFile): OpenFile {
    const opened = { lexer: new Lexer(file, this.names, this.diagnostics), conditionals: [] };
    this.openFiles.push(opened);
    this.#top = opened;
    return opened;
  }

  next(inArguments: boolean): Token {
    for (;;) {
      const token = this.#peeked ?? this.#top.lexer.next();
      this.#peeked = undefined;
      if (token.kind === 'end') {
        if (this.openFiles.length === 1) {
          this.#closeConditionals();
          return token;
        }
        if (inArguments) return token;
        this.#closeConditionals();
        this.openFiles.pop();
        this.#top = this.openFiles[this.openFiles.length - 1] as OpenFile;
        continue;
      }
      if (!token.lineStart || token.text !== '#' || token.kind !== 'punctuator') return token;
      obeyDirective(this, token, inArguments);
      if (this.diagnostics.isFull) return endAt(token);
      if (this.pragma !== undefined) {
        const { pragma } = this;
        this.pragma = undefined;
        return pragma;
      }
    }
  }

  peek(): Token {
    this.#peeked ??= this.#top.lexer.next();
    return this.#peeked;
  }

  valueOf(macro: DynamicMacro, use: Span): { kind: 'integer' | 'string'; text: string } {
    const place = outermostUse(use);
    switch (macro) {
      case '__LINE__':
        return { kind: 'integer', text: String(place.file.presumed(place.start).line) };
      case '__FILE__':
        return { kind: 'string', text: quoted(place.file.presumed(place.start).name) };
      case '__COUNTER__':
        this.#counter += 1;
        return { kind: 'integer', text: String(this.#counter - 1) };
      case '__INCLUDE_LEVEL__':
        return { kind: 'integer', text: String(this.openFiles.length - 1) };
      case '__BASE_FILE__':
        return { kind: 'string', text: quoted(this.openFiles[0]?.lexer.file.name ?? '') };
      case '__TIMESTAMP__': {
        // When the file was changed nobody says here; that it is compiled is later.
        const date = this.#date();
        const day = `${days[date.getDay()]} ${months[date.getMonth()]} ${String(date.getDate()).padStart(2, ' ')}`;
        return { kind: 'string', text: `"${day} ${timeOf(date)} ${date.getFullYear()}"` };
      }
      case '__DATE__': {
        const date = this.#date();
        const day = String(date.getDate()).padStart(2, ' ');
        return { kind: 'string', text: `"${months[date.getMonth()] ?? '???'} ${day} ${date.getFullYear()}"` };
      }
      case '__TIME__':
        return { kind: 'string', text: `"${timeOf(this.#date())}"` };
    }
  }

  #date(): Date {
    this.#now ??= this.options.date ?? new Date();
    return this.#now;
  }

  #closeConditionals(): void {
    const { conditionals } = this.#top;
    while (conditionals.length > 0) {
      const open = conditionals.pop() as Conditional;
      if (!this.expander.isStopped)
        this.diagnostics.error(open.directive, 'unterminated conditional directive');
    }
  }

  /** `_Pragma("...")`, met where the parser would read it (C99 6.10.9). */
  #pragmaOperator(operator: Token): Token | undefined {
    const { expander, diagnostics } = this;
    const open = expander.next();
    const literal = open.is('(') ? expander.next() : open;
    const close = literal.kind === 'string' ? expander.next() : literal;
    if (!close.is(')') || literal.kind !== 'string') {
      if (!expander.isStopped) diagnostics.error(operator, '_Pragma takes a parenthesized string literal');
      return undefined;
    }
    const text = new TextDecoder().decode(readString(literal, diagnostics));
    const { file, start, end, expansion } = operator;
    const line = text.replaceAll('\n', ' ').trim();
    return new Token('pragma', line, file, start, end, expansion, spacing(operator.spaceBefore, true));
  }
}

function endAt(token: Token): Token {
  const { file, end } = outermostUse(token);
  return new Token('end', '', file, end, end, undefined, tokenFlags.lineStart);
}

/** The end of a file that ends its last line stands at that line's end, so that messages about it show the line. */
function onLastLine(token: Token): Token {
  const { file, end } = token;
  const { text } = file;
  if (end !== text.length || !text.endsWith('\n')) return token;
  const place = end - (text.endsWith('\r\n') ? 2 : 1);
  return new Token('end', '', file, place, place, token.expansion, token.flags);
}

const noMacros: Readonly<Record<string, string>> = {};

/** Not even the macros that every C has: for the text that defines these. */
const nothing: Readonly<Record<string, string>> = {};

/** A dialect's macros are the same for every program, so each set is read once. */
const builtInMacros = new WeakMap<Readonly<Record<string, string>>, ReadonlyMap<string, Macro>>();

function builtIn(predefined: Readonly<Record<string, string>>): ReadonlyMap<string, Macro> {
  const known = builtInMacros.get(predefined);
  if (known) return known;
  const texts = { ...standardMacros, ...predefined };
  const lines = Object.keys(texts).map((name) => `#define ${name} ${texts[name] ?? ''}\n`);
  const file = new SourceFile('<built-in>', lines.join(''));
  const reader = new Preprocessor(file, { predefined: nothing }, new Diagnostics());
  reader.read();
  const macros = reader.expander.macros.visible();
  for (const name of dynamicMacros) {
    if (!macros.has(name)) macros.set(name, new Macro(name, undefined, undefined, false, [], [], name));
  }
  builtInMacros.set(predefined, macros);
  return macros;
}

/** The directives that -D and -U stand for; a line break ends what is defined. */
function commandLine(definitions: readonly string[], undefinitions: readonly string[]): string {
  let text = '';
  for (const definition of definitions) {
    const line = firstLine(definition);
    const equals = line.indexOf('=');
    text +=
      equals < 0 ? `#define ${line} 1\n` : `#define ${line.slice(0, equals)} ${line.slice(equals + 1)}\n`;
  }
  for (const name of undefinitions) text += `#undef ${firstLine(name)}\n`;
  return text;
}

function firstLine(text: string): string {
  const end = text.search(/[\r\n]/);
  return end < 0 ? text : text.slice(0, end);
}

function quoted(name: string): string {
  return `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
