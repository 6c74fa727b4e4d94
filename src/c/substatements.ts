/** Walking statements, for questions about all that stands inside one. */
import type { Statement } from './ast.ts';

/** The statements directly inside a statement. */
export function substatements(statement: Statement): readonly Statement[] {
  switch (statement.kind) {
    case 'compound':
      return statement.statements;
    case 'if':
      return [
        statement.then,
        ...statement.elseIfs.map(({ then }) => then),
        ...(statement.else ? [statement.else] : []),
      ];
    case 'while':
    case 'do':
    case 'for':
    case 'switch':
    case 'case':
    case 'default':
    case 'label':
      return [statement.body];
    default:
      return [];
  }
}
