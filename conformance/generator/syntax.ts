/**
 * What a generated program is made of: trees of text. That is as much syntax as printing and shrinking need: an
 * expression knows its type and its parts, a statement its expressions and the statements in it.
 */
import type { ValueType } from './types.ts';

export interface Expression {
  readonly type: ValueType;
  parts: (string | Expression)[];
  /** The program is only well defined with this expression as it is (a mask around an index); its parts may shrink. */
  readonly isGuard: boolean;
}

export interface Statement {
  parts: (string | Expression | Statement[])[];
  /** Without it the program would read what nobody wrote. */
  readonly isEssential: boolean;
}

/** A whole source: what stands outside functions, each function, the kernel. */
export interface Program {
  readonly statements: Statement[];
}

/** ``expr(int)`(${a} < ${b})` `` is an expression of type int. */
export function expr(
  type: ValueType,
): (texts: TemplateStringsArray, ...parts: (string | number | Expression)[]) => Expression {
  return (texts, ...parts) => ({ type, parts: weave(texts, parts), isGuard: false });
}

/** The same for an expression that keeps the program well defined, and so is never replaced. */
export function guard(
  type: ValueType,
): (texts: TemplateStringsArray, ...parts: (string | number | Expression)[]) => Expression {
  return (texts, ...parts) => ({ type, parts: weave(texts, parts), isGuard: true });
}

/** ``line`${target} = ${value};` `` is a statement; a list of statements among its parts prints as a braced block. */
export function line(
  texts: TemplateStringsArray,
  ...parts: (string | number | Expression | Statement[])[]
): Statement {
  return { parts: weave(texts, parts), isEssential: false };
}

/** A statement that is never left out. */
export function essential(
  texts: TemplateStringsArray,
  ...parts: (string | number | Expression | Statement[])[]
): Statement {
  return { parts: weave(texts, parts), isEssential: true };
}

function weave<Part>(texts: TemplateStringsArray, parts: readonly (Part | number)[]): (Part | string)[] {
  const woven: (Part | string)[] = [texts[0]!];
  for (const [index, part] of parts.entries()) {
    woven.push(typeof part === 'number' ? String(part) : part, texts[index + 1]!);
  }
  return woven.filter((part) => part !== '');
}

function printExpression(expression: Expression): string {
  let text = '';
  for (const part of expression.parts) text += typeof part === 'string' ? part : printExpression(part);
  return text;
}

export function printProgram(program: Program): string {
  return printStatements(program.statements, '');
}

function printStatements(statements: readonly Statement[], indent: string): string {
  let text = '';
  for (const statement of statements) {
    text += indent;
    for (const part of statement.parts) {
      if (typeof part === 'string') text += part.replaceAll('\n', `\n${indent}`);
      else if (Array.isArray(part)) text += `{\n${printStatements(part, `${indent}  `)}${indent}}`;
      else text += printExpression(part);
    }
    text += '\n';
  }
  return text;
}
