/**
 * The input cache: lines, some to a set, the least recently used one leaves. Textures lie in memory in tiles, so that a line holds a
 * square of neighbours; buffers lie in it one behind the other (guide, 1.2.5.6 and 1.3.3.6).
 */
import type { CacheShape } from './cards.ts';

export interface CacheResult {
  readonly fetches: number;
  readonly hits: number;
  /** 0 to 1; 0 of no fetches. */
  readonly hitRate: number;
}

export class InputCache {
  readonly #shape: CacheShape;
  /** Each set's lines, the one used last at the end. */
  readonly #sets: string[][];
  #fetches = 0;
  #hits = 0;

  constructor(shape: CacheShape) {
    this.#shape = shape;
    const sets = Math.max(1, Math.floor(shape.bytes / shape.lineBytes / shape.ways));
    this.#sets = Array.from({ length: sets }, () => []);
  }

  /** Fetches bytes that begin at an address in a linear resource. */
  linear(resource: number, address: number, bytes: number): void {
    const { lineBytes } = this.#shape;
    const first = Math.floor(address / lineBytes);
    const last = Math.floor((address + bytes - 1) / lineBytes);
    this.#fetches += 1;
    let isHit = true;
    for (let line = first; line <= last; line += 1) if (!this.#touch(resource, line, 0)) isHit = false;
    if (isHit) this.#hits += 1;
  }

  /** Fetches an element of a tiled resource. */
  tiled(resource: number, x: number, y: number, bytes: number): void {
    const elements = Math.max(1, this.#shape.lineBytes / bytes);
    const height = 2 ** Math.floor(Math.log2(elements) / 2);
    const width = elements / height;
    this.#fetches += 1;
    if (this.#touch(resource, Math.floor(x / width), Math.floor(y / height))) this.#hits += 1;
  }

  #touch(resource: number, x: number, y: number): boolean {
    const key = `${resource}:${x}:${y}`;
    const set = this.#sets[Math.abs(x + y * 5 + resource * 7) % this.#sets.length]!;
    const at = set.indexOf(key);
    if (at >= 0) set.splice(at, 1);
    set.push(key);
    if (set.length > this.#shape.ways) set.shift();
    return at >= 0;
  }

  get result(): CacheResult {
    const hitRate = this.#fetches === 0 ? 0 : this.#hits / this.#fetches;
    return { fetches: this.#fetches, hits: this.#hits, hitRate };
  }
}
