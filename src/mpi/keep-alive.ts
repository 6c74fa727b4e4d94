/** Calls get addresses: what lies there must not be collected before they return, though no variable may mean it any more. */
let held: unknown;

/** Called after the call. */
export function keepAlive(...objects: unknown[]): void {
  held = objects;
  void held;
}
