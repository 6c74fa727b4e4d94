/**
 * The readers of constants, in one place for parsers.
 */
export { readCharacter, readString } from './character-literal.ts';
export { type FloatLiteral, readFloat } from './float-literal.ts';
export { type IntegerLiteral, readInteger } from './integer-literal.ts';
