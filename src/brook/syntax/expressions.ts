/** Expressions in kernels: those of C, and constructors of vectors. */
import type { Span } from '../../source/span.ts';
import { valueTypeNamed } from '../types.ts';
import type { Expression, Unary } from './ast.ts';
import type { Reader } from './reader.ts';
import { readType, startsType } from './type-names.ts';

const precedence: Readonly<Record<string, number>> = {
  '||': 1,
  '&&': 2,
  '|': 3,
  '^': 4,
  '&': 5,
  '==': 6,
  '!=': 6,
  '<': 7,
  '>': 7,
  '<=': 7,
  '>=': 7,
  '<<': 8,
  '>>': 8,
  '+': 9,
  '-': 9,
  '*': 10,
  '/': 10,
  '%': 10,
};

const assignments = new Set(['=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>=']);
const prefixes = new Set(['+', '-', '!', '~', '++', '--', '*', '&']);

// expression = assignment (',' assignment)*
/** A whole expression, commas included. */
export function parseExpression(reader: Reader): Expression {
  let left = parseAssignment(reader);
  while (reader.at(',')) {
    reader.next();
    const right = parseAssignment(reader);
    left = { kind: 'binary', operator: ',', left, right, span: reader.spanFrom(left.span) };
  }
  return left;
}

// assignment = conditional (('=' | '+=' | ...) assignment)?
export function parseAssignment(reader: Reader): Expression {
  return reader.nested(() => {
    const target = parseConditional(reader);
    const operator = reader.token.text;
    if (reader.token.kind !== 'punctuator' || !assignments.has(operator)) return target;
    reader.next();
    const value = parseAssignment(reader);
    return { kind: 'assignment', operator, target, value, span: reader.spanFrom(target.span) };
  });
}

// conditional = binary ('?' expression ':' conditional)?
function parseConditional(reader: Reader): Expression {
  const condition = parseBinary(reader, 1);
  if (!reader.accept('?')) return condition;
  return reader.nested(() => {
    const yes = parseExpression(reader);
    reader.expect(':');
    const no = parseConditional(reader);
    return { kind: 'conditional', condition, yes, no, span: reader.spanFrom(condition.span) };
  });
}

// binary = unary (operator unary)*, by precedence
function parseBinary(reader: Reader, lowest: number): Expression {
  let left = parseUnary(reader);
  for (;;) {
    const operator = reader.token.text;
    const own = reader.token.kind === 'punctuator' ? (precedence[operator] ?? 0) : 0;
    if (own < lowest) return left;
    reader.next();
    const right = reader.nested(() => parseBinary(reader, own + 1));
    left = { kind: 'binary', operator, left, right, span: reader.spanFrom(left.span) };
  }
}

// unary = prefix unary | 'sizeof' ... | '(' type ')' unary | postfix
function parseUnary(reader: Reader): Expression {
  return reader.nested(() => {
    const { token } = reader;
    const start = token.span;
    if (token.kind === 'punctuator' && prefixes.has(token.text)) {
      reader.next();
      const operand = parseUnary(reader);
      const operator = token.text as Unary['operator'];
      return { kind: 'unary', operator, operand, isPostfix: false, span: reader.spanFrom(start) };
    }
    if (reader.at('sizeof')) {
      reader.next();
      if (reader.at('(')) reader.position = reader.behindBracket();
      else parseUnary(reader);
      return { kind: 'sizeof', span: reader.spanFrom(start) };
    }
    if (reader.at('(') && startsType(reader, 1)) {
      reader.next();
      const specifier = readType(reader);
      if (!specifier) throw reader.failure('expected a type');
      const isPointer = reader.at('*');
      while (reader.accept('*'));
      reader.expect(')');
      const operand = parseUnary(reader);
      return { kind: 'cast', type: specifier.type, isPointer, operand, span: reader.spanFrom(start) };
    }
    return parsePostfix(reader);
  });
}

// postfix = primary ('[' expression ']' | '.' name | '->' name | '(' arguments ')' | '++' | '--')*
function parsePostfix(reader: Reader): Expression {
  let expression = parsePrimary(reader);
  for (;;) {
    const start: Span = expression.span;
    if (reader.accept('[')) {
      const index = parseExpression(reader);
      reader.expect(']');
      expression = { kind: 'index', object: expression, index, span: reader.spanFrom(start) };
    } else if (reader.at('.') || reader.at('->')) {
      const isArrow = reader.next().text === '->';
      const name = reader.identifier('the name of a component').text;
      expression = { kind: 'member', object: expression, name, isArrow, span: reader.spanFrom(start) };
    } else if (reader.at('(')) {
      const args = parseArguments(reader);
      expression = { kind: 'call', callee: expression, args, span: reader.spanFrom(start) };
    } else if (reader.at('++') || reader.at('--')) {
      const operator = reader.next().text as Unary['operator'];
      expression = {
        kind: 'unary',
        operator,
        operand: expression,
        isPostfix: true,
        span: reader.spanFrom(start),
      };
    } else return expression;
  }
}

function parseArguments(reader: Reader): Expression[] {
  const args: Expression[] = [];
  reader.expect('(');
  if (reader.accept(')')) return args;
  do args.push(parseAssignment(reader));
  while (reader.accept(','));
  reader.expect(')');
  return args;
}

// primary = number | string | name | type '(' arguments ')' | '(' expression ')'
function parsePrimary(reader: Reader): Expression {
  const { token } = reader;
  const { span, text } = token;
  switch (token.kind) {
    case 'integer':
    case 'float':
      reader.next();
      return { kind: 'number', text, isFloating: token.kind === 'float', span };
    case 'character':
    case 'string':
      reader.next();
      return { kind: 'string', span };
    case 'identifier': {
      const type = valueTypeNamed(text);
      if (type && reader.at('(', 1)) {
        reader.next();
        const args = parseArguments(reader);
        return { kind: 'constructor', type, args, span: reader.spanFrom(span) };
      }
      reader.next();
      if (text === 'indexof' && reader.token.kind === 'identifier') {
        // Older programs leave out the brackets.
        const { text: name, span: at } = reader.next();
        const args: Expression[] = [{ kind: 'name', name, span: at }];
        return {
          kind: 'call',
          callee: { kind: 'name', name: text, span },
          args,
          span: reader.spanFrom(span),
        };
      }
      return { kind: 'name', name: text, span };
    }
    default: {
      if (!reader.accept('(')) throw reader.failure('expected an expression');
      const inner = parseExpression(reader);
      reader.expect(')');
      return inner;
    }
  }
}
