/** Prints a program for people: instructions with their places and bytes, labels, and the lines of the source where they change. */
import { printInstruction } from './assembler/print.ts';
import type { MachineCode, Program } from './assembler/program.ts';

/** @param names of functions, by their labels */
export function listProgram(program: Program, code: MachineCode, names: ReadonlyMap<number, string>): string {
  const lines: string[] = [];
  let line: number | undefined;
  const label = (number: number): string => names.get(number) ?? `L${number}`;
  const constant = (number: number): string => `constant${number}`;
  program.items.forEach((item, index) => {
    const at = code.places[index]!;
    if (item.kind === 'label') {
      if (names.has(item.label)) lines.push('');
      lines.push(`${label(item.label)}:`);
      return;
    }
    if (item.kind === 'align') return;
    const { instruction } = item;
    if (instruction.line !== undefined && instruction.line !== line) {
      line = instruction.line;
      lines.push(`  ; line ${line}`);
    }
    lines.push(`  ${at.toString(16).padStart(6)}:  ${printInstruction(instruction, { label, constant })}`);
  });
  if (program.constants.length > 0) lines.push('');
  program.constants.forEach(({ bytes }, index) => {
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
    lines.push(`constant${index}:  ${code.constants[index]!.toString(16)}:  ${hex}`);
  });
  return `${lines.join('\n')}\n`;
}
