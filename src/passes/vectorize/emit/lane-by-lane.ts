/**
 * The way out for what vectors cannot do: the instruction as it was, once for each work-item of the vector that takes
 * part, on the scalars of its lane. Atomic and volatile accesses, calls, and copies of bytes are done so.
 */
import type * as ir from '../../../ir/ir.ts';
import { elementOf, lanesOf, vectorType } from '../../../ir/types.ts';
import type { VectorContext } from './vector-context.ts';
import type { Mask } from './vector-value.ts';
import type { Variable } from './vector-writer.ts';

/** Vectorises an instruction without regions, and with no more than one result. */
export function vectoriseLaneByLane(context: VectorContext, instruction: ir.Instruction, mask: Mask): void {
  const { writer } = context;
  context.report.access(instruction, 'lane by lane', mask !== undefined);
  const result = instruction.results[0];
  const variables: Variable[] = [];
  if (result) {
    const type = vectorType(writer.laneType(elementOf(result.type)), writer.lanes);
    for (let part = 0; part < lanesOf(result.type); part += 1) {
      variables.push(writer.variableOf(type, result.name));
    }
  }
  for (let lane = 0; lane < writer.lanes; lane += 1) {
    const body = (): void => {
      const operands = instruction.operands.map((operand) =>
        writer.laneOf(context.vectorised(operand), operand.type, lane),
      );
      const results = result ? [{ ...result }] : [];
      writer.append({ ...instruction, operands, results, regions: [] });
      if (result) keepLane(context, variables, results[0]!, lane);
    };
    if (!mask) body();
    else {
      const branch = writer.if(writer.extract(mask, lane));
      writer.within(branch.regions[0]!, () => {
        body();
        writer.yield();
      });
      writer.within(branch.regions[1]!, () => writer.yield());
    }
  }
  if (result) context.define(result, { kind: 'lanes', parts: variables.map((one) => writer.read(one)) });
}

function keepLane(
  { writer }: VectorContext,
  variables: readonly Variable[],
  value: ir.Value,
  lane: number,
): void {
  const scalar = value.type.kind === 'pointer' ? writer.convert('ptoi', value, writer.addressType) : value;
  variables.forEach((variable, component) => {
    const one = value.type.kind === 'vector' ? writer.extract(scalar, component) : scalar;
    writer.write(variable, writer.insert(writer.read(variable), one, lane));
  });
}
