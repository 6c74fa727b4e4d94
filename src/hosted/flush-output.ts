/** The library's function that writes out what a program has printed so far; its own file, as who calls it has no need of a compiler. */
export const flushOutputName = '__flush_output';
