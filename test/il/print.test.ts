import { describe, expect, it } from 'vitest';
import { modifierRules } from '../../src/il/modifiers.ts';
import { allOpcodes, type Opcode, type OperandKind } from '../../src/il/opcodes.ts';
import { printInstruction } from '../../src/il/print.ts';
import { called, reversed, scaledSum } from './programs.ts';
import { instructionOf, programOf, reprinted, shapeOf } from './read-text.ts';

const operandTexts: Readonly<Record<OperandKind, string>> = {
  d: 'r1._y_0',
  s: 'r2.xyzz_neg(x)',
  i: '3',
  n: '-1.5',
  r: 'r4',
  w: 'someFlag',
  a: '(r1)',
};

/** An instruction with every modifier of its kind and every operand. */
function exampleOf({ name, operands, modifiers }: Opcode): string {
  const suffixes = [...modifiers].map((modifier) => {
    const { counts, words } = modifierRules[modifier];
    const values = Array.from({ length: counts[1] }, (_, index) => words?.at(index) ?? String(index));
    return `${modifier === '' ? '' : `_${modifier}`}${values.length === 0 ? '' : `(${values.join(',')})`}`;
  });
  const separator = operands[0]?.kind === 'w' ? '|' : ', ';
  return `${name}${suffixes.join('')} ${operands.map(({ kind }) => operandTexts[kind]).join(separator)}`.trimEnd();
}

describe('printed text', () => {
  it('is the text that was read, for each instruction with all that it may have', () => {
    for (const opcode of allOpcodes()) {
      const text = exampleOf(opcode);
      expect(printInstruction(instructionOf(text))).toBe(text);
    }
  });

  it('reads as the same tree', () => {
    for (const text of [scaledSum, called, reversed]) {
      expect(shapeOf(programOf(reprinted(text)))).toEqual(shapeOf(programOf(text)));
    }
  });

  it('of a program in this form is the program', () => {
    expect(reprinted(scaledSum)).toBe(scaledSum);
  });

  it('has one instruction a line, blocks indented and masks of four places', () => {
    const text = `il_cs_2_0 whileloop ifnz r0.y
mov r1.y,r2_neg( xy ).xw ;why
else break ;a
;b
endif endloop end`;
    expect(reprinted(text)).toMatchInlineSnapshot(`
      "il_cs_2_0
      whileloop
          ifnz r0.y
              mov r1._y__, r2.xw_neg(xy) ;why
          else
              break ;a
              ;b
          endif
      endloop
      end
      "
    `);
  });
});
