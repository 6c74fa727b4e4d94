/** The small functions and samplers that the written code needs of its own, each written once and only if it is used. */
import type { AddressSpace, FloatType, IntType, Type, VectorType } from '../../ir/types.ts';
import { elementOf } from '../../ir/types.ts';
import { integerName, spaceName, typeText } from './c-types.ts';
import { samplerText } from './images.ts';
import type { NameScope } from './names.ts';

export class Prelude {
  readonly #scope: NameScope;
  readonly #names = new Map<string, string>();
  readonly #texts: string[] = [];
  readonly #addressBits: 32 | 64;

  /** @param scope the names of the program */
  constructor(scope: NameScope, addressBits: 32 | 64) {
    this.#scope = scope;
    this.#addressBits = addressBits;
  }

  /** All functions that were asked for. */
  get texts(): readonly string[] {
    return this.#texts;
  }

  /** A sampler that is a constant, under a name as OpenCL C wants it. */
  sampler(bits: number): string {
    return this.#function(`sampler_${bits >>> 0}`, (own) => [
      `constant sampler_t ${own} = ${samplerText(bits)};`,
    ]);
  }

  /** Signed division that gives any value, and no trap, where the divisor is 0 or the quotient does not fit. */
  divide(type: Type): string {
    const name = typeText(type, true);
    const guarded =
      type.kind === 'vector'
        ? `select(b, (${name})(1), (b == (${name})(0)) | (b == (${name})(-1)))`
        : 'b == 0 || b == -1 ? 1 : b';
    // Dividing by -1 is changing the sign, which wraps when it is done without signs.
    const unsigned = typeText(type);
    const negated =
      type.kind === 'vector'
        ? `select(a / divisor, as_${name}(-as_${unsigned}(a)), b == (${name})(-1))`
        : `b == -1 ? (${name})(0 - (${unsigned})a) : (${name})(a / divisor)`;
    return this.#function(`divide_${name}`, (own) => [
      `${name} ${own}(${name} a, ${name} b) {`,
      `  ${name} divisor = ${guarded};`,
      `  return ${negated};`,
      '}',
    ]);
  }

  /** Signed remainder; where the divisor is -1 the remainder is that by 1, 0. */
  remainder(type: Type): string {
    const name = typeText(type, true);
    const divisor =
      type.kind === 'vector'
        ? `select(b, (${name})(1), (b == (${name})(0)) | (b == (${name})(-1)))`
        : '(b == 0 || b == -1 ? 1 : b)';
    return this.#function(`remainder_${name}`, (own) => [
      `${name} ${own}(${name} a, ${name} b) {`,
      `  return a % ${divisor};`,
      '}',
    ]);
  }

  /** How many bits are set, where the language has no function for it (before OpenCL C 1.2). */
  popcount(type: IntType | VectorType): string {
    const name = typeText(type);
    const element = elementOf(type) as IntType;
    const of = (byte: number): string => {
      const pattern = BigInt(
        `0x${byte
          .toString(16)
          .padStart(2, '0')
          .repeat(element.bits / 8)}`,
      );
      return `(${name})(${pattern}${element.bits === 64 ? 'ul' : 'u'})`;
    };
    return this.#function(`popcount_${name}`, (own) => [
      `${name} ${own}(${name} x) {`,
      `  x = x - ((x >> (${name})(1)) & ${of(0x55)});`,
      `  x = (x & ${of(0x33)}) + ((x >> (${name})(2)) & ${of(0x33)});`,
      `  x = (x + (x >> (${name})(4))) & ${of(0x0f)};`,
      `  return (${name})(x * ${of(0x01)}) >> (${name})(${element.bits - 8});`,
      '}',
    ]);
  }

  /** a * b + c that may be rounded once, in a program that elsewhere must round twice. */
  multiplyAdd(type: FloatType | VectorType): string {
    const name = typeText(type);
    return this.#function(`multiply_add_${name}`, (own) => [
      `${name} ${own}(${name} a, ${name} b, ${name} c) {`,
      '  #pragma OPENCL FP_CONTRACT ON',
      '  return a * b + c;',
      '}',
    ]);
  }

  /** Copies in pieces of `unit` bytes. A vector of bytes may hold any type's bytes. */
  copy(to: AddressSpace, from: AddressSpace, unit: number): string {
    const type = unit === 1 ? 'uchar' : `uchar${unit}`;
    const size = integerName(this.#addressBits);
    const source = `${spaceName(from)} ${from === 'constant' ? '' : 'const '}${type} *from`;
    return this.#function(`copy_${from}_to_${to}_${unit}`, (own) => [
      `void ${own}(${spaceName(to)} ${type} *to, ${source}, ${size} count) {`,
      `  for (${size} i = 0; i < count; i++) to[i] = from[i];`,
      '}',
    ]);
  }

  fill(space: AddressSpace): string {
    const size = integerName(this.#addressBits);
    return this.#function(`fill_${space}`, (own) => [
      `void ${own}(${spaceName(space)} uchar *to, uchar value, ${size} count) {`,
      `  for (${size} i = 0; i < count; i++) to[i] = value;`,
      '}',
    ]);
  }

  #function(wish: string, write: (name: string) => readonly string[]): string {
    let name = this.#names.get(wish);
    if (name === undefined) {
      name = this.#scope.unique(wish);
      this.#names.set(wish, name);
      this.#texts.push(write(name).join('\n'));
    }
    return name;
  }
}
