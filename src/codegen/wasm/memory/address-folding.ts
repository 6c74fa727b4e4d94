/**
 * Which constants of an address become the offset of a memory instruction.
 *
 * An instruction adds its offset to the base without wrapping around: base + offset beyond 2^32 traps. Addresses of kernels do
 * wrap. With `a += 614400` the element `a[x - 307200]` is inside its buffer, though
 *
 *     base = a + 4 * (x - 307200)
 *
 * may be less than 0, which is nearly 2^32, before 4 * 614400 is added. So a constant may be folded only where the base that is
 * left cannot have wrapped:
 *
 * - **The base is where an object begins**, or any address that the kernel was given: a variable, a program-scope variable, a
 *   parameter. It has not been computed, so it has not wrapped, whatever the constant.
 * - **The constant is small.** Nothing that may be touched lies below some address L (`WasmOptions.lowestAddress`: the device
 *   keeps the memory before it empty). Let E be the address of an access that is allowed, so that L <= E < 2^32, and c <= L the
 *   constant. The base is E - c modulo 2^32, and 0 <= E - c < 2^32, so the base is exactly that and base + c = E: no wrap.
 *   Whatever the base was computed from does not matter.
 *
 * An access that is several instructions, or has lanes that take no part, adds to c what lies between its first byte and the one that is
 * touched; {@link withinAccess} is kept back for that. It is also what kernels read at most besides what they may touch (abi.ts).
 *
 * Other constants are added to the base by an instruction of their own, which wraps as it should.
 */
import type * as ir from '../../../ir/ir.ts';
import type { Value } from '../../../ir/ir.ts';
import type { ValueInfo } from '../kernel/function-plan.ts';
import { usualLowestAddress, type WasmOptions } from '../module/abi.ts';

/** An address as a base and a constant number of bytes after it. */
export interface Address {
  readonly base: Value;
  readonly offset: number;
}

/** More bytes than lie between the first of an access and any other: the longest vector has 128. */
const withinAccess = 256;

/** The largest offset that is folded into a memory instruction, whatever its base. */
const largestOffset = 0x7fffffff;

/** How far constants of addresses are folded in a function. */
export interface FoldingLimits {
  /** The largest constant before which any computation may occur. */
  readonly anywhere: number;
  /** The same for pointers to private and local memory, all of which is in the threads' areas. */
  readonly inAreas: number;
  /** Pointers that the function was given and that lead to an object, or nowhere. */
  readonly given: ReadonlySet<Value>;
}

/** @param given as in {@link FoldingLimits}; a function that kernels call may be given anything */
export function foldingLimits(
  { lowestAddress = usualLowestAddress, lowestArea = lowestAddress }: WasmOptions,
  given: Iterable<Value> = [],
): FoldingLimits {
  return {
    anywhere: lowestAddress - withinAccess,
    inAreas: lowestArea - withinAccess,
    given: new Set(given),
  };
}

/** The largest constant that may be added to a computed address of the pointer's space. */
export function largestFolded({ type }: Value, limits: FoldingLimits): number {
  const isInArea = type.kind === 'pointer' && (type.space === 'private' || type.space === 'local');
  return isInArea ? limits.inAreas : limits.anywhere;
}

/** Follows constant, non-negative moves back to where they started, as far as they may be folded. */
export function addressOf(
  pointer: Value,
  values: ReadonlyMap<Value, ValueInfo>,
  limits: FoldingLimits,
): Address {
  const largest = largestFolded(pointer, limits);
  let address: Address = { base: pointer, offset: 0 };
  let base = pointer;
  let offset = 0;
  for (;;) {
    const definition = values.get(base)?.definition;
    if (definition?.op !== 'offset') return isStart(base, definition, limits) ? { base, offset } : address;
    const bytes = values.get(definition.operands[1]!)?.definition;
    if (bytes?.op !== 'constant' || typeof bytes.value !== 'number') return address;
    if (bytes.value < 0 || offset + bytes.value > largestOffset) return address;
    offset += bytes.value;
    base = definition.operands[0]!;
    if (offset <= largest) address = { base, offset };
  }
}

/** Whether an address has not been computed. */
function isStart(base: Value, definition: ir.Instruction | undefined, { given }: FoldingLimits): boolean {
  return definition?.op === 'variable' || definition?.op === 'global_address' || given.has(base);
}

/** Whether the instruction's first operand is an address into which constant offsets fold. */
export function foldsAddress(instruction: ir.Instruction): boolean {
  switch (instruction.op) {
    case 'load':
    case 'store':
    case 'atomic':
    case 'masked_load':
    case 'masked_store':
    case 'gather':
    case 'scatter':
      return true;
    default:
      return false;
  }
}
