/**
 * What the chips of the R600 family differ in, as far as it shows in a listing. Sources: the R600 and R700 instruction set
 * manuals, and the supported devices of the Stream Computing User Guide (section 1.2 and appendix C). How fast chips and
 * cards are is said by src/model.
 */

export type ChipName = 'RV610' | 'RV630' | 'R600' | 'RV670' | 'RV770';

export interface Chip {
  readonly name: ChipName;
  /** Threads of a wavefront (guide, 1.2.2). */
  readonly wavefront: 16 | 32 | 64;
  readonly hasDoubles: boolean;
  /** One buffer that threads read and write wherever they like. */
  readonly hasGlobalBuffer: boolean;
  /** Compute kernels: groups of threads, which share memory and wait for each other. */
  readonly hasCompute: boolean;
  /** Shifts run in any slot; before R700 only in t. */
  readonly shiftsAnywhere: boolean;
  /** Most instructions of a fetch clause. */
  readonly fetchesPerClause: 8 | 16;
}

const chip = (
  name: ChipName,
  wavefront: Chip['wavefront'],
  isR670: boolean,
  isR700: boolean,
): readonly [ChipName, Chip] => [
  name,
  {
    name,
    wavefront,
    hasDoubles: isR670,
    hasGlobalBuffer: isR670,
    hasCompute: isR700,
    shiftsAnywhere: isR700,
    fetchesPerClause: isR700 ? 16 : 8,
  },
];

export const chips: ReadonlyMap<ChipName, Chip> = new Map([
  chip('RV610', 16, false, false),
  chip('RV630', 32, false, false),
  chip('R600', 64, false, false),
  chip('RV670', 64, true, false),
  chip('RV770', 64, true, true),
]);

/** The last of 128 general registers are clause temporaries; so many are left to a program. */
export const usableRegisters = 124;
/** T0 to T3: registers that live in one ALU clause only. */
export const clauseTemporaries = 4;
/** 64-bit words of an ALU clause, literals among them (two to a word). */
export const wordsPerAluClause = 128;
/** Different literals of a bundle. */
export const literalsPerBundle = 4;
/** Ranges of constant buffers that an ALU clause may lock. */
export const locksPerClause = 2;
