/**
 * The cards that CAL ran on, as far as programs can ask for them: those of the guide's appendix C, and one more of the HD 2000
 * series for each size of wavefronts (guide, 1.2.1). What the guide leaves out (clocks, memory) is that of the cards as they
 * were sold.
 */
import * as C from './constants.ts';

/** A card of the R600 family. */
export interface Card {
  /** As the guide calls it. */
  readonly name: string;
  readonly target: C.CALtarget;
  /** Megabytes. */
  readonly localRAM: number;
  /** Megahertz. */
  readonly engineClock: number;
  readonly memoryClock: number;
  readonly simds: number;
  readonly wavefront: 16 | 32 | 64;
  /** The columns of appendix C's table. */
  readonly hasDouble: boolean;
  readonly hasGlobalBuffer: boolean;
  readonly hasComputeShader: boolean;
}

function card(
  name: string,
  target: C.CALtarget,
  [simds, wavefront]: readonly [number, Card['wavefront']],
  [engineClock, memoryClock, localRAM]: readonly [number, number, number],
  features: 'none' | 'double and global buffer' | 'all',
): Card {
  const hasDouble = features !== 'none';
  return {
    name,
    target,
    localRAM,
    engineClock,
    memoryClock,
    simds,
    wavefront,
    hasDouble,
    hasGlobalBuffer: hasDouble,
    hasComputeShader: features === 'all',
  };
}

export const cards: readonly Card[] = [
  card('HD 2400', C.CAL_TARGET_610, [2, 16], [525, 400, 256], 'none'),
  card('HD 2600', C.CAL_TARGET_630, [3, 32], [600, 400, 256], 'none'),
  card('HD 2900', C.CAL_TARGET_600, [4, 64], [740, 825, 512], 'none'),
  card('HD 3870', C.CAL_TARGET_670, [4, 64], [775, 1125, 512], 'double and global buffer'),
  card('FireGL V7700', C.CAL_TARGET_670, [4, 64], [775, 1125, 512], 'double and global buffer'),
  card('FireStream 9170', C.CAL_TARGET_670, [4, 64], [800, 800, 2048], 'double and global buffer'),
  card('HD 4850', C.CAL_TARGET_770, [10, 64], [625, 993, 512], 'all'),
  card('HD 4870', C.CAL_TARGET_770, [10, 64], [750, 900, 512], 'all'),
  card('FireStream 9250', C.CAL_TARGET_770, [10, 64], [625, 993, 1024], 'all'),
];
