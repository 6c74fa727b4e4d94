/**
 * What a generic pointer leads to. Everything lies in one memory, so such a pointer is an address like any other, and its
 * place relative to the thread's area (see `abi.ts`) tells:
 *
 *     0 .. privates        private variables
 *     privates .. fixed    local variables
 *     fixed .. arrays      context arrays, which are private
 *     arrays .. area       local arguments
 *
 * and global memory before and behind. The four ends are parts of the environment of whoever asks.
 */
import type * as ir from '../../../ir/ir.ts';
import type { FunctionCompiler } from '../kernel/function-compiler.ts';
import { areaAlignment } from '../module/abi.ts';

/** The names of the ends in the environment. */
export const areaEnds = {
  privates: 'area_privates',
  fixed: 'area_fixed',
  arrays: 'area_arrays',
  area: 'area_bytes',
} as const;

/** What the environment of a function must have that asks. */
export const spaceKeys: readonly string[] = ['area', ...Object.values(areaEnds)];

/** Makes the ends known in a kernel; the last one is read from the launch block like other fields. */
export function enterAreaEnds(fc: FunctionCompiler, keys: readonly string[], fixedBytes: number): void {
  if (!keys.includes(areaEnds.arrays)) return;
  const { code, environment, frame } = fc;
  environment.set(areaEnds.privates, { constant: frame.privateEnd });
  environment.set(areaEnds.fixed, { constant: fixedBytes });
  if (frame.perItemBytes === 0) {
    environment.set(areaEnds.arrays, { constant: fixedBytes });
    return;
  }
  const end = code.allocate('i32', areaEnds.arrays);
  fc.pushEnvironment('items');
  code.i32(frame.perItemBytes);
  code.op('i32.mul');
  code.i32(fixedBytes + areaAlignment - 1);
  code.op('i32.add');
  code.i32(-areaAlignment);
  code.op('i32.and');
  code.set(end);
  environment.set(areaEnds.arrays, { local: end });
}

/** Pushes whether a pointer leads to a space. */
export function emitInSpace(fc: FunctionCompiler, { space, operands }: ir.InSpace): void {
  const { code } = fc;
  fc.push(operands[0]!);
  const pointer = code.toTemporary('i32');
  code.get(pointer);
  fc.pushEnvironment('area');
  code.op('i32.sub');
  const place = code.toTemporary('i32');
  const isBefore = (end: string): void => {
    code.get(place);
    fc.pushEnvironment(end);
    code.op('i32.lt_u');
  };
  if (space === 'global') {
    // Behind the area, or before it, which is far behind for numbers without sign.
    isBefore(areaEnds.area);
    code.op('i32.eqz');
    code.get(pointer);
    code.i32(0);
    code.op('i32.ne');
    code.op('i32.and');
  } else {
    // Private and local parts alternate. Of the ends, four or two lie behind a private place, three or one behind a
    // local one, and none behind a global one.
    isBefore(areaEnds.privates);
    isBefore(areaEnds.fixed);
    code.op('i32.xor');
    isBefore(areaEnds.arrays);
    code.op('i32.xor');
    isBefore(areaEnds.area);
    code.op('i32.xor');
    if (space === 'private') {
      code.op('i32.eqz');
      isBefore(areaEnds.area);
      code.op('i32.and');
    }
  }
  code.release(place);
  code.release(pointer);
}
