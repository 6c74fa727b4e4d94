/**
 * Programs in IL are lowered for addresses of 32 bits, which they never see: they count elements in numbers of 32 bits. A device
 * with addresses of 64 bits gets the same program with those numbers converted where the IR wants its own: offsets of pointers,
 * and places in the launch.
 */
import { newValue } from '../../ir/builder.ts';
import type * as ir from '../../ir/ir.ts';
import { i64 } from '../../ir/types.ts';
import { walkRegionsInsideOut } from '../../ir/walk.ts';

/** Rewrites the module, before the library is linked to it. */
export function widenAddresses(module: ir.Module): ir.Module {
  for (const { body } of module.functions) if (body) walkRegionsInsideOut(body, widenRegion);
  return { ...module, addressBits: 64 };
}

function widenRegion(region: ir.Region): void {
  const instructions: ir.Instruction[] = [];
  for (const instruction of region.instructions) {
    if (instruction.op === 'offset') {
      const [pointer, offset] = instruction.operands as [ir.Value, ir.Value];
      const wide = newValue(i64);
      instructions.push(convert('sext', offset, wide, instruction));
      instructions.push({ ...instruction, operands: [pointer, wide] });
    } else if (instruction.op === 'query' && instruction.fn !== 'work_dim') {
      const wide = newValue(i64);
      const narrow = instruction.results[0]!;
      instructions.push({ ...instruction, results: [wide] });
      instructions.push(convert('trunc', wide, narrow, instruction));
    } else {
      instructions.push(instruction);
    }
  }
  region.instructions = instructions;
}

function convert(fn: 'sext' | 'trunc', from: ir.Value, to: ir.Value, { span }: ir.Instruction): ir.Convert {
  return { op: 'convert', fn, operands: [from], results: [to], regions: [], span };
}
