/**
 * What IR values are in WGSL. Integers of up to 32 bits and pointers are u32, narrow ones with zeros above; i64 and f64 are pairs,
 * low half first; f16 is its bits in a u32. Vectors of two to four lanes of 32 bits are WGSL's own, all others are arrays.
 */
import { elementOf, lanesOf, type Type, type VectorType } from '../../ir/types.ts';

/** The WGSL type of one lane. */
export function laneType(type: Type): string {
  const element = elementOf(type);
  switch (element.kind) {
    case 'bool':
      return 'bool';
    case 'float':
      return element.bits === 32 ? 'f32' : element.bits === 16 ? 'u32' : 'vec2<u32>';
    case 'int':
      return element.bits === 64 ? 'vec2<u32>' : 'u32';
    default:
      return 'u32';
  }
}

/** Whether one lane takes a pair of words. */
export function isWide(type: Type): boolean {
  const element = elementOf(type);
  return (element.kind === 'int' || element.kind === 'float') && element.bits === 64;
}

/** Whether a vector is one of WGSL's. */
export function isNativeVector(type: Type): type is VectorType {
  return type.kind === 'vector' && type.lanes <= 4 && !isWide(type);
}

export function typeText(type: Type): string {
  const lanes = lanesOf(type);
  const lane = laneType(type);
  if (lanes === 1) return lane;
  return isNativeVector(type) ? `vec${lanes}<${lane}>` : `array<${lane}, ${lanes}>`;
}

/** A type like the value's in shape, whose lanes are `lane`: for casts of scalars and native vectors. */
export function shapedAs(type: Type, lane: string): string {
  return type.kind === 'vector' ? `vec${type.lanes}<${lane}>` : lane;
}

const letters = 'xyzw';

/** One lane of a vector whose text is a name. */
export function laneText(name: string, type: Type, lane: number): string {
  if (type.kind !== 'vector') return name;
  return isNativeVector(type) ? `${name}.${letters[lane]}` : `${name}[${lane}]`;
}

/** A value of the type from the texts of its lanes. */
export function built(type: Type, lanes: readonly string[]): string {
  return lanes.length === 1 ? lanes[0]! : `${typeText(type)}(${lanes.join(', ')})`;
}
