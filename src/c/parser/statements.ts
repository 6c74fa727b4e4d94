/** Statements (C99, 6.8). */
import { joinSpans } from '../../source/span.ts';
import type {
  Attribute,
  CompoundStatement,
  DeclarationStatement,
  ElseIf,
  Expression,
  ExpressionStatement,
  Statement,
} from '../ast.ts';
import { checkCondition } from '../check/assignment-operators.ts';
import { checkAttributes } from '../check/attributes.ts';
import { errorExpression } from '../check/checker.ts';
import {
  beginSwitch,
  checkBreak,
  checkCase,
  checkContinue,
  checkDefault,
  checkExpressionStatement,
  checkReturn,
  declareLabel,
  endSwitch,
} from '../check/statements.ts';
import type { StatementWord } from '../dialect.ts';
import type { Token } from '../token.ts';
import { parseAssembly } from './assembly.ts';
import { parseAttributes } from './attributes.ts';
import { cleanupsBefore, endCleanups, refuseGoto, withCleanups } from './cleanups.ts';
import { correctElse, correctStatement, isUnknownName } from './corrections.ts';
import { parseLocalDeclaration } from './declarations.ts';
import { parseConditionalExpression, parseExpression } from './expressions.ts';
import { closeLabels, labelMeant, parseLocalLabels } from './local-labels.ts';
import { warnAssignedCondition } from './parentheses.ts';
import type { Parser, UnrollHint } from './parser.ts';
import { startsDeclaration } from './specifiers.ts';

// compound = "{" (declaration | statement)* "}"
/** `scoped` is false for the body of a function, whose scope its parameters have opened. */
export function parseCompound(parser: Parser, scoped = true): CompoundStatement {
  // A pragma in the braces counts to their end; one behind the closing brace is read with it, and counts outside.
  const { mayContract } = parser;
  const opening = parser.next();
  const forbidden = !parser.mayContract;
  const statements: Statement[] = [];
  if (scoped) parser.checker.scopes.push();
  const labels = parser.checker.function?.localLabels.length;
  const cleanups = cleanupsBefore(parser);
  if (parser.enter(true)) {
    parseLocalLabels(parser);
    while (!parser.is('}') && !parser.atEnd) {
      const position = parser.position;
      statements.push(parseBlockItem(parser));
      parser.recover();
      if (parser.position !== position) continue;
      // Nothing was taken: something that begins neither a statement nor a declaration.
      if (!parser.is('}')) parser.next();
    }
  }
  parser.leave(true);
  if (scoped) parser.checker.scopes.pop();
  closeLabels(parser, labels);
  endCleanups(parser, cleanups, statements, parser.token);
  const contraction = forbidden || !parser.mayContract ? ({ forbidsContraction: true } as const) : {};
  parser.mayContract = mayContract;
  parser.expect('}', '', opening);
  return { kind: 'compound', statements, ...contraction, span: joinSpans(opening, parser.previous) };
}

export function parseBlockItem(parser: Parser): Statement {
  correctStatement(parser);
  if (parser.panicking) return empty(parser.token);
  return isDeclaration(parser) ? declaration(parser) : parseStatement(parser);
}

/** Whether a plain expression begins here, which a semicolon makes a statement. */
export function startsExpressionStatement(parser: Parser): boolean {
  const kind = parser.keyword()?.kind;
  if (kind === 'statement' || kind === 'attribute' || kind === 'assembly' || parser.is('{') || parser.is(';'))
    return false;
  return !isDeclaration(parser) && !(parser.isIdentifier() && parser.peek().is(':'));
}

function isDeclaration(parser: Parser): boolean {
  const { token } = parser;
  if (token.kind !== 'identifier') return false;
  const keyword = parser.keyword();
  if (keyword !== undefined) {
    return (keyword.kind === 'reserved' || startsDeclaration(parser, token)) && !parser.peek().is(':');
  }
  const binding = parser.checker.scopes.lookup(token.text);
  if (binding?.kind === 'typedef') return !parser.peek().is(':');
  // `foo x`: two names in a row are a declaration with an unknown type.
  const isUnknown = binding === undefined || binding.kind === 'poisoned';
  if (!isUnknown) return false;
  const following = parser.peek();
  if (parser.isIdentifier(following) || startsDeclaration(parser, following)) return true;
  // `foo *p = ...`: a product of two names that mean nothing is rather a declaration.
  return following.is('*') && isUnknownName(parser, parser.peekSecond());
}

function declaration(parser: Parser, attributes: readonly Attribute[] = []): DeclarationStatement {
  const start = parser.token;
  rejectUnroll(parser);
  const variables = parseLocalDeclaration(parser, attributes);
  return { kind: 'declaration', variables, span: joinSpans(start, parser.previous) };
}

function empty(token: Token): ExpressionStatement {
  return { kind: 'expression', expression: undefined, span: token.span };
}

/** A hint that stands before something else than a loop. */
function rejectUnroll(parser: Parser): void {
  const hint = parser.unroll;
  if (hint === undefined) return;
  parser.unroll = undefined;
  parser.checker.error(parser.token, "expected a for, while, or do-while loop to follow '#pragma unroll'");
}

// statement = attributes? (compound | if | switch | while | do | for | jump | labeled | expression? ";")
function parseStatement(parser: Parser): Statement {
  const { token } = parser;
  if (!parser.enter(false)) {
    parser.leave(false);
    return empty(token);
  }
  const statement = parseUnnested(parser);
  parser.leave(false);
  return statement;
}

function parseUnnested(parser: Parser): Statement {
  const { token } = parser;
  let keyword = parser.keyword();
  if (keyword?.kind === 'attribute') {
    const attributes = parseAttributes(parser);
    if (parser.panicking) return empty(token);
    if (isDeclaration(parser)) return declaration(parser, attributes);
    if (!checkStatementAttributes(parser, attributes)) return empty(token);
    keyword = parser.keyword();
  }
  const isLoop = keyword?.kind === 'statement' && loops.has(keyword.word);
  if (!isLoop) rejectUnroll(parser);
  if (keyword?.kind === 'statement') return parseWord(parser, keyword.word);
  if (keyword?.kind === 'assembly') {
    return parseAssembly(parser);
  }
  if (parser.is('{')) return parseCompound(parser);
  if (parser.is(';')) return empty(parser.next());
  if (parser.isIdentifier() && parser.peek().is(':')) return parseLabel(parser);
  return parseExpressionStatement(parser);
}

const loops: ReadonlySet<StatementWord> = new Set(['for', 'while', 'do']);

function checkStatementAttributes(parser: Parser, written: readonly Attribute[]): boolean {
  const { checker } = parser;
  const attributes = checkAttributes(checker, written, 'statement');
  for (const attribute of attributes) {
    if (attribute.name !== 'opencl_unroll_hint') continue;
    const [count] = attribute.arguments;
    const keyword = parser.keyword();
    if (keyword?.kind !== 'statement' || !loops.has(keyword.word)) {
      checker.error(
        attribute.span,
        "'opencl_unroll_hint' attribute only applies to 'for', 'while', and 'do' statements",
      );
      continue;
    }
    parser.unroll = { count: typeof count === 'bigint' ? Number(count) : 0, span: attribute.span };
  }
  return !parser.panicking;
}

function parseWord(parser: Parser, word: StatementWord): Statement {
  const { checker } = parser;
  const start = parser.token;
  switch (word) {
    case 'if':
      return parseIf(parser);
    case 'switch':
      return parseSwitch(parser);
    case 'while':
      return parseWhile(parser);
    case 'do':
      return parseDo(parser);
    case 'for':
      return parseFor(parser);
    case 'case':
      return parseCase(parser);
    case 'default': {
      parser.next();
      parser.expect(':', "after 'default'");
      const isFine = checkDefault(checker, start);
      const body = parseLabeled(parser);
      return isFine ? { kind: 'default', body, span: joinSpans(start, parser.previous) } : body;
    }
    case 'break':
      parser.next();
      parser.expect(';', 'after break statement');
      if (!checkBreak(checker, start)) return empty(start);
      return withCleanups(parser, checker.function?.breakCleanups ?? 0, { kind: 'break', span: start.span });
    case 'continue':
      parser.next();
      parser.expect(';', 'after continue statement');
      if (!checkContinue(checker, start)) return empty(start);
      return withCleanups(parser, checker.function?.continueCleanups ?? 0, {
        kind: 'continue',
        span: start.span,
      });
    case 'return': {
      parser.next();
      const value = parser.is(';') ? undefined : parseExpression(parser);
      const span = joinSpans(start, parser.previous);
      parser.expect(';', 'after return statement');
      if (parser.panicking && value === undefined) return empty(start);
      return withCleanups(parser, 0, checkReturn(checker, value, span, start));
    }
    case 'goto': {
      parser.next();
      const label = parser.token;
      if (label.is('*') && parser.checker.dialect.features.gnu) {
        parser.syntaxError(label, 'a goto to a computed label cannot be compiled: use a switch');
        return empty(start);
      }
      if (label.kind !== 'identifier') {
        parser.syntaxError(label, 'expected identifier');
        return empty(start);
      }
      parser.next();
      parser.expect(';', 'after goto statement');
      refuseGoto(parser, label);
      const meant = labelMeant(parser, label.text);
      checker.function?.gotos.push({ label: meant, span: label });
      return { kind: 'goto', label: meant, span: joinSpans(start, label) };
    }
    case 'else':
      parser.syntaxError(start, 'expected expression');
      parser.next();
      return empty(start);
  }
}

// expression-statement = expression ";"
function parseExpressionStatement(parser: Parser): Statement {
  const start = parser.token;
  const parsed = parseExpression(parser);
  parser.expect(';', 'after expression');
  const expression = parser.panicking
    ? errorExpression(parsed.span)
    : checkExpressionStatement(parser.checker, parsed);
  return { kind: 'expression', expression, span: joinSpans(start, parser.previous) };
}

// "(" expression ")"
function parseCondition(parser: Parser, word: string): Expression {
  const opening = parser.token;
  if (!parser.expect('(', `after '${word}'`)) return errorExpression(opening);
  const first = parser.token;
  const condition = parser.enter(true) ? parseExpression(parser) : errorExpression(opening);
  parser.leave(true);
  warnAssignedCondition(parser, condition, first);
  parser.expect(')', '', opening);
  if (parser.panicking) recoverHead(parser);
  return condition;
}

/** After a mistake in the head of a statement: skips to its closing parenthesis, so that the body is still read. */
function recoverHead(parser: Parser): void {
  while (!parser.atEnd && !parser.is(')') && !parser.is('{') && !parser.is('}') && !parser.is(';')) {
    if (parser.is('(') || parser.is('[')) parser.skipBalanced();
    else parser.next();
  }
  if (parser.is(')')) {
    parser.next();
    parser.panicking = false;
  } else if (parser.is('{')) parser.panicking = false;
}

/** The statement inside another one. A declaration cannot stand there. */
function parseBody(parser: Parser): Statement {
  const { token } = parser;
  if (parser.panicking) return empty(token);
  if (parser.is('}') || parser.atEnd) {
    parser.syntaxError(token, 'expected statement');
    return empty(token);
  }
  correctStatement(parser);
  const scopes = parser.checker.scopes;
  scopes.push();
  let statement: Statement;
  if (isDeclaration(parser)) {
    parser.checker.error(token, 'expected expression');
    statement = declaration(parser);
  } else statement = parseStatement(parser);
  scopes.pop();
  parser.recover();
  return statement;
}

function loopBody(parser: Parser): Statement {
  const context = parser.checker.function;
  if (!context) return parseBody(parser);
  const { breakCleanups, continueCleanups } = context;
  context.breakCleanups = context.cleanups.length;
  context.continueCleanups = context.cleanups.length;
  context.loops += 1;
  const body = parseBody(parser);
  context.loops -= 1;
  Object.assign(context, { breakCleanups, continueCleanups });
  return body;
}

// if = "if" "(" expression ")" statement ("else" "if" "(" expression ")" statement)* ("else" statement)?
function parseIf(parser: Parser): Statement {
  const start = parser.token;
  const { condition, then } = parseArm(parser);
  const elseIfs: ElseIf[] = [];
  let otherwise: Statement | undefined;
  correctElse(parser);
  while (parser.isStatementWord('else') && !parser.panicking && otherwise === undefined) {
    parser.next();
    if (parser.isStatementWord('if')) elseIfs.push(parseArm(parser));
    else otherwise = parseBody(parser);
  }
  const span = joinSpans(start, parser.previous);
  return { kind: 'if', condition, then, elseIfs, else: otherwise, span };
}

function parseArm(parser: Parser): ElseIf {
  rejectUnroll(parser);
  const start = parser.next();
  const condition = checkCondition(parser.checker, parseCondition(parser, 'if'));
  warnEmptyBody(parser, 'if');
  const then = parseBody(parser);
  return { condition, then, span: joinSpans(start, parser.previous) };
}

/** `if (x);` on one line is rarely meant. */
function warnEmptyBody(parser: Parser, word: string): void {
  const { token } = parser;
  if (!token.is(';') || token.lineStart || token.expansion !== undefined || parser.panicking) return;
  if (parser.keywordOf(parser.peek())?.kind === 'statement' && parser.peek().text === 'else') return;
  parser.checker.warning(token, 'empty-body', `${word} statement has empty body`, [
    { message: 'put the semicolon on a separate line to silence this warning', span: token },
  ]);
}

// switch = "switch" "(" expression ")" statement
function parseSwitch(parser: Parser): Statement {
  const start = parser.next();
  const value = beginSwitch(parser.checker, parseCondition(parser, 'switch'));
  const context = parser.checker.function;
  const outer = context?.breakCleanups ?? 0;
  if (context) context.breakCleanups = context.cleanups.length;
  const body = parseBody(parser);
  if (context) context.breakCleanups = outer;
  endSwitch(parser.checker);
  return { kind: 'switch', value, body, span: joinSpans(start, parser.previous) };
}

// case = "case" conditional-expression ("..." conditional-expression)? ":" statement
function parseCase(parser: Parser): Statement {
  const start = parser.next();
  const low = parseConditionalExpression(parser);
  const high = parser.accept('...') ? parseConditionalExpression(parser) : undefined;
  parser.expect(':', "after 'case'");
  const bounds = parser.panicking ? undefined : checkCase(parser.checker, low, high, start);
  const body = parseLabeled(parser);
  if (bounds === undefined) return body;
  return { kind: 'case', ...bounds, body, span: joinSpans(start, parser.previous) };
}

/** What follows a label: a statement, a declaration, which later standards allow, or the end of the block. */
function parseLabeled(parser: Parser): Statement {
  const { token } = parser;
  if (parser.panicking) return empty(token);
  if (parser.is('}')) return empty(token);
  if (isDeclaration(parser)) {
    parser.checker.warning(token, 'c2x-extensions', 'label followed by a declaration is a C2x extension');
    return declaration(parser);
  }
  return parseStatement(parser);
}

/** A label before an expression that gives a statement expression its value: it stands by itself. */
export function parseLabelAlone(parser: Parser): Statement {
  const name = parser.next();
  parser.next();
  const label = labelMeant(parser, name.text);
  declareLabel(parser.checker, label, name);
  parseAttributes(parser);
  return { kind: 'label', label, body: empty(name), span: name.span };
}

// label = identifier ":" attributes statement
function parseLabel(parser: Parser): Statement {
  const name = parser.next();
  parser.next();
  const label = labelMeant(parser, name.text);
  declareLabel(parser.checker, label, name);
  parseAttributes(parser);
  const body = parseLabeled(parser);
  return { kind: 'label', label, body, span: joinSpans(name, parser.previous) };
}

function takeUnroll(parser: Parser): UnrollHint | undefined {
  const hint = parser.unroll;
  parser.unroll = undefined;
  return hint;
}

// while = "while" "(" expression ")" statement
function parseWhile(parser: Parser): Statement {
  const hint = takeUnroll(parser);
  const start = parser.next();
  const condition = checkCondition(parser.checker, parseCondition(parser, 'while'));
  warnEmptyLoop(parser, 'while loop');
  const body = loopBody(parser);
  return { kind: 'while', condition, body, unroll: hint?.count, span: joinSpans(start, parser.previous) };
}

/** `while (x);` before a block on the next line. */
function warnEmptyLoop(parser: Parser, word: string): void {
  const { token } = parser;
  if (!token.is(';') || token.lineStart || token.expansion !== undefined || !parser.peek().is('{')) return;
  parser.checker.warning(token, 'empty-body', `${word} has empty body`, [
    { message: 'put the semicolon on a separate line to silence this warning', span: token },
  ]);
}

// do = "do" statement "while" "(" expression ")" ";"
function parseDo(parser: Parser): Statement {
  const { checker } = parser;
  const hint = takeUnroll(parser);
  const start = parser.next();
  const body = loopBody(parser);
  let condition: Expression = errorExpression(start);
  if (parser.isStatementWord('while')) {
    parser.next();
    condition = checkCondition(checker, parseCondition(parser, 'do/while'));
    parser.expect(';', 'after do/while statement');
  } else {
    parser.syntaxError(parser.token, "expected 'while' in do/while loop", [
      { message: "to match this 'do'", span: start },
    ]);
  }
  return { kind: 'do', body, condition, unroll: hint?.count, span: joinSpans(start, parser.previous) };
}

// for = "for" "(" (declaration | expression? ";") expression? ";" expression? ")" statement
function parseFor(parser: Parser): Statement {
  const { checker } = parser;
  const hint = takeUnroll(parser);
  const start = parser.next();
  const opening = parser.token;
  checker.scopes.push();
  const cleanups = cleanupsBefore(parser);
  let initial: DeclarationStatement | ExpressionStatement | undefined;
  let condition: Expression | undefined;
  let step: Expression | undefined;
  if (parser.expect('(', "after 'for'") && parser.enter(true)) {
    if (isDeclaration(parser)) initial = declaration(parser);
    else if (!parser.accept(';')) {
      const { token } = parser;
      const expression = parseExpression(parser);
      const checked = parser.panicking ? expression : checkExpressionStatement(checker, expression);
      initial = { kind: 'expression', expression: checked, span: token.span };
      parser.expect(';', "in 'for' statement specifier");
    }
    if (!parser.is(';') && !parser.panicking) condition = checkCondition(checker, parseExpression(parser));
    parser.expect(';', "in 'for' statement specifier");
    if (!parser.is(')') && !parser.panicking) {
      const expression = parseExpression(parser);
      step = parser.panicking ? expression : checkExpressionStatement(checker, expression);
    }
    parser.expect(')', '', opening);
    parser.leave(true);
    if (parser.panicking) {
      while (parser.is(';')) parser.next();
      recoverForHead(parser);
    }
  }
  warnEmptyLoop(parser, 'for loop');
  const body = loopBody(parser);
  checker.scopes.pop();
  const loop: Statement = {
    kind: 'for',
    initial,
    condition,
    step,
    body,
    unroll: hint?.count,
    span: joinSpans(start, parser.previous),
  };
  if (cleanupsBefore(parser) === cleanups) return loop;
  const statements = [loop];
  endCleanups(parser, cleanups, statements, parser.previous);
  return { kind: 'compound', statements, span: loop.span };
}

/** The head of a `for` has semicolons of its own, which end nothing. */
function recoverForHead(parser: Parser): void {
  while (!parser.atEnd && !parser.is(')') && !parser.is('{') && !parser.is('}')) {
    if (parser.token.lineStart && parser.keyword() !== undefined) return;
    if (parser.is('(') || parser.is('[')) parser.skipBalanced();
    else parser.next();
  }
  recoverHead(parser);
}
