/**
 * Expands macros (C99 6.10.3).
 *
 * Tokens come from a stack of contexts: each expansion in progress is a list of tokens still to be read, and below all
 * lies the text itself. A macro is active while its list is on the stack; its name met there is painted and stays
 * itself for good. Arguments are expanded on their own first, over a barrier that keeps them from seeing what follows.
 * Every token produced is charged to the build's budget, because a few lines of macros can ask for more than any memory holds.
 */
import { type BuildBudget, overBudget, unitsPer } from '../source/build-budget.ts';
import type { Diagnostics } from '../source/diagnostics.ts';
import { SourceFile } from '../source/source-file.ts';
import { type Expansion, outermostUse, type Span } from '../source/span.ts';
import type { IdentifierTable } from './identifier-table.ts';
import { Lexer } from './lexer.ts';
import type { DynamicMacro, Macro, MacroElement } from './macro.ts';
import { MacroTable } from './macro-table.ts';
import { spacing, spelling, Token, tokenFlags } from './token.ts';

/** The text under all macros. */
export interface TokenSource {
  /**
   * The next token, directives on the way obeyed; `end` at the end of everything. While a macro's arguments are
   * collected the end of an included file is an `end` too, since an invocation cannot go on behind it.
   */
  next(inArguments: boolean): Token;
  /** the token that comes next, nothing obeyed */
  peek(): Token;
  /** the value of a macro that is not a list of tokens */
  valueOf(macro: DynamicMacro, use: Span): { kind: 'integer' | 'string'; text: string };
}

/** how many characters of a literal made by # or ## count as one token */
const charactersPerToken = 4;
/** how deep invocations may lie within one another's arguments */
const argumentNesting = 256;
/** how many levels of macros a span remembers; what lies deeper shows as if it came from the outermost use */
const expansionLevels = 200;

interface Context {
  readonly tokens: readonly Token[];
  index: number;
  readonly macro: Macro | undefined;
  /** what is read at the end of a list that must not be left; undefined for a list that ends into the one below */
  readonly barrier: Token | undefined;
  /** what is read after this one; undefined for the text itself */
  readonly below: Context | undefined;
}

class ExpansionRecord implements Expansion {
  readonly macro: string;
  readonly definition: Span;
  readonly use: Span;
  readonly level: number;

  constructor(macro: Macro, name: Token, use: Span) {
    this.macro = macro.name;
    this.definition = macro.definition ?? name;
    const outer = name.expansion;
    const level = outer instanceof ExpansionRecord ? outer.level + 1 : 1;
    this.use = level > expansionLevels ? outermostUse(use) : use;
    this.level = level > expansionLevels ? 1 : level;
  }
}

export class MacroExpander {
  readonly macros = new MacroTable();
  /** those whose expansion is being read right now, so that their names mean themselves */
  readonly #active = new Set<Macro>();
  readonly #source: TokenSource;
  readonly #names: IdentifierTable;
  readonly #diagnostics: Diagnostics;
  readonly #budget: BuildBudget;
  /** the context on top; undefined while the text itself is read */
  #context: Context | undefined;
  #argumentDepth = 0;
  /** white space of invocations that produced nothing, owed to the next token */
  #owedSpace = false;
  #owedLineStart = false;
  /** the `end` that all reading answers once the budget is spent */
  #stopped: Token | undefined;

  constructor(source: TokenSource, names: IdentifierTable, diagnostics: Diagnostics, budget: BuildBudget) {
    this.#source = source;
    this.#names = names;
    this.#diagnostics = diagnostics;
    this.#budget = budget;
  }

  /** True once the budget is spent: every token from then on is `end`. */
  get isStopped(): boolean {
    return this.#stopped !== undefined;
  }

  /** The next token after all expansion. */
  next(): Token {
    for (;;) {
      let token = this.nextUnexpanded(false);
      if (this.#owedSpace || this.#owedLineStart) {
        token = token.spaced(token.spaceBefore || this.#owedSpace, token.lineStart || this.#owedLineStart);
        this.#owedSpace = false;
        this.#owedLineStart = false;
      }
      if (token.kind !== 'identifier') return token;
      const macro = this.macros.get(token.text);
      if (macro === undefined || (token.flags & tokenFlags.painted) !== 0) return token;
      if (this.#active.has(macro)) return token.painted();
      const result = this.#expand(token, macro);
      if (result !== undefined) return result;
    }
  }

  /** The next token as it stands in the innermost context. */
  nextUnexpanded(inArguments: boolean): Token {
    if (this.#stopped !== undefined) return this.#stopped;
    for (;;) {
      const context = this.#context;
      if (context === undefined) return this.#source.next(inArguments);
      if (context.index < context.tokens.length) {
        const token = context.tokens[context.index] as Token;
        context.index += 1;
        return token;
      }
      if (context.barrier !== undefined) return context.barrier;
      this.#leave(context);
    }
  }

  /**
   * Runs `read` over a list of tokens and nothing after it: reading past it answers `end`. For the lines of directives
   * and for arguments.
   */
  over<Result>(tokens: readonly Token[], end: Token, read: () => Result): Result {
    const below = this.#context;
    const owedSpace = this.#owedSpace;
    const owedLineStart = this.#owedLineStart;
    this.#owedSpace = false;
    this.#owedLineStart = false;
    this.#context = { tokens, index: 0, macro: undefined, barrier: end, below };
    const result = read();
    while (this.#context !== undefined && this.#context !== below) this.#leave(this.#context);
    this.#owedSpace = owedSpace;
    this.#owedLineStart = owedLineStart;
    return result;
  }

  /** A list of tokens after all expansion, by itself. */
  expandAll(tokens: readonly Token[], end: Token): Token[] {
    return this.over(tokens, end, () => {
      const result: Token[] = [];
      for (let token = this.next(); token.kind !== 'end'; token = this.next()) result.push(token);
      return result;
    });
  }

  #leave(context: Context): void {
    this.#context = context.below;
    if (context.macro !== undefined) this.#active.delete(context.macro);
  }

  /** Pays for tokens; false when the budget is spent. */
  #charge(count: number, place: Span): boolean {
    if (this.#budget.spend(count * unitsPer.macroToken)) return true;
    if (this.#stopped === undefined) {
      this.#diagnostics.fatal(place, overBudget('macro expansion', this.#budget));
      const { file, start } = outermostUse(place);
      this.#stopped = new Token('end', '', file, start, start, undefined, tokenFlags.lineStart);
    }
    return false;
  }

  /** Begins the expansion of `macro` at `name`; or answers the token that stands for the name after all. */
  #expand(name: Token, macro: Macro): Token | undefined {
    if (macro.dynamic !== undefined) return this.#dynamicValue(name, macro.dynamic);
    if (macro.parameters === undefined) {
      const expansion = new ExpansionRecord(macro, name, name);
      this.#enter(macro, name, this.#substitute(macro, [], expansion, name));
      return undefined;
    }
    if (!this.#opensArguments()) return name;
    const invocation = this.#readArguments(name, macro);
    if (invocation === undefined) return this.#stopped ?? name.painted();
    const expansion = new ExpansionRecord(macro, name, invocationSpan(name, invocation.close));
    this.#enter(macro, name, this.#substitute(macro, invocation.arguments, expansion, name));
    return undefined;
  }

  #enter(macro: Macro, name: Token, tokens: Token[]): void {
    const first = tokens[0];
    if (first === undefined) {
      this.#owedSpace ||= name.spaceBefore;
      this.#owedLineStart ||= name.lineStart;
      return;
    }
    if (!this.#charge(tokens.length, name)) return;
    tokens[0] = first.spaced(name.spaceBefore, name.lineStart);
    this.#active.add(macro);
    this.#context = { tokens, index: 0, macro, barrier: undefined, below: this.#context };
  }

  #dynamicValue(name: Token, macro: DynamicMacro): Token {
    const { kind, text } = this.#source.valueOf(macro, name);
    const { file, start, end, expansion } = name;
    return new Token(kind, text, file, start, end, expansion, spacing(name.spaceBefore, name.lineStart));
  }

  /** Whether `(` comes next; contexts that are read to their end are left on the way, as reading it would. */
  #opensArguments(): boolean {
    for (;;) {
      const context = this.#context;
      if (context === undefined) return this.#source.peek().is('(');
      if (context.index < context.tokens.length) return (context.tokens[context.index] as Token).is('(');
      if (context.barrier !== undefined) return false;
      this.#leave(context);
    }
  }

  #readArguments(name: Token, macro: Macro): { arguments: Token[][]; close: Token } | undefined {
    const parameters = macro.parameters ?? [];
    const list: Token[][] = [];
    let current: Token[] = [];
    let depth = 0;
    let excess: Token | undefined;
    this.nextUnexpanded(true);
    for (;;) {
      let token = this.nextUnexpanded(true);
      if (token.kind === 'end') {
        if (this.#stopped === undefined) {
          this.#diagnostics.error(name, 'unterminated function-like macro invocation', definedHere(macro));
        }
        return undefined;
      }
      if (!this.#charge(1, name)) return undefined;
      if (token.kind === 'punctuator') {
        if (token.text === '(') depth += 1;
        else if (token.text === ')') {
          if (depth === 0) {
            list.push(current);
            if (!this.#checkCount(name, macro, list, excess, token)) return undefined;
            return { arguments: list, close: token };
          }
          depth -= 1;
        } else if (token.text === ',' && depth === 0) {
          const isLast = macro.variadic && list.length === parameters.length - 1;
          if (!isLast) {
            list.push(current);
            current = [];
            if (list.length === parameters.length) excess ??= token;
            continue;
          }
        }
      } else if (token.kind === 'identifier' && (token.flags & tokenFlags.painted) === 0) {
        const macro = this.#active.size > 0 ? this.macros.get(token.text) : undefined;
        if (macro !== undefined && this.#active.has(macro)) token = token.painted();
      }
      current.push(token.lineStart ? token.spaced(true, false) : token);
    }
  }

  /** Complains about a wrong number of arguments; completes a list that is rightly shorter than the parameters. */
  #checkCount(name: Token, macro: Macro, list: Token[][], excess: Token | undefined, close: Token): boolean {
    const wanted = macro.parameters?.length ?? 0;
    if (wanted === 0 && list.length === 1 && list[0]?.length === 0) {
      list.pop();
      return true;
    }
    if (list.length > wanted) {
      const message = 'too many arguments provided to function-like macro invocation';
      this.#diagnostics.error(list[wanted]?.[0] ?? excess ?? name, message, definedHere(macro));
      return false;
    }
    if (list.length < (macro.variadic ? wanted - 1 : wanted)) {
      const message = 'too few arguments provided to function-like macro invocation';
      this.#diagnostics.error(close, message, definedHere(macro));
      return false;
    }
    if (list.length < wanted) list.push([]);
    return true;
  }

  /** The replacement list with the arguments in place, # and ## done (C99 6.10.3.1 to 6.10.3.3). */
  #substitute(macro: Macro, list: readonly Token[][], expansion: Expansion, name: Token): Token[] {
    const out: Token[] = [];
    const { elements } = macro;
    const expanded: (readonly Token[] | undefined)[] = [];
    // whether the operand left of the next ## has any token; it is the last of `out` then
    let hasLeft = false;
    let owedSpace = false;
    for (let index = 0; index < elements.length; index += 1) {
      const element = elements[index] as MacroElement;
      const { token, parameter, paste } = element;
      const spaceBefore: boolean = (element.stringize ?? token).spaceBefore || owedSpace;
      if (parameter < 0) {
        const copy = token.expanded(expansion, spaceBefore, false);
        if (paste !== undefined && hasLeft) this.#paste(out, copy, paste, expansion);
        else out.push(copy);
        hasLeft = true;
        owedSpace = false;
        continue;
      }
      const given = list[parameter] ?? [];
      if (element.stringize !== undefined) {
        const literal = this.#stringize(given, element.stringize, token, expansion, spaceBefore);
        if (paste !== undefined && hasLeft) this.#paste(out, literal, paste, expansion);
        else out.push(literal);
        hasLeft = true;
        owedSpace = false;
        continue;
      }
      const isOperand = paste !== undefined || elements[index + 1]?.paste !== undefined;
      let piece: readonly Token[] = given;
      if (!isOperand) {
        piece = expanded[parameter] ?? this.#expandArgument(given, name);
        expanded[parameter] = piece;
      }
      if (!this.#charge(piece.length, name)) return out;
      let from = 0;
      if (paste !== undefined && hasLeft) {
        const isOptionalComma =
          macro.variadic &&
          parameter === (macro.parameters?.length ?? 0) - 1 &&
          isWritten(elements[index - 1], ',');
        if (isOptionalComma) {
          // GNU: a comma pasted to no arguments goes away, and is never really pasted to any
          if (piece.length === 0) {
            out.pop();
            hasLeft = false;
          }
        } else if (piece.length > 0) {
          this.#paste(out, piece[0] as Token, paste, expansion);
          from = 1;
        }
      }
      for (let at = from; at < piece.length; at += 1) {
        const item = piece[at] as Token;
        out.push(at === 0 ? item.spaced(spaceBefore, false) : item);
      }
      const isEmpty = piece.length === 0;
      owedSpace = isEmpty && spaceBefore && paste === undefined;
      hasLeft = paste !== undefined ? hasLeft || !isEmpty : !isEmpty;
    }
    return out;
  }

  #expandArgument(tokens: readonly Token[], name: Token): readonly Token[] {
    let isPlain = true;
    for (let index = 0; index < tokens.length && isPlain; index += 1) {
      const token = tokens[index] as Token;
      isPlain = token.kind !== 'identifier' || !this.macros.has(token.text);
    }
    if (isPlain) return tokens;
    if (this.#argumentDepth >= argumentNesting) {
      this.#diagnostics.error(
        name,
        `macro invocations nested too deeply (more than ${argumentNesting} levels)`,
      );
      return tokens;
    }
    this.#argumentDepth += 1;
    const { file, end } = name;
    const result = this.expandAll(tokens, new Token('end', '', file, end, end, name.expansion, 0));
    this.#argumentDepth -= 1;
    return result;
  }

  /** The # operator (C99 6.10.3.2). */
  #stringize(
    tokens: readonly Token[],
    operator: Token,
    operand: Token,
    expansion: Expansion,
    spaceBefore: boolean,
  ): Token {
    const place: Span = { file: operator.file, start: operator.start, end: operand.end, expansion };
    const parts: string[] = [];
    let length = 0;
    // a lone backslash that is the last of an odd row would escape the quote behind it, so it is left out
    let isEscaping = false;
    const endRow = (): void => {
      if (isEscaping) {
        this.#diagnostics.warning(place, 'invalid-pp-token', "invalid string literal, ignoring final '\\'");
        parts.pop();
      }
      isEscaping = false;
    };
    for (let index = 0; index < tokens.length; index += 1) {
      const token = tokens[index] as Token;
      const text = spelling(token);
      if (index > 0 && token.spaceBefore) {
        parts.push(' ');
        isEscaping = false;
      }
      const isLiteral = token.kind === 'string' || token.kind === 'character';
      const part = isLiteral ? escaped(text) : text;
      if (part.startsWith('\\"')) endRow();
      isEscaping = text === '\\' && !isEscaping;
      parts.push(part);
      length += part.length;
    }
    endRow();
    this.#charge(Math.floor(length / charactersPerToken), operator);
    const text = parts.join('');
    const { file, start } = operator;
    return new Token('string', `"${text}"`, file, start, operand.end, expansion, spacing(spaceBefore, false));
  }

  /** The ## operator (C99 6.10.3.3): the last token of `out` becomes one with `right`. */
  #paste(out: Token[], right: Token, operator: Token, expansion: Expansion): void {
    const left = out.pop() as Token;
    const text = spelling(left) + spelling(right);
    const { file, start, end } = operator;
    const place: Span = { file, start, end, expansion };
    this.#charge(Math.floor(text.length / charactersPerToken), place);
    const lexer = new Lexer(new SourceFile('<scratch space>', text), this.#names, this.#diagnostics);
    lexer.quiet = true;
    const isComment = text.startsWith('//') || text.startsWith('/*');
    const token = isComment ? undefined : lexer.next();
    const isWhole =
      token !== undefined &&
      token.kind !== 'end' &&
      (token.flags & tokenFlags.stray) === 0 &&
      token.end === text.length &&
      (token.kind === 'punctuator' || token.text === text);
    if (!isWhole) {
      this.#diagnostics.error(place, `pasting formed '${shortened(text)}', an invalid preprocessing token`);
      out.push(left, right);
      return;
    }
    out.push(
      new Token(
        token.kind,
        token.text,
        file,
        start,
        end,
        expansion,
        spacing(left.spaceBefore, left.lineStart),
      ),
    );
  }
}

function invocationSpan(name: Token, close: Token): Span {
  if (name.file !== close.file || name.expansion !== close.expansion || close.end < name.start) return name;
  return { file: name.file, start: name.start, end: close.end, expansion: name.expansion };
}

function isWritten(element: MacroElement | undefined, punctuator: string): boolean {
  return element !== undefined && element.parameter < 0 && element.token.is(punctuator);
}

function definedHere(macro: Macro): { message: string; span: Span }[] {
  return macro.definition === undefined
    ? []
    : [{ message: `macro '${macro.name}' defined here`, span: macro.definition }];
}

/** A literal's text as it stands inside a string literal. */
function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}

function shortened(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 77)}...`;
}
