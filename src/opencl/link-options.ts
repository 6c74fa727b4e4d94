/** The options of clLinkProgram (OpenCL 1.2, 5.6.5). */

export interface LinkOptions {
  /** -create-library */
  readonly isLibrary: boolean;
  /** -enable-link-options: permissions given where the library is linked later count for it. All are unused here. */
  readonly enablesOptions: boolean;
  /** What was wrong: any makes the link fail with CL_INVALID_LINKER_OPTIONS. */
  readonly errors: readonly string[];
}

/** Permissions to be less exact, which nothing here makes use of. Sections 5.6.4 and 5.6.5 spell one differently. */
const permissions: ReadonlySet<string> = new Set([
  '-cl-denorms-are-zero',
  '-cl-no-signed-zeroes',
  '-cl-no-signed-zeros',
  '-cl-unsafe-math-optimizations',
  '-cl-finite-math-only',
  '-cl-fast-relaxed-math',
]);

/** Reads the text that clLinkProgram gets. */
export function parseLinkOptions(text: string): LinkOptions {
  const words = text.split(/[ \t\r\n]+/).filter((word) => word !== '');
  const isLibrary = words.includes('-create-library');
  const enablesOptions = words.includes('-enable-link-options');
  const errors: string[] = [];
  for (const word of words) {
    if (word === '-create-library' || word === '-enable-link-options') continue;
    if (!permissions.has(word)) errors.push(`unknown linker option '${word}'`);
  }
  if (enablesOptions && !isLibrary) errors.push("'-enable-link-options' goes with '-create-library'");
  return { isLibrary, enablesOptions, errors };
}
