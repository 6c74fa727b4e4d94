/** Loads, stores, copies and atomics: values as words of the arrays of spaces.ts. */
import type * as ir from '../../ir/ir.ts';
import { elementOf, lanesOf, sizeOf, type Type } from '../../ir/types.ts';
import { fromWords, wordsOf } from './conversions.ts';
import { WgslError } from './error.ts';
import type { FunctionWriter } from './function-writer.ts';
import { unsignedLiteral } from './literals.ts';

function bytesOf(type: Type): number {
  return sizeOf(elementOf(type)) * lanesOf(type);
}

/** `index + 2u`, for the third word from a name on. */
function next(name: string, words: number): string {
  return words === 0 ? name : `${name} + ${words}u`;
}

export function writeLoad(writer: FunctionWriter, { operands, results, align }: ir.Load): void {
  const [pointer] = operands as [ir.Value];
  const [result] = results as [ir.Value];
  const { type } = result;
  const { functions } = writer.context;
  const place = writer.context.placeOf(pointer);
  const bytes = bytesOf(type);
  const count = Math.ceil(bytes / 4);
  const elementWords = writer.context.elementWords(place);
  if (elementWords > 1 && count < elementWords) {
    writer.define(result, fromWords(type, componentLoads(writer, pointer, count, elementWords)));
    return;
  }
  if (elementWords > 1) {
    writer.define(result, fromWords(type, elementLoads(writer, pointer, count, elementWords)));
    return;
  }
  if (align >= 4 && count === 1) {
    const word = functions.word(place, writer.elementIndex(pointer));
    writer.define(result, atoms(writer, type, [word]));
    return;
  }
  if (align >= 4) {
    const index = indexName(writer, pointer);
    const words = Array.from({ length: count }, (_, at) => functions.word(place, next(index, at)));
    writer.define(result, atoms(writer, type, words));
    return;
  }
  const address = writer.value(pointer);
  if (bytes <= align) {
    // It does not cross words.
    const word = `(${functions.word(place, `${address} >> 2u`)} >> ((${address} & 3u) * 8u))`;
    writer.define(result, atoms(writer, type, [`(${word} & ${bytes === 1 ? '0xffu' : '0xffffu'})`]));
    return;
  }
  const read = functions.unalignedLoad(place);
  const base = writer.named(pointer);
  const words = Array.from({ length: count }, (_, at) => `${read}(${next(base, at * 4)})`);
  writer.define(result, atoms(writer, type, words));
}

/** The index of an address as a name. */
function indexName(writer: FunctionWriter, pointer: ir.Value): string {
  const text = writer.elementIndex(pointer);
  if (/^\w+$/.test(text)) return text;
  const name = writer.temporary('index');
  writer.line(`let ${name} = ${text};`);
  return name;
}

const letters = 'xyzw';

/** The words of a value in a buffer of vectors, which are loaded as a whole. */
function elementLoads(
  writer: FunctionWriter,
  pointer: ir.Value,
  count: number,
  elementWords: number,
): string[] {
  const place = writer.context.placeOf(pointer);
  const index = indexName(writer, pointer);
  const vectors = Array.from({ length: count / elementWords }, (_, at) => {
    const name = writer.temporary('words');
    writer.line(`let ${name} = ${place}[${next(index, at)}];`);
    return name;
  });
  return Array.from({ length: count }, (_, at) => {
    return `${vectors[Math.floor(at / elementWords)]}.${letters[at % elementWords]}`;
  });
}

/** The words of a value that is a part of an element. */
function componentLoads(
  writer: FunctionWriter,
  pointer: ir.Value,
  count: number,
  elementWords: number,
): string[] {
  const place = writer.context.placeOf(pointer);
  const address = writer.named(pointer);
  return Array.from({ length: count }, (_, at) => {
    const word = `${next(address, at * 4)}`;
    const component = `((${word}) >> 2u) & ${elementWords - 1}u`;
    return `${place}[(${word}) >> ${1 + Math.log2(elementWords) + 1}u][${component}]`;
  });
}

/** The value of words, each of which is written once only if that is no more than a name. */
function atoms(writer: FunctionWriter, type: Type, words: readonly string[]): string {
  if (sizeOf(elementOf(type)) >= 4) return fromWords(type, words);
  if (lanesOf(type) === 1) {
    const mask = sizeOf(type) === 1 ? ' & 0xffu' : ' & 0xffffu';
    return words[0]!.endsWith(`${mask})`) ? words[0]! : `(${words[0]}${mask})`;
  }
  const names = words.map((word) => {
    const name = writer.temporary('word');
    writer.line(`let ${name} = ${word};`);
    return name;
  });
  return fromWords(type, names);
}

export function writeStore(writer: FunctionWriter, { operands, align }: ir.Store): void {
  const [pointer, value] = operands as [ir.Value, ir.Value];
  const { functions } = writer.context;
  const place = writer.context.placeOf(pointer);
  const bytes = bytesOf(value.type);
  const whole = Math.floor(bytes / 4);
  const rest = bytes % 4;
  const words = wordsOf(writer.named(value), value.type);
  const mask = rest === 0 ? '0xffffffffu' : unsignedLiteral(2 ** (rest * 8) - 1);
  const elementWords = writer.context.elementWords(place);
  if (elementWords > 1) {
    const index = indexName(writer, pointer);
    for (let at = 0; at < words.length; at += elementWords) {
      const vector = words.slice(at, at + elementWords).join(', ');
      writer.line(`${place}[${next(index, at / elementWords)}] = vec${elementWords}<u32>(${vector});`);
    }
    return;
  }
  if (align >= 4) {
    const index = words.length > 1 ? indexName(writer, pointer) : writer.elementIndex(pointer);
    for (let at = 0; at < whole; at += 1) {
      writer.line(functions.setWord(place, next(index, at), words[at]!));
    }
    if (rest > 0)
      writer.line(`${functions.setBits(place)}(${next(index, whole)}, ${mask}, ${words[whole]});`);
    return;
  }
  const address = writer.named(pointer);
  if (bytes <= align) {
    const shift = writer.temporary('shift');
    writer.line(`let ${shift} = (${address} & 3u) * 8u;`);
    writer.line(
      `${functions.setBits(place)}(${address} >> 2u, ${mask} << ${shift}, ${words[0]} << ${shift});`,
    );
    return;
  }
  const set = functions.setBytes(place);
  for (let at = 0; at < whole; at += 1)
    writer.line(`${set}(${next(address, at * 4)}, 0xffffffffu, ${words[at]});`);
  if (rest > 0) writer.line(`${set}(${next(address, whole * 4)}, ${mask}, ${words[whole]});`);
}

export function writeCopy(writer: FunctionWriter, instruction: ir.Copy): void {
  const [to, from, size] = instruction.operands as [ir.Value, ir.Value, ir.Value];
  const { functions, memory } = writer.context;
  const name = functions.copy(
    writer.context.placeOf(to),
    writer.context.placeOf(from),
    memory.isByWords(instruction),
  );
  writer.line(`${name}(${writer.value(to)}, ${writer.value(from)}, ${writer.value(size)});`);
}

export function writeFill(writer: FunctionWriter, instruction: ir.Fill): void {
  const [to, size] = instruction.operands as [ir.Value, ir.Value];
  const { functions, memory } = writer.context;
  const name = functions.fill(writer.context.placeOf(to), memory.isByWords(instruction));
  const word = unsignedLiteral(instruction.byte * 0x0101_0101);
  writer.line(`${name}(${writer.value(to)}, ${writer.value(size)}, ${word});`);
}

export function writeAtomic(writer: FunctionWriter, instruction: ir.Atomic): void {
  const { fn, operands, results, span } = instruction;
  const [pointer, ...values] = operands as [ir.Value, ...ir.Value[]];
  const type = (results[0] ?? values[0]!).type;
  if (bytesOf(type) !== 4) throw new WgslError(`atomic operations on ${bytesOf(type) * 8} bits`, span);
  const name = writer.context.functions.atomic(writer.context.placeOf(pointer), fn);
  const args = values.map((value) => wordsOf(writer.value(value), value.type)[0]!);
  const text = `${name}(${[writer.elementIndex(pointer), ...args].join(', ')})`;
  const [result] = results;
  if (result && writer.usesOf(result) > 0) writer.define(result, fromWords(type, [text]));
  else writer.line(fn === 'store' ? `${text};` : `_ = ${text};`);
}
