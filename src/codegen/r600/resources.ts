/** Numbers of resources that are no arguments of a kernel. */

/** Tables of the program. */
export const tableResource = 128;
/** All of memory, by its addresses: the global buffer. */
export const memoryResource = 156;
/** Constant buffers that are read at an index. */
export const constantResource = 160;
