/**
 * What the memory instructions of a module are for, by their places in it. An engine says of a trap at which byte of the module it
 * happened; with this table a message says which access of the source that is, and through which argument. The table is made once, when a
 * kernel is compiled (access-sites.ts), and read only after a trap.
 */

/** Where the pointer of an access comes from. */
export type AccessRoot =
  | { readonly kind: 'argument'; readonly index: number; readonly name: string }
  | { readonly kind: 'variable'; readonly name: string };

/** One access of the source. */
export interface AccessSite {
  /** `load`, `store`, `atomic operation`, `copy`. */
  readonly what: string;
  readonly root?: AccessRoot;
  /** `kernels.cl:5:10`. */
  readonly place?: string;
}

/** The accesses of a module, plain data. */
export interface AccessTable {
  readonly sites: readonly AccessSite[];
  /** Pairs: the byte of the module where an instruction begins, less that of the one before, and the number of its site. */
  readonly places: readonly number[];
}

/** The access that begins at a byte of the module. */
export function accessAt({ sites, places }: AccessTable, at: number): AccessSite | undefined {
  let place = 0;
  for (let index = 0; index < places.length; index += 2) {
    place += places[index]!;
    if (place === at) return sites[places[index + 1]!];
    if (place > at) return undefined;
  }
  return undefined;
}
