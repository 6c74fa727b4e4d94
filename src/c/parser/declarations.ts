/** Declarations, in functions and at program scope, and function definitions (C99, 6.7 and 6.9). */
import { joinSpans } from '../../source/span.ts';
import type { Attribute, VariableDeclaration } from '../ast.ts';
import { checkAttributes } from '../check/attributes.ts';
import { isError } from '../check/checker.ts';
import { toValue } from '../check/conversions.ts';
import { declareTypedef, declareVariable, initializeVariable, poison } from '../check/declarations.ts';
import { applyDeclarator, type Declarator, type DeclaratorPart } from '../check/declarators.ts';
import { beginBody, declareFunction, endBody } from '../check/functions.ts';
import { valueType } from '../type-facts.ts';
import type { QualifiedType } from '../types.ts';
import { parseAssembly } from './assembly.ts';
import { joinAttributes } from './attributes.ts';
import { noteCleanup } from './cleanups.ts';
import { beginsOther, sayForeign, skipOther } from './corrections.ts';
import { parseDeclarator } from './declarators.ts';
import { parseStaticAssertion } from './extensions.ts';
import { parseInitializer } from './initializers.ts';
import type { Parser } from './parser.ts';
import { type ParsedSpecifiers, parseSpecifiers, startsDeclaration } from './specifiers.ts';
import { parseCompound } from './statements.ts';

// declaration = specifiers (init-declarator ("," init-declarator)*)? ";"
/** A declaration in a function, whose first attributes have been read; the result is its variables. */
export function parseLocalDeclaration(
  parser: Parser,
  attributes: readonly Attribute[],
): readonly VariableDeclaration[] {
  const variables: VariableDeclaration[] = [];
  if (parser.keyword()?.kind === 'static-assert') {
    parseStaticAssertion(parser);
    return variables;
  }
  const words = parseSpecifiers(parser);
  const specifiers = { ...words, attributes: joinAttributes(attributes, words.attributes) };
  if (!parser.panicking && !declaresNothing(parser, specifiers)) {
    parseInitDeclarators(parser, specifiers, variables);
  }
  return variables;
}

/** `struct s {...};` stands alone, and `int;` is useless. */
function declaresNothing(parser: Parser, specifiers: ParsedSpecifiers): boolean {
  if (!parser.is(';')) return false;
  parser.next();
  const { checker } = parser;
  if (specifiers.isWrong) return true;
  if (!specifiers.hasTag) {
    checker.warning(specifiers.span, 'missing-declarations', 'declaration does not declare anything');
    return true;
  }
  const { type } = specifiers.type;
  if (type.kind === 'record' || type.kind === 'enum') {
    if (checker.scopes.isProgram) checker.declarations.push({ kind: 'tag', type, span: specifiers.span });
  }
  return true;
}

// init-declarator = declarator ("=" initializer)?
function parseInitDeclarators(
  parser: Parser,
  specifiers: ParsedSpecifiers,
  variables: VariableDeclaration[],
  firstDeclarator?: Declarator,
): void {
  let declarator = firstDeclarator ?? parseDeclarator(parser, 'named');
  for (;;) {
    if (declarator.name === undefined || declarator.isWrong) {
      poison(parser.checker, declarator.name, declarator.nameSpan);
      break;
    }
    parseInitDeclarator(parser, specifiers, declarator, declarator.name, variables);
    if (parser.panicking || !parser.accept(',')) break;
    declarator = parseDeclarator(parser, 'named');
  }
  if (!parser.panicking) endDeclaration(parser);
}

function endDeclaration(parser: Parser): void {
  if (parser.accept(';')) return;
  const where = parser.checker.scopes.isProgram ? 'after top level declarator' : 'at end of declaration';
  parser.expect(';', where);
}

function parseInitDeclarator(
  parser: Parser,
  specifiers: ParsedSpecifiers,
  declarator: Declarator,
  name: string,
  variables: VariableDeclaration[],
): void {
  const { checker } = parser;
  const { nameSpan } = declarator;
  const attributes = attributesOf(specifiers, declarator);
  if (specifiers.isInferred) {
    parseInferred(parser, specifiers, declarator, name, attributes, variables);
    return;
  }
  const last = declarator.parts[declarator.parts.length - 1];
  // What another language's word makes of a variable is not known here.
  const isWrong = specifiers.isWrong || (specifiers.isForeign && last?.kind !== 'function');
  const type = isWrong ? undefined : applyDeclarator(checker, specifiers.type, declarator);
  const isFunction = type?.type.kind === 'function';
  if (specifiers.isThreadLocal && (isFunction || specifiers.storage === 'typedef'))
    checker.error(nameSpan, "'_Thread_local' is only allowed on variable declarations");
  if (type !== undefined && specifiers.storage === 'typedef') {
    const typedef = declareTypedef(checker, name, nameSpan, type, attributes);
    if (typedef !== undefined && checker.scopes.isProgram) checker.declarations.push(typedef);
    if (parser.is('=')) {
      parser.syntaxError(parser.token, 'illegal initializer (only variables can be initialized)');
    }
    return;
  }
  if (type !== undefined && isFunction) {
    declareFunction(checker, name, nameSpan, type, specifiers, parametersOf(declarator), attributes, false);
    if (parser.is('{') && checker.function !== undefined) {
      parser.syntaxError(
        parser.token,
        `function '${name}' is defined in another function: nested functions cannot be compiled`,
      );
      parser.skipBalanced();
    }
    if (parser.is('=')) {
      parser.syntaxError(parser.token, 'illegal initializer (only variables can be initialized)');
    }
    return;
  }
  const hasInitializer = parser.is('=');
  const variable =
    type && declareVariable(checker, name, nameSpan, type, specifiers, attributes, hasInitializer);
  if (variable === undefined) poison(checker, name, nameSpan);
  if (parser.accept('=')) {
    const initializer = parseInitializer(parser);
    if (variable !== undefined && !parser.panicking) initializeVariable(checker, variable, initializer);
    else if (variable !== undefined) checker.scopes.declare({ kind: 'poisoned', name, span: nameSpan });
  }
  if (variable === undefined) return;
  variables.push(variable);
  noteCleanup(parser, variable, attributes);
}

/** `__auto_type name = value;` (GNU): a variable with the type of its value. */
function parseInferred(
  parser: Parser,
  specifiers: ParsedSpecifiers,
  { nameSpan, parts }: Declarator,
  name: string,
  attributes: readonly Attribute[],
  variables: VariableDeclaration[],
): void {
  const { checker } = parser;
  const fail = (message: string): void => {
    checker.error(nameSpan, message);
    poison(checker, name, nameSpan);
  };
  if (parts.length > 0) fail("'__auto_type' takes the plain name of a variable");
  else if (!parser.is('='))
    fail(`declaration of variable '${name}' with '__auto_type' requires an initializer`);
  if (!parser.accept('=')) return;
  const initializer = parseInitializer(parser);
  if (parser.panicking || parts.length > 0) return;
  if (initializer.kind === 'braces') {
    fail("cannot use '__auto_type' with an initializer list");
    return;
  }
  const value = toValue(checker, initializer);
  if (isError(value)) {
    poison(checker, name, nameSpan);
    return;
  }
  const { isConst, isVolatile } = specifiers.type;
  const type = { ...valueType(value.type), isConst, isVolatile };
  const variable = declareVariable(checker, name, nameSpan, type, specifiers, attributes, true);
  if (variable === undefined) {
    poison(checker, name, nameSpan);
    return;
  }
  initializeVariable(checker, variable, value);
  variables.push(variable);
  noteCleanup(parser, variable, attributes);
}

function attributesOf(specifiers: ParsedSpecifiers, declarator: Declarator): readonly Attribute[] {
  return joinAttributes(specifiers.attributes, declarator.attributes);
}

/** The parameters of a function declarator: those of the part applied last. */
function parametersOf(declarator: Declarator): Extract<DeclaratorPart, { kind: 'function' }>['parameters'] {
  const last = declarator.parts[declarator.parts.length - 1];
  return last?.kind === 'function' ? last.parameters : [];
}

// external-declaration = specifiers declarator compound | declaration | ";"
export function parseExternalDeclaration(parser: Parser): void {
  const { checker, token } = parser;
  if (parser.accept(';')) return;
  parser.unroll = undefined;
  if (parser.keyword()?.kind === 'static-assert') {
    parseStaticAssertion(parser);
    return;
  }
  if (parser.keyword()?.kind === 'assembly') {
    parseAssembly(parser);
    return;
  }
  if (parser.keyword()?.kind === 'storage' && parser.peek().kind === 'string') {
    parseLinkage(parser);
    return;
  }
  if (parser.is('}') && parser.linkages > 0) {
    parser.linkages -= 1;
    parser.next();
    return;
  }
  if (parser.is('[') && correctBracketed(parser)) return;
  if (parser.is('}')) {
    parser.syntaxError(token, "extraneous closing brace ('}')");
    parser.next();
    parser.panicking = false;
    return;
  }
  const canStart =
    startsDeclaration(parser, token) ||
    parser.isIdentifier() ||
    parser.is('*') ||
    parser.is('(') ||
    parser.keyword()?.kind === 'attribute' ||
    parser.keyword()?.kind === 'reserved';
  if (!canStart) {
    parser.syntaxError(token, "expected identifier or '('");
    if (parser.is('{')) {
      parser.skipBalanced();
      parser.panicking = false;
    } else parser.next();
    return;
  }
  if (beginsOther(parser)) {
    skipOther(parser);
    return;
  }
  if (parser.isIdentifier() && isUnknownAlone(parser)) {
    parser.syntaxError(token, `unknown type name '${token.text}'`);
    parser.next();
    return;
  }
  const specifiers = parseSpecifiers(parser);
  if (parser.panicking) return;
  if (parser.is(';')) {
    if (specifiers.attributes.length > 0 && !specifiers.hasTag)
      checkAttributes(checker, specifiers.attributes, 'type');
    declaresNothing(parser, specifiers);
    return;
  }
  const declarator = parseDeclarator(parser, 'named');
  const last = declarator.parts[declarator.parts.length - 1];
  if (parser.is('{') && last?.kind === 'function' && !declarator.isWrong) {
    parseFunctionDefinition(parser, specifiers, declarator);
    return;
  }
  if (last?.kind === 'function' && !declarator.isWrong && parser.isIdentifier() && !parser.is(';')) {
    parser.syntaxError(parser.token, 'expected function body after function declarator');
  }
  if (last?.kind === 'function' && declarator.isWrong) {
    poison(checker, declarator.name, declarator.nameSpan);
    if (skipBody(parser)) return;
  }
  parseInitDeclarators(parser, specifiers, [], declarator);
}

/**
 * After a mistake in the parameters of a definition: skips its body, with the declarations an old style definition
 * has before it. False if no body comes before the next declaration.
 */
function skipBody(parser: Parser): boolean {
  const isOldStyle = startsDeclaration(parser, parser.token);
  while (!parser.atEnd && !parser.is('{')) {
    if (parser.is('}') || (parser.is(';') && !isOldStyle)) return false;
    if (parser.token.lineStart && startsDeclaration(parser, parser.token) && !isOldStyle) return false;
    parser.next();
  }
  if (parser.atEnd) return false;
  parser.skipBalanced();
  parser.panicking = false;
  return true;
}

/** C++'s `extern "C"`, before a declaration or before several in braces. */
function parseLinkage(parser: Parser): void {
  const start = parser.next();
  const message = `'${start.text} ${parser.token.text}' is C++; names need no word for it here`;
  parser.checker.error(joinSpans(start, parser.next()), message);
  if (parser.accept('{')) parser.linkages += 1;
}

/** HLSL's `[numthreads(8, 8, 1)]`. */
function correctBracketed(parser: Parser): boolean {
  const word = parser.peek();
  const foreign = parser.checker.dialect.foreignWord?.(word.text);
  if (foreign === undefined || word.kind !== 'identifier') return false;
  sayForeign(parser, word.text, word, foreign);
  parser.skipBalanced();
  return true;
}

/** `foo;` or `foo = 3;` at program scope, where nothing but a type can begin. */
function isUnknownAlone(parser: Parser): boolean {
  const binding = parser.checker.scopes.lookup(parser.token.text);
  if (binding?.kind === 'typedef') return false;
  const following = parser.peek();
  return !(
    parser.isIdentifier(following) ||
    following.is('*') ||
    following.is('(') ||
    parser.keywordOf(following) !== undefined ||
    following.is('=') ||
    following.is(';') ||
    following.is('[')
  );
}

// function-definition = specifiers declarator compound
function parseFunctionDefinition(parser: Parser, specifiers: ParsedSpecifiers, declarator: Declarator): void {
  const { checker } = parser;
  const { name, nameSpan } = declarator;
  const type: QualifiedType | undefined = specifiers.isWrong
    ? undefined
    : applyDeclarator(checker, specifiers.type, declarator);
  if (specifiers.storage === 'typedef') {
    checker.error(nameSpan, "function definition declared 'typedef'");
  }
  const attributes = attributesOf(specifiers, declarator);
  const isFine = type !== undefined && name !== undefined && specifiers.storage !== 'typedef';
  const declaration = isFine
    ? declareFunction(checker, name, nameSpan, type, specifiers, parametersOf(declarator), attributes, true)
    : undefined;
  if (declaration === undefined) {
    if (!isFine) poison(checker, name, nameSpan);
    parser.skipBalanced();
    return;
  }
  beginBody(checker, declaration);
  const body = parseCompound(parser, false);
  endBody(checker, declaration, body, parser.previous);
}
