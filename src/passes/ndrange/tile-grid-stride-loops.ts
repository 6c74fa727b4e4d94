/**
 * Lets the work-items of a group go together through loops whose steps are as long as the range:
 *
 *     for (i = get_global_id(0); i < count; i += get_global_size(0)) sum += in[i];
 *
 * What one work-item reads lies far apart, and its neighbours read what lies between. So all of them do eight iterations before
 * any of them goes on, as long as there are eight for the whole range; the loop as it was follows for the rest:
 *
 *     loop @g (%first = 0, %s = %x) {
 *       if the last one of the range has eight iterations { yield } else { break @g %first, %s }
 *       %s' = loop (%iteration = 0, %i = %first + global id, %s.1 = %s) { eight iterations }
 *       barrier
 *       continue @g (iadd %first, (shl size, 3)), %s'
 *     }
 *
 * The lines of the cache, and the pages, that one work-item has asked for are then still near when the next ones want the
 * rest of them. As all groups do the same number of strips, code generators may let neighbours go together, too. See tile-loops.ts for
 * the barrier.
 *
 * Tiling in general (tile-loops.ts) needs no knowledge of other groups. Here a step is as long as the range, so that only all groups together
 * read what is consecutive, and the test asks about the last work-item of the range.
 */
import { Builder, newRegion, newValue } from '../../ir/builder.ts';
import { cloneInstruction } from '../../ir/clone.ts';
import type * as ir from '../../ir/ir.ts';
import { containsBarrier, containsLoop } from '../../ir/regions.ts';
import type { Cache } from '../../target/target.ts';
import { AffineForms } from '../analysis/affine-forms.ts';
import { Analyses } from '../analysis/analyses.ts';
import { type BoundedLoop, findBound } from '../analysis/counted-loops.ts';
import type { Uniformity } from '../analysis/uniformity.ts';
import { allCarry, bodyToCut, loopsOfAll } from './tileable-loops.ts';

/** Iterations of a strip, as a power of two. */
const stripBits = 3;

/** Cuts the loops of a kernel in work-item form that are worth it. */
export function tileGridStrideLoops(
  fn: ir.Function,
  addressBits: 32 | 64,
  cache: Cache,
  analyses = new Analyses(fn),
): boolean {
  const body = bodyToCut(fn);
  if (!body) return false;
  const { definitions } = analyses;
  if (![...definitions.values()].some(isRangeSize)) return false;
  const group = analyses.uniformity();
  const row = analyses.uniformity('row');
  const found: { strided: BoundedLoop; region: ir.Region }[] = [];
  const isWhole = loopsOfAll(body, group, (loop, { region, guards }) => {
    const strided = guards.length > 0 ? undefined : stridedLoop(loop, definitions, group, row, cache);
    if (strided) found.push({ strided, region });
  });
  if (!isWhole) return false;
  for (const { strided, region } of found) cut(strided, region, addressBits);
  return found.length > 0;
}

function isRangeSize(one: ir.Instruction | undefined): boolean {
  return one?.op === 'query' && one.fn === 'global_size' && one.dimension === 0;
}

/** A loop that begins at the work-item's global id, goes on by the size of the range and reads what lies there. */
function stridedLoop(
  loop: ir.Loop,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
  group: Uniformity,
  row: Uniformity,
  { line }: Cache,
): BoundedLoop | undefined {
  const [body] = loop.regions as [ir.Region];
  if (containsLoop(body) || containsBarrier(body)) return undefined;
  const strided = findBound(loop, definitions);
  if (!strided || !group.isUniform(strided.bound) || !allCarry(loop, strided.counter, row)) return undefined;
  const { counter } = strided;
  const at = body.parameters.indexOf(counter);
  const start = definitions.get(loop.operands[at]!);
  const isOwn = start?.op === 'query' && start.fn === 'global_id' && start.dimension === 0;
  const next = definitions.get(body.instructions.at(-1)!.operands[at]!);
  const isStep = next?.op === 'binary' && next.fn === 'iadd' && next.operands.includes(counter);
  if (!isOwn || !isStep || !next.operands.some((one) => isRangeSize(definitions.get(one)))) return undefined;
  const forms = new AffineForms(definitions);
  const reads = body.instructions.some((one) => {
    if (one.op !== 'load') return false;
    const pointer = one.operands[0]!;
    const space = pointer.type.kind === 'pointer' ? pointer.type.space : undefined;
    if ((space !== 'global' && space !== 'constant') || !forms.of(pointer).terms.has(counter)) return false;
    const shape = row.of(pointer);
    return shape.kind === 'affine' && Math.abs(shape.step) <= line / 4;
  });
  return reads ? strided : undefined;
}

function cut(
  { loop, counter, bound, isSigned, testAt }: BoundedLoop,
  region: ir.Region,
  addressBits: 32 | 64,
): void {
  const [body] = loop.regions as [ir.Region];
  const { type } = counter;
  const at = body.parameters.indexOf(counter);
  const copyOf = (value: ir.Value): ir.Value => newValue(value.type, value.name);

  const before = newRegion();
  const outside = new Builder(before, addressBits);
  const first = outside.integer(type, 0);
  const id = outside.query('global_id', 0);
  const size = outside.query('global_size', 0);
  const lastId = outside.binary('iadd', size, outside.integer(type, -1));
  const toLast = outside.binary('iadd', lastId, outside.query('global_offset', 0));

  const outer: ir.Loop = {
    op: 'loop',
    operands: loop.operands.map((operand, index) => (index === at ? first : operand)),
    results: body.parameters.map(copyOf),
    regions: [newRegion(body.parameters.map(copyOf))],
    span: loop.span,
  };
  const [around] = outer.regions as [ir.Region];
  const builder = new Builder(around, addressBits);
  const own = around.parameters[at]!;
  const last = builder.binary('iadd', own, toLast);
  const isBelow = builder.compare(isSigned ? 'slt' : 'ult', last, bound);
  // As it is below the bound, the distance is right as an unsigned number.
  const distance = builder.binary(
    'ushr',
    builder.binary('isub', bound, last),
    builder.integer(type, stripBits),
  );
  const isFar = builder.compare('ugt', distance, size);
  const more = builder.if(builder.binary('and', isBelow, isFar));
  more.span = body.instructions[testAt]!.span;
  builder.within(more.regions[0]!, () => builder.yield());
  builder.within(more.regions[1]!, () => builder.break(outer, [...around.parameters]));

  const iteration = newValue(type);
  const inner: ir.Loop = {
    op: 'loop',
    operands: [
      builder.integer(type, 0),
      ...around.parameters.map((one, index) => (index === at ? builder.binary('iadd', own, id) : one)),
    ],
    results: body.parameters.map(copyOf),
    regions: [newRegion([iteration, ...body.parameters.map(copyOf)])],
    span: loop.span,
  };
  iterations(inner, { loop, testAt }, addressBits);
  builder.append(inner);
  builder.barrier([]);
  const next = builder.binary('iadd', own, builder.binary('shl', size, builder.integer(type, stripBits)));
  builder.continue(
    outer,
    inner.results.map((result, index) => (index === at ? next : result)),
  );
  const behind = newRegion();
  const start = new Builder(behind, addressBits).binary('iadd', outer.results[at]!, id);
  loop.operands = outer.results.map((result, index) => (index === at ? start : result));
  const place = region.instructions.indexOf(loop);
  region.instructions.splice(place, 0, ...before.instructions, outer, ...behind.instructions);
}

/** Writes the iterations of a strip, which nothing leaves: those of the loop without its test. */
function iterations(
  inner: ir.Loop,
  { loop, testAt }: Pick<BoundedLoop, 'loop' | 'testAt'>,
  addressBits: 32 | 64,
): void {
  const [body] = loop.regions as [ir.Region];
  const [region] = inner.regions as [ir.Region];
  const [iteration, ...parameters] = region.parameters as [ir.Value, ...ir.Value[]];
  const builder = new Builder(region, addressBits);
  const test = builder.if(builder.compare('ult', iteration, builder.integer(iteration.type, 1 << stripBits)));
  test.span = body.instructions[testAt]!.span;
  builder.within(test.regions[0]!, () => builder.yield());
  builder.within(test.regions[1]!, () => builder.break(inner, parameters));
  const values = new Map(body.parameters.map((parameter, at) => [parameter, parameters[at]!]));
  for (const instruction of body.instructions.slice(0, -1)) {
    if (instruction !== body.instructions[testAt]) builder.append(cloneInstruction(instruction, values));
  }
  const given = body.instructions.at(-1)!.operands.map((operand) => values.get(operand) ?? operand);
  builder.continue(inner, [builder.binary('iadd', iteration, builder.integer(iteration.type, 1)), ...given]);
}
