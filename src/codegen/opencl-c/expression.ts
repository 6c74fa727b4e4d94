/** Expressions of C as text, with what is needed to put parentheses only where they must be. */
import { elementOf, type Type } from '../../ir/types.ts';
import { typeText } from './c-types.ts';

/** How tightly an operator binds; more is tighter. */
export const precedence = {
  primary: 15,
  unary: 14,
  multiply: 13,
  add: 12,
  shift: 11,
  relation: 10,
  equality: 9,
  and: 8,
  xor: 7,
  or: 6,
  both: 5,
  either: 4,
  conditional: 3,
} as const;

export interface Expression {
  readonly text: string;
  readonly precedence: number;
  /** For integers: C reads it as signed. */
  readonly signed: boolean;
}

export function primary(text: string, signed = false): Expression {
  return { text, precedence: precedence.primary, signed };
}

export function unary(text: string, signed = false): Expression {
  return { text, precedence: precedence.unary, signed };
}

/** The text, in parentheses if it binds less tightly than `least`. */
export function within(expression: Expression, least: number): string {
  return expression.precedence >= least ? expression.text : `(${expression.text})`;
}

/** Operators next to which compilers and people want parentheses although C needs none. */
const confusing = new Set(['<<', '>>', '&', '^', '|', '&&', '||']);

/** `a op b`, grouped to the left. */
export function binary(
  operator: string,
  level: number,
  a: Expression,
  b: Expression,
  signed = false,
): Expression {
  const careful = confusing.has(operator);
  const logical = operator === '&&' || operator === '||';
  const loose = logical ? precedence.equality : precedence.unary;
  const left = careful && a.precedence !== level ? loose : level;
  const right = careful ? loose : level + 1;
  const shift = operator === '<<' || operator === '>>';
  const text = `${within(a, shift ? precedence.unary : left)} ${operator} ${within(b, right)}`;
  return { text, precedence: level, signed };
}

export function call(name: string, args: readonly Expression[], signed = false): Expression {
  return primary(`${name}(${args.map((argument) => argument.text).join(', ')})`, signed);
}

/** `(type)x`. */
export function cast(typeName: string, x: Expression, signed = false): Expression {
  return unary(`(${typeName})${within(x, precedence.unary)}`, signed);
}

/** The same bits read as signed or unsigned integers; x itself where it is so, or is no integer. */
export function withSign(x: Expression, type: Type, signed: boolean): Expression {
  if (elementOf(type).kind !== 'int' || x.signed === signed) return x;
  const name = typeText(type, signed);
  return type.kind === 'vector' ? call(`as_${name}`, [x], signed) : cast(name, x, signed);
}
