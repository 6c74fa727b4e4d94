/** Which labels a statement jumps to, at any depth. */
import type { Statement } from '../ast.ts';
import { substatements } from '../substatements.ts';

const none: ReadonlySet<string> = new Set();

/** The labels of all gotos inside `statement`. */
export function gotosIn(statement: Statement): ReadonlySet<string> {
  const found = new Set<string>();
  collect(statement, found);
  return found.size === 0 ? none : found;
}

function collect(statement: Statement, found: Set<string>): void {
  if (statement.kind === 'goto') found.add(statement.label);
  else for (const inner of substatements(statement)) collect(inner, found);
}
