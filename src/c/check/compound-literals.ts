/** `(T){...}`: objects without a name (C99, 6.5.2.5). */
import type { Span } from '../../source/span.ts';
import type { Expression } from '../ast.ts';
import { isComplete, withSpace } from '../type-facts.ts';
import type { QualifiedType } from '../types.ts';
import { type Checker, errorExpression } from './checker.ts';
import { type BracedInitializer, checkInitializer } from './initializers.ts';

export function checkCompoundLiteral(
  checker: Checker,
  written: QualifiedType,
  braces: BracedInitializer,
  span: Span,
): Expression {
  const inner = written.type;
  const isOpenArray = inner.kind === 'array' && inner.length === undefined;
  if (!isOpenArray && !isComplete(inner)) {
    return checker.wrong(span, `variable has incomplete type '${checker.show(written)}'`);
  }
  const isStatic = checker.scopes.isProgram;
  const space = written.space ?? checker.dialect.defaultSpace(isStatic ? 'program' : 'local', inner);
  const checked = checkInitializer(checker, withSpace(written, space), braces);
  if (checked === undefined) return errorExpression(span);
  const { type, initializer } = checked;
  // A vector in braces is the same value as one in parentheses, and no object.
  if (inner.kind === 'vector' && !isStatic) return { ...initializer, span };
  const list =
    initializer.kind === 'initializer-list'
      ? initializer
      : {
          kind: 'initializer-list' as const,
          entries: [{ offset: 0, type: initializer.type, value: initializer }],
          type: initializer.type,
          span,
        };
  return {
    kind: 'compound-literal',
    initializer: list,
    isStatic,
    type: withSpace(type, space),
    lvalue: true,
    span,
  };
}
