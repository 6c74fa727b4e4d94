/**
 * Interns the names and numbers of a program: equal ones become the same string, found by a hash that the lexer computes
 * while it scans, so that one met again costs no new string and compares by reference.
 */

/** A hash begins as this and takes in each character code as `Math.imul(hash ^ code, hashFactor)` (FNV-1a). */
export const hashSeed = 0x811c9dc5 | 0;
export const hashFactor = 0x01000193;

export class IdentifierTable {
  #slots: (string | undefined)[] = new Array<string | undefined>(1024).fill(undefined);
  #hashes = new Int32Array(1024);
  #count = 0;

  /** The one string for source.slice(start, end), whose hash is `hash`. */
  intern(source: string, start: number, end: number, hash: number): string {
    const mask = this.#slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const known = this.#slots[slot];
      if (known === undefined) break;
      if (this.#hashes[slot] === hash && known.length === end - start && matches(known, source, start)) {
        return known;
      }
      slot = (slot + 1) & mask;
    }
    const name = source.slice(start, end);
    this.#slots[slot] = name;
    this.#hashes[slot] = hash;
    this.#count += 1;
    if (this.#count * 2 > this.#slots.length) this.#grow();
    return name;
  }

  /** The one string for source.slice(start, end). */
  internSlice(source: string, start: number, end: number): string {
    let hash = hashSeed;
    for (let index = start; index < end; index += 1) {
      hash = Math.imul(hash ^ source.charCodeAt(index), hashFactor);
    }
    return this.intern(source, start, end, hash);
  }

  #grow(): void {
    const oldSlots = this.#slots;
    const oldHashes = this.#hashes;
    const size = oldSlots.length * 2;
    this.#slots = new Array<string | undefined>(size).fill(undefined);
    this.#hashes = new Int32Array(size);
    for (let index = 0; index < oldSlots.length; index += 1) {
      const name = oldSlots[index];
      if (name === undefined) continue;
      const hash = oldHashes[index] ?? 0;
      let slot = (hash ^ (hash >>> 15)) & (size - 1);
      while (this.#slots[slot] !== undefined) slot = (slot + 1) & (size - 1);
      this.#slots[slot] = name;
      this.#hashes[slot] = hash;
    }
  }
}

function matches(name: string, source: string, start: number): boolean {
  for (let index = 0; index < name.length; index += 1) {
    if (name.charCodeAt(index) !== source.charCodeAt(start + index)) return false;
  }
  return true;
}
