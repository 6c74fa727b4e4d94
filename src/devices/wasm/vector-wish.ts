/**
 * What the environment says about vectors, to measure with (`npm run bench -- --only plan`). `MILLRACE_VECTORISE` is one of
 *
 *     0        work-items run one by one
 *     8        8 neighbours along dimension 0 together, wherever that is possible
 *     v        neighbours together wherever that is possible, as many as the planner would take
 *     x4       4 rows together, wherever that is possible; x1 never
 *     8x4, vx4 both
 *
 * Without it the planner decides. `MILLRACE_PACK`, the name of earlier versions, means the same where the other is not set.
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
  const [name, text] = wish();
  if (text === '' || text === '1') return { vectorise: true, word: 'vectors' };
  if (text === '0') return { vectorise: false, word: 'single' };
  const [found, lanes, rows] = /^(2|4|8|16|v)?(?:x([1248]))?$/.exec(text) ?? [];
  if (found === undefined)
    throw new BuildFailure(`error: ${name}=${text}: write 0, LANES, v, xROWS, LANESxROWS or vxROWS\n`);
  return {
    vectorise: {
      lanes: lanes === undefined || lanes === 'v' ? undefined : (Number(lanes) as LaneCount),
      always: lanes === 'v',
      rows: rows === undefined ? undefined : Number(rows),
    },
    word: `vectors ${text}`,
  };
}

/** The variable that is set, and what it is set to. */
function wish(): readonly [name: string, text: string] {
  for (const name of ['MILLRACE_VECTORISE', 'MILLRACE_PACK']) {
    const text = environment(name) ?? '';
    if (text !== '') return [name, text];
  }
  return ['MILLRACE_VECTORISE', ''];
}
