/** Reads the operands of instructions: registers with their indices, masks and swizzles, and numbers. */
import { quoted } from '../source/line-cursor.ts';
import type { Cursor } from './cursor.ts';
import { sourceModifiers } from './modifiers.ts';
import { type RegisterKind, registerKind, registers } from './registers.ts';
import type {
  Destination,
  Index,
  NumberOperand,
  Register,
  Selector,
  Source,
  SourceModifier,
  Write,
} from './tree.ts';

/** How deep registers may stand in the brackets of others. */
const deepest = 8;

const numberPattern = /[-+]?(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[fF]?)/y;
const components = 'xyzw';

export function readDestination(cursor: Cursor): Destination {
  cursor.skipBlanks();
  const start = cursor.offset;
  const register = readRegister(cursor, 'a destination register', 0);
  const what = registers[register.kind];
  if (!what.canWrite) cursor.wrong(start, `a ${what.what} register cannot be written`);
  const mask = readMask(cursor);
  return { kind: 'destination', register, mask, span: cursor.spanFrom(start) };
}

export function readSource(cursor: Cursor, depth = 0): Source {
  cursor.skipBlanks();
  const start = cursor.offset;
  const register = readRegister(cursor, 'a source register', depth);
  // brcc writes `r1_neg(xyzw).x000`, everybody else the swizzle first; either means the same
  const early = readSourceModifiers(cursor);
  const swizzle = readSwizzle(cursor);
  const modifiers = [...early, ...readSourceModifiers(cursor)];
  return { kind: 'source', register, swizzle, modifiers, span: cursor.spanFrom(start) };
}

/** A register as declarations have it: with an array's size in brackets, without mask or swizzle. */
export function readDeclared(cursor: Cursor): Source {
  const source = readSource(cursor);
  if (source.swizzle !== undefined || source.modifiers.length > 0) {
    cursor.diagnostics.error(source.span, 'a register that is declared takes no swizzle and no modifiers');
  }
  return source;
}

export function readNumber(cursor: Cursor): NumberOperand {
  cursor.skipBlanks();
  const start = cursor.offset;
  const text = cursor.read(numberPattern);
  if (text === '') cursor.lost('expected a number');
  const isHex = /^[-+]?0x/i.test(text);
  const isFloat = !isHex && /[.eEfF]/.test(text);
  const span = cursor.spanFrom(start);
  return {
    kind: 'number',
    text,
    isFloat,
    bits: isFloat ? floatBits(text) : integerBits(cursor, start, text),
    span,
  };
}

/** A number without a fraction, for counts and labels. */
export function readInteger(cursor: Cursor): NumberOperand {
  cursor.skipBlanks();
  const start = cursor.offset;
  const number = readNumber(cursor);
  if (number.isFloat) cursor.wrong(start, `expected an integer, found ${quoted(number.text)}`);
  return number;
}

function floatBits(text: string): number {
  return new Uint32Array(new Float32Array([Number(text.replace(/f$/i, ''))]).buffer)[0]!;
}

function integerBits(cursor: Cursor, start: number, text: string): number {
  const isNegative = text.startsWith('-');
  const size = Number(text.replace(/^[-+]/, ''));
  if (size > 0xffffffff || (isNegative && size > 0x80000000)) {
    cursor.wrong(start, `${quoted(text)} does not fit into 32 bits`);
    return 0;
  }
  return (isNegative ? -size : size) >>> 0;
}

function readRegister(cursor: Cursor, expected: string, depth: number): Register {
  if (depth > deepest) cursor.lost('registers stand too deep in brackets');
  const start = cursor.offset;
  const name = cursor.read(/[A-Za-z]+/y);
  if (name === '') cursor.lost(`expected ${expected}`);
  const digits = cursor.read(/\d+/y);
  const kind = registerKind(name);
  if (kind === undefined) {
    cursor.offset = start;
    cursor.lost(`expected ${expected}`);
  }
  const number = digits === '' ? undefined : Number(digits);
  const indices = readIndices(cursor, depth);
  checkNumbering(cursor, start, kind, number, indices.length);
  return { kind, number, indices };
}

function checkNumbering(
  cursor: Cursor,
  start: number,
  kind: RegisterKind,
  number: number | undefined,
  indices: number,
): void {
  const { numbering, what, indices: most } = registers[kind];
  if (numbering === 'always' && number === undefined)
    cursor.wrong(start, `a ${what} register has a number: ${kind}0`);
  if (numbering === 'never' && number !== undefined)
    cursor.wrong(start, `there is one ${what} register, '${kind}'`);
  if ((number ?? 0) > 0xffff) cursor.wrong(start, `register numbers end at 65535`);
  if (indices > most) {
    const count =
      most === 0 ? 'is no array and takes no index' : `takes ${most === 1 ? 'one index' : 'two indices'}`;
    cursor.wrong(start, `a ${what} register ${count}`);
  }
}

function readIndices(cursor: Cursor, depth: number): Index[] {
  const indices: Index[] = [];
  while (cursor.next === '[') {
    cursor.offset += 1;
    const terms: (Source | NumberOperand)[] = [];
    do {
      cursor.skipBlanks();
      terms.push(/[-\d]/.test(cursor.next) ? readInteger(cursor) : readSource(cursor, depth + 1));
    } while (cursor.accept('+'));
    cursor.expect(']', 'after an index');
    indices.push({ terms });
  }
  return indices;
}

/**
 * A mask names what is written in the order x, y, z, w; `_`, `0` and `1` hold the place of a component that is kept or set
 * to a constant, and components that are left out are kept: `.y` is `._y__`.
 */
function readMask(cursor: Cursor): [Write, Write, Write, Write] {
  if (cursor.next !== '.') return ['write', 'write', 'write', 'write'];
  const start = cursor.offset;
  cursor.offset += 1;
  const text = cursor.read(/\w+/y);
  const mask: [Write, Write, Write, Write] = ['keep', 'keep', 'keep', 'keep'];
  let place = 0;
  for (const letter of text) {
    const component = componentOf(letter);
    if (component >= 0) place = component < place ? 4 : component;
    const write = component >= 0 ? 'write' : constantWrites.get(letter);
    if (place > 3 || write === undefined) {
      cursor.wrong(
        start,
        `${quoted(text)} is no mask: expected components of xyzw in this order, or _, 0 and 1 in their places`,
      );
      return mask;
    }
    mask[place] = write;
    place += 1;
  }
  if (text === '') cursor.lost('expected a mask after the dot');
  return mask;
}

const constantWrites: ReadonlyMap<string, Write> = new Map<string, Write>([
  ['_', 'keep'],
  ['0', 'zero'],
  ['1', 'one'],
]);

/** The index of a component's letter, of xyzw or rgba; -1 for another letter. */
function componentOf(letter: string): number {
  return Math.max(components.indexOf(letter), 'rgba'.indexOf(letter));
}

function readSwizzle(cursor: Cursor): Selector[] | undefined {
  if (cursor.next !== '.') return undefined;
  const start = cursor.offset;
  cursor.offset += 1;
  const text = cursor.read(/[A-Za-z0-9]+/y);
  if (text === '') cursor.lost('expected a swizzle after the dot');
  const selectors = [...text].map(selectorOf);
  if (selectors.length > 4 || selectors.includes(undefined)) {
    cursor.wrong(start, `${quoted(text)} is no swizzle: expected one to four of x, y, z, w, 0 and 1`);
    return undefined;
  }
  return selectors as Selector[];
}

function selectorOf(letter: string): Selector | undefined {
  if (letter === '0' || letter === '1') return letter;
  const component = componentOf(letter);
  return component < 0 ? undefined : (components.charAt(component) as Selector);
}

function readSourceModifiers(cursor: Cursor): SourceModifier[] {
  const list: SourceModifier[] = [];
  while (cursor.next === '_') {
    const start = cursor.offset;
    cursor.offset += 1;
    const name = cursor.read(/[A-Za-z0-9]*/y).toLowerCase();
    const components = sourceModifiers.get(name);
    if (components === undefined) {
      cursor.wrong(
        start,
        `${quoted(`_${name}`)} is no modifier of a source; expected one of ${[...sourceModifiers.keys()].map((one) => `_${one}`).join(', ')}`,
      );
      throwAway(cursor);
      continue;
    }
    let text = '';
    if (components) {
      cursor.expect('(', `after '_${name}'`);
      cursor.skipBlanks();
      text = cursor.read(components.pattern);
      if (text === '') cursor.lost(`expected ${components.what} after '_${name}('`);
      cursor.expect(')', `after the components of '_${name}'`);
    }
    list.push({ name, components: text });
  }
  return list;
}

/** Over the parentheses of something unknown. */
function throwAway(cursor: Cursor): void {
  cursor.read(/\([^)\r\n;]*\)?/y);
}
