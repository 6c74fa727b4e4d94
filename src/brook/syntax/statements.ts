/** Statements in kernels, and the declarators of variables and parameters. */
import type { BraceList, Expression, Statement, Variable } from './ast.ts';
import { parseAssignment, parseExpression } from './expressions.ts';
import type { Reader } from './reader.ts';
import { readType, startsType, type TypeSpecifier } from './type-names.ts';

// block = '{' statement* '}'
export function parseBlock(reader: Reader): Statement[] {
  const body: Statement[] = [];
  reader.expect('{');
  while (!reader.accept('}')) {
    if (reader.atEnd) throw reader.failure("expected '}'");
    body.push(parseStatement(reader));
  }
  return body;
}

function parseStatement(reader: Reader): Statement {
  return reader.nested(() => {
    const { token } = reader;
    const start = token.span;
    if (token.kind === 'pragma') {
      reader.next();
      return { kind: 'empty', span: start };
    }
    if (reader.at('{')) {
      const body = parseBlock(reader);
      return { kind: 'block', body, span: reader.spanFrom(start) };
    }
    if (reader.accept(';')) return { kind: 'empty', span: start };
    if (token.kind === 'identifier') {
      const statement = parseKeyword(reader, token.text);
      if (statement) return statement;
      if (startsType(reader) && !reader.at('(', 1)) return parseDeclaration(reader);
    }
    const expression = parseExpression(reader);
    reader.expect(';');
    return { kind: 'expression', expression, span: reader.spanFrom(start) };
  });
}

function parseKeyword(reader: Reader, word: string): Statement | undefined {
  const start = reader.token.span;
  switch (word) {
    case 'if': {
      reader.next();
      const condition = parseCondition(reader);
      const yes = parseStatement(reader);
      const no = reader.accept('else') ? parseStatement(reader) : undefined;
      return { kind: 'if', condition, yes, no, span: reader.spanFrom(start) };
    }
    case 'while': {
      reader.next();
      const condition = parseCondition(reader);
      const body = parseStatement(reader);
      return { kind: 'while', condition, body, span: reader.spanFrom(start) };
    }
    case 'do': {
      reader.next();
      const body = parseStatement(reader);
      reader.expect('while');
      const condition = parseCondition(reader);
      reader.expect(';');
      return { kind: 'do', condition, body, span: reader.spanFrom(start) };
    }
    case 'for':
      return parseFor(reader);
    case 'return': {
      reader.next();
      const value = reader.at(';') ? undefined : parseExpression(reader);
      reader.expect(';');
      return { kind: 'return', value, span: reader.spanFrom(start) };
    }
    case 'break':
    case 'continue':
      reader.next();
      reader.expect(';');
      return { kind: word, span: reader.spanFrom(start) };
    case 'switch':
      reader.next();
      parseCondition(reader);
      if (reader.at('{')) reader.position = reader.behindBracket();
      return { kind: 'switch', span: start };
    case 'goto':
      while (!reader.atEnd && !reader.accept(';')) reader.next();
      return { kind: 'goto', span: start };
    default:
      return undefined;
  }
}

function parseFor(reader: Reader): Statement {
  const start = reader.next().span;
  reader.expect('(');
  let first: Statement | undefined;
  if (startsType(reader) && !reader.at('(', 1)) first = parseDeclaration(reader);
  else if (!reader.accept(';')) {
    const expression = parseExpression(reader);
    reader.expect(';');
    first = { kind: 'expression', expression, span: expression.span };
  }
  const condition = reader.at(';') ? undefined : parseExpression(reader);
  reader.expect(';');
  const step = reader.at(')') ? undefined : parseExpression(reader);
  reader.expect(')');
  const body = parseStatement(reader);
  return { kind: 'for', first, condition, step, body, span: reader.spanFrom(start) };
}

function parseCondition(reader: Reader): Expression {
  reader.expect('(');
  const condition = parseExpression(reader);
  reader.expect(')');
  return condition;
}

// declaration = type declarator ('=' initializer)? (',' ...)* ';'
function parseDeclaration(reader: Reader): Statement {
  const start = reader.token.span;
  const specifier = readType(reader);
  if (!specifier) throw reader.failure('expected a type');
  const variables: Variable[] = [];
  do {
    const declared = parseDeclarator(reader, specifier);
    const initializer = reader.accept('=') ? parseInitializer(reader) : undefined;
    variables.push({ ...declared, initializer, span: reader.spanFrom(declared.span) });
  } while (reader.accept(','));
  reader.expect(';');
  return { kind: 'declaration', variables, span: reader.spanFrom(start) };
}

// declarator = '*'* name ('[' expression? ']')*
/** Reads the name and array sizes behind a type. */
export function parseDeclarator(reader: Reader, specifier: TypeSpecifier): Variable {
  let isPointer = false;
  while (reader.accept('*')) isPointer = true;
  const name = reader.identifier('a name');
  const sizes: (Expression | undefined)[] = [];
  while (reader.accept('[')) {
    sizes.push(reader.at(']') ? undefined : parseExpression(reader));
    reader.expect(']');
  }
  const { qualifiers, type, unknownType } = specifier;
  const span = reader.spanFrom(name.span);
  return { name: name.text, type, unknownType, qualifiers, isPointer, sizes, initializer: undefined, span };
}

function parseInitializer(reader: Reader): Expression {
  if (!reader.at('{')) return parseAssignment(reader);
  return reader.nested(() => {
    const start = reader.next().span;
    const elements: Expression[] = [];
    while (!reader.at('}')) {
      elements.push(parseInitializer(reader));
      if (!reader.accept(',')) break;
    }
    reader.expect('}');
    const list: BraceList = { kind: 'braces', elements, span: reader.spanFrom(start) };
    return list;
  });
}
