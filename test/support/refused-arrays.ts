/** An engine that gives no memory for one array and has some again for the next, as `npm run campaign -- memory` has it. */
import { onTestFinished } from 'vitest';

const names = ['ArrayBuffer', 'Uint8Array', 'Int32Array', 'Uint32Array', 'Float64Array'] as const;
interface ArrayType {
  new (...values: unknown[]): object;
  readonly BYTES_PER_ELEMENT?: number;
}
const types = globalThis as unknown as Record<(typeof names)[number], ArrayType>;

export interface RefusedArray {
  /** Whether it has come to that. */
  readonly isRefused: boolean;
  /** The engine is itself again, as it is when the test ends. */
  end(): void;
}

/**
 * @param which of the arrays, from 0, is refused
 * @param least bytes of an array that counts
 */
export function refuseArray(which = 0, least = 1024): RefusedArray {
  let left = which + 1;
  const own = names.map((name) => types[name]);
  for (const [index, name] of names.entries()) {
    const type = own[index]!;
    const watched: ArrayType = new Proxy(type, {
      construct(target, values: unknown[], newTarget): object {
        const bytes = typeof values[0] === 'number' ? values[0] * (type.BYTES_PER_ELEMENT ?? 1) : 0;
        if (bytes >= least) {
          left -= 1;
          if (left === 0) throw new RangeError('Array buffer allocation failed');
        }
        return Reflect.construct(target, values, newTarget === watched ? target : newTarget);
      },
    });
    types[name] = watched;
  }
  const end = () => {
    for (const [index, name] of names.entries()) types[name] = own[index]!;
  };
  onTestFinished(end);
  return {
    get isRefused() {
      return left <= 0;
    },
    end,
  };
}
