/**
 * Machine code in memory. Pages are written while nobody can execute them, and from then on are executed while nobody can write them;
 * whoever needs other code takes other pages. All threads of the process can call what is in them until they are released.
 */
import { openSystem, pageBytes, type System } from './system.ts';

/** Code that can be called. */
export interface CodePages {
  /** Where its first byte is. */
  readonly address: bigint;
  /** Gives the pages back. Nobody may be in the code, or call it again. */
  release(): void;
}

/**
 * Puts code into pages of its own, at a multiple of 4096, so that every alignment that code asks for holds.
 * @throws Error if the system has no pages, or refuses to execute them
 */
export function placeCode(bytes: Uint8Array, system: System = usual()): CodePages {
  const size = Math.ceil(Math.max(bytes.length, 1) / pageBytes) * pageBytes;
  const address = system.map(size);
  if (address === -1n) throw new Error(`the system has no ${size} bytes for machine code`);
  system.copy(address, bytes);
  if (!system.protect(address, size, 'execute')) {
    system.unmap(address, size);
    throw new Error('the system refuses to execute machine code that a program has made');
  }
  let isReleased = false;
  const release = (): void => {
    if (!isReleased) system.unmap(address, size);
    isReleased = true;
  };
  return { address, release };
}

function usual(): System {
  const system = openSystem();
  if (typeof system === 'string') throw new Error(system);
  return system;
}
