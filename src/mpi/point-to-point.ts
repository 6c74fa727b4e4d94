/** Messages from one rank to another. */
import { call, MPIError } from './error.ts';
import { HandleArray } from './handle-array.ts';
import { keepAlive } from './keep-alive.ts';
import type { Library } from './library.ts';
import { type Message, type NativeMessage, nativeMessage } from './message.ts';
import { throwEscaped } from './operation.ts';
import { awaited, newStatus, Request } from './request.ts';
import { ANY_SOURCE, ANY_TAG, PROC_NULL, Status } from './status.ts';

/** How a send ends: when its data may be changed, when the other side has begun to receive, at once out of a buffer, or only if that waits. */
export type SendMode = 'standard' | 'synchronous' | 'ready';

const letters: Readonly<Record<SendMode, string>> = { standard: '', synchronous: 's', ready: 'r' };

export abstract class PointToPoint {
  protected readonly library: Library;
  #handle: number | undefined;

  constructor(library: Library, handle: number) {
    this.library = library;
    this.#handle = handle;
  }

  /** The engine's. @throws MPIError MPI_ERR_COMM once it is freed */
  protected get handle(): number {
    if (this.#handle === undefined) throw new MPIError('MPI_ERR_COMM', 'the communicator has been freed');
    return this.#handle;
  }

  /** It may not be used any more. */
  protected leave(): void {
    this.#handle = undefined;
  }

  /** Blocks until the data may be changed. */
  send(message: Message, destination: number, tag = 0, mode: SendMode = 'standard'): void {
    const given = this.#message(message);
    this.call(sendName(mode, ''), [given], ...this.#sent(given, destination, tag));
  }

  /** Blocks until a message has come, into an array that has room for it. */
  receive(message: Message, source: number = ANY_SOURCE, tag: number = ANY_TAG): Status {
    const given = this.#message(message);
    const bytes = newStatus(this.library);
    const at = this.library.addressOf(bytes);
    this.call('MPI_Recv', [given], ...this.#received(given, source, tag), at);
    return new Status(this.library, bytes, given.type.handle);
  }

  /** Begins to send; the data must not be changed until that is done. */
  isend(message: Message, destination: number, tag = 0, mode: SendMode = 'standard'): Request {
    const given = this.#message(message);
    return this.begin(sendName(mode, 'I'), given, ...this.#sent(given, destination, tag));
  }

  /** Begins to receive. */
  ireceive(message: Message, source: number = ANY_SOURCE, tag: number = ANY_TAG): Request {
    const given = this.#message(message);
    return this.begin('MPI_Irecv', given, ...this.#received(given, source, tag));
  }

  /** A send that can be started again and again. */
  persistentSend(message: Message, destination: number, tag = 0, mode: SendMode = 'standard'): Request {
    const given = this.#message(message);
    const values = this.#sent(given, destination, tag);
    return this.#request(`${sendName(mode, '')}_init`, given, values, true);
  }

  persistentReceive(message: Message, source: number = ANY_SOURCE, tag: number = ANY_TAG): Request {
    const given = this.#message(message);
    return this.#request('MPI_Recv_init', given, this.#received(given, source, tag), true);
  }

  /** Sends and receives at once, so that ranks that do it in a ring do not wait for each other. */
  sendReceive(
    sent: Message,
    destination: number,
    received: Message,
    source: number,
    tags: { readonly send?: number; readonly receive?: number } = {},
  ): Status {
    const from = this.#message(sent);
    const to = this.#message(received);
    const bytes = newStatus(this.library);
    const { addressOf } = this.library;
    this.call(
      'MPI_Sendrecv',
      [from, to],
      ...this.#sent(from, destination, tags.send ?? 0).slice(0, -1),
      ...this.#received(to, source, tags.receive ?? ANY_TAG),
      addressOf(bytes),
    );
    return new Status(this.library, bytes, to.type.handle);
  }

  /** Blocks until a message could be received, and says what it is like. */
  probe(source: number = ANY_SOURCE, tag: number = ANY_TAG): Status {
    const bytes = newStatus(this.library);
    const values = [this.rankNumber(source), this.#tagNumber(tag), this.handle];
    this.call('MPI_Probe', [], ...values, this.library.addressOf(bytes));
    return new Status(this.library, bytes, this.library.handle('MPI_BYTE'));
  }

  /** The same without blocking; undefined if there is none. */
  iprobe(source: number = ANY_SOURCE, tag: number = ANY_TAG): Status | undefined {
    const bytes = newStatus(this.library);
    const flag = new Int32Array(1);
    const values = [this.rankNumber(source), this.#tagNumber(tag), this.handle];
    const { addressOf } = this.library;
    this.call('MPI_Iprobe', [], ...values, addressOf(flag), addressOf(bytes));
    return flag[0] ? new Status(this.library, bytes, this.library.handle('MPI_BYTE')) : undefined;
  }

  /** Resolves once a message could be received. */
  probed(source: number = ANY_SOURCE, tag: number = ANY_TAG): Promise<Status> {
    return new Promise((resolve, reject) =>
      awaited(() => {
        try {
          const status = this.iprobe(source, tag);
          if (status) resolve(status);
          return status !== undefined;
        } catch (error) {
          reject(error);
          return true;
        }
      }),
    );
  }

  /** A call that ends before it returns. @throws MPIError */
  protected call(name: string, kept: unknown, ...values: number[]): void {
    call(this.library, name, ...values);
    keepAlive(kept);
    throwEscaped();
  }

  /** A call that begins something. */
  protected begin(
    name: string,
    given: { readonly kept: unknown; readonly type?: unknown },
    ...values: number[]
  ): Request {
    return this.#request(name, given as NativeMessage, values, false);
  }

  /** A rank as the engine has it. */
  protected rankNumber(rank: number): number {
    const { numbers } = this.library.table;
    if (rank === ANY_SOURCE) return numbers.MPI_ANY_SOURCE;
    if (rank === PROC_NULL) return numbers.MPI_PROC_NULL;
    // Numbers that mean something to the engine alone are no ranks.
    if (!Number.isInteger(rank) || rank < 0) throw new MPIError('MPI_ERR_RANK', `${rank} is no rank`);
    return rank;
  }

  #request(name: string, given: NativeMessage, values: readonly number[], isPersistent: boolean): Request {
    const place = new HandleArray(this.library, 1);
    call(this.library, name, ...values, place.address);
    const type = given.type?.handle ?? this.library.handle('MPI_BYTE');
    return new Request(this.library, place, type, given.kept, isPersistent);
  }

  #message(message: Message): NativeMessage {
    return nativeMessage(this.library, message);
  }

  #sent({ address, count, type }: NativeMessage, destination: number, tag: number): number[] {
    if (destination === ANY_SOURCE) throw new MPIError('MPI_ERR_RANK', 'a message goes to one rank');
    if (!Number.isInteger(tag) || tag < 0) throw new MPIError('MPI_ERR_TAG', `${tag} is no tag to send with`);
    return [address, count, type.handle, this.rankNumber(destination), tag, this.handle];
  }

  #received({ address, count, type }: NativeMessage, source: number, tag: number): number[] {
    return [address, count, type.handle, this.rankNumber(source), this.#tagNumber(tag), this.handle];
  }

  #tagNumber(tag: number): number {
    if (tag === ANY_TAG) return this.library.table.numbers.MPI_ANY_TAG;
    if (!Number.isInteger(tag) || tag < 0) throw new MPIError('MPI_ERR_TAG', `${tag} is no tag`);
    return tag;
  }
}

function sendName(mode: SendMode, begins: 'I' | ''): string {
  const letter = letters[mode];
  if (letter === undefined) throw new MPIError('MPI_ERR_ARG', `${mode} is no way to send`);
  const word = `${begins}${letter}send`.toLowerCase();
  return `MPI_${word[0]!.toUpperCase()}${word.slice(1)}`;
}
