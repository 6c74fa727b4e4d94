/**
 * Vectorises what work-items keep in context arrays from one region to the next: the cells of W neighbouring work-items lie
 * side by side, so a vector reads and writes them as a vector.
 */
import type * as ir from '../../../ir/ir.ts';
import { combined, identityVector, scannedLanes, shiftedIn } from '../../workgroup/collectives.ts';
import type { VectorContext } from './vector-context.ts';
import type { Mask } from './vector-value.ts';
import { cloneScalar } from './vectorize-operations.ts';

export function vectoriseContextRead(context: VectorContext, read: ir.ContextRead): void {
  context.define(read.results[0]!, { kind: 'lanes', parts: [cells(context, read)] });
}

/** A cell is its work-item's own, so the others' may be written back as they were. */
export function vectoriseContextWrite(context: VectorContext, write: ir.ContextWrite, mask: Mask): void {
  if (write.scan) {
    vectoriseScan(context, write, mask);
    return;
  }
  const { writer } = context;
  const [value] = context.parts(write.operands[0]!) as [ir.Value];
  const { contextArray, row } = write;
  const given = mask ? writer.select(mask, value, cells(context, write)) : value;
  writer.append({ op: 'context_write', contextArray, row, operands: [given], results: [], regions: [] });
}

/** The address of a work-item's row of cells: that of the first lane where the others' are at a step from it. */
export function vectoriseItemAddress(context: VectorContext, instruction: ir.ItemAddress): void {
  const { writer } = context;
  const result = instruction.results[0]!;
  const shape = context.shapeOf(result);
  if (shape.kind === 'affine') {
    const first = cloneScalar(context, instruction);
    context.define(result, { kind: 'affine', first, step: shape.step });
    return;
  }
  const value: ir.Value = { type: writer.vectorOf(writer.addressType) };
  writer.append({ ...instruction, operands: [...instruction.operands], results: [value], regions: [] });
  context.define(result, { kind: 'lanes', parts: [value] });
}

function cells({ writer }: VectorContext, { contextArray, row }: ir.ContextRead | ir.ContextWrite): ir.Value {
  const value: ir.Value = { type: writer.vectorOf(contextArray.type), name: contextArray.name };
  writer.append({ op: 'context_read', contextArray, row, operands: [], results: [value], regions: [] });
  return value;
}

/** Lane by lane in shifts, and then what the vectors before this one come to. */
function vectoriseScan(context: VectorContext, write: ir.ContextWrite, mask: Mask): void {
  const { writer } = context;
  const { contextArray } = write;
  const combine = contextArray.combine!;
  const [given] = context.parts(write.operands[0]!) as [ir.Value];
  const type = writer.vectorOf(contextArray.type);
  const value = mask ? writer.select(mask, given, identityVector(writer, combine, type)) : given;
  const own = scannedLanes(writer, combine, value, type);
  const before: ir.Value = { type: contextArray.type, name: contextArray.name };
  const total = writer.extract(own, type.lanes - 1);
  writer.append({
    op: 'context_write',
    contextArray,
    scan: 'exclusive',
    operands: [total],
    results: [before],
    regions: [],
  });
  const earlier = writer.splat(before, type);
  const all = combined(writer, combine, earlier, own);
  const part = write.scan === 'inclusive' ? all : shiftedIn(writer, earlier, all, type.lanes, 1);
  context.define(write.results[0]!, { kind: 'lanes', parts: [part] });
}
