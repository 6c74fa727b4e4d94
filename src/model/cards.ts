/**
 * The cards of appendix C of the Stream Computing User Guide, with what the model counts with. `HD 2000+ series` there is one row;
 * here it has a card for each size of wavefronts (guide, 1.2.2).
 *
 * From the guide: SIMD engines, thread processors, fetches a clock, bus and clocks of the HD 3870 (1.2.1, 1.3.2). From the cards as
 * they were sold: clocks, buses and memory of the others; RV770 has ten SIMD engines with four fetch units each, and GDDR5,
 * which moves data four times a clock. Caches are what was published of the chips; see docs/performance-model.md.
 */
import { type Chip, type ChipName, chips } from '../codegen/r600/chips.ts';

export interface Card {
  readonly name: string;
  readonly chip: Chip;
  readonly simds: number;
  /** In each SIMD engine; each runs a VLIW instruction of five slots a clock. */
  readonly threadProcessors: number;
  /** Of the whole card. */
  readonly fetchesPerClock: number;
  readonly busBits: number;
  /** Megahertz. */
  readonly engineClock: number;
  readonly memoryClock: number;
  /** 2 of DDR memory, 4 of GDDR5. */
  readonly transfersPerClock: 2 | 4;
  readonly cache: CacheShape;
}

/** The cache that fetches go through. */
export interface CacheShape {
  readonly bytes: number;
  readonly lineBytes: number;
  readonly ways: number;
  /** Each SIMD engine has one of its own. */
  readonly isPerSimd: boolean;
}

const cacheLine = 64;
const ways = 16;

function card(
  name: string,
  chip: ChipName,
  [simds, threadProcessors, fetchesPerClock]: readonly [number, number, number],
  [busBits, engineClock, memoryClock, transfersPerClock = 2]: readonly [number, number, number, (2 | 4)?],
  kilobytes: number,
): Card {
  const cache = { bytes: kilobytes * 1024, lineBytes: cacheLine, ways, isPerSimd: chip === 'RV770' };
  return {
    name,
    chip: chips.get(chip)!,
    simds,
    threadProcessors,
    fetchesPerClock,
    busBits,
    engineClock,
    memoryClock,
    transfersPerClock,
    cache,
  };
}

export const cards: readonly Card[] = [
  card('HD 2400', 'RV610', [2, 4, 4], [64, 525, 400], 16),
  card('HD 2600', 'RV630', [3, 8, 8], [128, 600, 400], 32),
  card('HD 2900', 'R600', [4, 16, 16], [512, 740, 825], 32),
  card('HD 3870', 'RV670', [4, 16, 16], [256, 775, 1125], 32),
  card('HD 4850', 'RV770', [10, 16, 40], [256, 625, 993], 16),
  card('HD 4870', 'RV770', [10, 16, 40], [256, 750, 900, 4], 16),
  card('FireGL V7700', 'RV670', [4, 16, 16], [256, 775, 1125], 32),
  card('FireStream 9170', 'RV670', [4, 16, 16], [256, 800, 800], 32),
  card('FireStream 9250', 'RV770', [10, 16, 40], [256, 625, 993], 16),
];
