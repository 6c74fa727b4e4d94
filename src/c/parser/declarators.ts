/** Declarators, parameters and type names (C99, 6.7.5 and 6.7.6). */
import { joinSpans, type Span } from '../../source/span.ts';
import type { Attribute, Expression } from '../ast.ts';
import {
  adjustParameter,
  applyDeclarator,
  type Declarator,
  type DeclaratorPart,
  type FunctionPart,
  type ParsedParameter,
  parameterVariable,
  type Qualifiers,
} from '../check/declarators.ts';
import { laterVersionNotes } from '../check/names.ts';
import { arithmeticTypes, type QualifiedType, unqualified } from '../types.ts';
import { parseAssemblerName } from './assembly.ts';
import { joinAttributes, parseAttributes } from './attributes.ts';
import { beginsOther, sayForeign } from './corrections.ts';
import { parseAssignmentExpression } from './expressions.ts';
import type { Parser } from './parser.ts';
import { parseSpecifiers, startsDeclaration, startsTypeName } from './specifiers.ts';

const maximumParts = 256;

/** Whether a name must, may or must not stand in a declarator. */
export type NameRule = 'named' | 'optional' | 'unnamed';

// declarator = ("*" | "^")* (identifier | "(" declarator ")") suffix* attributes
export function parseDeclarator(parser: Parser, rule: NameRule): Declarator {
  const parts: DeclaratorPart[] = [];
  const attributes: Attribute[] = [];
  const { name, nameSpan } = parseInto(parser, rule, parts, attributes);
  if (parser.keyword()?.kind === 'assembly') attributes.push(...parseAssemblerName(parser));
  if (parser.keyword()?.kind === 'attribute') attributes.push(...parseAttributes(parser));
  return { name, nameSpan, parts, attributes, isWrong: parser.panicking };
}

interface Name {
  readonly name: string | undefined;
  readonly nameSpan: Span;
}

function parseInto(parser: Parser, rule: NameRule, parts: DeclaratorPart[], attributes: Attribute[]): Name {
  if (parser.keyword()?.kind === 'attribute') attributes.push(...parseAttributes(parser));
  while (parser.is('*') || (parser.is('^') && parser.checker.dialect.features.blocks)) {
    const mark = parser.next();
    const kind = mark.text === '*' ? 'pointer' : 'block';
    parts.push({ kind, qualifiers: parseQualifiers(parser, attributes), span: mark });
    if (parts.length > maximumParts) parser.giveUp(`nesting level exceeded maximum of ${maximumParts}`);
  }
  let name: Name = { name: undefined, nameSpan: parser.token };
  const inner: DeclaratorPart[] = [];
  if (parser.is('^')) {
    parser.syntaxError(
      parser.token,
      'blocks support disabled',
      laterVersionNotes(parser.checker, '^', parser.token),
    );
  } else if (parser.isIdentifier() && rule !== 'unnamed') {
    const token = parser.next();
    name = { name: token.text, nameSpan: token };
  } else if (parser.is('(') && opensDeclarator(parser, rule)) {
    const opening = parser.next();
    if (parser.enter(true)) name = parseInto(parser, rule, inner, attributes);
    parser.leave(true);
    parser.expect(')', '', opening);
  } else if (rule === 'named') {
    parser.syntaxError(parser.token, "expected identifier or '('");
    return name;
  }
  const suffixes: DeclaratorPart[] = [];
  while ((parser.is('[') || parser.is('(')) && !parser.panicking) {
    if (skipDoubleBrackets(parser)) continue;
    suffixes.push(parser.is('[') ? parseArraySuffix(parser) : parseFunctionSuffix(parser));
    if (suffixes.length > maximumParts) parser.giveUp(`nesting level exceeded maximum of ${maximumParts}`);
  }
  suffixes.reverse();
  for (const part of suffixes) parts.push(part);
  for (const part of inner) parts.push(part);
  return name;
}

/** Tells `(*f)(int)` from the parameter list of a function without a name. */
function opensDeclarator(parser: Parser, rule: NameRule): boolean {
  const following = parser.peek();
  if (rule === 'named') return true;
  if (following.is('^')) return true;
  if (following.is('*') || following.is('(') || following.is('['))
    return !following.is('[') || rule !== 'unnamed';
  if (parser.keywordOf(following)?.kind === 'attribute') return true;
  return rule === 'optional' && parser.isIdentifier(following) && !startsTypeName(parser, following);
}

// qualifiers = ("const" | "volatile" | "restrict" | space | attributes)*
function parseQualifiers(parser: Parser, attributes: Attribute[]): Qualifiers {
  const qualifiers: Qualifiers = { isConst: false, isVolatile: false, isRestrict: false, space: undefined };
  for (;;) {
    const keyword = parser.keyword();
    if (keyword?.kind === 'qualifier') {
      parser.next();
      if (keyword.qualifier === 'const') qualifiers.isConst = true;
      else if (keyword.qualifier === 'volatile') qualifiers.isVolatile = true;
      else if (keyword.qualifier === 'atomic') qualifiers.isAtomic = true;
      else qualifiers.isRestrict = true;
    } else if (keyword?.kind === 'space') {
      const token = parser.next();
      if (qualifiers.space !== undefined && qualifiers.space !== keyword.space) {
        parser.checker.error(token, 'multiple address spaces specified for type');
      }
      qualifiers.space = keyword.space;
    } else if (keyword?.kind === 'attribute') {
      const position = parser.position;
      attributes.push(...parseAttributes(parser));
      if (parser.position === position) return qualifiers;
    } else return qualifiers;
  }
}

// array-suffix = "[" ("static" | qualifiers)* (assignment-expression | "*")? "]"
function parseArraySuffix(parser: Parser): DeclaratorPart {
  const opening = parser.next();
  parseQualifiers(parser, []);
  const keyword = parser.keyword();
  if (keyword?.kind === 'storage' && keyword.storage === 'static') parser.next();
  parseQualifiers(parser, []);
  let size: Expression | undefined;
  if (parser.is('*') && parser.peek().is(']')) parser.next();
  else if (!parser.is(']')) {
    if (parser.enter(true)) size = parseAssignmentExpression(parser);
    parser.leave(true);
  }
  parser.expect(']', '', opening);
  return { kind: 'array', size, span: joinSpans(opening, parser.previous) };
}

// function-suffix = "(" ("void" | parameter ("," parameter)* ("," "...")?)? ")"
export function parseFunctionSuffix(parser: Parser): FunctionPart {
  const { checker } = parser;
  const opening = parser.next();
  const parameters: ParsedParameter[] = [];
  let variadic = false;
  const isEmpty = parser.is(')');
  const word = parser.keyword();
  const isVoid = word?.kind === 'specifier' && word.word === 'void' && parser.peek().is(')');
  if (isVoid) parser.next();
  else if (!isEmpty && isOldStyle(parser)) skipOldStyle(parser);
  else if (!isEmpty) {
    checker.scopes.push();
    if (parser.enter(true)) {
      do {
        const ellipsis = parser.accept('...');
        if (ellipsis) {
          variadic = true;
          if (parameters.length === 0) {
            parser.syntaxError(ellipsis, "ISO C requires a named parameter before '...'");
          }
          break;
        }
        const parameter = parseParameter(parser);
        if (parameter === undefined) break;
        parameters.push(parameter);
        if (
          parameter.name !== '' &&
          !parameter.isWrong &&
          checker.scopes.lookupHere(parameter.name) === undefined
        ) {
          checker.scopes.declare(parameterVariable(checker, parameter));
        }
      } while (parser.accept(','));
    }
    parser.leave(true);
    checker.scopes.pop();
  }
  parser.expect(')', '', opening);
  const unprototyped = isEmpty && checker.dialect.features.unprototyped;
  return { kind: 'function', parameters, variadic, unprototyped, span: joinSpans(opening, parser.previous) };
}

/** `f(a, b)`: names without types, as before 1989. */
function isOldStyle(parser: Parser): boolean {
  const { token } = parser;
  if (!parser.isIdentifier(token) || startsDeclaration(parser, token)) return false;
  const following = parser.peek();
  return following.is(',') || following.is(')');
}

function skipOldStyle(parser: Parser): void {
  const { token, checker } = parser;
  while (!parser.is(')') && !parser.atEnd) parser.next();
  // A single unknown name is rather a mistyped type than an old style definition.
  if (checker.scopes.lookup(token.text) === undefined && parser.previous === token) {
    parser.syntaxError(token, `unknown type name '${token.text}'`);
    return;
  }
  parser.syntaxError(token, 'function definitions with identifier lists (K&R style) are not supported');
}

// parameter = specifiers declarator?
function parseParameter(parser: Parser): ParsedParameter | undefined {
  const { checker } = parser;
  const start = parser.token;
  const isKnown =
    startsDeclaration(parser, start) ||
    parser.keywordOf(start)?.kind === 'attribute' ||
    parser.keywordOf(start)?.kind === 'reserved';
  if (!isKnown && !parser.isIdentifier()) {
    parser.syntaxError(start, 'expected parameter declarator');
    return undefined;
  }
  if (
    !isKnown &&
    checker.scopes.lookup(start.text)?.kind !== 'typedef' &&
    checker.dialect.foreignWord?.(start.text)?.as === undefined
  ) {
    const following = parser.peek();
    if (following.is(',') || following.is(')')) {
      parser.syntaxError(start, `unknown type name '${start.text}'`);
      return undefined;
    }
  }
  if (beginsOther(parser)) {
    skipParameter(parser);
    return wrongParameter('', start);
  }
  const specifiers = parseSpecifiers(parser);
  if ((specifiers.storage !== 'none' && specifiers.storage !== 'register') || specifiers.isThreadLocal) {
    checker.error(specifiers.storageSpan, 'invalid storage class specifier in function declarator');
  }
  const declarator = parseDeclarator(parser, 'optional');
  skipSemantic(parser);
  const name = declarator.name ?? '';
  const span = declarator.name === undefined ? joinSpans(start, parser.previous) : declarator.nameSpan;
  if (specifiers.isWrong || declarator.isWrong) return wrongParameter(name, span);
  const applied = applyDeclarator(checker, specifiers.type, declarator);
  const adjusted = applied && adjustParameter(checker, applied, span);
  if (adjusted === undefined) return wrongParameter(name, span);
  if (adjusted.type.kind === 'void') {
    checker.error(
      span,
      name === ''
        ? "'void' must be the first and only parameter if specified"
        : "argument may not have 'void' type",
    );
    return wrongParameter(name, span);
  }
  const parameter = {
    name,
    type: adjusted,
    writtenSpace: adjusted.space,
    access: specifiers.access,
    attributes: joinAttributes(specifiers.attributes, declarator.attributes),
    span,
    isWrong: false,
  };
  const isFine =
    checker.dialect.rules.parameter(parameter, checker) &&
    checker.dialect.rules.storageOnly(adjusted.type, 'parameter', span, checker);
  parameter.isWrong = !isFine;
  return parameter;
}

function skipParameter(parser: Parser): void {
  while (!parser.atEnd && !parser.is(',') && !parser.is(')') && !parser.is('{')) {
    if (parser.is('(') || parser.is('[')) parser.skipBalanced();
    else parser.next();
  }
}

/** HLSL's `: SV_DispatchThreadID` behind a parameter. */
function skipSemantic(parser: Parser): void {
  const word = parser.peek();
  if (!parser.is(':') || word.kind !== 'identifier') return;
  const foreign = parser.checker.dialect.foreignWord?.(word.text);
  if (foreign === undefined) return;
  parser.next();
  sayForeign(parser, word.text, parser.next(), foreign);
}

/** Metal's `[[thread_position_in_grid]]`. */
function skipDoubleBrackets(parser: Parser): boolean {
  if (!parser.is('[') || !parser.peek().is('[')) return false;
  const word = parser.peekSecond();
  const foreign = parser.checker.dialect.foreignWord?.(word.text);
  if (foreign === undefined || foreign.beginsOther)
    parser.checker.error(parser.token, "attributes in '[[' and ']]' are C++");
  else sayForeign(parser, word.text, word, foreign);
  parser.skipBalanced();
  return true;
}

function wrongParameter(name: string, span: Span): ParsedParameter {
  return {
    name,
    type: unqualified(arithmeticTypes.int),
    writtenSpace: undefined,
    access: undefined,
    attributes: [],
    span,
    isWrong: true,
  };
}

// type-name = specifiers abstract-declarator?
/** Undefined if it is wrong, which has been reported. */
export function parseTypeName(parser: Parser): QualifiedType | undefined {
  const specifiers = parseSpecifiers(parser, true);
  const declarator = parseDeclarator(parser, 'unnamed');
  if (specifiers.isWrong || declarator.isWrong) return undefined;
  return applyDeclarator(parser.checker, specifiers.type, declarator);
}
