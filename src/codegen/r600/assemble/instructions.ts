/** The instructions inside of clauses, a line each: those of ALU bundles and fetches. */

import type { SlotName } from '../bundles.ts';
import type { Chip } from '../chips.ts';
import { opcode, opcodeNames } from '../opcodes.ts';
import type { FetchName } from '../operations.ts';
import { bankSwizzles, readsOf } from '../ports.ts';
import type { AluInstruction, FetchInstruction, Operand } from '../program.ts';
import type { Cursor } from './cursor.ts';
import { type BundleContext, operand, place, register, swizzle } from './operands.ts';

const names: ReadonlySet<string> = new Set(opcodeNames);

/** Reads what is behind `x:`. Its bank swizzle is found when the bundle is whole. */
export function aluInstruction(
  cursor: Cursor,
  slot: SlotName,
  bundle: BundleContext,
  chip: Chip,
): AluInstruction {
  const start = cursor.here();
  const name = cursor.read(/\w+/y);
  // R600 counts angles in radians, R700 in turns; listings do not tell.
  const full = /^(?:SIN|COS)$/.test(name) && !chip.hasCompute ? `${name}_RADIANS` : name;
  if (!names.has(full) || name.endsWith('_RADIANS'))
    cursor.fail(start, name === '' ? 'expected an instruction' : `'${name}' is no ALU instruction`);
  const code = opcode(full);
  const hasTarget = code.sources > 0;
  let target: AluInstruction['target'];
  if (hasTarget && !cursor.accept('____')) target = place(cursor);
  const sources: Operand[] = [];
  for (let index = 0; index < code.sources; index += 1) {
    if (!cursor.accept(',')) cursor.lost(`${name} reads ${code.sources}: expected ','`);
    sources.push(operand(cursor, bundle));
  }
  let setsMask = false;
  while (!cursor.isLineDone) {
    const flagAt = cursor.here();
    const flag = cursor.word(/\w+/y);
    if (flag === 'UPDATE_EXEC_MASK') setsMask = true;
    else if (flag !== 'UPDATE_PRED' && !/^(?:VEC|SCL)_[012]{3}$/.test(flag))
      cursor.fail(flagAt, `expected the end of the line, or how the instruction reads or sets the mask`);
  }
  if (setsMask && !code.isPredicate) cursor.fail(start, `${name} sets no predicate`);
  const swizzleOfPlace = slot === 't' ? 'SCL_210' : 'VEC_012';
  return {
    slot,
    opcode: code,
    target,
    sources,
    swizzle: swizzleOfPlace,
    setsMask,
    span: cursor.spanFrom(start),
  };
}

/** The instructions of a bundle with the cycles in which they read; undefined if no order does. */
export function withSwizzles(
  instructions: readonly AluInstruction[],
  chip: Chip,
): readonly AluInstruction[] | undefined {
  const swizzles = bankSwizzles(instructions.map(readsOf), chip.hasCompute);
  return swizzles && instructions.map((one, index) => ({ ...one, swizzle: swizzles[index]! }));
}

const fetchNames: ReadonlySet<string> = new Set<FetchName>([
  'SAMPLE',
  'LD',
  'VFETCH',
  'LOCAL_DS_READ',
  'READ_SCRATCH',
  'GET_TEXTURE_RESINFO',
]);

export const isFetchName = (name: string): boolean => fetchNames.has(name);

const mostResources = 175;
const mostSamplers = 31;

/** Reads what is behind the name of a fetch. */
export function fetchInstruction(
  cursor: Cursor,
  name: FetchName,
  number: number,
  start: number,
): FetchInstruction {
  const target = register(cursor);
  const components = swizzle(cursor);
  cursor.expect(',');
  let [resource, offset, bytes] = [0, 0, 16];
  const isTexture = name === 'SAMPLE' || name === 'LD' || name === 'GET_TEXTURE_RESINFO';
  let sampler: number | undefined;
  let format: string | undefined;
  let isNormalised = name === 'SAMPLE';
  if (name === 'READ_SCRATCH') {
    cursor.expect('VEC_PTR[');
    offset = cursor.number('an element of scratch memory', 0xffff);
  }
  const hasAddress = name !== 'READ_SCRATCH' || cursor.accept('+');
  const address = hasAddress ? register(cursor) : 0;
  const coordinates = hasAddress ? swizzle(cursor).filter((one) => one !== undefined) : [];
  if (hasAddress && coordinates.length === 0) cursor.lost('expected the channel of an address');
  switch (name) {
    case 'READ_SCRATCH':
      cursor.expect(']');
      bytes = 4 * components.filter((one) => one !== undefined).length;
      break;
    case 'LOCAL_DS_READ':
      bytes = 4 * components.filter((one) => one !== undefined).length;
      break;
    case 'VFETCH':
      cursor.expect(',');
      cursor.expect('fc');
      resource = cursor.number('the number of a buffer', mostResources);
      cursor.expect('FORMAT(');
      format = cursor.word(/[0-9_]+(?:FLOAT|SINT|UINT)/y);
      if (format === '') cursor.lost('expected a format such as 32_32_FLOAT');
      cursor.expect(')');
      cursor.expect('MEGA(');
      bytes = cursor.number('the bytes of a fetch', 16);
      cursor.expect(')');
      if (cursor.accept('OFFSET(')) {
        const sign = cursor.accept('-') ? -1 : 1;
        offset = sign * cursor.number('an offset in bytes', 0x7fffffff);
        cursor.expect(')');
      }
      break;
    default:
      cursor.expect(',');
      cursor.expect('t');
      resource = cursor.number('the number of a texture', mostResources);
      if (name !== 'SAMPLE') break;
      cursor.expect(',');
      cursor.expect('s');
      sampler = cursor.number('the number of a sampler', mostSamplers);
      if (cursor.accept('UNNORM(XYZW)')) isNormalised = false;
  }
  return {
    number,
    name,
    target,
    components,
    address,
    coordinates: isTexture ? coordinates : coordinates.slice(0, 1),
    resource,
    sampler,
    offset,
    format,
    bytes,
    isNormalised,
    isConstant: false,
    span: cursor.spanFrom(start),
  };
}
