/** Functions, patterns and types in words, for messages and for editors. */
import type { CType } from '../../c/types.ts';
import type { Pattern, PatternType } from './patterns.ts';

/** A type as a message names it: `float4`, `global int *`. */
export function describe(type: CType): string {
  switch (type.kind) {
    case 'arithmetic':
      return type.name;
    case 'vector':
      return `${type.element.name}${type.lanes}`;
    case 'pointer': {
      const { space, isConst, isVolatile } = type.pointee;
      const words = [
        space,
        isConst ? 'const' : '',
        isVolatile ? 'volatile' : '',
        describe(type.pointee.type),
      ];
      return `${words.filter((word) => word !== '').join(' ')} *`;
    }
    case 'opaque':
      return type.name;
    case 'atomic':
      return type.name ?? type.kind;
    default:
      return type.kind;
  }
}

const letterWords: Readonly<Record<string, string>> = {
  T: 'gentype',
  E: 'element',
  S: 'igentype',
  U: 'ugentype',
  I: 'intn',
  W: 'wider gentype',
  R: 'intn',
  M: 'ugentypem',
  N: 'gentypem',
  i: 'int',
  u: 'uint',
  z: 'size_t',
  v: 'void',
  h: 'half',
  c: 'char',
  e: 'event_t',
  b: 'bool',
  A: 'atomic gentype',
  F: 'atomic_flag',
  x: 'any type',
};

/** A family in the words of the specification: `gentype fmax(gentype, gentype)  [gentype: float, double]`. */
export function describePattern(name: string, pattern: Pattern): string {
  const words = [...pattern.parameters.map(wordsOf), ...(pattern.isVariadic ? ['...'] : [])].join(', ');
  const head = `${wordsOf(pattern.result)} ${name}(${words})`;
  if (pattern.elements.length === 0) return head;
  const elements = pattern.elements.map((element) => element.name).join(', ');
  const lanes = pattern.lanes.map((count) => (count === 1 ? 'scalar' : String(count))).join(', ');
  return `${head}, gentype of ${elements}; lanes ${lanes}`;
}

/** A parameter or result in the words of the specification: `global gentype *`. */
export function wordsOf(type: PatternType): string {
  if (type.kind === 'value') return letterWords[type.letter] ?? type.letter;
  const space = type.space === '@' ? '' : `${type.space} `;
  const marks = `${type.isConst ? 'const ' : ''}${type.isVolatile ? 'volatile ' : ''}`;
  return `${space}${marks}${letterWords[type.pointee] ?? type.pointee} *`;
}
