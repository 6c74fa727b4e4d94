/** A file that is there and is not read, for a reason: `it is no regular file`. What includes it says so at that place. */
export class RefusedFile extends Error {
  override name = 'RefusedFile';
}
