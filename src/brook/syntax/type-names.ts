/** Reads types as declarations begin with them: `float4`, `unsigned int`, `struct Pair`, with the words before them. */
import { type BrookType, valueTypeNamed, voidType } from '../types.ts';
import type { Qualifier } from './ast.ts';
import type { Reader } from './reader.ts';

const qualifiers: ReadonlySet<string> = new Set<Qualifier>([
  'const',
  'volatile',
  'restrict',
  'static',
  'extern',
  'auto',
  'register',
  'out',
  'reduce',
  'shared',
  'vout',
  'iter',
]);

/** Words of C that make up the names of integers. */
const integerWords = new Set(['unsigned', 'signed', 'long', 'int', 'char', 'short']);

/**
 * What C's spellings mean, with their words in alphabetical order, since they may stand in any; of what is not here (`long`, reserved
 * in A.6.1.2) there is no type.
 */
const spellings: Readonly<Record<string, string>> = {
  'char unsigned': 'uchar',
  'char signed': 'char',
  'short unsigned': 'ushort',
  'int short unsigned': 'ushort',
  'int short': 'short',
  'short signed': 'short',
  'int short signed': 'short',
  'int unsigned': 'uint',
  unsigned: 'uint',
  'int signed': 'int',
  signed: 'int',
};

/** Names that A.6.1.2 reserves: they are types, but none that a kernel can use. */
const reserved = /^(?:u?long[234]?|long|bool[234]?|fixed[234]?)$/;

export interface TypeSpecifier {
  readonly qualifiers: Set<Qualifier>;
  readonly type: BrookType;
  /** The name as written, where Brook+ has no such type; `type` is then float. */
  readonly unknownType: string | undefined;
}

/** Whether a token begins a type, qualifiers among it. */
export function startsType(reader: Reader, distance = 0): boolean {
  const token = reader.peek(distance);
  if (token.kind !== 'identifier') return false;
  const { text } = token;
  return (
    qualifiers.has(text) ||
    integerWords.has(text) ||
    text === 'void' ||
    (text === 'struct' && reader.peek(distance + 1).kind === 'identifier') ||
    reserved.test(text) ||
    valueTypeNamed(text) !== undefined ||
    reader.types.names.has(text)
  );
}

/** Reads qualifiers and a type in any order; undefined if there is no type. */
export function readType(reader: Reader): TypeSpecifier | undefined {
  const found = new Set<Qualifier>();
  const words: string[] = [];
  let named: BrookType | undefined;
  let unknownType: string | undefined;
  for (;;) {
    const { token } = reader;
    if (token.kind !== 'identifier') break;
    const { text } = token;
    if (qualifiers.has(text)) {
      found.add(text as Qualifier);
      if (text === 'vout' && reader.at('[', 1)) {
        // How many it may put out at most, which older programs say.
        reader.position = reader.behindBracket(reader.position + 1);
        continue;
      }
    } else if (named || unknownType) break;
    else if (integerWords.has(text)) words.push(text);
    else if (words.length > 0 && /^(?:char|short|int)[234]$/.test(text)) words.push(text);
    else if (words.length > 0) break;
    else if (text === 'void') named = voidType;
    else if (text === 'struct') {
      reader.next();
      const tag = reader.identifier('the name of a structure').text;
      named = reader.types.tags.get(tag);
      if (!named) unknownType = `struct ${tag}`;
      continue;
    } else if (valueTypeNamed(text)) named = valueTypeNamed(text);
    else if (reader.types.names.has(text)) named = reader.types.names.get(text);
    else if (reserved.test(text)) unknownType = text;
    else break;
    reader.next();
  }
  if (words.length > 0) {
    const spelled = words.join(' ');
    // `unsigned int4` is uint4.
    const vector = /^(un)?signed ((?:char|short|int)[234])$/.exec(spelled);
    named = valueTypeNamed(
      vector ? `${vector[1] ? 'u' : ''}${vector[2]}` : (spellings[words.toSorted().join(' ')] ?? spelled),
    );
    if (!named) unknownType = spelled;
  }
  if (!named && !unknownType) return undefined;
  return { qualifiers: found, type: named ?? valueTypeNamed('float')!, unknownType };
}
