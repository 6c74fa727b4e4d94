// The launches of a bitonic sort, which two samples use: the sort itself and the nearest neighbours.

/** One launch: pass `pass` (0 to `stage`) of stage `stage`. */
export interface BitonicPass {
  readonly stage: number;
  readonly pass: number;
}

/** All launches in their order. `count` is how many elements there are, a power of two. */
export function bitonicPlan(count: number): BitonicPass[] {
  const stages = Math.log2(count);
  if (!Number.isInteger(stages)) throw new RangeError(`${count} is no power of two`);
  const plan: BitonicPass[] = [];
  for (let stage = 0; stage < stages; stage++) {
    for (let pass = 0; pass <= stage; pass++) plan.push({ stage, pass });
  }
  return plan;
}
