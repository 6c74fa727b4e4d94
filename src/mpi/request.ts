/**
 * Communication under way. Those who may not block await `done`: MPI is asked again and again from the event loop, at first without a pause.
 * Engines make progress only while they are called, so nothing else would be faster.
 */
import { later } from '../runtime/host.ts';
import { call, MPIError } from './error.ts';
import { HandleArray } from './handle-array.ts';
import { keepAlive } from './keep-alive.ts';
import type { Library } from './library.ts';
import { throwEscaped } from './operation.ts';
import { Status } from './status.ts';

/** Requests whose memory MPI may still read or write: nobody else may mean it any more. */
const active = new Set<Request>();

export class Request {
  readonly #library: Library;
  readonly #place: HandleArray;
  readonly #kept: unknown;
  readonly #type: number;
  readonly #isPersistent: boolean;
  /** What the engine filled in last; a promise and `wait` give the same. */
  #status: Status | undefined;
  #done: Promise<Status> | undefined;
  #flag: Int32Array | undefined;
  #statusBytes: Uint8Array<ArrayBuffer> | undefined;

  /** Made by what begins it. @param kept lives as long as the communication */
  constructor(library: Library, place: HandleArray, type: number, kept: unknown, isPersistent = false) {
    this.#library = library;
    this.#place = place;
    this.#type = type;
    this.#kept = kept;
    this.#isPersistent = isPersistent;
    if (!isPersistent) active.add(this);
  }

  /** Resolves once it is over, without blocking anything else. Of many at once, too. */
  get done(): Promise<Status> {
    this.#done ??= new Promise((resolve, reject) => awaited(() => this.#settle(resolve, reject)));
    return this.#done;
  }

  /** Blocks until it is over. */
  wait(): Status {
    if (this.#status) return this.#status;
    const bytes = newStatus(this.#library);
    const { addressOf } = this.#library;
    try {
      call(this.#library, 'MPI_Wait', this.#place.address, addressOf(bytes));
    } catch (error) {
      this.#fail(error);
    }
    throwEscaped();
    return this.#end(bytes);
  }

  /** Its status if it is over by now. */
  test(): Status | undefined {
    if (this.#status) return this.#status;
    this.#flag ??= new Int32Array(1);
    this.#statusBytes ??= newStatus(this.#library);
    const { addressOf } = this.#library;
    try {
      const { address } = this.#place;
      call(this.#library, 'MPI_Test', address, addressOf(this.#flag), addressOf(this.#statusBytes));
    } catch (error) {
      this.#fail(error);
    }
    throwEscaped();
    if (this.#flag[0] === 0) return undefined;
    const bytes = this.#statusBytes;
    this.#statusBytes = undefined;
    return this.#end(bytes);
  }

  /** Begins a persistent communication once more. @throws MPIError MPI_ERR_REQUEST if it is none, or under way */
  start(): void {
    Request.startAll([this]);
  }

  /** To end a receive that nothing is coming for: its status says `cancelled`. It is to be waited for all the same. */
  cancel(): void {
    if (!active.has(this)) return;
    call(this.#library, 'MPI_Cancel', this.#place.address);
  }

  /** Gives up a persistent communication that is not under way. */
  free(): void {
    if (!this.#isPersistent || active.has(this))
      throw new MPIError('MPI_ERR_REQUEST', 'persistent requests are freed, when they are not under way');
    if (this.#place.get(0) === this.#library.handle('MPI_REQUEST_NULL')) return;
    call(this.#library, 'MPI_Request_free', this.#place.address);
    keepAlive(this.#kept);
  }

  static startAll(requests: readonly Request[]): void {
    const [first] = requests;
    if (!first) return;
    for (const request of requests) {
      const isFreed = request.#place.get(0) === request.#library.handle('MPI_REQUEST_NULL');
      if (!request.#isPersistent || active.has(request) || isFreed)
        throw new MPIError(
          'MPI_ERR_REQUEST',
          'only persistent requests are started, when they are not under way',
        );
    }
    const library = first.#library;
    const handles = new HandleArray(
      library,
      requests.map((request) => request.#place.get(0)),
    );
    call(library, 'MPI_Startall', requests.length, handles.address);
    for (const [index, request] of requests.entries()) {
      request.#place.set(0, handles.get(index));
      request.#status = undefined;
      request.#done = undefined;
      active.add(request);
    }
  }

  /** Blocks until all are over. @throws MPIError of the first that failed */
  static waitAll(requests: readonly Request[]): Status[] {
    // Each wait has the engine make progress on all of them.
    return requests.map((request) => request.wait());
  }

  /** Blocks until one of them is over, and gives its place; -1 if none is under way. */
  static waitAny(requests: readonly Request[]): number {
    const open = requests.filter((request) => active.has(request));
    const [first] = open;
    if (!first) return -1;
    const library = first.#library;
    const handles = new HandleArray(
      library,
      open.map((request) => request.#place.get(0)),
    );
    const place = new Int32Array(1);
    const bytes = newStatus(library);
    const { addressOf } = library;
    let failure: unknown;
    try {
      call(library, 'MPI_Waitany', open.length, handles.address, addressOf(place), addressOf(bytes));
    } catch (error) {
      failure = error;
    }
    throwEscaped();
    const found = open[place[0]!];
    if (!found) throw failure ?? new MPIError('MPI_ERR_REQUEST', 'none of the requests ended');
    found.#place.set(0, handles.get(place[0]!));
    if (failure !== undefined) found.#fail(failure);
    found.#end(bytes);
    return requests.indexOf(found);
  }

  /** True if it is over, well or not. */
  #settle(resolve: (status: Status) => void, reject: (error: unknown) => void): boolean {
    try {
      const status = this.test();
      if (!status) return false;
      resolve(status);
    } catch (error) {
      reject(error);
    }
    return true;
  }

  #end(bytes: Uint8Array<ArrayBuffer>): Status {
    active.delete(this);
    this.#status = new Status(this.#library, bytes, this.#type);
    return this.#status;
  }

  #fail(error: unknown): never {
    active.delete(this);
    throw error;
  }
}

/** A persistent request that is not under way has a status that says nothing. */
export function newStatus(library: Library): Uint8Array<ArrayBuffer> {
  return new Uint8Array(library.table.status.bytes);
}

/** What is asked for from the event loop, until it says that it is over. */
let questions: (() => boolean)[] = [];
/** Rounds in which nothing happened. */
let idle = 0;
let isComing = false;

/** So many rounds are made at once; then there is a pause after each, which leaves the processor to others. */
const eagerRounds = 2000;
const pause = 1;

/** Asks until the answer is true: at once, then from the event loop. */
export function awaited(question: () => boolean): void {
  if (question()) return;
  questions.push(question);
  idle = 0;
  if (isComing) return;
  isComing = true;
  later(ask);
}

function ask(): void {
  const before = questions;
  questions = [];
  const open = before.filter((question) => !question());
  idle = open.length < before.length ? 0 : idle + 1;
  questions = [...open, ...questions];
  isComing = questions.length > 0;
  if (!isComing) return;
  if (idle < eagerRounds) later(ask);
  else setTimeout(ask, pause);
}
