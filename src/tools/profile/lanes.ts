/**
 * Puts things that last some time onto tracks so that those of one track do not overlap: viewers of traces take things on one track
 * that overlap for parts of each other.
 */

export interface Span {
  readonly started: number;
  readonly ended: number;
}

/** For each span its lane, from 0 on: the first that is free when it starts. */
export function lanesOf(spans: readonly Span[]): number[] {
  const order = spans.map((_, index) => index);
  order.sort((a, b) => spans[a]!.started - spans[b]!.started || spans[a]!.ended - spans[b]!.ended);
  const lanes = new Array<number>(spans.length).fill(0);
  const freeFrom: number[] = [];
  for (const index of order) {
    const { started, ended } = spans[index]!;
    let lane = freeFrom.findIndex((free) => free <= started);
    if (lane < 0) lane = freeFrom.length;
    freeFrom[lane] = ended;
    lanes[index] = lane;
  }
  return lanes;
}
