/** What cannot be said in OpenCL C: the module is right, but this back end has no portable form for it. */
export class OpenCLCError extends Error {
  override readonly name = 'OpenCLCError';
}
