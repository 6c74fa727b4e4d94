/** The same, with what the checker calls, for addresses of 64 bits and for single precision, which drivers' devices may have: a page has none of them. */
import { embedded as checks } from './embedded/checks.ts';
import { embedded as singles } from './embedded/singles.ts';
import { embedded as wide } from './embedded/wide.ts';
import { provideLibrary } from './index.ts';
import { provideSingles } from './singles.ts';
import { provideWholeLibrary } from './whole.ts';

export function provideLibraryForAll(): void {
  provideWholeLibrary();
  provideLibrary({ checks, wide });
  provideSingles(singles);
}
