/** What a template is made with, and what all templates have. */

export interface ProjectOptions {
  /** Of the package. */
  readonly name: string;
  /** Of Millrace. */
  readonly version: string;
}

/** By path. */
export type ProjectFiles = Readonly<Record<string, string>>;

export function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** A version with the same promises (docs/versioning.md). */
export const compatible = (version: string): string => `^${version}`;
