/** An AMD IL text that answers an editor's questions. */

import { allOpcodes, opcodeAt } from '../../../il/opcodes.ts';
import { parseIl } from '../../../il/parse.ts';
import { readIl } from '../../../il/read.ts';
import { registerKind, registers } from '../../../il/registers.ts';
import type { Instruction, Item, Program } from '../../../il/tree.ts';
import { Diagnostics } from '../../../source/diagnostics.ts';
import { SourceFile } from '../../../source/source-file.ts';
import { addLines } from '../folding.ts';
import type { DocumentSymbol, FoldingRange, Reading, SignatureHelp, TextRange } from '../reading.ts';
import { type Entry, simpleReading } from '../simple-reading.ts';
import { instructionHead, instructionText } from './instructions.ts';

const errorLimit = 200;

export function readIlText(source: string, name: string): Reading {
  const file = new SourceFile(name, source);
  const diagnostics = new Diagnostics({ errorLimit });
  readIl(file, diagnostics);
  const program = parseIl(file, new Diagnostics());
  const reading = simpleReading({
    text: source,
    hidden: /;[^\n]*/g,
    diagnostics: diagnostics.list,
    entries: [...instructionEntries(), ...registerEntries(file, program)],
    symbols: symbolsOf(program),
    regions: regionsOf(program),
    stem: (word) => opcodeAt(word)?.name ?? word,
    parts: ['x', 'y', 'z', 'w', 'xy', 'xyz', 'xyzw'],
  });
  return { ...reading, signatureHelp: (offset) => operandsAt(source, offset) };
}

/** The operands of the instruction that the line up to an offset begins. */
function operandsAt(text: string, offset: number): SignatureHelp | undefined {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  const found = /^[ \t]*([A-Za-z]\w*(?:\([^)]*\)\w*)*)[ \t]+([^;]*)$/.exec(line);
  const opcode = found?.[1] === undefined ? undefined : opcodeAt(found[1]);
  if (!opcode || !found) return undefined;
  const label = instructionHead(opcode);
  const parameters: TextRange[] = [];
  let start = opcode.name.length + 1;
  for (const part of label.slice(start).split(', ')) {
    parameters.push({ start, end: start + part.length });
    start += part.length + 2;
  }
  if (label.length <= opcode.name.length) return undefined;
  const activeParameter = found[2]!.replace(/\[[^\]]*\]?/g, '').split(',').length - 1;
  const documentation = instructionText(opcode);
  return { signatures: [{ label, parameters, documentation }], active: 0, activeParameter };
}

let instructions: readonly Entry[] | undefined;

function instructionEntries(): readonly Entry[] {
  instructions ??= allOpcodes().map((opcode): Entry => {
    const look = { type: 'keyword', modifiers: [] } as const;
    const { name } = opcode;
    return { name, kind: 'keyword', detail: instructionHead(opcode), text: instructionText(opcode), look };
  });
  return instructions;
}

/** The registers that the text names, each with its declaration or else where it is first written. */
function registerEntries(file: SourceFile, program: Program): Entry[] {
  const places = new Map<string, { range: TextRange; line: string; isDeclared: boolean }>();
  for (const item of program.items) {
    if (item.kind !== 'instruction') continue;
    const [first] = item.operands;
    const isDeclaration = item.opcode.family === 'declaration' || item.opcode.name === 'defb';
    if (!first || (first.kind !== 'destination' && !isDeclaration)) continue;
    const word = /^[A-Za-z]+\d*/.exec(file.text.slice(first.span.start, first.span.end))?.[0];
    if (word === undefined || places.get(word)?.isDeclared || (places.has(word) && !isDeclaration)) continue;
    const { start } = first.span;
    const line = file.text.slice(item.span.start, item.span.end).trim();
    places.set(word, { range: { start, end: start + word.length }, line, isDeclared: isDeclaration });
  }
  const words = new Set(file.text.match(/\b[A-Za-z]+\d*\b/g) ?? []);
  return [...words].flatMap((word): Entry[] => {
    const kind = registerKind(word.replace(/\d+$/, ''));
    if (kind === undefined) return [];
    const { what } = registers[kind];
    const found = places.get(word);
    const text = found?.isDeclared ? `\`\`\`\n${found.line}\n\`\`\`\n\n${what}` : `\`${word}\`: ${what}`;
    const look = { type: 'variable', modifiers: [] } as const;
    return [
      {
        name: word,
        kind: 'variable',
        detail: what,
        text,
        look,
        ...(found ? { place: { file, ...found.range } } : {}),
      },
    ];
  });
}

/** The program, its declarations, functions and macros. */
function symbolsOf(program: Program): DocumentSymbol[] {
  return program.items.flatMap((item): DocumentSymbol[] => {
    if (item.kind === 'comment') return [];
    const { start, end } = item.span;
    const range = { start, end };
    const text = program.file.text.slice(start, end).trim();
    if (item.kind === 'header')
      return [{ name: text, kind: 'kernel', detail: 'program', range, nameRange: range, children: [] }];
    const { name } = item.opcode;
    if (name === 'func' || name === 'mdef')
      return [{ name: text, kind: 'function', detail: name, range, nameRange: range, children: [] }];
    if (item.opcode.family !== 'declaration') return [];
    return [{ name: text, kind: 'constant', detail: 'declaration', range, nameRange: range, children: [] }];
  });
}

const opening = /^(if|whileloop|loop|switch|func|mdef)/;
const closing = /^(endif|endloop|endswitch|endfunc|mend)$/;

function regionsOf({ file, items }: Program): FoldingRange[] {
  const ranges: FoldingRange[] = [];
  const open: number[] = [];
  for (const { opcode, span } of items.filter(isInstruction)) {
    if (opening.test(opcode.name)) open.push(span.start);
    else if (closing.test(opcode.name)) {
      const start = open.pop();
      if (start !== undefined) addLines(ranges, file.text, start, span.end, 'block');
    }
  }
  return ranges;
}

function isInstruction(item: Item): item is Instruction {
  return item.kind === 'instruction';
}
