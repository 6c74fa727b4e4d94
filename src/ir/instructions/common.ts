/** What all instructions have: see "What instructions share" in ir.ts. */
import type { Span } from '../../source/span.ts';
import type { Region, Value } from '../ir.ts';

export interface Common {
  operands: Value[];
  results: Value[];
  /** Nested regions, in the order the instruction's description gives. */
  regions: Region[];
  span?: Span | undefined;
}
