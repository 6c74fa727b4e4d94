/** Types and host layouts of the text form. */
import type { HostLayout } from '../ir.ts';
import {
  type AddressSpace,
  bool,
  f16,
  f32,
  f64,
  i8,
  i16,
  i32,
  i64,
  type LaneCount,
  opaqueType,
  pointerType,
  type Type,
  vectorType,
} from '../types.ts';
import type { Lexer } from './lexer.ts';

const scalars = new Map(Object.entries({ bool, i8, i16, i32, i64, f16, f32, f64 }));
const laneCounts: readonly number[] = [2, 3, 4, 8, 16];
const spaces: readonly string[] = ['private', 'local', 'global', 'constant', 'generic'];

/** `i32`, `f32x4`, `ptr<global>`, `opaque<image2d>`. */
export function parseType(lexer: Lexer): Type {
  const token = lexer.peek;
  const name = lexer.expectKind('word', 'a type');
  if (name === 'ptr' || name === 'opaque') {
    lexer.expect('<');
    const type =
      name === 'ptr' ? pointerType(parseSpace(lexer)) : opaqueType(lexer.expectKind('word', 'a name'));
    lexer.expect('>');
    return type;
  }
  const scalar = scalars.get(name);
  if (scalar) return scalar;
  const split = name.indexOf('x');
  const element = scalars.get(name.slice(0, split));
  const lanes = Number(name.slice(split + 1));
  if (!element || !laneCounts.includes(lanes)) return lexer.fail(`unknown type '${name}'`, token);
  return vectorType(element, lanes as LaneCount);
}

export function parseSpace(lexer: Lexer): AddressSpace {
  if (!spaces.includes(lexer.peek.text)) lexer.fail('expected an address space');
  return lexer.take().text as AddressSpace;
}

/** See layoutText in print.ts. */
export function parseLayout(lexer: Lexer): HostLayout {
  const token = lexer.peek;
  const name = lexer.expectKind('word', 'a layout');
  const leaf = /^([iuf])([1248])$/.exec(name);
  if (leaf) {
    const size = Number(leaf[2]) as 1 | 2 | 4 | 8;
    if (leaf[1] !== 'f') return { kind: 'integer', size, signed: leaf[1] === 'i' };
    if (size !== 1) return { kind: 'float', size };
  }
  if (name !== 'vector' && name !== 'array' && name !== 'struct')
    lexer.fail(`unknown layout '${name}'`, token);
  lexer.expect('(');
  const layout = name === 'struct' ? parseStruct(lexer) : parseSequence(lexer, name);
  lexer.expect(')');
  return layout;
}

function parseSequence(lexer: Lexer, kind: 'vector' | 'array'): HostLayout {
  const element = parseLayout(lexer);
  lexer.expect(',');
  const length = lexer.expectCount('a length');
  lexer.expect(',');
  const size = lexer.expectCount('a size');
  return kind === 'vector' ? { kind, element, lanes: length, size } : { kind, element, length, size };
}

function parseStruct(lexer: Lexer): HostLayout {
  const name = lexer.expectKind('string', 'a name in quotes');
  lexer.expect(',');
  const size = lexer.expectCount('a size');
  lexer.expect(',');
  const align = lexer.expectCount('an alignment');
  const fields: { name: string; offset: number; layout: HostLayout }[] = [];
  while (lexer.accept(',')) {
    const fieldName = lexer.expectKind('string', 'a name in quotes');
    const offset = lexer.expectCount('an offset');
    fields.push({ name: fieldName, offset, layout: parseLayout(lexer) });
  }
  return { kind: 'struct', name, size, align, fields };
}
