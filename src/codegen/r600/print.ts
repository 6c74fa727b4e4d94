/**
 * The listing of a program, in the manner of AMD's disassembler and the Stream KernelAnalyzer: the instructions of control flow
 * with their numbers, below each its clause, bundles and fetches numbered through.
 */
import { outermostUse, type Span } from '../../source/span.ts';
import { floatOfBits } from './bits.ts';
import { knownNumbers } from './bundles.ts';
import type {
  AluBundle,
  AluInstruction,
  ControlFlow,
  FetchInstruction,
  Operand,
  Place,
  Program,
  WriteInstruction,
} from './program.ts';

export interface PrintOptions {
  /** Behind each instruction, the line of the source that it comes from. */
  readonly lines?: boolean | undefined;
}

/** A line of a listing and the line of the source that it comes from. */
export interface ListingLine {
  readonly text: string;
  readonly span: Span | undefined;
}

export function printProgram(program: Program, options: PrintOptions = {}): string {
  return listingOf(program)
    .map(({ text, span }) => {
      const line = options.lines && span ? lineOf(span) : undefined;
      return `${line === undefined ? text : `${text.padEnd(72)} ; line ${line}`}\n`;
    })
    .join('');
}

/** The line of a place, as `#line` has it; undefined for what is in no file (its name begins with `<`). */
export function lineOf(span: Span): number | undefined {
  const { file, start } = outermostUse(span);
  const { name, line } = file.presumed(start);
  return name === '' || name.startsWith('<') ? undefined : line;
}

export function listingOf(program: Program): readonly ListingLine[] {
  const lines: ListingLine[] = [];
  for (const [index, one] of program.controlFlow.entries()) {
    const number = String(index).padStart(2, '0');
    lines.push({ text: `${number} ${controlFlowText(one)}`, span: spanOf(one) });
    if (one.kind === 'alu') for (const bundle of one.bundles) lines.push(...bundleLines(bundle));
    if (one.kind === 'fetch') {
      for (const fetch of one.fetches)
        lines.push({ text: `${numbered(fetch.number)}${fetchText(fetch)}`, span: fetch.span });
    }
  }
  lines.push({ text: 'END_OF_PROGRAM', span: undefined });
  return lines;
}

const numbered = (number: number): string => `    ${String(number).padStart(3)}  `;

function spanOf(one: ControlFlow): Span | undefined {
  if (one.kind === 'branch') return one.span;
  return one.kind === 'write' ? one.write.span : undefined;
}

function controlFlowText(one: ControlFlow): string {
  switch (one.kind) {
    case 'alu': {
      const locks = one.locks.map(({ buffer, line, count }, index) => {
        const range = `${line * 16}-${(line + count) * 16 - 1}`;
        return ` KCACHE${index}(CB${buffer}:${range})`;
      });
      return `${one.name}: ADDR(${one.address}) CNT(${one.words})${locks.join('')}`;
    }
    case 'fetch':
      return `${one.name}: ADDR(${one.address}) CNT(${one.fetches.length})${one.name === 'TEX' ? ' VALID_PIX' : ''}`;
    case 'write':
      return writeText(one.write);
    case 'branch': {
      const { name, to, pops, depth } = one;
      if (name === 'LOOP_DX10') return `LOOP_DX10 i${depth} FAIL_JUMP_ADDR(${to})`;
      if (name === 'ENDLOOP') return `ENDLOOP i${depth} PASS_JUMP_ADDR(${to})`;
      if (name === 'POP') return `POP (1) ADDR(${to})`;
      return `${name}${pops > 0 ? ` POP_CNT(${pops})` : ''} ADDR(${to})`;
    }
  }
}

function bundleLines({ number, instructions, literals }: AluBundle): readonly ListingLine[] {
  return instructions.map((instruction, index) => ({
    text: `${index === 0 ? numbered(number) : ' '.repeat(9)}${aluText(instruction, number, literals)}`,
    span: instruction.span,
  }));
}

function aluText(instruction: AluInstruction, number: number, literals: readonly number[]): string {
  const { slot, opcode, target, sources, swizzle, setsMask } = instruction;
  const name = opcode.name.replace('_RADIANS', '');
  const isDefault = swizzle === (slot === 't' ? 'SCL_210' : 'VEC_012');
  const parts = [
    opcode.sources === 0 ? '' : target ? placeText(target) : '____',
    ...sources.map((source) => operandText(source, number, literals)),
  ];
  const flags = [...(isDefault ? [] : [swizzle]), ...(setsMask ? ['UPDATE_EXEC_MASK', 'UPDATE_PRED'] : [])];
  return `${slot}: ${name.padEnd(14)} ${parts.filter((part) => part !== '').join(',  ')}${
    flags.length > 0 ? `  ${flags.join(' ')}` : ''
  }`.trimEnd();
}

function placeText({ file, index, channel }: Place): string {
  return `${file === 'general' ? 'R' : 'T'}${index}.${'xyzw'[channel]}`;
}

function operandText(operand: Operand, number: number, literals: readonly number[]): string {
  const plain = plainText(operand, number, literals);
  const size = operand.absolute ? `|${plain}|` : plain;
  return operand.negate ? `-${size}` : size;
}

function plainText(operand: Operand, number: number, literals: readonly number[]): string {
  switch (operand.kind) {
    case 'place':
      return placeText(operand);
    case 'previous':
      return operand.slot === 't' ? `PS${number - 1}` : `PV${number - 1}.${operand.slot}`;
    case 'constant':
      return `CB${operand.buffer}[${operand.index}].${'xyzw'[operand.channel]}`;
    case 'number': {
      if (operand.literal === undefined) return knownNumbers.get(operand.bits)!;
      const bits = literals[operand.literal]!;
      const hex = (bits >>> 0).toString(16).toUpperCase().padStart(8, '0');
      return `(0x${hex}, ${floatText(floatOfBits(bits))}).${'xyzw'[operand.literal]}`;
    }
  }
}

function floatText(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  return `${Number(value.toPrecision(9))}f`;
}

function fetchText(fetch: FetchInstruction): string {
  const { name, components, coordinates, resource, sampler, offset, format, bytes } = fetch;
  const mask = components.map((component) => (component === undefined ? '_' : 'xyzw'[component])).join('');
  const target = `R${fetch.target}${mask === 'xyzw' ? '' : `.${mask}`}`;
  const from = (count: number): string =>
    `R${fetch.address}.${Array.from({ length: count }, (_, at) => 'xyzw'[coordinates[Math.min(at, coordinates.length - 1)] ?? 0]).join('')}`;
  switch (name) {
    case 'SAMPLE':
      return `SAMPLE ${target}, ${from(4)}, t${resource}, s${sampler ?? 0}${fetch.isNormalised ? '' : '  UNNORM(XYZW)'}`;
    case 'LD':
      return `LD ${target}, ${from(4)}, t${resource}`;
    case 'GET_TEXTURE_RESINFO':
      return `GET_TEXTURE_RESINFO ${target}, ${from(4)}, t${resource}`;
    case 'VFETCH':
      return `VFETCH ${target}, ${from(1)}, fc${resource}  FORMAT(${format}) MEGA(${bytes})${offset === 0 ? '' : ` OFFSET(${offset})`}`;
    case 'LOCAL_DS_READ':
      return `LOCAL_DS_READ ${target}, ${from(1)}`;
    case 'READ_SCRATCH':
      return `READ_SCRATCH ${target}, VEC_PTR[${offset}${coordinates.length > 0 ? `+${from(1)}` : ''}]`;
  }
}

function writeText({ name, source, channels, index, base, isLast }: WriteInstruction): string {
  const at = index ? placeText(index) : '';
  if (name === 'EXP') {
    const swizzle = [0, 1, 2, 3].map((lane) => 'xyzw'[channels[lane] ?? -1] ?? '_').join('');
    return `${isLast ? 'EXP_DONE' : 'EXP'}: PIX${base}, R${source}${swizzle === 'xyzw' ? '' : `.${swizzle}`}`;
  }
  const mask = [0, 1, 2, 3].map((lane) => (channels[lane] === undefined ? '_' : 'xyzw'[lane])).join('');
  const data = `R${source}${mask === 'xyzw' ? '' : `.${mask}`}`;
  if (name === 'MEM_SCRATCH_WRITE_IND')
    return index
      ? `${name}: VEC_PTR[${base}+${at}], ${data}`
      : `MEM_SCRATCH_WRITE: VEC_PTR[${base}], ${data}`;
  if (name === 'LOCAL_DS_WRITE') return `${name}: [${at}], ${data}`;
  return `${name}: DWORD_PTR[${base}+${at}], ${data}, ELEM_SIZE(3)`;
}
