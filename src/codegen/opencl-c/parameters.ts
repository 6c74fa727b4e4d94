/** The parameters of functions: how they are declared, what their values are inside, and how callers pass them. */
import type * as ir from '../../ir/ir.ts';
import type { Type } from '../../ir/types.ts';
import type { TypedObject } from './addresses.ts';
import { declaration, defaultMaskBits, spaceName, typeText } from './c-types.ts';
import { OpenCLCError } from './error.ts';
import { type Expression, precedence, primary, unary, within, withSign } from './expression.ts';
import type { FunctionWriter } from './function-writer.ts';
import { type HostTypes, typeOfLayout } from './host-types.ts';
import { isHiding, NameScope } from './names.ts';

export interface WrittenParameter {
  readonly value: ir.Value;
  /** `global float *data`. */
  readonly declaration: string;
  /** The value inside the function. */
  readonly expression: Expression;
  /** What a pointer leads to, as C can index it. */
  readonly object: TypedObject | undefined;
  /** The pointer leads to private memory, though its type is one to constant memory. */
  readonly isPrivate: boolean;
  /** The operand of a call as C passes it. */
  argument(writer: FunctionWriter, operand: ir.Value): Expression;
}

export interface Parameters {
  readonly list: readonly WrittenParameter[];
  /** The names of the function, with the parameters' taken. */
  readonly names: NameScope;
}

export function writeParameters(fn: ir.Function, types: HostTypes, program: NameScope): Parameters {
  const names = new NameScope(program);
  const isKernel = fn.kind === 'kernel';
  // The host may ask for the names, so they are kept where they do no harm.
  const wishes = fn.parameters.map(({ info, value }) => info?.name || value.name || 'argument');
  const kept = isKernel
    ? wishes.filter((name, index) => !isHiding(name) && wishes.indexOf(name) === index)
    : [];
  for (const name of kept) names.take(name);
  const list = fn.parameters.map((parameter, index) => {
    const wish = wishes[index]!;
    const isKept = kept.includes(wish) && wishes.indexOf(wish) === index;
    const name = isKept ? wish : names.unique(wish);
    return isKernel ? kernelParameter(parameter, name, types) : helperParameter(parameter, name);
  });
  return { list, names };
}

/** Helpers take values as they are kept. */
function helperParameter({ value }: ir.Parameter, name: string): WrittenParameter {
  const { type } = value;
  const isMask = type.kind === 'vector' && type.element.kind === 'bool';
  return {
    value,
    declaration: declaration(typeText(type), name),
    expression: primary(name, isMask),
    object: undefined,
    isPrivate: false,
    argument: (writer, operand) => {
      if (isMask) return writer.mask(operand, defaultMaskBits);
      if (type.kind === 'pointer' && writer.spaceOf(operand) !== type.space) {
        throw new OpenCLCError(`parameter '${name}' points to ${type.space} memory, its argument does not`);
      }
      return type.kind === 'vector' ? writer.unsigned(operand) : writer.value(operand);
    },
  };
}

function kernelParameter(parameter: ir.Parameter, name: string, types: HostTypes): WrittenParameter {
  const { value, aggregate } = parameter;
  if (aggregate) return structParameter(value, name, types.aggregate(parameter.info, aggregate));
  if (value.type.kind === 'pointer') return pointerParameter(parameter, name, types);
  const { info } = parameter;
  const host = info?.layout && typeOfLayout(info.layout);
  const signed = host?.signed ?? false;
  const typeName = (info && types.named(info.typeName, info.layout)) ?? typeText(value.type, signed);
  return {
    value,
    declaration: `${typeName} ${name}`,
    expression: primary(name, signed),
    object: undefined,
    isPrivate: false,
    argument: (writer, operand) => withSign(writer.value(operand), value.type, signed),
  };
}

function structParameter(value: ir.Value, name: string, typeName: string): WrittenParameter {
  return {
    value,
    declaration: `${typeName} ${name}`,
    expression: unary(`(private uchar *)&${name}`),
    object: { name: `&${name}`, element: undefined, signed: false },
    isPrivate: true,
    argument: (writer, operand) =>
      unary(
        `*(${spaceName(writer.spaceOf(operand))} ${typeName} *)${within(writer.value(operand), precedence.unary)}`,
      ),
  };
}

function pointerParameter(parameter: ir.Parameter, name: string, types: HostTypes): WrittenParameter {
  const { value, info } = parameter;
  const space = spaceName(value.type.kind === 'pointer' ? value.type.space : 'private');
  const typeName = info?.typeName.replace(/\s*\*$/, '');
  const known = typeName === undefined ? undefined : types.named(typeName, info?.pointee);
  const isConst = parameter.isConst || info?.typeQualifiers.includes('const');
  const isVolatile = parameter.isVolatile || info?.typeQualifiers.includes('volatile');
  const isRestrict = parameter.isRestrict || info?.typeQualifiers.includes('restrict');
  const words = [isVolatile ? 'volatile' : '', space, isConst ? 'const' : '', known ?? 'uchar'];
  const type = `${words.filter((word) => word !== '').join(' ')} *`;
  const pointee = known === undefined ? undefined : info?.pointee && typeOfLayout(info.pointee);
  return {
    value,
    declaration: `${type}${isRestrict ? 'restrict ' : ''}${name}`,
    expression: unary(`(${space} uchar *)${name}`),
    object: { name, element: pointee?.type as Type | undefined, signed: pointee?.signed ?? false },
    isPrivate: false,
    argument: (writer, operand) => unary(`(${type})${within(writer.value(operand), precedence.unary)}`),
  };
}
