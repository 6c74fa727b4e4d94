/**
 * `__attribute__((...))`: those that plain C compilers have in common; a dialect knows its own. Unknown ones are
 * warned of and ignored.
 */
import type { Attribute } from '../ast.ts';
import type { AttributeTarget } from '../dialect.ts';
import { plainName } from '../feature-queries.ts';
import { arithmeticOf } from '../type-facts.ts';
import { arithmeticTypes, type CType, type QualifiedType, type VectorType, vectorType } from '../types.ts';
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

const meant = new Set(['aligned', 'packed', 'ext_vector_type', 'vector_size', 'mode']);

/** Whether an attribute is known to all dialects. */
export function isCommonAttribute(name: string): boolean {
  return silent.has(name) || meant.has(name);
}

/** The attribute that stands for `__asm__("name")` behind a declarator. */
export const assemblerName = 'assembler name';

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
      case 'mode':
        if (target !== 'function') return true;
        checker.error(
          attribute.span,
          `'${attribute.name}' attribute on a function is not supported: use a typedef`,
        );
        return false;
      case assemblerName:
        if (target === 'function') return true;
        checker.error(attribute.span, 'a name for the assembler is supported on functions only');
        return false;
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

/** The type that `ext_vector_type(n)`, `vector_size(bytes)` or `mode(word)` makes of an arithmetic one. */
export function applyTypeAttributes(
  checker: Checker,
  type: QualifiedType,
  attributes: readonly Attribute[],
): QualifiedType {
  let made = type;
  for (const attribute of attributes) {
    if (attribute.name === 'mode') made = withMode(checker, made, attribute);
    else if (attribute.name === 'ext_vector_type' || attribute.name === 'vector_size')
      made = vectorOf(checker, made, attribute);
  }
  return made;
}

function vectorOf(checker: Checker, type: QualifiedType, attribute: Attribute): QualifiedType {
  const [count] = attribute.arguments;
  const given = typeof count === 'bigint' ? Number(count) : 0;
  if (type.type.kind !== 'arithmetic' || type.type.name === 'bool') {
    checker.error(attribute.span, `invalid vector element type '${checker.show(type)}'`);
    return type;
  }
  const isSize = attribute.name === 'vector_size';
  if (isSize && given % type.type.size !== 0) {
    checker.error(attribute.span, 'vector size not an integral multiple of component size');
    return type;
  }
  const lanes = isSize ? given / type.type.size : given;
  if (lanes !== 2 && lanes !== 3 && lanes !== 4 && lanes !== 8 && lanes !== 16) {
    const message = isSize
      ? `vectors of ${lanes} elements are not supported; there are those of 2, 4, 8 and 16`
      : 'vector size must be 2, 3, 4, 8 or 16';
    checker.error(attribute.span, message);
    return type;
  }
  const made: VectorType = vectorType(type.type, lanes);
  return { ...type, type: made, alias: undefined };
}

const integerModes: Readonly<Record<string, 1 | 2 | 4 | 8>> = {
  QI: 1,
  byte: 1,
  HI: 2,
  SI: 4,
  word: 4,
  pointer: 4,
  unwind_word: 4,
  DI: 8,
};

/** The type of a machine mode (GNU): as wide as the mode says, signed as the type is that it stands on. */
function withMode(checker: Checker, type: QualifiedType, attribute: Attribute): QualifiedType {
  const [word] = attribute.arguments;
  const mode = typeof word === 'string' ? plainName(word) : '';
  const arithmetic = arithmeticOf(type.type);
  const { char, uchar, short, ushort, int, uint, long, ulong, float, double } = arithmeticTypes;
  let made: CType | undefined;
  if (arithmetic?.floating) made = mode === 'SF' ? float : mode === 'DF' ? double : undefined;
  else if (arithmetic && Object.hasOwn(integerModes, mode)) {
    const size = mode === 'pointer' ? checker.dialect.addressBytes : integerModes[mode]!;
    const pairs = { 1: [char, uchar], 2: [short, ushort], 4: [int, uint], 8: [long, ulong] } as const;
    made = pairs[size][arithmetic.signed ? 0 : 1];
  }
  if (made) return { ...type, type: made, alias: undefined };
  checker.error(attribute.span, `machine mode '${mode}' is not supported for type '${checker.show(type)}'`);
  return type;
}
