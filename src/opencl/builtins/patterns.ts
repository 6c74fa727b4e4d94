/** Reads the signature patterns of signatures.ts, on the first use of a function only. */
import {
  type AddressSpace,
  type ArithmeticName,
  type ArithmeticType,
  arithmeticTypes,
  type VectorType,
} from '../../c/types.ts';

export type Lanes = 1 | VectorType['lanes'];

/** A parameter or result of a pattern; the letters are explained in signatures.ts. */
export type PatternType =
  | { readonly kind: 'value'; readonly letter: string }
  | {
      readonly kind: 'pointer';
      /** `@` is the pattern's own choice of spaces. */
      readonly space: AddressSpace | '@';
      readonly isConst: boolean;
      readonly isVolatile: boolean;
      readonly pointee: string;
    };

export interface Pattern {
  /** What the generic element may be; empty for a function that is not generic. */
  readonly elements: readonly ArithmeticType[];
  readonly lanes: readonly Lanes[];
  readonly spaces: readonly AddressSpace[];
  readonly result: PatternType;
  readonly parameters: readonly PatternType[];
  /** More arguments may follow. */
  readonly isVariadic: boolean;
}

const elementNames: Readonly<Record<string, ArithmeticName>> = {
  c: 'char',
  C: 'uchar',
  s: 'short',
  S: 'ushort',
  i: 'int',
  I: 'uint',
  l: 'long',
  L: 'ulong',
  f: 'float',
  d: 'double',
  h: 'half',
};

const spaceNames: Readonly<Record<string, AddressSpace>> = {
  p: 'private',
  l: 'local',
  g: 'global',
  k: 'constant',
  G: 'generic',
};

const laneSets: Readonly<Record<string, readonly Lanes[]>> = {
  '*': [1, 2, 3, 4, 8, 16],
  '+': [2, 3, 4, 8, 16],
  '2': [2, 4, 8, 16],
  '#': [1, 2, 3, 4],
};

/** The element types that letters stand for. */
export function elementsOf(letters: string): ArithmeticType[] {
  const elements: ArithmeticType[] = [];
  for (const letter of letters) {
    const name = elementNames[letter];
    if (name) elements.push(arithmeticTypes[name]);
  }
  return elements;
}

/** All patterns of one line of the table, as they stand for the function `name`. */
export function parsePatterns(text: string, name: string): Pattern[] {
  return text.split(';').map((part) => parsePattern(part, name));
}

function parsePattern(text: string, name: string): Pattern {
  const open = text.indexOf('(');
  const gap = text.indexOf(' ');
  const [elements = '', lanes = '1', spaces = ''] = text.slice(0, gap).split(':');
  const isVariadic = text.endsWith(',...)');
  const inner = text.slice(open + 1, isVariadic ? -',...)'.length : -1);
  return {
    elements: elements === '-' ? [] : elementsOf(elements),
    lanes: parseLanes(lanes, name),
    spaces: [...spaces].map((letter) => spaceNames[letter] ?? 'private'),
    result: parseType(text.slice(gap + 1, open)),
    parameters: inner === '' ? [] : inner.split(',').map(parseType),
    isVariadic,
  };
}

function parseLanes(text: string, name: string): readonly Lanes[] {
  // `2` means the shuffles' powers of two there, and two lanes everywhere else.
  if (text === '2' && !name.startsWith('shuffle')) return [2];
  return laneSets[text] ?? [Number(text) as Lanes];
}

function parseType(text: string): PatternType {
  if (!text.startsWith('*')) return { kind: 'value', letter: text };
  const colon = text.indexOf(':');
  const marks = text.slice(2, colon);
  const space = text.charAt(1);
  return {
    kind: 'pointer',
    space: space === '@' ? '@' : (spaceNames[space] ?? 'private'),
    isConst: marks.includes('c'),
    isVolatile: marks.includes('v'),
    pointee: text.slice(colon + 1),
  };
}
