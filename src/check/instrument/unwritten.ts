/**
 * The one question that reads of local memory ask where nobody can write it (local-intervals.ts), written out in checked code:
 * a call of the library would cost more than all the rest.
 */
import type * as ir from '../../ir/ir.ts';
import { i32, pointerType } from '../../ir/types.ts';
import { cellBytes, pageBytes, stateWords } from '../shadow-layout.ts';
import type { CheckWriter } from './check-writer.ts';

/** Whether some of the bytes in local memory have not been written since the group began. */
export function isUnwritten(writer: CheckWriter, pointer: ir.Value, bytes: number): ir.Value {
  const { builder, context } = writer;
  const number = (value: number): ir.Value => writer.number(value);
  const add = (a: ir.Value, b: ir.Value): ir.Value => builder.binary('iadd', a, b);
  const pointerTo = (address: ir.Value): ir.Value => builder.convert('itop', address, pointerType('global'));
  const word = (base: ir.Value, index: number): ir.Value =>
    builder.load(i32, builder.offset(base, number(4 * index)), 4);

  const state = context.runtime.state(builder);
  const address = writer.address(pointer);
  const page = builder.binary(
    'shl',
    builder.binary('ushr', address, number(Math.log2(pageBytes))),
    number(2),
  );
  const cells = word(pointerTo(add(word(state, stateWords.localPages), page)), 0);
  const inPage = builder.binary('and', address, number(pageBytes - 1));
  const granule = builder.binary('ushr', inPage, number(context.shifts.local));
  const cell = pointerTo(add(cells, builder.binary('imul', granule, number(cellBytes))));
  const group = word(state, stateWords.group);
  const granules = Math.max(1, bytes >> context.shifts.local);
  return Array.from({ length: granules }, (_, index) =>
    builder.compare('ult', word(cell, (index * cellBytes) / 4), group),
  ).reduce((a, b) => builder.binary('or', a, b));
}
