/**
 * What a program takes of a card: calModuleGetFuncInfo, and more of it than CAL's structure has room for. A device that is no card is
 * answered for as the card is that stands for it in the model.
 */

import { stackEntries } from '../../codegen/r600/stack.ts';
import { groupsAtOnce, mostWavefronts, wavefronts } from '../../model/occupancy.ts';
import { cardOf, programOnCard } from './model.ts';
import type { Module } from './module.ts';
import type { CALfuncInfo } from './structures.ts';

/** `calProgramInfo` gives it; no structure of CAL's. */
export interface ProgramInfo {
  /** Of 128 bits, and those of them that live in one clause. */
  readonly registers: number;
  readonly temporaries: number;
  /** Entries of the stack of control flow. */
  readonly stackEntries: number;
  /** Elements of 128 bits that a thread has in memory. */
  readonly scratchRegisters: number;
  /** Words that registers had no room for. */
  readonly spilledWords: number;
  /** Bytes of group memory. */
  readonly localBytes: number;
  /** Threads of a wavefront, and of a group: 0 for pixel programs. */
  readonly wavefrontSize: number;
  readonly groupSize: number;
  /** Wavefronts that a SIMD engine has at a time, and the most that it could. */
  readonly wavefronts: number;
  readonly mostWavefronts: number;
}

/** Undefined if the chip cannot run the program as it is. */
export function programInfo(module: Module): ProgramInfo | undefined {
  const card = cardOf(module.context.device.kind);
  const program = programOnCard(module.encoding, card);
  if (!program) return undefined;
  const { wavefront } = card.chip;
  const groupSize = threadsOf(module);
  const each = Math.ceil(groupSize / wavefront);
  const byRegisters = wavefronts(program.registers);
  return {
    registers: program.registers,
    temporaries: program.temporaries,
    stackEntries: stackEntries(program),
    scratchRegisters: program.scratchBytes / 16,
    spilledWords: program.spilledWords,
    localBytes: program.localBytes,
    wavefrontSize: wavefront,
    groupSize,
    wavefronts: each === 0 ? byRegisters : groupsAtOnce(byRegisters, each, program.localBytes) * each,
    mostWavefronts,
  };
}

/** What the model does not know is 0. */
export function functionInfo(module: Module): CALfuncInfo {
  const info = programInfo(module);
  const threads = threadsOf(module);
  const card = cardOf(module.context.device.kind);
  const each = Math.ceil(threads / card.chip.wavefront);
  const atOnce = info?.wavefronts ?? 0;
  return {
    maxScratchRegsNeeded: info?.scratchRegisters ?? 0,
    // Registers that all threads of a SIMD engine share, no program here has.
    numSharedGPRUser: 0,
    numSharedGPRTotal: 0,
    eCsSetupMode: false,
    numThreadPerGroup: threads,
    totalNumThreadGroup: each === 0 ? 0 : Math.floor(atOnce / each) * card.simds,
    wavefrontPerSIMD: each,
    numWavefrontPerSIMD: atOnce,
    isMaxNumWavePerSIMD: atOnce === mostWavefronts,
    setBufferForNumGroup: false,
  };
}

function threadsOf({ lowered }: Module): number {
  return (lowered.groupSize ?? [0]).reduce((product, size) => product * size, 1);
}
