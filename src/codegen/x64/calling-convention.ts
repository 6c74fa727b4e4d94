/**
 * The contract between a kernel compiled to x86-64 and the thread that calls it (devices/native).
 *
 * It is the contract of WebAssembly kernels (codegen/wasm/module/abi.ts) with the same launch blocks, thread areas, constants,
 * printf buffers and order of work-groups, so that one runtime serves both. What differs is how memory and what is imported is reached:
 * an instance of a WebAssembly module has these in itself, machine code is told with each call.
 *
 * A kernel is a function of the System V calling convention:
 *
 *     int32_t kernel(uint8_t *memory, const Context *context, uint32_t launch, uint32_t first, uint32_t end, uint32_t area)
 *                             rdi                    rsi               edx             ecx            r8d           r9d
 *
 * The upper halves of rdx, rcx, r8 and r9 are undefined on entry. rbx, rbp, r12 to r15 and rsp are restored before it returns, so is MXCSR, which is
 * 0x1f80 on entry (round to nearest, denormals on, all exceptions masked). x87 and MMX are not used. A kernel that has written to the upper parts
 * of vector registers ends with `vzeroupper`. The result in eax is one of {@link kernelStatus}.
 *
 * **Memory.** All addresses of the kernel are 32-bit, unsigned. `memory` is the address of byte 0 of a WebAssembly memory of 4 GiB, all of
 * which can be read and written, and so can {@link guardBytes} behind it. So an access at
 *
 *     memory + (address zero-extended from 32 bits) + displacement,   0 <= displacement <= greatestDisplacement
 *
 * of up to 64 bytes is always mapped, whatever the address is. Other displacements must be added in 32 bits before.
 * Addresses of the kernel need no alignment, so no instruction that asks for one (`vmovaps`, `vmovdqa`, `vmovntps`) accesses them; atomic accesses
 * that are not at a multiple of their size return `misaligned`, since one across two cache lines may end the process (split locks).
 * The stack is the thread's: a kernel uses up to {@link mostStackBytes} of it, with all that it calls.
 *
 * **Context**, in memory that no kernel reaches: fields at the offsets of {@link contextOffsets}, one for each thread and program.
 * A loop that can run long compares the stop word with {@link stopCondemned} in each of its iterations, or in every n-th, and returns
 * `stopped` when they are equal.
 */

/** What a kernel returns. */
export const kernelStatus = {
  /** All work-groups have run. */
  done: 0,
  /** It came to an instruction that cannot be reached. */
  unreachable: 1,
  /** An atomic access at an address that is no multiple of its size. */
  misaligned: 2,
  /** The stop word said so. */
  stopped: 3,
  /** A function that it imports has failed. */
  failed: 4,
} as const;

/** Byte offsets of the fields of a context. */
export const contextOffsets = {
  /** 64 bits: the address of the stop word, 32 bits, which others write. */
  stop: 0,
  /** 64 bits: the address of a table of addresses of the functions that the program imports, 64 bits each, in the order in which the program names them. */
  functions: 8,
  /** 32 bits: the address in memory of the program's constants. */
  constants: 16,
  /** 32 bits: not 0 when an imported function has failed; it is looked at behind each call of one. */
  failed: 20,
  /** 64 bits: the stack pointer at the kernel's entry, to which traps return (machine/routines.ts). Nothing else may write it. */
  stack: 24,
  size: 32,
} as const;

/** The stop word's value that says to return. */
export const stopCondemned = -1;

/** Bytes behind the end of memory that can be accessed, too. */
export const guardBytes = 1 << 28;

/** The longest access of one instruction. */
export const longestAccess = 64;

/** The greatest displacement that an instruction may add to a 32-bit address. */
export const greatestDisplacement = guardBytes - longestAccess;

/** Stack that a kernel may use, in bytes, with its helpers. Node leaves more than this to native code on each thread. */
export const mostStackBytes = 128 << 10;
