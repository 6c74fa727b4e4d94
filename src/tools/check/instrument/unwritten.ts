/**
 * The one question that reads of local memory ask where nobody can write it (local-intervals.ts), written out in checked code:
 * a call of the library would cost more than all the rest.
 */
import type * as ir from '../../../ir/ir.ts';
import { i32, pointerType } from '../../../ir/types.ts';
import { cellBytes, stateWords, writtenWord } from '../shadow-layout.ts';
import type { CheckWriter } from './check-writer.ts';

/**
 * Whether some of the bytes in local memory have not been written since the group began.
 * @param isInside whether they surely are in local memory, not where accesses are made that may not be made
 */
export function isUnwritten(
  writer: CheckWriter,
  pointer: ir.Value,
  bytes: number,
  isInside: boolean,
): ir.Value {
  const { builder, context } = writer;
  const number = (value: number): ir.Value => writer.number(value);
  const pointerTo = (address: ir.Value): ir.Value => builder.convert('itop', address, pointerType('global'));
  const word = (base: ir.Value, index: number): ir.Value =>
    builder.load(i32, builder.offset(base, number(4 * index)), 4);

  const state = context.runtime.state(builder);
  const address = writer.address(pointer);
  const granule = builder.binary('ushr', address, number(context.shifts.local));
  const cells = word(state, stateWords.localCells);
  let cell = pointerTo(builder.binary('iadd', cells, builder.binary('imul', granule, number(cellBytes))));
  if (!isInside) {
    const from = builder.binary('isub', address, word(state, stateWords.localStart));
    const isOutside = builder.compare('uge', from, word(state, stateWords.localBytes));
    // The same word there is the epoch, as if it had just been written.
    cell = builder.select(isOutside, state, cell);
  }
  const group = word(state, stateWords.group);
  const granules = Math.max(1, bytes >> context.shifts.local);
  return Array.from({ length: granules }, (_, index) =>
    builder.compare('ult', word(cell, (index * cellBytes) / 4 + writtenWord), group),
  ).reduce((a, b) => builder.binary('or', a, b));
}
