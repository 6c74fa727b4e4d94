/** One damaged binary of a seed, and what becomes of it. */
import { decodeProgram, encodeProgram, moduleOf } from '../../src/build/program-binary.ts';
import { Random } from '../../test/support/random.ts';
import { damageBytes } from './damage-bytes.ts';
import { damageModule } from './damage-module.ts';
import type { Original } from './originals.ts';
import { type Fate, tryBinary } from './try-binary.ts';

/** `not written` is damage that a binary has no form for. */
export type MutationFate = Fate | 'not written';

export interface Mutation {
  readonly seed: number;
  /** Which binary was damaged. */
  readonly name: string;
  /** Undefined if there is no form for it. */
  readonly bytes: Uint8Array | undefined;
}

/** The same seed gives the same bytes, as long as the originals are the same. */
export function mutationOf(seed: number, originals: readonly Original[]): Mutation {
  const random = new Random(seed);
  // Short ones oftener: more of them can be tried.
  const [a, b] = [random.pick(originals), random.pick(originals)];
  const original = a.bytes.length < b.bytes.length || random.below(4) === 0 ? a : b;
  const { name, bytes } = original;
  if (seed % 4 > 0)
    return {
      seed,
      name,
      bytes: damageBytes(
        bytes,
        originals.map((one) => one.bytes),
        random,
      ),
    };
  const { modules } = decodeProgram(bytes);
  const damaged = [...modules.keys()].map((addressBits) => {
    const module = moduleOf(decodeProgram(bytes), addressBits);
    damageModule(module, random);
    return module;
  });
  const kind =
    random.below(10) === 0 ? random.pick(['object', 'library', 'executable'] as const) : original.kind;
  return { seed, name, bytes: written(() => encodeProgram(kind, original.options, damaged)) };
}

/** The writer is for modules that are right: of others it may not know what to write. */
function written(write: () => Uint8Array): Uint8Array | undefined {
  try {
    return write();
  } catch {
    return undefined;
  }
}

/**
 * Tries the binary of a seed. Every back end tries some of those that are taken.
 * @throws Error what is wrong with us
 */
export function tryMutation({ seed, bytes }: Mutation): MutationFate {
  if (!bytes) return 'not written';
  return tryBinary(bytes, { wasm: seed % 11 < 10, others: seed % 11 >= 9, choice: seed >>> 3 });
}
