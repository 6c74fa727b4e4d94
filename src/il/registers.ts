/**
 * The kinds of registers that IL programs name, and how their names are written. Everything is four components of 32 bits;
 * what is in brackets after them picks an element of an array.
 */

/** How a kind is numbered: `r3` must be, `vTid` may be, `g` cannot. */
type Numbering = 'always' | 'maybe' | 'never';

interface RegisterRule {
  readonly numbering: Numbering;
  /** how many pairs of brackets may follow, at most */
  readonly indices: number;
  readonly canWrite: boolean;
  readonly what: string;
}

const rule = (
  numbering: Numbering,
  what: string,
  { indices = 0, canWrite = false }: { indices?: number; canWrite?: boolean } = {},
): RegisterRule => ({ numbering, indices, canWrite, what });

const written = { canWrite: true };

export const registers = {
  // values of the program
  r: rule('always', 'temporary', written),
  x: rule('always', 'indexed temporary array', { indices: 1, canWrite: true }),
  l: rule('always', 'literal'),
  sr: rule('always', 'shared temporary', written),
  a: rule('always', 'address', written),
  aL: rule('never', 'loop counter'),
  // what comes in
  v: rule('maybe', 'input', { indices: 2, canWrite: true }),
  cb: rule('maybe', 'constant buffer', { indices: 2 }),
  icb: rule('maybe', 'immediate constant buffer', { indices: 1 }),
  c: rule('maybe', 'float constant', { indices: 1 }),
  i: rule('always', 'integer constant'),
  b: rule('always', 'boolean constant'),
  vWinCoord: rule('maybe', 'position', written),
  vFace: rule('maybe', 'face of the primitive', written),
  vPrim: rule('maybe', 'primitive id', written),
  vObjIndex: rule('maybe', 'object index', written),
  vInstance: rule('maybe', 'instance id', written),
  // where the thread stands, in compute programs
  vTid: rule('maybe', 'thread id in its block'),
  vTidInGrp: rule('maybe', 'thread id in its group'),
  vTidInGrpFlat: rule('maybe', 'flat thread id in its group'),
  vaTid: rule('maybe', 'absolute thread id'),
  vAbsTid: rule('maybe', 'absolute thread id'),
  vAbsTidFlat: rule('maybe', 'flat absolute thread id'),
  vThreadGrpId: rule('maybe', 'group id'),
  vThreadGrpIdFlat: rule('maybe', 'flat group id'),
  vTGroupid: rule('maybe', 'group id'),
  // what goes out
  o: rule('always', 'output', { indices: 1, canWrite: true }),
  oDepth: rule('never', 'depth output', written),
  oMask: rule('never', 'sample mask output', written),
  g: rule('never', 'global buffer', { indices: 1, canWrite: true }),
  mem: rule('maybe', 'memory that an instruction writes', written),
  // of macros
  in: rule('always', 'input of a macro'),
  out: rule('always', 'output of a macro', written),
} as const satisfies Readonly<Record<string, RegisterRule>>;

export type RegisterKind = keyof typeof registers;

/** Compilers do not agree about capitals: vThreadGrpID, vThreadGrpId. */
const kinds = new Map(
  (Object.keys(registers) as RegisterKind[]).map((kind) => [kind.toLowerCase(), kind] as const),
);

/** The kind that a name without its number means, or undefined. */
export function registerKind(name: string): RegisterKind | undefined {
  return kinds.get(name.toLowerCase());
}
