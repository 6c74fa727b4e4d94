/**
 * `__attribute__((...))`: those that plain C compilers have in common; a dialect knows its own. Unknown ones are
 * warned of and ignored.
 */
import type { Attribute } from '../ast.ts';
import type { AttributeTarget } from '../dialect.ts';
import type { QualifiedType, VectorType } from '../types.ts';
import { vectorType } from '../types.ts';
import type { Checker } from './checker.ts';

/** Attributes without a meaning here that programs may carry all the same. */
const silent = new Set([
  'always_inline',
  'noinline',
  'unused',
  'used',
  'const',
  'pure',
  'nothrow',
  'noreturn',
  'deprecated',
  'may_alias',
  'format',
  'nonnull',
  'convergent',
  'flatten',
  'hot',
  'cold',
  'overloadable',
  'fallthrough',
  'weak',
  'visibility',
]);

/** Looks at attributes as they stand on something, reports wrong ones, and keeps the good. */
export function checkAttributes(
  checker: Checker,
  attributes: readonly Attribute[],
  target: AttributeTarget,
): readonly Attribute[] {
  if (attributes.length === 0) return attributes;
  return attributes.filter((attribute) => {
    switch (attribute.name) {
      case 'aligned':
        return checkAligned(checker, attribute);
      case 'packed':
        if (attribute.arguments.length === 0) return true;
        checker.error(attribute.span, "'packed' attribute takes no arguments");
        return false;
      case 'ext_vector_type':
      case 'vector_size':
        return true;
    }
    if (silent.has(attribute.name)) return true;
    if (checker.dialect.rules.attribute(attribute, target, checker)) return true;
    checker.warning(attribute.span, 'unknown-attributes', `unknown attribute '${attribute.name}' ignored`);
    return false;
  });
}

function checkAligned(checker: Checker, attribute: Attribute): boolean {
  const [value] = attribute.arguments;
  if (attribute.arguments.length > 1) {
    checker.error(attribute.span, "'aligned' attribute takes no more than 1 argument");
    return false;
  }
  if (value === undefined) return true;
  if (typeof value !== 'bigint') {
    checker.error(attribute.span, "'aligned' attribute requires integer constant");
    return false;
  }
  if (value <= 0n || (value & (value - 1n)) !== 0n) {
    checker.error(attribute.span, 'requested alignment is not a power of 2');
    return false;
  }
  if (value > 4096n) {
    checker.error(attribute.span, 'requested alignment must be 4096 bytes or smaller');
    return false;
  }
  return true;
}

/** The largest alignment that `aligned` asks for; 0 if it is not there. Without a number it means 16 bytes. */
export function alignmentOf(attributes: readonly Attribute[]): number {
  let alignment = 0;
  for (const attribute of attributes) {
    if (attribute.name !== 'aligned') continue;
    const [value] = attribute.arguments;
    alignment = Math.max(alignment, typeof value === 'bigint' ? Number(value) : 16);
  }
  return alignment;
}

export function hasAttribute(attributes: readonly Attribute[], name: string): boolean {
  return attributes.some((attribute) => attribute.name === name);
}

/** The type that `ext_vector_type(n)` makes of an arithmetic one. */
export function applyVectorAttribute(
  checker: Checker,
  type: QualifiedType,
  attributes: readonly Attribute[],
): QualifiedType {
  const attribute = attributes.find((one) => one.name === 'ext_vector_type');
  if (attribute === undefined) return type;
  const [count] = attribute.arguments;
  const lanes = typeof count === 'bigint' ? Number(count) : 0;
  if (type.type.kind !== 'arithmetic' || type.type.name === 'bool') {
    checker.error(attribute.span, `invalid vector element type '${checker.show(type)}'`);
    return type;
  }
  if (lanes !== 2 && lanes !== 3 && lanes !== 4 && lanes !== 8 && lanes !== 16) {
    checker.error(attribute.span, 'vector size must be 2, 3, 4, 8 or 16');
    return type;
  }
  const made: VectorType = vectorType(type.type, lanes);
  return { ...type, type: made, alias: undefined };
}
