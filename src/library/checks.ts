/** What checked code calls, for the checking device: other pages need none of it. */
import { embedded as checks } from './embedded/checks.ts';
import { provideLibrary } from './index.ts';

export function provideChecks(): void {
  provideLibrary({ checks });
}
