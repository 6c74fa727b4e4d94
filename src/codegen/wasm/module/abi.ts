/**
 * The contract between a compiled kernel and whoever launches it (devices/wasm).
 *
 * A compiled module imports `env.memory` and the immutable i32 `env.constants` (the load address of the
 * program's constants), and, where kernels launch others, functions of `queue` (src/ir/device-queues.ts; a kernel is said
 * by its number in {@link WasmProgram.kernels}). It exports one function a kernel:
 *
 *     (launch: i32, first: i32, end: i32, area: i32) -> ()
 *
 * It runs the work-groups whose linear index g, first <= g < end, counts x fastest:
 * (z * num_groups_y + y) * num_groups_x + x. All addresses are bytes in env.memory.
 *
 * **Launch block** at `launch`: 16-byte aligned, read-only for kernels, little endian i32 fields at the offsets
 * of {@link launchOffsets}, then the arguments. Each argument lies at `launchOffsets.arguments` plus its placement's
 * offset, aligned to its own size: by-value scalars and vectors as their bytes (bool as one byte; three lanes take four
 * elements), aggregates as their bytes, global and constant pointers as absolute i32 addresses (0 is NULL), local
 * pointers as i32 offsets from `area`.
 *
 * Global ids stay below 2^31 in every dimension: the device refuses a launch where offset plus size is more.
 *
 * Behind the arguments the device may note, for itself, how many bytes each of them has ({@link sizesAt}). Kernels do not look there.
 *
 * **Thread area** at `area`: {@link areaAlignment}-byte aligned, one a compute thread, uninitialised:
 *
 *     [fixedBytes: private variables, then static local variables]
 *     [context arrays: perItemBytes * items; each array at fixedBytes + itsOffset * items]
 *     [dynamic local arguments, placed by the device, areaAlignment-byte aligned]
 *
 * A kernel needs `fixedBytes + align(perItemBytes * items) + local arguments` bytes of it; the device refuses a
 * launch that needs more than it has. An area never has less than {@link leastAreaBytes}: kernels whose groups run in
 * fused (work-group-fusion.ts) have in it what several groups need.
 *
 * Kernels may read, and never write, up to 256 bytes before and behind what a work-item may touch. So many bytes at the end of the
 * memory belong to nobody, and more at its beginning (`WasmOptions.lowestAddress`).
 *
 * Traps (`unreachable`, memory access out of bounds, misaligned atomic access) are WebAssembly.RuntimeErrors. Integer
 * division and float-to-integer conversion never trap.
 */
import type { KernelAttributes } from '../../../ir/ir.ts';
import type { PrintfSite } from '../../../ir/printf/record.ts';
import type { BuildBudget } from '../../../source/build-budget.ts';
import type { AccessTable } from '../memory/access-table.ts';

/** Bytes of a launch's printf buffer, its header included (CL_DEVICE_PRINTF_BUFFER_SIZE). */
export const printfBufferBytes = 1 << 20;

/** Byte offsets in the launch block; xyz triples take twelve bytes. */
export const launchOffsets = {
  workDim: 0,
  globalOffset: 4,
  globalSize: 16,
  localSize: 28,
  numGroups: 40,
  /** The number of work-items in a work-group. */
  items: 52,
  /** The address of the launch's printf buffer (src/ir/printf/record.ts); unused by kernels that do not print. */
  printf: 56,
  /** How many bytes of the thread area the launch uses, local arguments included. */
  areaBytes: 60,
  arguments: 64,
} as const;

/** Where a launch block may have the sizes of arguments, four bytes each, and where it ends with them. */
export function sizesAt(argumentBytes: number): number {
  return launchOffsets.arguments + ((argumentBytes + 3) & ~3);
}

/** Alignment of thread areas in bytes. */
export const areaAlignment = 128;
export const leastAreaBytes = 256 << 10;

/** The least address of anything in a device's own memory. */
export const usualLowestAddress = 1 << 20;

export interface WasmOptions {
  /** Whether the imported memory is shared. */
  readonly shared: boolean;
  /** Whether others may see private memory at the same time: in programs for the host, which have no other. Default false. */
  readonly sharesPrivate?: boolean;
  /**
   * Nothing lies below this address that a kernel may touch: address-folding.ts rests on that. Default
   * {@link usualLowestAddress}; at least 1024.
   */
  readonly lowestAddress?: number;
  /** Nor does the area of a thread begin below this one; default `lowestAddress`. */
  readonly lowestArea?: number;
  /** Whether to write the name section; default true. */
  readonly names?: boolean;
  /** The imported memory's largest size in 64 KiB pages; default 65536. */
  readonly maximumPages?: number;
  /** Whether the engine has relaxed SIMD, and may fuse what OpenCL C allows to be contracted; default false. */
  readonly fuses?: boolean;
  /** Whether the engine's relaxed products with a sum are rounded once, which makes them `fma`; default false. */
  readonly hasFma?: boolean;
  /** Routines of runtime-functions.ts for which the machine has an instruction; default none. */
  readonly ownRoutines?: ReadonlySet<string>;
  /** Whether the parts of a vector are computed next to each other, for a machine that computes several at once; default false. */
  readonly joinsParts?: boolean;
  /** Whether vector constants stay in the code, for a compiler that places them itself; default false: they are loaded from memory. */
  readonly inlineConstants?: boolean;
  /** Whether one work-group must have ended before the next begins; default false. */
  readonly groupsInOrder?: boolean;
  /** Pays for what is done; default a new one. */
  readonly budget?: BuildBudget;
}

/** What became of an IR module: plain data but for bytes and IR types, which devices/wasm/program-code.ts minds. */
export interface WasmProgram {
  readonly bytes: Uint8Array;
  /** What its memory instructions are for, for messages of traps. */
  readonly accesses?: AccessTable;
  readonly constants: ConstantData;
  readonly kernels: readonly KernelCode[];
  /** What the numbers in printf records mean. */
  readonly printfs: readonly PrintfSite[];
}

/** The program-scope variables, to be copied to an address that is then given as `env.constants`. */
export interface ConstantData {
  readonly size: number;
  readonly align: number;
  readonly bytes: Uint8Array;
  /** How many of the bytes belong to variables in global memory, which kernels change. */
  readonly variableBytes: number;
  /** At each `offset` write (load address of the constants + addend) as an i32. */
  readonly relocations: readonly { readonly offset: number; readonly addend: number }[];
}

export interface KernelCode {
  readonly name: string;
  /** What messages call it. */
  readonly title: string;
  readonly exportName: string;
  readonly parameters: readonly ParameterPlacement[];
  /** The size of the argument block. */
  readonly argumentBytes: number;
  /** Bytes of the thread area that do not depend on the launch; a multiple of {@link areaAlignment}. */
  readonly fixedBytes: number;
  /** Static work-group-local bytes among them (CL_KERNEL_LOCAL_MEM_SIZE). */
  readonly localBytes: number;
  /** Private bytes of a work-item, wherever they lie (CL_KERNEL_PRIVATE_MEM_SIZE). */
  readonly privateBytes: number;
  /** Bytes of context arrays a work-item. */
  readonly perItemBytes: number;
  /** Whether it prints, and so needs a buffer for it. */
  readonly usesPrintf: boolean;
  /** Whether values or variables cross from one region of work-items to another. */
  readonly usesBarrier: boolean;
  /** How many neighbours along dimension 1 run together where a work-group has so many; 1 if they never do. */
  readonly rows: number;
  /** The most neighbours along dimension 0 that run as one vector; 1 if none do. What is left of a group's row runs one by one. */
  readonly lanes: number;
  /** Whether groups that are neighbours along dimension 0 run as one, so that vectors go on from one to the next. */
  readonly joinsGroups: boolean;
  /** How many groups next to each other run together if one thread has so many to run; 1 if they never do. */
  readonly groupsTogether: number;
  /** Whether its groups may wait for each other, so that threads must run as many at a time as they can. */
  readonly mayWait: boolean;
  readonly attributes: KernelAttributes;
}

/** Where an argument lies in the argument block. */
export interface ParameterPlacement {
  readonly kind: 'value' | 'aggregate' | 'global' | 'constant' | 'local';
  readonly offset: number;
  readonly size: number;
  readonly align: number;
}
