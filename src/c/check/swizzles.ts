/**
 * The names of vector components: `.xyzw`, `.sN`, `.lo`, `.hi`, `.even`, `.odd` (OpenCL 1.2, 6.1.7), and `.rgba`, which
 * clang takes in every version.
 */
import type { Span } from '../../source/span.ts';
import type { VectorType } from '../types.ts';
import type { Checker } from './checker.ts';

/** The lanes a component name selects; undefined if it is wrong, which has been reported. */
export function swizzleLanes(
  checker: Checker,
  type: VectorType,
  shown: string,
  name: string,
  span: Span,
): readonly number[] | undefined {
  const lanes = lanesNamed(type.lanes, shown, name);
  if (typeof lanes !== 'string') return lanes;
  checker.error(span, lanes);
  return undefined;
}

/** The same for a vector of so many components whose type is `shown`, or what is wrong with the name. */
export function lanesNamed(
  vectorLanes: VectorType['lanes'],
  shown: string,
  name: string,
): readonly number[] | string {
  const half = halfLanes(vectorLanes, name);
  if (half !== undefined) return half;
  const first = name.charCodeAt(0) | 32;
  const isNumeric = first === 115 && name.length > 1;
  const letters = 'rgba'.includes(name.charAt(0)) ? 'rgba' : 'xyzw';
  const lanes: number[] = [];
  for (let index = isNumeric ? 1 : 0; index < name.length; index += 1) {
    const letter = name.charAt(index);
    const lane = isNumeric ? Number.parseInt(letter, 16) : letters.indexOf(letter);
    if (Number.isNaN(lane) || lane < 0) return `illegal vector component name '${letter}'`;
    if (lane >= vectorLanes) return `vector component access exceeds type '${shown}'`;
    lanes.push(lane);
  }
  const count = lanes.length;
  if (count !== 1 && count !== 2 && count !== 3 && count !== 4 && count !== 8 && count !== 16) {
    return `vector component access has invalid length ${count}.  Supported: 1,2,3,4,8,16.`;
  }
  return lanes;
}

/** A vector of 3 counts as one of 4 here, whose last lane is undefined; a lane that is not there reads the last. */
function halfLanes(lanes: number, name: string): readonly number[] | undefined {
  if (name !== 'lo' && name !== 'hi' && name !== 'even' && name !== 'odd') return undefined;
  const count = lanes === 3 ? 4 : lanes;
  const half = count / 2;
  const indices = Array.from({ length: half }, (_, index) => {
    switch (name) {
      case 'lo':
        return index;
      case 'hi':
        return half + index;
      case 'even':
        return 2 * index;
      default:
        return 2 * index + 1;
    }
  });
  return indices.map((lane) => Math.min(lane, lanes - 1));
}
