/**
 * The cards that CAL ran on: those of the performance model (appendix C of the guide), with what CAL's programs ask for beside
 * them. Their memory is that with which they were sold.
 */
import type { ChipName } from '../../codegen/r600/chips.ts';
import { type Card as ModelCard, cards as modelCards } from '../../model/cards.ts';
import * as C from './constants.ts';

/** A card of the R600 family. */
export interface Card {
  readonly model: ModelCard;
  readonly target: C.CALtarget;
  /** Megabytes. */
  readonly localRAM: number;
}

const targets: Readonly<Record<ChipName, C.CALtarget>> = {
  RV610: C.CAL_TARGET_610,
  RV630: C.CAL_TARGET_630,
  R600: C.CAL_TARGET_600,
  RV670: C.CAL_TARGET_670,
  RV770: C.CAL_TARGET_770,
};

const usualRAM = 512;
const otherRAM: ReadonlyMap<string, number> = new Map([
  ['HD 2400', 256],
  ['HD 2600', 256],
  ['FireStream 9170', 2048],
  ['FireStream 9250', 1024],
]);

export const cards: readonly Card[] = modelCards.map((model) => ({
  model,
  target: targets[model.chip.name],
  localRAM: otherRAM.get(model.name) ?? usualRAM,
}));
