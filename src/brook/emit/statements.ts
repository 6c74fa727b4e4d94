/** Statements of checked kernels as OpenCL C. */
import type { Typed, TypedStatement } from '../check/tree.ts';
import { emitExpression } from './expressions.ts';
import { localName, typeText } from './names.ts';
import type { Source } from './source.ts';
import { declareStruct } from './storage.ts';

/** The statements, a line each, with so many spaces before them. */
export function emitStatements(source: Source, body: readonly TypedStatement[], indent: string): string {
  return body
    .map((statement) => `${source.lineOf(statement.span)}${emitStatement(source, statement, indent)}`)
    .join('');
}

function emitStatement(source: Source, statement: TypedStatement, indent: string): string {
  const emit = (value: Typed): string => emitExpression(source, value);
  const inner = (one: TypedStatement): string => emitStatements(source, bodyOf(one), `${indent}  `);
  switch (statement.kind) {
    case 'block':
      return `${indent}{\n${inner(statement)}${indent}}\n`;
    case 'variable': {
      const { local, value } = statement;
      if (local.type.kind === 'struct') declareStruct(source, local.type);
      const start = value ? ` = ${emit(value)}` : '';
      return `${indent}${typeText(local.type)} ${localName(local)}${start};\n`;
    }
    case 'expression':
      return `${indent}${emit(statement.value)};\n`;
    case 'if': {
      const { condition, yes, no } = statement;
      const otherwise = no ? ` else {\n${inner(no)}${indent}}` : '';
      return `${indent}if (${emit(condition)} != 0) {\n${inner(yes)}${indent}}${otherwise}\n`;
    }
    case 'for': {
      const { first, condition, step, body } = statement;
      const test = condition ? `${emit(condition)} != 0` : '';
      const loop = `for (; ${test}; ${step ? emit(step) : ''}) {\n`;
      const before = emitStatements(source, first, `${indent}  `);
      return `${indent}{\n${before}${indent}  ${loop}${emitStatements(source, bodyOf(body), `${indent}    `)}${indent}  }\n${indent}}\n`;
    }
    case 'while':
      return `${indent}while (${emit(statement.condition)} != 0) {\n${inner(statement.body)}${indent}}\n`;
    case 'do':
      return `${indent}do {\n${inner(statement.body)}${indent}} while (${emit(statement.condition)} != 0);\n`;
    case 'return':
      return `${indent}return${statement.value ? ` ${emit(statement.value)}` : ''};\n`;
    case 'break':
    case 'continue':
      return `${indent}${statement.kind};\n`;
  }
}

function bodyOf(statement: TypedStatement): readonly TypedStatement[] {
  return statement.kind === 'block' ? statement.body : [statement];
}
