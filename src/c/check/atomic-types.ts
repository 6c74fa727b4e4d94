/** `_Atomic` types (C11, 6.7.2.4 and 6.7.3): what may be atomic, and what their objects are made of. */
import type { Span } from '../../source/span.ts';
import { type AtomicType, atomicType, type QualifiedType } from '../types.ts';
import type { Checker } from './checker.ts';

/**
 * The type of atomic objects with values of a type, with its qualifiers; undefined where there are none such, which has been reported.
 * @param isSpecifier written `_Atomic(type)`, where the type has no qualifiers of its own (C11, 6.7.2.4 3)
 */
export function atomicObject(
  checker: Checker,
  value: QualifiedType,
  span: Span,
  isSpecifier = false,
): QualifiedType | undefined {
  const { type } = value;
  if (type.kind === 'atomic' && !isSpecifier) return value;
  const shown = checker.show(value);
  if (isSpecifier && (value.isConst || value.isVolatile || value.isRestrict || type.kind === 'atomic')) {
    const fault = type.kind === 'atomic' ? 'atomic' : 'qualified';
    checker.error(span, `_Atomic cannot be applied to ${fault} type '${shown}'`);
    return undefined;
  }
  if (!mayBeAtomic(type)) {
    const reason =
      type.kind === 'record' ? ': only arithmetic types, enumerations and pointers can be atomic here' : '';
    checker.error(span, `_Atomic cannot be applied to type '${shown}'${reason}`);
    return undefined;
  }
  return { ...value, type: atomicType(type), alias: undefined, align: undefined };
}

function mayBeAtomic(type: QualifiedType['type']): type is AtomicType['value'] {
  return type.kind === 'arithmetic' || type.kind === 'enum' || type.kind === 'pointer';
}
