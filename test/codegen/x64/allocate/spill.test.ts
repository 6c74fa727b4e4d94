/** What becomes of instructions that read lanes of a vector whose home is the frame: they read the lane there. */
import { expect, it } from 'vitest';
import { findLiveness } from '../../../../src/codegen/x64/allocate/liveness.ts';
import { type Frame, spill } from '../../../../src/codegen/x64/allocate/spill.ts';
import { immediate, memory, vector } from '../../../../src/codegen/x64/assembler/instruction.ts';
import { Program } from '../../../../src/codegen/x64/assembler/program.ts';
import { MachineFunction } from '../../../../src/codegen/x64/machine/function.ts';
import { firstVirtual } from '../../../../src/codegen/x64/machine/operation.ts';

it.each([
  ['vpextrd', 32, 3, 'mov', 12],
  ['vpextrd', 32, 0, 'mov', 0],
  ['vpextrq', 64, 1, 'mov', 8],
  ['vpextrw', 32, 5, 'movzx', 10],
  ['vpextrb', 32, 15, 'movzx', 15],
] as const)('%s of %i bits, lane %i', (mnemonic, bits, lane, expected, offset) => {
  const fn = new MachineFunction('f', new Program());
  const [address, result] = [fn.general(64), fn.general(bits)];
  const value = vector(fn.newVector(128), 128);
  fn.emit('vmovups', value, memory(128, { base: address }));
  fn.emit(mnemonic, result, value, immediate(lane));
  fn.emit('mov', memory(bits, { base: address }), result);
  const { ranges } = findLiveness(fn);
  const frame: Frame = { bytes: 16, locals: new Map() };
  spill(fn, [value.number - firstVirtual], (index) => index, ranges, frame, true);
  const made = fn.items.flatMap((item) => (item.kind === 'label' ? [] : [item.instruction]));
  const moves = made.filter((one) => one.operands[0] === result || one.operands[0]?.kind === 'general');
  expect(made.map((one) => one.mnemonic)).not.toContain(mnemonic);
  expect(moves).toHaveLength(1);
  const [{ mnemonic: name, operands }] = moves as [(typeof moves)[0]];
  expect(name).toBe(expected);
  expect(operands[1]).toMatchObject({ kind: 'memory', offset: 16 + offset });
  // The whole vector is in the frame, behind what was there.
  expect(frame.bytes).toBe(32);
});
