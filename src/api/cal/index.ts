/**
 * What `import ... from 'millrace/cal'` gives: CAL for JavaScript. The functions and constants have their names in C and the order
 * of its parameters. A function that writes nothing through pointers in C gives its CALresult; the others give an array of the
 * CALresult and what C would have written, in C's order: `const [result, device] = calDeviceOpen(0)`. docs/cal.md has all of
 * them.
 */
export type { CALLogFunction } from './compiler.ts';
export * from './compiler-functions.ts';
export * from './constants.ts';
export * from './extension-functions.ts';
export type { ResourceData } from './formats.ts';
export type { ProgramInfo } from './function-info.ts';
export { calChooseDevices, calDeviceName, calProgramInfo } from './process-system.ts';
export * from './runtime-functions.ts';
export type * from './structures.ts';
