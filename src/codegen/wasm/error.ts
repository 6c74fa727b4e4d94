/** What a user's program can ask of the back end in vain. */

/** The module cannot be written as WebAssembly that engines accept; the message says why, for a build log. */
export class CodegenError extends Error {
  override readonly name = 'CodegenError';
}
