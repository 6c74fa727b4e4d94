/**
 * The IR's names of functions: those of the source, and for overloads the types of their parameters behind it, so that
 * each has a name of its own and other programs find it: `area.float4.global_int_ptr`.
 */
import type { FunctionDeclaration } from '../ast.ts';
import { assemblerName, hasAttribute } from '../check/attributes.ts';
import type { CType } from '../types.ts';

export function overloadName({ name, attributes, parameters }: FunctionDeclaration): string {
  const assembler = attributes.find((attribute) => attribute.name === assemblerName)?.arguments[0];
  if (typeof assembler === 'string') return assembler;
  if (!hasAttribute(attributes, 'overloadable')) return name;
  return [name, ...parameters.map((parameter) => wordOf(parameter.type.type))].join('.');
}

/** A type as one word, whatever aliases it was written with. */
function wordOf(type: CType): string {
  switch (type.kind) {
    case 'arithmetic':
      return type.name;
    case 'opaque':
      return type.packet ? `${type.access}_${type.name}_${wordOf(type.packet.type)}` : type.name;
    case 'vector':
      return `${type.element.name}${type.lanes}`;
    case 'pointer': {
      const { space, isConst, isVolatile, type: pointee } = type.pointee;
      const words = [
        space ?? 'private',
        isConst ? 'const' : '',
        isVolatile ? 'volatile' : '',
        wordOf(pointee),
      ];
      return `${words.filter((word) => word !== '').join('_')}_ptr`;
    }
    case 'array':
      return `${wordOf(type.element.type)}_${type.length ?? 0}`;
    case 'record':
    case 'enum':
      return `${type.kind}_${type.tag ?? ''}`;
    default:
      return type.kind;
  }
}
