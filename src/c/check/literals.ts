/** Constants as they stand in the source, and the types they have (C99, 6.4.4; OpenCL 1.2, 6.1.1 and 6.5.3). */
import type { Span } from '../../source/span.ts';
import type { Expression } from '../ast.ts';
import { wrapInteger } from '../constant-arithmetic.ts';
import type { IntegerLiteral } from '../integer-literal.ts';
import { readCharacter, readFloat, readInteger, readString } from '../literals.ts';
import type { Token } from '../token.ts';
import { arrayOf, withSpace } from '../type-facts.ts';
import { type ArithmeticType, arithmeticTypes, type QualifiedType, unqualified } from '../types.ts';
import { type Checker, errorExpression } from './checker.ts';

/** An integer constant without its place: programs write the same few over and over. */
export interface KnownInteger {
  readonly value: bigint;
  readonly type: QualifiedType;
}

export function integerLiteral(checker: Checker, token: Token): Expression {
  let known = checker.integers.get(token.text);
  if (known === undefined) {
    const { diagnostics } = checker;
    const errors = diagnostics.errorCount;
    const remarks = diagnostics.list.length;
    const literal = readInteger(token, diagnostics);
    if (diagnostics.errorCount > errors) return errorExpression(token);
    const type = integerType(checker, literal);
    known = { value: wrapInteger(literal.value, type), type: unqualified(type) };
    // What there is to say of one is said wherever it stands.
    if (diagnostics.list.length === remarks) checker.integers.set(token.text, known);
  }
  return { kind: 'integer-literal', value: known.value, type: known.type, span: token.span };
}

function integerType(checker: Checker, literal: IntegerLiteral): ArithmeticType {
  const { longType, longLongType } = checker.dialect;
  const { int, uint, long, ulong } = arithmeticTypes;
  const isShort = !literal.long && !literal.longLong;
  if (isShort && literal.value <= 0x7fff_ffffn) return literal.unsigned ? uint : int;
  // The candidates of C99, 6.4.4.1 5, smallest first.
  const wide = longLongType ?? longType;
  const signed = literal.longLong ? [wide] : literal.long ? [longType, wide] : [int, longType, wide];
  const fits = signed.find((type) => {
    const maximum = (1n << BigInt(type.size * 8 - 1)) - 1n;
    const unsignedMaximum = maximum * 2n + 1n;
    if (literal.unsigned) return literal.value <= unsignedMaximum;
    return literal.value <= maximum || (!literal.decimal && literal.value <= unsignedMaximum);
  });
  let type: ArithmeticType = fits ?? long;
  const isUnsigned = literal.unsigned || literal.value > (1n << BigInt(type.size * 8 - 1)) - 1n;
  if (isUnsigned) type = type.size === 4 ? uint : ulong;
  return type;
}

export function floatLiteral(checker: Checker, token: Token): Expression {
  const errors = checker.diagnostics.errorCount;
  const literal = readFloat(token, checker.diagnostics);
  if (checker.diagnostics.errorCount > errors) return errorExpression(token);
  let type: ArithmeticType = arithmeticTypes.double;
  if (literal.suffix === 'f') type = arithmeticTypes.float;
  else if (literal.suffix === 'h') type = arithmeticTypes.half;
  else {
    const { doubleLiteral } = checker.dialect;
    type = doubleLiteral.type;
    if (doubleLiteral.warning !== undefined) {
      checker.warning(token, 'unknown-extensions', doubleLiteral.warning);
    }
  }
  const value = type.name === 'float' ? literal.single : type.name === 'half' ? literal.half : literal.value;
  return { kind: 'float-literal', value, type: unqualified(type), span: token.span };
}

export function characterLiteral(checker: Checker, token: Token): Expression {
  return {
    kind: 'integer-literal',
    value: BigInt(readCharacter(token, checker.diagnostics)),
    type: unqualified(arithmeticTypes.int),
    span: token.span,
  };
}

/** Neighbouring string literals are one. */
export function stringLiteral(checker: Checker, tokens: readonly Token[], span: Span): Expression {
  const parts = tokens.map((token) => readString(token, checker.diagnostics));
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const bytes = new Uint8Array(length + 1);
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return stringOf(checker, bytes, span);
}

/** `__func__` and what GNU C calls it: the name of the function being read (C99, 6.4.2.2); '' outside all. */
export function functionName(checker: Checker, span: Span): Expression {
  const name = checker.function?.declaration.name ?? '';
  return stringOf(
    checker,
    Uint8Array.from(`${name}\0`, (letter) => letter.charCodeAt(0)),
    span,
  );
}

function stringOf(checker: Checker, bytes: Uint8Array, span: Span): Expression {
  const array = arrayOf(unqualified(arithmeticTypes.char), bytes.length);
  const space = checker.dialect.defaultSpace('literal', array.type);
  return { kind: 'string-literal', bytes, type: withSpace(array, space), lvalue: true, span };
}
