/** The reservations of packets in pipes that kernels of a launch have made and not committed (OpenCL C 2.0, 6.13.16). */
import { codes } from './codes.ts';

/** What a kernel does with one: which pipe, which slots from where. */
export interface ReservationUse {
  readonly pipe: number;
  readonly first: number;
  /** 0 of one that has failed. */
  readonly count: number;
}

export class Reservations<T> {
  readonly #open = new Map<string, T>();

  /** What nobody has committed. */
  get left(): readonly T[] {
    return [...this.#open.values()];
  }

  made(use: ReservationUse, by: T): void {
    if (use.count > 0) this.#open.set(keyOf(use), by);
  }

  /** What is wrong with a packet of one, or with its commit (which is its end); undefined if nothing is. */
  used(code: number, use: ReservationUse, packet: number): number | undefined {
    if (use.count === 0) return codes.pipeNotReserved;
    if (!this.#open.has(keyOf(use))) return codes.pipeCommitted;
    if (code === codes.pipeCommit) this.#open.delete(keyOf(use));
    else if (packet >= use.count) return codes.pipeBeyond;
    return undefined;
  }
}

function keyOf({ pipe, first, count }: ReservationUse): string {
  return `${pipe} ${first} ${count}`;
}
