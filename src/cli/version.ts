import { readFileSync } from 'node:fs';

/** The version of this package, as package.json says it, which lies beside dist. */
export function packageVersion(): string {
  const file = new URL('../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
