/** Every form of the tables against objdump: what is encoded is what the text says. */
import { expect, it } from 'vitest';
import { assemble } from '../../../../src/codegen/x64/assembler/assemble.ts';
import { chooseForm } from '../../../../src/codegen/x64/assembler/encode.ts';
import type { Form } from '../../../../src/codegen/x64/assembler/form.ts';
import type { Instruction } from '../../../../src/codegen/x64/assembler/instruction.ts';
import { printInstruction } from '../../../../src/codegen/x64/assembler/print.ts';
import { Program } from '../../../../src/codegen/x64/assembler/program.ts';
import { formsOfMnemonic, tableLines } from '../../../../src/codegen/x64/assembler/tables/index.ts';
import { disassemble, hasObjdump, normal } from './disassemble.ts';
import { instructionsOf } from './every-form.ts';

const options = { avx512: true };

interface All {
  readonly program: Program;
  readonly instructions: readonly Instruction[];
  readonly unused: ReadonlySet<Form>;
}

/** Instructions of all forms, and the forms that none of them takes. */
function all(): All {
  const program = new Program();
  const constant = program.constant(new Uint8Array(64), 64);
  const instructions: Instruction[] = [];
  const unused = new Set<Form>();
  for (const mnemonic of tableLines().keys()) {
    const forms = formsOfMnemonic(mnemonic);
    for (const form of forms) unused.add(form);
    for (const form of forms) instructions.push(...instructionsOf(mnemonic, form, constant));
  }
  for (const instruction of instructions) unused.delete(chooseForm(instruction, options));
  for (const instruction of instructions) program.append(instruction);
  return { program, instructions, unused };
}

it('has an instruction for each form, so that none is left unchecked', { timeout: 120_000 }, () => {
  const { instructions, unused } = all();
  expect(
    [...unused].map(({ printed, kind, operands }) => `${kind} ${printed} ${JSON.stringify(operands)}`),
  ).toEqual([]);
  expect(instructions.length).toBeGreaterThan(100_000);
});

it.skipIf(!hasObjdump)(
  'is read by objdump as what it prints (skipped without objdump)',
  { timeout: 240_000 },
  () => {
    const { program, instructions } = all();
    const code = assemble(program, options);
    const texts = disassemble(code.bytes.subarray(0, code.constantsAt));
    const hex = (number: number): string => `0x${number.toString(16)}`;
    const [place] = code.constants as [number];
    const wrong: string[] = [];
    instructions.forEach((instruction, index) => {
      const printed = printInstruction(instruction, { label: String, constant: () => 'constant' });
      const text = printed.replace('constant+0x4', hex(place + 4)).replace('constant', hex(place));
      const read = texts.get(code.places[index]!) ?? 'nothing at this place';
      // How often an element is broadcast objdump says only where the registers do not.
      const wanted = read.includes('{1to') ? text : text.replace(/\{1to\d+\}/, '');
      if (normal(wanted) !== read) wrong.push(`${wanted}: objdump reads ${read}`);
    });
    expect(wrong.slice(0, 20)).toEqual([]);
  },
);
