/** What the wasm device does on machines and not in pages, which have no cache of builds. build/machine.ts provides it. */
import { baselineOf } from './baseline/baseline-tier.ts';
import type { IsKept } from './kept-code.ts';
import { decodeCode, decodeOutline, encodeCode, encodeOutline } from './program-code.ts';
import type { ProgramOutline } from './program-outline.ts';
import type { CompilePart, EarlierCode, WasmDeviceProgram } from './wasm-program.ts';

/** What a program has before its device's own code; undefined if it has nothing. */
export type EarlierCodeOf = (
  program: WasmDeviceProgram,
  compile: CompilePart,
  isKept: IsKept,
  outline: ProgramOutline,
) => EarlierCode | undefined;

const tierOf: EarlierCodeOf = (program, compile, isKept) => baselineOf(program, compile, isKept);

export const onMachines = { tierOf, decodeCode, decodeOutline, encodeCode, encodeOutline };

export type OnMachines = typeof onMachines;
