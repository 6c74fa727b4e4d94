/** Reads constants: first as they are written, then, when the type has been read that comes behind, as one of that type. */
import type * as ir from '../ir.ts';
import { elementOf, type Type } from '../types.ts';
import type { Lexer, Token } from './lexer.ts';

/** The value as written; {@link typedConstant} makes it one of the type. */
export function parseConstantValue(lexer: Lexer): ir.Constant['value'] {
  if (lexer.peek.text === '[') return lexer.list('[', ']', () => parseScalar(lexer));
  return parseScalar(lexer);
}

function parseScalar(lexer: Lexer): ir.ScalarConstant {
  const token = lexer.take();
  if (token.text === 'true') return true;
  if (token.text === 'false') return false;
  if (token.text === 'nan') return Number.NaN;
  if (token.text === 'inf') return Number.POSITIVE_INFINITY;
  if (token.kind !== 'number') lexer.fail('expected a constant', token);
  if (token.text === '-inf') return Number.NEGATIVE_INFINITY;
  // Integers are kept whole until the type says how wide they are.
  return /^-?[0-9]+$/.test(token.text) ? BigInt(token.text) : Number(token.text);
}

/** @param token what to blame if there is no result that has a type */
export function typedConstant(lexer: Lexer, constant: ir.Constant, token: Token): ir.Constant {
  const type = constant.results[0]?.type;
  if (type === undefined) return lexer.fail('a constant needs a result', token);
  const element = elementOf(type);
  const convert = (value: ir.ScalarConstant): ir.ScalarConstant => {
    if (typeof value === 'boolean' || is64(element)) return value;
    if (element.kind !== 'float') return Number(value);
    return element.bits === 64 ? Number(value) : Math.fround(Number(value));
  };
  const { value } = constant;
  return { ...constant, value: typeof value === 'object' ? value.map(convert) : convert(value) };
}

/** An integer as a constant of the type has it. */
export function parseInteger(lexer: Lexer, type: Type): number | bigint {
  const { kind, text } = lexer.peek;
  if (kind !== 'number' || !/^-?[0-9]+$/.test(text)) lexer.fail('expected an integer');
  lexer.take();
  return is64(type) ? BigInt(text) : Number(text);
}

function is64(type: Type): boolean {
  return type.kind === 'int' && type.bits === 64;
}
