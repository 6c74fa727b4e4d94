/**
 * Preprocessing directives (C99 6.10): each reads its line and changes the preprocessor's state.
 */
import type { Note } from '../source/diagnostics.ts';
import { nearestName } from '../source/nearest-name.ts';
import { evaluateCondition } from './condition.ts';
import { expectLineEnd, readLine } from './directive-line.ts';
import { isDefinedName } from './feature-queries.ts';
import { obeyInclude } from './include-directive.ts';
import { obeyLine, obeyLineMarker } from './line-directive.ts';
import { checkMacroName, readDefinition } from './macro.ts';
import type { Preprocessor } from './preprocessor.ts';
import { spelling, Token, tokenFlags } from './token.ts';

/** An #if group that is open. */
export interface Conditional {
  /** the name of the directive that opened it */
  readonly directive: Token;
  /** one of its parts was taken, so the others are not */
  taken: boolean;
  hasElse: boolean;
}

/** Obeys the directive whose `#` was just read, and leaves its line. */
export function obeyDirective(preprocessor: Preprocessor, hash: Token, inArguments: boolean): void {
  const { diagnostics } = preprocessor;
  const { lexer } = preprocessor.current;
  lexer.directive = true;
  const name = lexer.next();
  if (name.kind === 'end') {
    lexer.endDirective();
    return;
  }
  if (name.kind === 'integer') {
    obeyLineMarker(preprocessor, hash, name);
    return;
  }
  const isUnknown = name.text === 'include_next' && !preprocessor.options.queries;
  switch (name.kind === 'identifier' && !isUnknown ? name.text : '') {
    case 'define':
      define(preprocessor);
      return;
    case 'undef':
      undefine(preprocessor);
      return;
    case 'include':
    case 'include_next':
      if (inArguments) refuseInArguments(preprocessor, hash, name);
      else obeyInclude(preprocessor, name);
      return;
    case 'if':
    case 'ifdef':
    case 'ifndef':
      openConditional(preprocessor, name);
      return;
    case 'elif':
    case 'else':
    case 'endif':
      goOnConditional(preprocessor, name);
      return;
    case 'line':
      obeyLine(preprocessor, hash);
      return;
    case 'error':
    case 'warning':
      complain(preprocessor, name);
      return;
    case 'ident':
      // A remark for the object file, which is not made here.
      lexer.endDirective();
      return;
    case 'pragma':
      if (inArguments) refuseInArguments(preprocessor, hash, name);
      else pragma(preprocessor, hash);
      return;
    default:
      diagnostics.error(name, `invalid preprocessing directive${directiveHint(name.text)}`);
      lexer.endDirective();
  }
}

const directiveNames = 'define undef include if ifdef ifndef elif else endif line error warning pragma'.split(
  ' ',
);
/** those of shading languages and of newer C */
const otherDirectives: Readonly<Record<string, string>> = {
  version: "; '#version' is GLSL's: -cl-std says the version of OpenCL C",
  extension: "; '#extension' is GLSL's; did you mean '#pragma OPENCL EXTENSION name : enable'?",
  import: "; did you mean 'include'?",
};

function directiveHint(name: string): string {
  const other = Object.hasOwn(otherDirectives, name) ? otherDirectives[name] : undefined;
  const near = nearestName(name, directiveNames);
  return other ?? (near === undefined ? '' : `; did you mean '${near}'?`);
}

function refuseInArguments(preprocessor: Preprocessor, hash: Token, name: Token): void {
  const message = `embedding a #${name.text} directive within macro arguments is not supported`;
  preprocessor.diagnostics.error(hash, message);
  preprocessor.current.lexer.endDirective();
}

function define(preprocessor: Preprocessor): void {
  const { diagnostics, expander } = preprocessor;
  const macro = readDefinition(readLine(preprocessor), diagnostics);
  if (macro?.definition === undefined) return;
  const old = expander.macros.get(macro.name);
  if (old?.dynamic !== undefined) {
    diagnostics.warning(macro.definition, 'builtin-macro-redefined', 'redefining builtin macro');
  } else if (old !== undefined && !old.equals(macro)) {
    const notes: Note[] = [];
    if (old.definition !== undefined) {
      notes.push({ message: 'previous definition is here', span: old.definition });
    }
    diagnostics.warning(macro.definition, 'macro-redefined', `'${macro.name}' macro redefined`, notes);
  }
  preprocessor.options.observer?.macroDefined(macro);
  expander.macros.set(macro.name, macro);
}

function undefine(preprocessor: Preprocessor): void {
  const { diagnostics, expander } = preprocessor;
  const line = readLine(preprocessor);
  const name = line[0] as Token;
  if (!checkMacroName(name, diagnostics)) return;
  expectLineEnd(preprocessor, line, 1, 'undef');
  if (expander.macros.get(name.text)?.dynamic !== undefined) {
    diagnostics.warning(name, 'builtin-macro-redefined', 'undefining builtin macro');
  }
  preprocessor.options.observer?.macroRemoved(name);
  expander.macros.delete(name.text);
}

function openConditional(preprocessor: Preprocessor, name: Token): void {
  const holds = conditionHolds(preprocessor, name);
  preprocessor.current.conditionals.push({ directive: name, taken: holds, hasElse: false });
  if (!holds) skip(preprocessor);
}

function conditionHolds(preprocessor: Preprocessor, name: Token): boolean {
  const { diagnostics } = preprocessor;
  const line = readLine(preprocessor);
  if (name.text === 'if' || name.text === 'elif') return evaluateCondition(line, preprocessor);
  const macro = line[0] as Token;
  if (!checkMacroName(macro, diagnostics)) return false;
  expectLineEnd(preprocessor, line, 1, name.text);
  return isDefinedName(macro.text, preprocessor) === (name.text === 'ifdef');
}

/** #elif, #else or #endif behind a part that was taken: the rest of the group is left out. */
function goOnConditional(preprocessor: Preprocessor, name: Token): void {
  const { diagnostics, current } = preprocessor;
  if (current.conditionals.length === 0) {
    diagnostics.error(name, `#${name.text} without #if`);
    current.lexer.endDirective();
    return;
  }
  if (!isFinished(preprocessor, name, false)) skip(preprocessor);
}

/** Passes over groups up to a part that is to be read, or the end of the group. */
function skip(preprocessor: Preprocessor): void {
  const { lexer } = preprocessor.current;
  let depth = 0;
  for (;;) {
    const hash = lexer.skipToDirective();
    if (hash.kind === 'end') return;
    lexer.directive = true;
    lexer.quiet = true;
    const name = lexer.next();
    lexer.quiet = false;
    const directive = name.kind === 'identifier' ? name.text : '';
    if (directive === 'if' || directive === 'ifdef' || directive === 'ifndef') {
      depth += 1;
    } else if (directive === 'endif' && depth > 0) {
      depth -= 1;
    } else if (depth === 0 && (directive === 'elif' || directive === 'else' || directive === 'endif')) {
      if (isFinished(preprocessor, name, true)) return;
      continue;
    }
    lexer.endDirective();
  }
}

/**
 * Obeys an #elif, #else or #endif of the innermost group, met while a part was left out (`skipping`) or read. True if
 * reading goes on behind it.
 */
function isFinished(preprocessor: Preprocessor, name: Token, skipping: boolean): boolean {
  const { diagnostics, current } = preprocessor;
  const group = current.conditionals[current.conditionals.length - 1] as Conditional;
  if (name.text === 'endif') {
    expectLineEnd(preprocessor, readLine(preprocessor), 0, 'endif');
    current.conditionals.pop();
    return true;
  }
  if (group.hasElse) diagnostics.error(name, `#${name.text} after #else`);
  if (name.text === 'else') {
    expectLineEnd(preprocessor, readLine(preprocessor), 0, 'else');
    const isRead = skipping && !group.taken && !group.hasElse;
    group.hasElse = true;
    group.taken = true;
    return isRead;
  }
  if (group.taken || !skipping || group.hasElse) {
    // the condition of a part that is left out anyway need not make sense
    readLine(preprocessor, true);
    return false;
  }
  group.taken = conditionHolds(preprocessor, name);
  return group.taken;
}

/** #error and #warning: the message is the line as written. */
function complain(preprocessor: Preprocessor, name: Token): void {
  const { diagnostics, current } = preprocessor;
  const line = readLine(preprocessor, true);
  const first = line[0] as Token;
  const last = line[line.length - 2];
  const text = last === undefined ? '' : current.lexer.textBetween(first, last);
  if (name.text === 'error') diagnostics.error(name, text);
  else diagnostics.warning(name, '#warnings', text);
}

function pragma(preprocessor: Preprocessor, hash: Token): void {
  const line = readLine(preprocessor, true);
  line.pop();
  const first = line[0];
  const { openFiles, current } = preprocessor;
  if (first?.kind === 'identifier' && first.text === 'once') {
    if (openFiles.length === 1) {
      preprocessor.diagnostics.warning(first, 'pragma-once-outside-header', '#pragma once in main file');
    }
    preprocessor.onceOnly.add(current.lexer.file.name);
    expectLineEnd(preprocessor, line, 1, 'pragma once');
    return;
  }
  let text = '';
  line.forEach((token, index) => {
    text += index > 0 && token.spaceBefore ? ` ${spelling(token)}` : spelling(token);
  });
  const end = line[line.length - 1]?.end ?? hash.end;
  preprocessor.pragma = new Token(
    'pragma',
    text,
    hash.file,
    hash.start,
    end,
    undefined,
    tokenFlags.lineStart,
  );
}
