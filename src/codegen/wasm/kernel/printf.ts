/**
 * printf: claims a record in the launch's buffer and writes format number and arguments there, to be made into text by
 * the host (src/ir/printf). Where there is no room, nothing is written and the result is -1.
 */
import type * as ir from '../../../ir/ir.ts';
import { recordHeader, recordLayout } from '../../../ir/printf/record.ts';
import { pointerType, sizeOf } from '../../../ir/types.ts';
import { scalarAccess, storePart } from '../memory/memory-access.ts';
import type { FunctionCompiler } from './function-compiler.ts';

export function emitPrintf(fc: FunctionCompiler, printf: ir.Printf): void {
  const { code } = fc;
  const types = printf.operands.map(({ type }) => type);
  const { offsets, size } = recordLayout(types, sizeOf(pointerType('constant')));
  for (const operand of printf.operands) fc.settle(operand);
  fc.flushLoads();
  fc.pushEnvironment('printf');
  code.i32(size);
  code.call(fc.module.runtimeFunction('printf_claim'));
  const record = code.toTemporary('i32');
  code.get(record);
  code.open('if');
  printf.operands.forEach((operand, index) => {
    storeOperand(fc, record, operand, offsets[index]!);
  });
  code.get(record);
  code.i32(fc.module.printfNumber({ format: printf.format, types }) + 1);
  code.memory('i32.store', recordHeader.format, 4);
  code.end();
  const result = printf.results[0]!;
  if (fc.info(result).uses > 0) {
    code.i32(0);
    code.i32(-1);
    code.get(record);
    code.op('select');
    code.set(fc.assignLocals(result)[0]!);
  }
  code.release(record);
}

function storeOperand(fc: FunctionCompiler, record: number, operand: ir.Value, offset: number): void {
  const { type } = operand;
  const push = (): number => {
    fc.code.get(record);
    return offset;
  };
  if (type.kind !== 'vector') {
    const access = scalarAccess(type);
    push();
    fc.push(operand);
    fc.code.memory(access.store, offset, access.bytes);
    return;
  }
  const align = sizeOf(type.element);
  for (let part = 0; part * 16 < sizeOf(type); part += 1) {
    storePart(fc, type, part, align, push, () => fc.push(operand, part));
  }
}
