/**
 * The regions of a work-item loop by their names (see "Vector regions" and "Coarse regions" in ir.ts). They lie in one list, as those of
 * all structures do; nobody but this file counts its places.
 *
 *     work_item_loop lanes 4 rows 2 {       the scalar region: for one work-item
 *     } vector 4 {                          the vector region, if the loop has lanes
 *     } coarse 2 {                          the coarse region, if it has rows
 *     }
 */
import type * as ir from './ir.ts';

export type RegionForm = 'scalar' | 'vector' | 'coarse';

/** What one work-item does. */
export function scalarRegion({ regions }: ir.WorkItemLoop): ir.Region {
  return regions[0]!;
}

/** What so many neighbours along dimension 0 as the loop has lanes do together. */
export function vectorRegion({ regions, lanes }: ir.WorkItemLoop): ir.Region | undefined {
  return lanes === undefined ? undefined : regions[1];
}

/** What several rows of work-items, or of vectors of them, do together. */
export function coarseRegion({ regions, rows }: ir.WorkItemLoop): ir.Region | undefined {
  return rows === undefined ? undefined : regions.at(-1);
}

/** All regions but the scalar one. */
export function wideRegions({ regions }: ir.WorkItemLoop): readonly ir.Region[] {
  return regions.slice(1);
}

/** Whether work-items run one by one only. */
export function isScalarOnly({ regions }: ir.WorkItemLoop): boolean {
  return regions.length === 1;
}

/** Which of them the region at an index of the list is. */
export function formOf({ regions, rows }: ir.WorkItemLoop, index: number): RegionForm {
  if (index === 0) return 'scalar';
  return rows !== undefined && index === regions.length - 1 ? 'coarse' : 'vector';
}
