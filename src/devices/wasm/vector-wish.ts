/**
 * What the environment says about vectors, to measure with (`npm run bench -- --only plan`). `MILLRACE_PACK` is one of
 *
 *     0        work-items run one by one
 *     8        8 neighbours along dimension 0 together, wherever that is possible
 *     x4       4 rows together, wherever that is possible; x1 never
 *     8x4      both
 *
 * Without it the planner decides.
 */
import type { LaneCount } from '../../ir/types.ts';
import type { VectoriseOptions } from '../../passes/vectorize/vectorize.ts';
import { BuildFailure } from '../../runtime/device.ts';
import { environment } from '../../runtime/host.ts';

export interface VectorWish {
  /** For `optimise`. */
  readonly vectorise: boolean | VectoriseOptions;
  /** What programs built under different wishes are told apart by. */
  readonly word: string;
}

/** @throws BuildFailure for a wish that is none of those */
export function vectorWish(): VectorWish {
  const text = environment('MILLRACE_PACK') ?? '';
  if (text === '' || text === '1') return { vectorise: true, word: 'packed' };
  if (text === '0') return { vectorise: false, word: 'single' };
  const [found, lanes, rows] = /^(2|4|8|16)?(?:x([1248]))?$/.exec(text) ?? [];
  if (found === undefined)
    throw new BuildFailure(`error: MILLRACE_PACK=${text}: write 0, LANES, xROWS or LANESxROWS\n`);
  return {
    vectorise: {
      lanes: lanes === undefined ? undefined : (Number(lanes) as LaneCount),
      rows: rows === undefined ? undefined : Number(rows),
    },
    word: `packed ${text}`,
  };
}
