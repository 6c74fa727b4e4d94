/** Expressions (C99, 6.5), by recursive descent; binary operators by precedence climbing. */
import { joinSpans, type Span } from '../../source/span.ts';
import type { ArithmeticOperator, Expression } from '../ast.ts';
import {
  checkAssignment,
  checkComma,
  checkCompoundAssignment,
  checkConditional,
  sharedValue,
} from '../check/assignment-operators.ts';
import { checkCall, checkNamedCall } from '../check/calls.ts';
import { checkCast, checkReinterpret } from '../check/casts.ts';
import { errorExpression } from '../check/checker.ts';
import { checkCompoundLiteral } from '../check/compound-literals.ts';
import { characterLiteral, floatLiteral, integerLiteral, stringLiteral } from '../check/literals.ts';
import { checkMember, checkSubscript } from '../check/members.ts';
import { checkName, laterVersionNotes } from '../check/names.ts';
import { type BinaryOperator, checkBinary } from '../check/operators.ts';
import {
  checkAddressOf,
  checkDereference,
  checkExpressionQuery,
  checkIncrement,
  checkTypeQuery,
  checkUnary,
} from '../check/unary.ts';
import { checkVectorLiteral } from '../check/vector-literals.ts';
import type { Token } from '../token.ts';
import type { QualifiedType } from '../types.ts';
import { parseBlockLiteral } from './blocks.ts';
import { correctValue, isUnknownName } from './corrections.ts';
import { parseTypeName } from './declarators.ts';
import { parseOffset } from './extensions.ts';
import { parseGeneric, parseGnuForm } from './gnu-builtins.ts';
import { parseBraces } from './initializers.ts';
import { warnPrecedence } from './parentheses.ts';
import { maximumNesting, type Parser } from './parser.ts';
import { startsTypeName } from './specifiers.ts';
import { parseStatementExpression } from './statement-expressions.ts';

/** Binding strength; every binary operator is left-associative. */
const precedences: ReadonlyMap<string, number> = new Map([
  ['*', 10],
  ['/', 10],
  ['%', 10],
  ['+', 9],
  ['-', 9],
  ['<<', 8],
  ['>>', 8],
  ['<', 7],
  ['>', 7],
  ['<=', 7],
  ['>=', 7],
  ['==', 6],
  ['!=', 6],
  ['&', 5],
  ['^', 4],
  ['|', 3],
  ['&&', 2],
  ['||', 1],
]);

const assignmentOperators: ReadonlyMap<string, ArithmeticOperator | undefined> = new Map([
  ['=', undefined],
  ['+=', '+'],
  ['-=', '-'],
  ['*=', '*'],
  ['/=', '/'],
  ['%=', '%'],
  ['<<=', '<<'],
  ['>>=', '>>'],
  ['&=', '&'],
  ['|=', '|'],
  ['^=', '^'],
]);

// expression = assignment-expression ("," assignment-expression)*
export function parseExpression(parser: Parser): Expression {
  let left = parseAssignmentExpression(parser);
  let count = 0;
  while (parser.is(',') && !parser.panicking) {
    parser.next();
    left = checkComma(parser.checker, left, parseAssignmentExpression(parser));
    count += 1;
    if (count > maximumNesting) parser.giveUp(tooManyOperands);
  }
  return left;
}

const tooManyOperands = `more than ${maximumNesting} operators in a row`;

// assignment-expression = conditional-expression (assignment-operator assignment-expression)?
export function parseAssignmentExpression(parser: Parser): Expression {
  const left = parseConditionalExpression(parser);
  const { token } = parser;
  if (token.kind !== 'punctuator' || !assignmentOperators.has(token.text) || parser.panicking) return left;
  const operator = assignmentOperators.get(token.text);
  parser.next();
  if (!parser.enter(false)) {
    parser.leave(false);
    return errorExpression(token);
  }
  const right = parseAssignmentExpression(parser);
  parser.leave(false);
  parser.assignment = token;
  if (operator === undefined) return checkAssignment(parser.checker, left, right, token);
  return checkCompoundAssignment(parser.checker, operator, left, right, token);
}

// conditional-expression = binary-expression ("?" expression? ":" conditional-expression)?
/** Without the middle operand (GNU) the condition gives the value, and is computed once. */
export function parseConditionalExpression(parser: Parser): Expression {
  const condition = parseBinary(parser, 1);
  if (!parser.is('?') || parser.panicking) return condition;
  const question = parser.next();
  if (!parser.enter(false)) {
    parser.leave(false);
    return errorExpression(question);
  }
  const shared = parser.is(':') ? sharedValue(parser.checker, condition) : undefined;
  const yes = shared ?? parseExpression(parser);
  const notes = [{ message: "to match this '?'", span: question }];
  if (!parser.accept(':')) parser.syntaxError(parser.token, "expected ':'", notes);
  const no = parser.panicking ? errorExpression(question) : parseConditionalExpression(parser);
  parser.leave(false);
  return checkConditional(parser.checker, shared ?? condition, yes, no, question, shared);
}

// binary-expression = cast-expression (operator cast-expression)*     (* by precedence *)
function parseBinary(parser: Parser, least: number): Expression {
  const first = parser.token;
  let left = parseCast(parser);
  let count = 0;
  for (;;) {
    const { token } = parser;
    if (token.kind !== 'punctuator' || parser.panicking) return left;
    const precedence = precedences.get(token.text);
    if (precedence === undefined || precedence < least) return left;
    const before = { value: left, first, last: parser.previous };
    parser.next();
    const second = parser.token;
    const right = parseBinary(parser, precedence + 1);
    warnPrecedence(parser, token, before, { value: right, first: second, last: parser.previous });
    left = checkBinary(parser.checker, token.text as BinaryOperator, left, right, token.span);
    count += 1;
    if (count > maximumNesting) parser.giveUp(tooManyOperands);
  }
}

// cast-expression = "(" type-name ")" (cast-expression | braces | vector-elements) | unary-expression
function parseCast(parser: Parser): Expression {
  skipMarks(parser);
  if (!parser.is('(') || !(startsTypeName(parser, parser.peek()) || isMistypedCast(parser))) {
    return parseUnary(parser);
  }
  const opening = parser.next();
  const type = parseBracketedTypeName(parser, opening);
  if (parser.panicking) return errorExpression(opening);
  if (parser.is('{')) return parsePostfix(parser, parseCompoundLiteral(parser, type, opening));
  if (!parser.enter(false)) {
    parser.leave(false);
    return errorExpression(opening);
  }
  const result =
    parser.is('(') && type?.type.kind === 'vector'
      ? parseVectorOrCast(parser, type, opening)
      : finishCast(parser, type, parseCast(parser), opening);
  parser.leave(false);
  return result;
}

/** `(flaot)x`: a name that means nothing in parentheses, and an operand right behind. */
function isMistypedCast(parser: Parser): boolean {
  const word = parser.peek();
  if (word.kind !== 'identifier' || !isUnknownName(parser, word)) return false;
  const second = parser.peekSecond();
  if (second.is('*')) return parser.peekThird().is(')');
  if (!second.is(')')) return false;
  const operand = parser.peekThird();
  if (operand.kind === 'punctuator') return operand.is('(') && isTypeLike(parser, word.text);
  return operand.kind !== 'end' && parser.keywordOf(operand)?.kind !== 'statement';
}

/** Whether a name means a type elsewhere, so that `(name)(...)` is no call. */
function isTypeLike(parser: Parser, name: string): boolean {
  return Boolean(parser.checker.dialect.foreignWord?.(name)?.as);
}

/** `__extension__` keeps other compilers quiet about what follows; there is nothing to be quiet about here. */
function skipMarks(parser: Parser): void {
  for (let keyword = parser.keyword(); keyword?.kind === 'mark' && keyword.isForExpressions; ) {
    parser.next();
    keyword = parser.keyword();
  }
}

function finishCast(
  parser: Parser,
  type: QualifiedType | undefined,
  operand: Expression,
  opening: Token,
): Expression {
  return type === undefined ? errorExpression(opening) : checkCast(parser.checker, type, operand, opening);
}

function parseBracketedTypeName(parser: Parser, opening: Token): QualifiedType | undefined {
  let type: QualifiedType | undefined;
  if (parser.enter(true)) type = parseTypeName(parser);
  parser.leave(true);
  parser.expect(')', '', opening);
  return type;
}

/**
 * vector-elements = "(" assignment-expression ("," assignment-expression)+ ")"
 *
 * One expression in parentheses is an ordinary operand of a cast, with whatever follows it.
 */
function parseVectorOrCast(parser: Parser, type: QualifiedType, start: Token): Expression {
  const { checker } = parser;
  const opening = parser.token;
  if (startsTypeName(parser, parser.peek())) return finishCast(parser, type, parseCast(parser), start);
  parser.next();
  const elements: Expression[] = [];
  if (parser.enter(true)) {
    do {
      elements.push(parseAssignmentExpression(parser));
    } while (parser.accept(','));
  }
  parser.leave(true);
  parser.expect(')', '', opening);
  const span = joinSpans(start, parser.previous);
  const [first] = elements;
  if (first === undefined || parser.panicking) return errorExpression(span);
  if (elements.length === 1) return finishCast(parser, type, parsePostfix(parser, first), start);
  if (type.type.kind !== 'vector') return errorExpression(span);
  return parsePostfix(parser, checkVectorLiteral(checker, type.type, elements, span));
}

function parseCompoundLiteral(parser: Parser, type: QualifiedType | undefined, opening: Token): Expression {
  const braces = parseBraces(parser);
  const span = joinSpans(opening, parser.previous);
  if (type === undefined || parser.panicking) return errorExpression(span);
  return checkCompoundLiteral(parser.checker, type, braces, span);
}

// unary-expression = ("+" | "-" | "~" | "!" | "*" | "&") cast-expression | ("++" | "--") unary-expression
//                  | query | postfix-expression
function parseUnary(parser: Parser): Expression {
  const { token } = parser;
  const keyword = parser.keyword();
  if (keyword?.kind === 'operator') return parseQuery(parser, keyword.word);
  if (token.kind !== 'punctuator' || !unaryOperators.has(token.text)) {
    return parsePostfix(parser, parsePrimary(parser));
  }
  parser.next();
  if (!parser.enter(false)) {
    parser.leave(false);
    return errorExpression(token);
  }
  const operand = token.text === '++' || token.text === '--' ? parseUnary(parser) : parseCast(parser);
  parser.leave(false);
  const { checker } = parser;
  switch (token.text) {
    case '++':
    case '--':
      return checkIncrement(checker, token.text, operand, true, token);
    case '*':
      return checkDereference(checker, operand, token);
    case '&':
      return checkAddressOf(checker, operand, token);
    case '+':
    case '-':
    case '~':
    case '!':
      return checkUnary(checker, token.text, operand, token);
    default:
      return errorExpression(token);
  }
}

const unaryOperators = new Set(['+', '-', '~', '!', '*', '&', '++', '--']);

// query = ("sizeof" | "alignof" | "vec_step") ("(" type-name ")" | unary-expression)
function parseQuery(parser: Parser, word: 'sizeof' | 'alignof' | 'vec_step'): Expression {
  const { checker } = parser;
  const keyword = parser.next();
  if (!parser.enter(false)) {
    parser.leave(false);
    return errorExpression(keyword);
  }
  checker.unevaluated += 1;
  let result: Expression;
  if (parser.is('(') && startsTypeName(parser, parser.peek())) {
    const opening = parser.next();
    const type = parseBracketedTypeName(parser, opening);
    if (parser.is('{')) {
      const literal = parsePostfix(parser, parseCompoundLiteral(parser, type, opening));
      result = checkExpressionQuery(checker, word, literal, joinSpans(keyword, parser.previous));
    } else {
      const span = joinSpans(keyword, parser.previous);
      result = type === undefined ? errorExpression(span) : checkTypeQuery(checker, word, type, span);
    }
  } else {
    const operand = parseUnary(parser);
    result = checkExpressionQuery(checker, word, operand, joinSpans(keyword, parser.previous));
  }
  checker.unevaluated -= 1;
  parser.leave(false);
  return result;
}

// postfix-expression = primary ("[" expression "]" | "(" arguments ")" | ("." | "->") identifier | "++" | "--")*
function parsePostfix(parser: Parser, primary: Expression): Expression {
  const { checker } = parser;
  let left = primary;
  let count = 0;
  for (;;) {
    const { token } = parser;
    if (token.kind !== 'punctuator' || parser.panicking) return left;
    count += 1;
    if (count > maximumNesting) parser.giveUp(tooManyOperands);
    switch (token.text) {
      case '[': {
        parser.next();
        const index = parser.enter(true) ? parseExpression(parser) : errorExpression(token);
        parser.leave(true);
        const close = parser.expect(']', '', token) ?? token;
        left = checkSubscript(checker, left, index, close);
        break;
      }
      case '(': {
        const parsed = parseArguments(parser);
        left = parser.panicking ? errorExpression(token) : checkCall(checker, left, parsed, parser.previous);
        break;
      }
      case '.':
      case '->': {
        parser.next();
        parser.checker.observer?.member(token, left.type);
        const name = parser.token;
        if (name.kind !== 'identifier') {
          parser.syntaxError(name, 'expected identifier');
          return errorExpression(token);
        }
        parser.next();
        left = checkMember(checker, left, name.text, name, token.text === '->');
        break;
      }
      case '++':
      case '--':
        parser.next();
        left = checkIncrement(checker, token.text, left, false, token);
        break;
      default:
        return left;
    }
  }
}

// arguments = "(" (assignment-expression ("," assignment-expression)*)? ")"
function parseArguments(parser: Parser): Expression[] {
  const opening = parser.next();
  const parsed: Expression[] = [];
  if (parser.enter(true) && !parser.is(')')) {
    do {
      parsed.push(parseAssignmentExpression(parser));
    } while (parser.accept(','));
  }
  parser.leave(true);
  parser.expect(')', '', opening);
  return parsed;
}

// primary = identifier | constant | string+ | "(" expression ")" | "(" compound ")" | block-literal
function parsePrimary(parser: Parser): Expression {
  const { token, checker } = parser;
  switch (token.kind) {
    case 'integer':
      return integerLiteral(checker, parser.next());
    case 'float':
      return floatLiteral(checker, parser.next());
    case 'character':
      if (isUnterminated(token)) return skipUnterminated(parser);
      return characterLiteral(checker, parser.next());
    case 'string':
      if (isUnterminated(token)) return skipUnterminated(parser);
      return parseStrings(parser);
    case 'identifier':
      return parseName(parser);
    case 'punctuator':
      if (token.text === '(') return parseParentheses(parser);
      if (token.text === '^' && checker.dialect.features.blocks) return parseBlockLiteral(parser);
      break;
  }
  if (token.text === '&&' && checker.dialect.features.gnu) {
    parser.syntaxError(token, 'the address of a label cannot be compiled: use a switch');
    return errorExpression(token);
  }
  const remarks = token.text === '^' ? laterVersionNotes(checker, '^', token) : [];
  parser.syntaxError(token, 'expected expression', remarks);
  return errorExpression(token);
}

function parseStrings(parser: Parser): Expression {
  const strings = [parser.next()];
  while (parser.token.kind === 'string') strings.push(parser.next());
  const [first] = strings;
  const span: Span = first ? joinSpans(first, parser.previous) : parser.previous;
  return stringLiteral(parser.checker, strings, span);
}

/** A literal that ends with its line: the lexer has said so, and closed it. */
function isUnterminated({ text, file, start, end }: Token): boolean {
  const first = file.text.charAt(start);
  return (first === '"' || first === "'") && text.length > end - start;
}

/** It has swallowed what the statement ends with, so nothing is said of that. */
function skipUnterminated(parser: Parser): Expression {
  const token = parser.next();
  parser.panicking = true;
  return errorExpression(token);
}

function parseParentheses(parser: Parser): Expression {
  const opening = parser.next();
  if (parser.peek().is(')') && parser.peekSecond().is('(') && isFunctionName(parser)) {
    const name = parser.next();
    parser.next();
    return parseNamedCall(parser, name);
  }
  const inner = parser.enter(true) ? parseParenthesized(parser) : errorExpression(opening);
  parser.leave(true);
  parser.expect(')', '', opening);
  return inner;
}

function parseParenthesized(parser: Parser): Expression {
  return parser.is('{') ? parseStatementExpression(parser) : parseExpression(parser);
}

function parseName(parser: Parser): Expression {
  const { checker, token } = parser;
  const keyword = parser.keyword();
  if (keyword?.kind === 'generic') return parseGeneric(parser);
  if (keyword?.kind === 'specifier' && parser.peek().is('(')) return refuseConstructor(parser, token);
  if (keyword !== undefined) {
    const message = keyword.kind === 'reserved' ? keyword.message : 'expected expression';
    parser.syntaxError(token, message);
    return errorExpression(token);
  }
  const isCalled = parser.peek().is('(');
  if (isCalled) {
    if (token.text === '__builtin_astype') return parseReinterpretation(parser);
    if (token.text === '__builtin_offsetof') return parseOffset(parser);
    const special = parseGnuForm(parser);
    if (special) return special;
  }
  const binding = checker.scopes.lookup(token.text);
  if (binding?.kind === 'typedef') {
    if (isCalled && binding.type.type.kind === 'vector') return refuseConstructor(parser, token);
    if (isCalled) parser.next();
    parser.syntaxError(token, `unexpected type name '${token.text}': expected expression`);
    return errorExpression(token);
  }
  parser.next();
  if (binding === undefined && !checker.dialect.builtins.isBuiltinName(token.text)) {
    const isTemplate = checker.hasLostDeclarations && parser.is('<') && startsTypeName(parser, parser.peek());
    if (isTemplate || correctValue(parser, token)) return skipForeign(parser, token);
  }
  const isFunction = binding?.kind !== 'variable' && binding?.kind !== 'enumerator';
  if (isCalled && isFunction) return parseNamedCall(parser, token);
  return checkName(checker, binding, token.text, token.span);
}

/** `float4(1, 2, 3, 4)` and `float(x)` of C++ and shading languages. */
function refuseConstructor(parser: Parser, type: Token): Expression {
  const { text } = parser.next();
  const message = `unexpected type name '${text}': expected expression; did you mean '(${text})(...)'?`;
  parser.checker.error(type, message);
  parseArguments(parser);
  return errorExpression(type);
}

/** What belongs to a name of another language: `<T>`, members of namespaces and arguments. */
function skipForeign(parser: Parser, name: Token): Expression {
  while (parser.is(':') && parser.peek().is(':')) {
    parser.next();
    parser.next();
    parser.next();
  }
  if (parser.is('<') && startsTypeName(parser, parser.peek())) {
    while (!parser.atEnd && !parser.is('>') && !parser.is(';')) parser.next();
    parser.accept('>');
  }
  if (parser.is('(')) parseArguments(parser);
  return errorExpression(name);
}

/** A function of the program or of the dialect: in parentheses it may be called all the same. */
function isFunctionName(parser: Parser): boolean {
  if (!parser.isIdentifier()) return false;
  const { scopes, dialect } = parser.checker;
  const binding = scopes.lookup(parser.token.text);
  if (binding !== undefined) return binding.kind === 'functions';
  return dialect.builtins.isBuiltinName(parser.token.text);
}

// the arguments after the name of a function
function parseNamedCall(parser: Parser, name: Token): Expression {
  const parsed = parseArguments(parser);
  if (parser.panicking) return errorExpression(name);
  return checkNamedCall(parser.checker, name.text, name, parsed, parser.previous);
}

// reinterpretation = "__builtin_astype" "(" assignment-expression "," type-name ")"     (* clang's *)
function parseReinterpretation(parser: Parser): Expression {
  const word = parser.next();
  const opening = parser.next();
  let operand: Expression = errorExpression(word);
  let type: QualifiedType | undefined;
  if (parser.enter(true)) {
    operand = parseAssignmentExpression(parser);
    if (parser.expect(',')) type = parseTypeName(parser);
  }
  parser.leave(true);
  parser.expect(')', '', opening);
  const span = joinSpans(word, parser.previous);
  if (type === undefined || parser.panicking) return errorExpression(span);
  return checkReinterpret(parser.checker, type, operand, span);
}
