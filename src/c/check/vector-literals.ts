/** `(float4)(a, b.xy, 1)`: vectors from parts (OpenCL 1.2, 6.1.6). */
import type { Span } from '../../source/span.ts';
import type { Expression } from '../ast.ts';
import { arithmeticOf } from '../type-facts.ts';
import { type QualifiedType, unqualified, type VectorType } from '../types.ts';
import { type Checker, errorExpression, isError } from './checker.ts';
import { convertArithmetic, toValue, warnChangedConstant } from './conversions.ts';

/** A vector whose lanes are those of the elements, in order; their number has to be right. */
export function checkVectorLiteral(
  checker: Checker,
  type: VectorType,
  elements: readonly Expression[],
  span: Span,
): Expression {
  let lanes = 0;
  let isWrong = false;
  const converted: Expression[] = [];
  for (const element of elements) {
    const value = toValue(checker, element);
    if (isError(value)) return errorExpression(span);
    const from = value.type.type;
    if (from.kind === 'vector') {
      if (from.element !== type.element) {
        checker.error(
          value.span,
          `initializing '${checker.showType(type.element)}' with an expression of incompatible type '${checker.show(value.type)}'`,
        );
        isWrong = true;
      }
      lanes += from.lanes;
      converted.push(value);
    } else if (arithmeticOf(from) !== undefined) {
      warnChangedConstant(checker, value, type.element);
      lanes += 1;
      converted.push(convertArithmetic(value, type.element));
    } else {
      checker.error(
        value.span,
        `initializing '${checker.showType(type.element)}' with an expression of incompatible type '${checker.show(value.type)}'`,
      );
      isWrong = true;
    }
  }
  if (isWrong) return errorExpression(span);
  if (lanes !== type.lanes) {
    const many = lanes < type.lanes ? 'few' : 'many';
    return checker.wrong(
      span,
      `too ${many} elements in vector initialization (expected ${type.lanes} elements, have ${lanes})`,
    );
  }
  const qualified: QualifiedType = unqualified(type);
  return { kind: 'vector-literal', elements: converted, type: qualified, span };
}
