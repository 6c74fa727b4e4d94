/**
 * The parser of AMD IL's assembler text.
 *
 * An instruction ends when its operands do: public programs have several on a line (their writers joined strings without a line
 * break), so the table of opcodes says where the next begins. An instruction does not go on in the next line. After a
 * mistake the rest of the line is skipped, so that each line reports its first mistake and the next is read afresh.
 */
import { counted } from '../source/counted.ts';
import type { Diagnostics } from '../source/diagnostics.ts';
import { LineIsLost, quoted } from '../source/line-cursor.ts';
import { nearestName } from '../source/nearest-name.ts';
import type { SourceFile } from '../source/source-file.ts';
import { absentAt, absentOpcodes } from './absent-opcodes.ts';
import { Cursor } from './cursor.ts';
import { type ModifierName, modifierRules } from './modifiers.ts';
import { allOpcodes, type Opcode, type OperandRule, opcodeAt } from './opcodes.ts';
import { readDeclared, readDestination, readInteger, readNumber, readSource } from './operands.ts';
import type {
  Destination,
  Header,
  Instruction,
  Item,
  MacroArguments,
  Modifier,
  Operand,
  Program,
  Source,
} from './tree.ts';

/** Reads a program. Mistakes are reported, and the tree holds the instructions that have none. */
export function parseIl(file: SourceFile, diagnostics: Diagnostics): Program {
  const cursor = new Cursor(file, diagnostics);
  const items: Item[] = [];
  let isBehindItem = false;
  while (!cursor.isAtEnd && !diagnostics.isFull) {
    cursor.skipBlanks();
    const { next, offset } = cursor;
    if (next === '\r' || next === '\n') {
      cursor.nextLine();
      isBehindItem = false;
    } else if (next === ';' || (next === '#' && !isBehindItem)) {
      // Lines of brcc's trailer, `##narg:3`, are for its runtime.
      const text = cursor
        .restOfLine()
        .slice(next === ';' ? 1 : 0)
        .trimEnd();
      items.push({ kind: 'comment', text, isTrailing: isBehindItem, span: cursor.spanFrom(offset) });
    } else if (!cursor.isAtEnd) {
      const item = readItem(cursor);
      if (item !== undefined) items.push(item);
      isBehindItem = true;
    }
  }
  return { file, items };
}

function readItem(cursor: Cursor): Header | Instruction | undefined {
  try {
    const before = cursor.file.text.charAt(cursor.offset - 1);
    if (!/^\s?$/.test(before)) cursor.lost('expected a blank before the next instruction');
    return readHeader(cursor) ?? readInstruction(cursor);
  } catch (error) {
    if (!(error instanceof LineIsLost)) throw error;
    cursor.restOfLine();
    return undefined;
  }
}

function readHeader(cursor: Cursor): Header | undefined {
  const start = cursor.offset;
  const text = cursor.read(/il_\w+/y);
  if (text === '') return undefined;
  const [, shader, version = ''] = /^il_([a-z]+?)(?:_(\d+_\d+))?$/.exec(text) ?? [];
  if (shader !== 'ps' && shader !== 'cs') {
    cursor.wrong(start, `${quoted(text)} is no kind of program; expected il_ps_2_0, il_ps_3_0 or il_cs_2_0`);
    throw new LineIsLost();
  }
  return { kind: 'header', shader, version, span: cursor.spanFrom(start) };
}

/** The instruction that a mistyped one was meant to be, with or without what follows its name; one of the same first letter if there is any. */
function nearestOpcode(mnemonic: string): string | undefined {
  const names = allOpcodes().map(({ name }) => name);
  const alike = names.filter((name) => name[0] === mnemonic[0]);
  const first = mnemonic.replace(/_.*/, '');
  return (
    nearestName(mnemonic, alike) ??
    nearestName(first, alike) ??
    nearestName(mnemonic, names) ??
    nearestName(first, names)
  );
}

function readInstruction(cursor: Cursor): Instruction {
  const start = cursor.offset;
  const mnemonic = cursor.read(/[A-Za-z]\w*/y);
  if (mnemonic === '') cursor.lost('expected an instruction');
  const opcode = opcodeAt(mnemonic);
  const absent = absentAt(mnemonic);
  if (absent !== undefined && absent.length > (opcode?.name.length ?? 0)) {
    cursor.wrong(start, `${absent} is not supported: ${absentOpcodes.get(absent)}`);
    throw new LineIsLost();
  }
  if (opcode === undefined) {
    const near = nearestOpcode(mnemonic);
    const hint = near === undefined ? '' : `; did you mean '${near}'?`;
    cursor.wrong(start, `unknown instruction ${quoted(mnemonic)}${hint}`);
    throw new LineIsLost();
  }
  cursor.offset = start + opcode.name.length;
  const modifiers = readModifiers(cursor, opcode);
  const nameEnd = cursor.offset;
  const operands = readOperands(cursor, opcode);
  const end = operands.at(-1)?.span.end ?? nameEnd;
  return { kind: 'instruction', opcode, modifiers, operands, span: { file: cursor.file, start, end } };
}

function readModifiers(cursor: Cursor, opcode: Opcode): Modifier[] {
  const modifiers: Modifier[] = [];
  if (opcode.modifiers.has('')) modifiers.push(readModifier(cursor, opcode, '', cursor.offset));
  for (;;) {
    const start = cursor.offset;
    cursor.skipBlanks();
    if (cursor.next !== '_') {
      cursor.offset = start;
      return modifiers;
    }
    const begin = cursor.offset;
    const text = cursor.read(/\w+/y);
    const name = modifierAt(text.slice(1), opcode.modifiers);
    if (name === undefined) {
      const known = [...opcode.modifiers].filter((one) => one !== '').map((one) => `_${one}`);
      const expected = known.length === 0 ? 'it has none' : `expected one of ${known.join(', ')}`;
      cursor.wrong(begin, `${quoted(text)} is no modifier of ${opcode.name}; ${expected}`);
      throw new LineIsLost();
    }
    cursor.offset = begin + 1 + name.length;
    if (modifiers.some((other) => other.name === name)) {
      cursor.wrong(begin, `'_${name}' is there twice`);
      throw new LineIsLost();
    }
    modifiers.push(readModifier(cursor, opcode, name, begin));
  }
}

/** The modifier that begins a text of several in a row, the longest that does: of `mem_read_only_gds`, mem_read_only. */
function modifierAt(text: string, known: ReadonlySet<ModifierName>): ModifierName | undefined {
  let best: ModifierName | undefined;
  for (const name of known) {
    if (name === '' || !text.startsWith(name) || name.length < (best?.length ?? 0)) continue;
    const next = text.charAt(name.length);
    if (next === '' || next === '_') best = name;
  }
  return best;
}

function readModifier(cursor: Cursor, opcode: Opcode, name: ModifierName, start: number): Modifier {
  const shown = name === '' ? opcode.name : `_${name}`;
  const { counts, words } = modifierRules[name];
  const [least, most] = counts;
  const values: string[] = [];
  if (most > 0) {
    cursor.expect('(', `after '${shown}'`);
    do {
      cursor.skipBlanks();
      const begin = cursor.offset;
      const value = cursor.read(/[-+\w.]+/y);
      if (value === '') cursor.lost(`expected a value of '${shown}'`);
      if (words === undefined ? !/^[-+]?(\d+(\.\d*)?|0x[0-9a-f]+)$/i.test(value) : !words.includes(value)) {
        const expected = words === undefined ? 'a number' : words.join(', ');
        cursor.wrong(begin, `${quoted(value)} is no value of '${shown}'; expected ${expected}`);
      }
      values.push(value);
    } while (cursor.accept(','));
    cursor.expect(')', `after the value of '${shown}'`);
    if (values.length < least || values.length > most) {
      cursor.wrong(start, `'${shown}' takes ${counted(most, 'value')}, found ${values.length}`);
    }
  }
  return { name, values, span: cursor.spanFrom(start) };
}

function readOperands(cursor: Cursor, opcode: Opcode): Operand[] {
  const operands: Operand[] = [];
  for (const rule of opcode.operands) {
    do {
      const isBehindComma = operands.length > 0 && rule.kind !== 'w';
      if (rule.isOptional && (isBehindComma ? !followsComma(cursor) : cursor.isLineDone)) break;
      if (isBehindComma) cursor.expect(',', `before operand ${operands.length + 1} of ${opcode.name}`);
      operands.push(readOperand(cursor, rule, operands.length === 0));
    } while (rule.isRepeated);
  }
  if (followsComma(cursor)) {
    const count = operands.length === 0 ? 'no operands' : counted(operands.length, 'operand');
    cursor.lost(`${opcode.name} has ${count}; expected the next instruction`);
  }
  return operands;
}

function followsComma(cursor: Cursor): boolean {
  cursor.skipBlanks();
  return cursor.next === ',';
}

function readOperand(cursor: Cursor, rule: OperandRule, isFirst: boolean): Operand {
  switch (rule.kind) {
    case 'd':
      return readDestination(cursor);
    case 's':
      return readSource(cursor);
    case 'r':
      return readDeclared(cursor);
    case 'i':
      return readInteger(cursor);
    case 'n':
      return readNumber(cursor);
    case 'w':
      return readWord(cursor);
    case 'a':
      return readArguments(cursor, isFirst);
  }
}

function readWord(cursor: Cursor): Operand {
  cursor.accept('|');
  cursor.skipBlanks();
  const start = cursor.offset;
  const text = cursor.read(/[A-Za-z]\w*/y);
  if (text === '') cursor.lost('expected a flag');
  return { kind: 'word', text, span: cursor.spanFrom(start) };
}

function readArguments(cursor: Cursor, areWritten: boolean): MacroArguments {
  cursor.skipBlanks();
  const start = cursor.offset;
  cursor.expect('(', areWritten ? 'before what the macro writes' : 'before what the macro reads');
  const operands: (Destination | Source)[] = [];
  if (!cursor.accept(')')) {
    do {
      operands.push(areWritten ? readDestination(cursor) : readSource(cursor));
    } while (cursor.accept(','));
    cursor.expect(')', 'after the arguments of a macro');
  }
  return { kind: 'arguments', operands, span: cursor.spanFrom(start) };
}
