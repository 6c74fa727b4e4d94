/**
 * Types as people write them, for diagnostics and tree dumps: declarators inside out, `int (*)[4]`, the typedef name
 * where one was written, the address space of what a pointer points to.
 */
import {
  type AddressSpace,
  type ArithmeticName,
  type CType,
  type QualifiedType,
  unqualified,
} from './types.ts';

/** How a dialect spells what dialects spell differently. */
export interface TypeSpelling {
  arithmeticName(name: ArithmeticName): string;
  /** `__global`; empty where the dialect has no such word */
  spaceName(space: AddressSpace): string;
}

/** The C spelling of a type. An object's own space is shown unless it is private; a pointee's always. */
export function printType(type: QualifiedType, spelling: TypeSpelling): string {
  return print(type, '', spelling, true);
}

/** The declaration of something of a type: `__global float *p`, `int a[4]`. */
export function printDeclaration(type: QualifiedType, name: string, spelling: TypeSpelling): string {
  return print(type, name, spelling, true);
}

function print(type: QualifiedType, declarator: string, spelling: TypeSpelling, outermost: boolean): string {
  const inner = type.type;
  if (type.alias === undefined) {
    if (inner.kind === 'pointer') {
      const space = outermost || type.space === undefined || type.space === 'private' ? '' : type.space;
      let star = space === '' ? '*' : `*${spelling.spaceName(space)} `;
      if (type.isConst) star += 'const ';
      if (type.isVolatile) star += 'volatile ';
      if (type.isRestrict) star += 'restrict ';
      star = declarator === '' ? star.trimEnd() : star + declarator;
      const pointee = inner.pointee.type.kind;
      const needsParentheses =
        inner.pointee.alias === undefined && (pointee === 'array' || pointee === 'function');
      return print(inner.pointee, needsParentheses ? `(${star})` : star, spelling, false);
    }
    if (inner.kind === 'block') {
      return print({ ...type, type: inner.function }, `(^${declarator})`, spelling, outermost);
    }
    if (inner.kind === 'array') {
      const element: QualifiedType = { ...inner.element, space: type.space ?? inner.element.space };
      return print(element, `${declarator}[${inner.length ?? ''}]`, spelling, outermost);
    }
    if (inner.kind === 'function') {
      const parameters = inner.parameters.map((parameter) => print(parameter, '', spelling, true));
      if (inner.variadic) parameters.push('...');
      if (parameters.length === 0 && !inner.unprototyped) parameters.push('void');
      return print(inner.result, `${declarator}(${parameters.join(', ')})`, spelling, true);
    }
  }
  let text = '';
  if (type.isConst) text += 'const ';
  if (type.isVolatile) text += 'volatile ';
  if (type.space !== undefined && !(outermost && (type.space === 'private' || inner.kind === 'pointer'))) {
    const space = spelling.spaceName(type.space);
    if (space !== '') text += `${space} `;
  }
  text += type.alias ?? baseName(inner, spelling);
  if (declarator === '') return text;
  return declarator.startsWith('[') ? text + declarator : `${text} ${declarator}`;
}

function baseName(type: CType, spelling: TypeSpelling): string {
  switch (type.kind) {
    case 'void':
      return 'void';
    case 'arithmetic':
      return spelling.arithmeticName(type.name);
    case 'vector':
      return `${type.element.name}${type.lanes}`;
    case 'record':
      return `${type.union ? 'union' : 'struct'} ${type.tag ?? '(unnamed)'}`;
    case 'enum':
      return `enum ${type.tag ?? '(unnamed)'}`;
    case 'atomic':
      return type.name ?? `_Atomic(${printType(unqualified(type.value), spelling)})`;
    case 'opaque':
      if (type.packet) return `__${type.access} ${type.name} ${printType(type.packet, spelling)}`;
      return type.access === undefined ? type.name : `__${type.access} ${type.name}`;
    default:
      return type.kind;
  }
}
