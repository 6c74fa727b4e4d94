/**
 * Variables of functions whose lowering nothing was recorded of: of programs in AMD IL, of several units, of binaries. Their names and sizes
 * are the IR's; the types of a kernel's parameters are told by what hosts are told of them.
 */
import type { VariableDeclaration } from '../../c/ast.ts';
import { arrayOf } from '../../c/type-facts.ts';
import {
  arithmeticTypes,
  type QualifiedType,
  unqualified,
  type VectorType,
  vectorType,
} from '../../c/types.ts';
import type * as ir from '../../ir/ir.ts';
import { sizeOf } from '../../ir/types.ts';
import { walkFunction } from '../../ir/walk.ts';
import { noSpan } from '../../source/span.ts';
import type { NamedPlace, NamedVariable } from './expressions.ts';
import type { DebugValue } from './values.ts';

const { char, double, float, half, int, long, short, uchar, uint, ulong, ushort } = arithmeticTypes;
const float4 = unqualified(vectorType(float, 4));
const signed = { 1: char, 2: short, 4: int, 8: long } as const;
const unsigned = { 1: uchar, 2: ushort, 4: uint, 8: ulong } as const;
const floating = { 2: half, 4: float, 8: double } as const;

/** The variables and, of a kernel, the parameters. */
export function unrecordedVariables(fn: ir.Function, addressBits: 32 | 64): NamedVariable[] {
  const named = new Map<string, NamedVariable>();
  const add = (
    { name, type, scope }: Pick<VariableDeclaration, 'name' | 'type' | 'scope'>,
    place: NamedPlace,
  ): void => {
    if (!/^[A-Za-z_]\w*$/.test(name) || named.has(name)) return;
    const align = 1;
    const variable = { kind: 'variable', name, type, scope, align, storage: 'none', span: noSpan } as const;
    named.set(name, { variable: { ...variable, initializer: undefined }, place });
  };
  const given = new Map(fn.parameters.map((parameter) => [nameOf(parameter), parameter]));
  walkFunction(fn, (instruction) => {
    if (instruction.op !== 'variable') return;
    const { name, size, space } = instruction;
    const copied = given.get(name);
    const isCopy = copied && sizeOf(copied.value.type, addressBits / 8) === size;
    const type = (isCopy && typeOfParameter(copied)) || typeOfSize(size);
    if (!type) return;
    const scope = isCopy ? 'parameter' : 'function';
    add({ name, type: { ...type, space }, scope }, { value: instruction.results[0]!, isHandle: false });
  });
  for (const [name, parameter] of given) {
    const type = typeOfParameter(parameter);
    if (name === undefined || !type) continue;
    // The memory behind the register of an output.
    const own = named.get(name)?.variable.scope === 'function' ? `${name}_memory` : name;
    add({ name: own, type, scope: 'parameter' }, { value: parameter.value, isHandle: false, isValue: true });
  }
  const names = [...named.values()];
  // The innermost first, as of those that are recorded; the registers then come in their order.
  return names.sort((a, b) => byName.compare(b.variable.name, a.variable.name));
}

const byName = new Intl.Collator('en', { numeric: true });

/** `i0.shape` is called `i0_shape`. */
const nameOf = ({ info, value }: ir.Parameter): string | undefined =>
  (info?.name ?? value.name)?.replace('.', '_');

function typeOfParameter({ value, info }: ir.Parameter): QualifiedType | undefined {
  if (info?.layout) return typeOfLayout(info.layout);
  const pointee = info?.pointee && typeOfLayout(info.pointee);
  if (!pointee || value.type.kind !== 'pointer') return undefined;
  const { space } = value.type;
  return unqualified({ kind: 'pointer', pointee: { ...pointee, space } });
}

/** Undefined for structs, whose names alone are no type here. */
function typeOfLayout(layout: ir.HostLayout): QualifiedType | undefined {
  switch (layout.kind) {
    case 'integer':
      return unqualified((layout.signed ? signed : unsigned)[layout.size]);
    case 'float':
      return unqualified(floating[layout.size]);
    case 'vector': {
      const element = typeOfLayout(layout.element)?.type;
      return element?.kind === 'arithmetic'
        ? unqualified(vectorType(element, layout.lanes as VectorType['lanes']))
        : undefined;
    }
    case 'array': {
      const element = typeOfLayout(layout.element);
      return element && arrayOf(element, layout.length);
    }
    case 'struct':
      return undefined;
  }
}

function typeOfSize(size: number): QualifiedType | undefined {
  if (size === 4) return unqualified(uint);
  if (size === 16) return float4;
  return size % 16 === 0 ? arrayOf(float4, size / 16) : undefined;
}

/**
 * A register of IL, whose components may be floats or integers: beside the floats the integers, in the text where some component
 * makes no sense as a float.
 * @param integers the same bits as an int4
 */
export function asRegister(value: DebugValue, integers: DebugValue, isWanted: boolean): DebugValue {
  const components = value.children(0, 4);
  const isOdd = components.some(({ text }) => {
    const number = text === 'not set' ? 0 : Number(text);
    return !Number.isFinite(number) || (number !== 0 && Math.abs(number) < smallestNormal);
  });
  const isShown = value.text !== 'not set' && (isOdd || isWanted);
  return {
    ...value,
    text: isShown ? `${value.text}, as integers ${integers.text}` : value.text,
    count: value.count + 1,
    children: (from = 0, count = value.count + 1) => [
      ...value.children(from, count),
      ...(from + count > value.count ? [integers] : []),
    ],
  };
}

const smallestNormal = 2 ** -126;
