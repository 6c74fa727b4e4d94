/**
 * Answers for languages whose names are simple: each means one thing in a range of the text, and is looked up by its
 * spelling. Brook+ and AMD IL give their names as {@link Entry}s and get the rest here.
 */
import type { Diagnostic } from '../../source/diagnostics.ts';
import type { Span } from '../../source/span.ts';
import { foldBraces, foldComments } from './folding.ts';
import type {
  Completion,
  CompletionKind,
  DocumentSymbol,
  FoldingRange,
  Reading,
  SemanticToken,
  SignatureHelp,
  TextRange,
} from './reading.ts';
import { wordAround, wordBefore } from './words.ts';

export interface Entry {
  readonly name: string;
  readonly kind: CompletionKind;
  /** Markdown, for hovers. */
  readonly text: string;
  /** Short, for completions; also what signature help shows. */
  readonly detail: string;
  readonly parameters?: readonly string[];
  /** Where its name is declared; absent for what the language supplies. */
  readonly place?: Span;
  /** Where it is known; the whole text if absent. */
  readonly scope?: TextRange;
  readonly look?: Pick<SemanticToken, 'type' | 'modifiers'>;
}

export interface SimpleText {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Later ones and those with a scope hide others of their name. */
  readonly entries: readonly Entry[];
  readonly symbols: readonly DocumentSymbol[];
  /** What else is folded, beside braces and comments. */
  readonly regions?: readonly FoldingRange[];
  /** Comments, strings and the like, as they look in the language. Global. */
  readonly hidden: RegExp;
  /** The name that a word of the text begins with, where words have endings. */
  readonly stem?: (word: string) => string;
  /** Parts of objects: what can stand behind a dot. */
  readonly parts: readonly string[];
}

export function simpleReading(source: SimpleText): Reading {
  const lookup = new Lookup(source);
  return {
    diagnostics: () => source.diagnostics,
    hover: (offset) => {
      const found = lookup.at(offset);
      return found?.entry && { ...found.range, text: found.entry.text };
    },
    completions: (offset) => lookup.completions(offset),
    explain: (name) => lookup.find(name, 0)?.text,
    signatureHelp: (offset) => lookup.signatureHelp(offset),
    definition: (offset) => lookup.at(offset)?.entry?.place,
    references: (offset) => lookup.references(offset),
    renameable: (offset) => {
      const found = lookup.at(offset);
      if (!found) return undefined;
      if (!found.entry?.place || found.entry.kind === 'constant') {
        return { refusal: `'${found.name}' is a name of the language` };
      }
      return { ranges: lookup.references(offset) };
    },
    symbols: () => source.symbols,
    semanticTokens: () => lookup.semanticTokens(),
    folding: () => lookup.folding(),
  };
}

interface Found {
  readonly range: TextRange;
  readonly name: string;
  readonly entry: Entry | undefined;
}

class Lookup {
  readonly #source: SimpleText;
  readonly #byName = new Map<string, Entry[]>();
  #words: readonly TextRange[] | undefined;

  constructor(source: SimpleText) {
    this.#source = source;
    for (const entry of source.entries) {
      const known = this.#byName.get(entry.name);
      if (known) known.push(entry);
      else this.#byName.set(entry.name, [entry]);
    }
  }

  /** What a name means at an offset. */
  find(name: string, offset: number): Entry | undefined {
    const entries = this.#byName.get(name) ?? [];
    const inside = entries.findLast(({ scope }) => scope && scope.start <= offset && offset < scope.end);
    return inside ?? entries.findLast(({ scope }) => scope === undefined);
  }

  at(offset: number): Found | undefined {
    const around = wordAround(this.#source.text, offset);
    if (!around || this.#isHidden(around.start)) return undefined;
    return this.#found(around);
  }

  #found({ start, end }: TextRange): Found | undefined {
    const { text, stem } = this.#source;
    const word = text.slice(start, end);
    // Behind a dot stands a part of something, whatever else has that name.
    if (/^\d/.test(word) || text.charAt(start - 1) === '.') return undefined;
    const name = stem ? stem(word) : word;
    return { range: { start, end: start + name.length }, name, entry: this.find(name, start) };
  }

  references(offset: number): TextRange[] {
    const wanted = this.at(offset);
    if (!wanted?.entry) return [];
    return this.#allWords().flatMap((range) => {
      const found = this.#found(range);
      return found && found.entry === wanted.entry ? [found.range] : [];
    });
  }

  completions(offset: number) {
    const { text, parts } = this.#source;
    const range = wordBefore(text, offset);
    if (this.#isHidden(range.start)) return { range, items: [] };
    if (text.charAt(range.start - 1) === '.') {
      const items = parts.map((label): Completion => ({ label, kind: 'field', rank: 0 }));
      return { range, items };
    }
    const items: Completion[] = [];
    for (const name of this.#byName.keys()) {
      const entry = this.find(name, range.start);
      if (!entry) continue;
      const rank = entry.scope ? 0 : entry.place ? 1 : 2;
      items.push({ label: name, kind: entry.kind, detail: entry.detail, rank });
    }
    return { range, items };
  }

  signatureHelp(offset: number): SignatureHelp | undefined {
    const { text } = this.#source;
    let depth = 0;
    let commas = 0;
    for (let at = offset - 1; at >= 0 && at > offset - 2000; at -= 1) {
      const character = text.charAt(at);
      if (character === ')' || character === ']') depth += 1;
      else if (character === ';' || character === '{' || character === '}') return undefined;
      else if (character === ',' && depth === 0) commas += 1;
      else if (character === '[') depth = Math.max(0, depth - 1);
      else if (character === '(' && depth > 0) depth -= 1;
      else if (character === '(') {
        const entry = this.#callee(at);
        if (entry) return signatureOf(entry, commas);
        commas = 0;
      }
    }
    return undefined;
  }

  #callee(parenthesis: number): Entry | undefined {
    const { text } = this.#source;
    const end = text.slice(0, parenthesis).trimEnd().length;
    const name = text.slice(wordBefore(text, end).start, end);
    const entry = this.find(name, parenthesis);
    return entry?.parameters ? entry : undefined;
  }

  semanticTokens(): SemanticToken[] {
    return this.#allWords().flatMap((range): SemanticToken[] => {
      const found = this.#found(range);
      const look = found?.entry?.look;
      if (!found?.entry || !look) return [];
      const isDeclaration = found.entry.place?.start === range.start;
      return [
        {
          ...found.range,
          type: look.type,
          modifiers: isDeclaration ? ['declaration', ...look.modifiers] : look.modifiers,
        },
      ];
    });
  }

  folding(): FoldingRange[] {
    const { text, regions } = this.#source;
    const braces = Array.from(text.matchAll(/[{}]/g), ({ 0: brace, index }) => {
      return { text: brace, start: index, end: index + 1 };
    });
    const shown = braces.filter(({ start }) => !this.#isHidden(start));
    return [...foldBraces(text, shown), ...foldComments(text), ...(regions ?? [])].sort(
      (a, b) => a.start - b.start,
    );
  }

  /** All words outside comments and strings. */
  #allWords(): readonly TextRange[] {
    if (this.#words) return this.#words;
    const words = Array.from(this.#source.text.matchAll(/[A-Za-z_]\w*/g), ({ 0: word, index }) => {
      return { start: index, end: index + word.length };
    });
    this.#words = words.filter(({ start }) => !this.#isHidden(start));
    return this.#words;
  }

  #ranges: readonly TextRange[] | undefined;

  #isHidden(offset: number): boolean {
    this.#ranges ??= Array.from(this.#source.text.matchAll(this.#source.hidden), ({ 0: part, index }) => {
      return { start: index, end: index + part.length };
    });
    let low = 0;
    let high = this.#ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#ranges[middle]!.end <= offset) low = middle + 1;
      else high = middle;
    }
    const range = this.#ranges[low];
    return range !== undefined && range.start <= offset;
  }
}

function signatureOf(entry: Entry, activeParameter: number): SignatureHelp {
  const label = `${entry.name}(${(entry.parameters ?? []).join(', ')})`;
  let from = entry.name.length + 1;
  const parameters = (entry.parameters ?? []).map((parameter) => {
    const range = { start: from, end: from + parameter.length };
    from = range.end + ', '.length;
    return range;
  });
  return { signatures: [{ label, parameters, documentation: entry.text }], active: 0, activeParameter };
}
