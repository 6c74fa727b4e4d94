/** What to tell of an error that has ended something: of one of the compiler's, its log. */
import type { BuildError } from 'millrace';

export function failureOf(error: unknown): { readonly message: string; readonly log?: string | undefined } {
  const { message, log } = error as Error & Partial<BuildError>;
  return log ? { message: 'The source has errors.', log } : { message };
}
