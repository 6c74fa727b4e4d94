/** The disk, as Millrace calls it: every synchronous call, in the object that Millrace has it from, can be told of before it is made. */

type Call = (...values: unknown[]) => unknown;

/** What is done before a call, which may throw in its place; `own` is what the call is. */
export type BeforeCall = (name: string, values: readonly unknown[], own: Call) => void;

/** From now on `before` is called. Once in a process. */
export function watchDisk(before: BeforeCall): void {
  const files = process.getBuiltinModule('node:fs') as unknown as Record<string, Call>;
  for (const name of Object.keys(files)) {
    const own = files[name];
    if (typeof own !== 'function' || !name.endsWith('Sync')) continue;
    files[name] = (...values: unknown[]) => {
      // The places of packages are none of this.
      if (!String(values[0]).includes('node_modules')) before(name, values, own);
      return own(...values);
    };
  }
}
