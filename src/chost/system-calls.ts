/** How functions of WASI are called by programs, and what those that poll have in common. */
import type { SystemFunctions } from './file-functions.ts';
import { writeEvent } from './sleep.ts';
import type { Functions } from './system.ts';
import { errno, eventType, SystemError, size } from './wasi.ts';
import type { WasiMemory } from './wasi-memory.ts';

/** As a program imports them: with numbers as WebAssembly has them, and what they throw as what they return. */
export function framed(functions: SystemFunctions): Functions {
  return Object.fromEntries(
    Object.entries(functions).map(([name, call]) => [
      name,
      (...args: (number | bigint)[]) => {
        try {
          call(...(args.map((value) => (typeof value === 'number' ? value >>> 0 : value)) as never[]));
          return errno.success;
        } catch (error) {
          if (error instanceof SystemError) return error.code;
          throw error;
        }
      },
    ]),
  );
}

/**
 * What never lets a program wait, files and streams, is ready at once. True if any subscription was for such, which have their
 * events then.
 * @param waits says of which descriptors that is not so; default none
 */
export function pollFiles(
  memory: WasiMemory,
  subscriptions: number,
  events: number,
  count: number,
  written: number,
  waits: (descriptor: number) => boolean = () => false,
): boolean {
  const asked = memory.view(subscriptions, count * size.subscription);
  const room = memory.view(events, count * size.event);
  let ready = 0;
  for (let at = 0; at < asked.byteLength; at += size.subscription) {
    const type = asked.getUint8(at + 8);
    if (type !== eventType.read && type !== eventType.write) continue;
    if (waits(asked.getUint32(at + 16, true))) continue;
    room.setBigUint64(ready * size.event + 16, 1n, true);
    room.setUint16(ready * size.event + 24, 0, true);
    writeEvent(room, ready * size.event, asked.getBigUint64(at, true), type);
    ready += 1;
  }
  memory.setU32(written, ready);
  return ready > 0;
}
