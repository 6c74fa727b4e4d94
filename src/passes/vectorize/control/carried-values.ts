/**
 * The results and loop parameters of structured instructions on their way through vectorised control flow. Lanes may bring
 * them at different times, so they go through variables, which `mem2reg` makes values of afterwards: a lane
 * that comes to the end of a region sets its own part, and what follows reads them when all have come.
 */
import type * as ir from '../../../ir/ir.ts';
import { elementOf, lanesOf, type Type, vectorisedType } from '../../../ir/types.ts';
import type { VectorContext } from '../emit/vector-context.ts';
import type { Mask } from '../emit/vector-value.ts';
import type { Variable, VectorWriter } from '../emit/vector-writer.ts';

/** A result or loop parameter on its way: the scalar that stands for all lanes, or a vector a component. */
export interface Carried {
  readonly source: ir.Value;
  readonly variables: readonly Variable[];
}

/** What the end of a region gives its values to. */
export interface Exit {
  readonly results: readonly Carried[];
  /** The mask of those who come to the structure's end, where lanes may have left for somewhere else. */
  readonly arrived: Variable | undefined;
  /** Whether lanes come here at different times, so that only those of the mask are to be set. */
  readonly isBlended: boolean;
}

/** The end of what gives no values, and which nobody leaves for somewhere else. */
export const plainExit: Exit = { results: [], arrived: undefined, isBlended: false };

/** Makes the variables for a result or parameter. */
export function carry(context: VectorContext, source: ir.Value): Carried {
  const { writer } = context;
  const type = scalarForAll(context, source);
  const count = type ? 1 : lanesOf(source.type);
  const vector = type ?? vectorisedType(elementOf(source.type), writer.lanes, writer.addressType)!;
  const variables = Array.from({ length: count }, () => writer.variableOf(vector, source.name));
  return { source, variables };
}

/** Gives a carried value what the lanes of the mask bring. */
export function setCarried(
  context: VectorContext,
  { source, variables }: Carried,
  value: ir.Value,
  mask: Mask,
  isBlended: boolean,
): void {
  const { writer } = context;
  if (scalarForAll(context, source)) {
    writer.write(variables[0]!, writer.scalarOf(context.vectorised(value)));
    return;
  }
  context.parts(value).forEach((part, at) => {
    writer.blend(variables[at]!, part, isBlended ? mask : undefined);
  });
}

/** Makes what was carried known as the source's value, here. */
export function receive(context: VectorContext, { source, variables }: Carried): void {
  const parts = variables.map((variable) => context.writer.read(variable));
  const shape = context.shapeOf(source);
  const first = parts[0]!;
  if (shape.kind === 'uniform') context.define(source, { kind: 'uniform', value: first });
  else if (shape.kind === 'affine') context.define(source, { kind: 'affine', first, step: shape.step });
  else context.define(source, { kind: 'lanes', parts });
}

/** The lanes of the mask come to an end with values. */
export function leave(context: VectorContext, exit: Exit, values: readonly ir.Value[], mask: Mask): void {
  const { writer } = context;
  exit.results.forEach((result, at) => {
    setCarried(context, result, values[at]!, mask, exit.isBlended);
  });
  if (!exit.arrived) return;
  if (exit.isBlended) writer.include(exit.arrived, mask);
  else writer.write(exit.arrived, writer.maskValue(mask));
}

/** A variable for a mask, with no lanes as yet. */
export function noLanes(writer: VectorWriter): Variable {
  const variable = writer.variableOf(writer.maskType, 'lanes', writer.once(writer.maskType, false));
  variable.isStored = false;
  return variable;
}

/** The type of the scalar (or uniform user vector) that stands for all lanes, if one does. */
function scalarForAll(context: VectorContext, source: ir.Value): Type | undefined {
  return context.shapeOf(source).kind === 'varying' ? undefined : source.type;
}
