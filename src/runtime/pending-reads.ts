/**
 * Arrays of the host that commands under way will fill. A write takes the content of its array at the call, so that a program may
 * change it at once; but where the program has had a command enqueued that fills the array before, it means that command's bytes,
 * and the write takes them when its turn comes.
 */

interface Range {
  readonly start: number;
  readonly end: number;
}

export class PendingReads {
  readonly #ranges = new Map<ArrayBufferLike, Set<Range>>();

  /** So many bytes from the first one of `target` will be filled. The result is to be called once they have been, or will not be. */
  add(target: Uint8Array, length = target.length): () => void {
    const { buffer, byteOffset } = target;
    const range = { start: byteOffset, end: byteOffset + length };
    const known = this.#ranges.get(buffer);
    if (known) known.add(range);
    else this.#ranges.set(buffer, new Set([range]));
    return () => {
      const ranges = this.#ranges.get(buffer);
      if (ranges?.delete(range) && ranges.size === 0) this.#ranges.delete(buffer);
    };
  }

  /** Whether some of so many bytes from the first one of `source` will be filled. */
  hold(source: Uint8Array, length = source.length): boolean {
    const ranges = this.#ranges.get(source.buffer);
    if (!ranges) return false;
    const start = source.byteOffset;
    for (const range of ranges) if (start < range.end && range.start < start + length) return true;
    return false;
  }
}
