/**
 * Whether dist/ has type declarations. `npm run build -- --no-types` leaves them out, and tests that check programs against them are then
 * skipped, in words. Not so under `npm test`, which builds all: there, that they are missing is an error, and nothing is skipped.
 */
import { existsSync } from 'node:fs';

export const hasTypes = existsSync('dist/types/index.d.ts');

if (!hasTypes) {
  const words = 'dist/types is missing: run `npm run build` without --no-types';
  if (process.env['npm_lifecycle_event'] === 'test') throw new Error(words);
  console.warn(`Skipped is what checks types. ${words}.`);
}
