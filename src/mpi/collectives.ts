/**
 * What all ranks of a communicator do together. Each comes twice, as in MPI: it blocks, or, with an `i` before its name, it begins and gives
 * a request. Where a rank's own contribution lies in the result already, {@link IN_PLACE} is given for it.
 */
import { MPIError } from './error.ts';
import {
  type Message,
  type NativeMessage,
  type NativeParts,
  nativeMessage,
  nativeParts,
  type Parts,
} from './message.ts';
import { nativeOperation, type OperationLike } from './operation.ts';
import { PointToPoint } from './point-to-point.ts';
import type { Request } from './request.ts';

/** The data is where the result will be. */
export const IN_PLACE = Symbol('MPI_IN_PLACE');

type InPlace = typeof IN_PLACE;

/** What a call gets, without the place for a request. */
interface Plan {
  readonly name: string;
  readonly values: readonly number[];
  readonly kept: unknown;
}

export abstract class Collectives extends PointToPoint {
  abstract readonly rank: number;
  abstract readonly size: number;
  /** How many ranks a rank of a grid has next to it, for what goes to those. */
  protected abstract readonly neighbours: number;

  /** Blocks until all ranks are here. */
  barrier(): void {
    this.#run({ name: 'barrier', values: [this.handle], kept: undefined });
  }

  ibarrier(): Request {
    return this.#begin({ name: 'barrier', values: [this.handle], kept: undefined });
  }

  /** From the root to all others. */
  broadcast(message: Message, root = 0): void {
    this.#run(this.#broadcast(message, root));
  }

  ibroadcast(message: Message, root = 0): Request {
    return this.#begin(this.#broadcast(message, root));
  }

  /** From all to the root, in the order of ranks. Only the root gives where to. */
  gather(sent: Message | InPlace, received?: Message, root = 0): void {
    this.#run(this.#gather(sent, received, root));
  }

  igather(sent: Message | InPlace, received?: Message, root = 0): Request {
    return this.#begin(this.#gather(sent, received, root));
  }

  /** With different counts of the ranks. */
  gatherv(sent: Message | InPlace, received?: Parts, root = 0): void {
    this.#run(this.#gatherv(sent, received, root));
  }

  igatherv(sent: Message | InPlace, received?: Parts, root = 0): Request {
    return this.#begin(this.#gatherv(sent, received, root));
  }

  /** From the root to all, each its part. Only the root gives what is sent. */
  scatter(sent: Message | undefined, received: Message | InPlace, root = 0): void {
    this.#run(this.#scatter(sent, received, root));
  }

  iscatter(sent: Message | undefined, received: Message | InPlace, root = 0): Request {
    return this.#begin(this.#scatter(sent, received, root));
  }

  scatterv(sent: Parts | undefined, received: Message | InPlace, root = 0): void {
    this.#run(this.#scatterv(sent, received, root));
  }

  iscatterv(sent: Parts | undefined, received: Message | InPlace, root = 0): Request {
    return this.#begin(this.#scatterv(sent, received, root));
  }

  /** From all to all, in the order of ranks. */
  allgather(sent: Message | InPlace, received: Message): void {
    this.#run(this.#toAll('allgather', sent, 1, received, this.size));
  }

  iallgather(sent: Message | InPlace, received: Message): Request {
    return this.#begin(this.#toAll('allgather', sent, 1, received, this.size));
  }

  allgatherv(sent: Message | InPlace, received: Parts): void {
    this.#run(this.#allgatherv(sent, received));
  }

  iallgatherv(sent: Message | InPlace, received: Parts): Request {
    return this.#begin(this.#allgatherv(sent, received));
  }

  /** From each rank another part to each. */
  alltoall(sent: Message | InPlace, received: Message): void {
    this.#run(this.#toAll('alltoall', sent, this.size, received, this.size));
  }

  ialltoall(sent: Message | InPlace, received: Message): Request {
    return this.#begin(this.#toAll('alltoall', sent, this.size, received, this.size));
  }

  alltoallv(sent: Parts | InPlace, received: Parts): void {
    this.#run(this.#alltoallv('alltoallv', sent, received, this.size));
  }

  ialltoallv(sent: Parts | InPlace, received: Parts): Request {
    return this.#begin(this.#alltoallv('alltoallv', sent, received, this.size));
  }

  /** All ranks' values combined, element by element, at the root. */
  reduce(sent: Message | InPlace, received: Message | undefined, operation: OperationLike, root = 0): void {
    this.#run(this.#reduce(sent, received, operation, root));
  }

  ireduce(
    sent: Message | InPlace,
    received: Message | undefined,
    operation: OperationLike,
    root = 0,
  ): Request {
    return this.#begin(this.#reduce(sent, received, operation, root));
  }

  /** And at all of them. */
  allreduce(sent: Message | InPlace, received: Message, operation: OperationLike): void {
    this.#run(this.#combine('allreduce', sent, received, operation));
  }

  iallreduce(sent: Message | InPlace, received: Message, operation: OperationLike): Request {
    return this.#begin(this.#combine('allreduce', sent, received, operation));
  }

  /** And of what is combined, each rank gets a part of the same length. */
  reduceScatter(sent: Message | InPlace, received: Message, operation: OperationLike): void {
    this.#run(this.#reduceScatter(sent, received, operation));
  }

  ireduceScatter(sent: Message | InPlace, received: Message, operation: OperationLike): Request {
    return this.#begin(this.#reduceScatter(sent, received, operation));
  }

  /** The values of this rank and of those before it, combined. */
  scan(sent: Message | InPlace, received: Message, operation: OperationLike): void {
    this.#run(this.#combine('scan', sent, received, operation));
  }

  iscan(sent: Message | InPlace, received: Message, operation: OperationLike): Request {
    return this.#begin(this.#combine('scan', sent, received, operation));
  }

  /** Of those before it alone. Rank 0 gets nothing. */
  exscan(sent: Message | InPlace, received: Message, operation: OperationLike): void {
    this.#run(this.#combine('exscan', sent, received, operation));
  }

  iexscan(sent: Message | InPlace, received: Message, operation: OperationLike): Request {
    return this.#begin(this.#combine('exscan', sent, received, operation));
  }

  /** In a grid: the same to all neighbours, of each dimension the lower one first. */
  neighbourAllgather(sent: Message, received: Message): void {
    this.#run(this.#toAll('neighbor_allgather', sent, 1, received, this.neighbours));
  }

  ineighbourAllgather(sent: Message, received: Message): Request {
    return this.#begin(this.#toAll('neighbor_allgather', sent, 1, received, this.neighbours));
  }

  /** In a grid: another part to each neighbour. */
  neighbourAlltoall(sent: Message, received: Message): void {
    this.#run(this.#toAll('neighbor_alltoall', sent, this.neighbours, received, this.neighbours));
  }

  ineighbourAlltoall(sent: Message, received: Message): Request {
    return this.#begin(this.#toAll('neighbor_alltoall', sent, this.neighbours, received, this.neighbours));
  }

  /** With different counts. */
  neighbourAlltoallv(sent: Parts, received: Parts): void {
    this.#run(this.#alltoallv('neighbor_alltoallv', sent, received, this.neighbours));
  }

  #run({ name, values, kept }: Plan): void {
    this.call(`MPI_${name[0]!.toUpperCase()}${name.slice(1)}`, kept, ...values);
  }

  #begin({ name, values, kept }: Plan): Request {
    return this.begin(`MPI_I${name}`, { kept }, ...values);
  }

  #broadcast(message: Message, root: number): Plan {
    const given = nativeMessage(this.library, message);
    const values = [...plain(given), this.rankNumber(root), this.handle];
    return { name: 'bcast', values, kept: given.kept };
  }

  #gather(sent: Message | InPlace, received: Message | undefined, root: number): Plan {
    const from = this.#own(sent);
    const to = this.#atRoot(root, received, (message) => nativeMessage(this.library, message, this.size));
    const values = [...plain(from ?? inPlace(this.#inPlace, to)), ...plain(to ?? this.#nothing)];
    return {
      name: 'gather',
      values: [...values, this.rankNumber(root), this.handle],
      kept: [from?.kept, to?.kept],
    };
  }

  #gatherv(sent: Message | InPlace, received: Parts | undefined, root: number): Plan {
    const from = this.#own(sent);
    const to = this.#atRoot(root, received, (parts) => nativeParts(this.library, parts, this.size));
    const values = [...plain(from ?? inPlace(this.#inPlace, to)), ...listed(to ?? this.#noParts)];
    return {
      name: 'gatherv',
      values: [...values, this.rankNumber(root), this.handle],
      kept: [from?.kept, to?.kept],
    };
  }

  #scatter(sent: Message | undefined, received: Message | InPlace, root: number): Plan {
    const from = this.#atRoot(root, sent, (message) => nativeMessage(this.library, message, this.size));
    const to = this.#own(received);
    const values = [...plain(from ?? this.#nothing), ...plain(to ?? inPlace(this.#inPlace, from))];
    return {
      name: 'scatter',
      values: [...values, this.rankNumber(root), this.handle],
      kept: [from?.kept, to?.kept],
    };
  }

  #scatterv(sent: Parts | undefined, received: Message | InPlace, root: number): Plan {
    const from = this.#atRoot(root, sent, (parts) => nativeParts(this.library, parts, this.size));
    const to = this.#own(received);
    const values = [...listed(from ?? this.#noParts), ...plain(to ?? inPlace(this.#inPlace, from))];
    return {
      name: 'scatterv',
      values: [...values, this.rankNumber(root), this.handle],
      kept: [from?.kept, to?.kept],
    };
  }

  #toAll(
    name: string,
    sent: Message | InPlace,
    sentTo: number,
    received: Message,
    receivedFrom: number,
  ): Plan {
    const to = nativeMessage(this.library, received, receivedFrom);
    const from = sent === IN_PLACE ? undefined : nativeMessage(this.library, sent, sentTo);
    const values = [...plain(from ?? inPlace(this.#inPlace, to)), ...plain(to), this.handle];
    return { name, values, kept: [from?.kept, to.kept] };
  }

  #allgatherv(sent: Message | InPlace, received: Parts): Plan {
    const to = nativeParts(this.library, received, this.size);
    const from = this.#own(sent);
    const values = [...plain(from ?? inPlace(this.#inPlace, to)), ...listed(to), this.handle];
    return { name: 'allgatherv', values, kept: [from?.kept, to.kept] };
  }

  #alltoallv(name: string, sent: Parts | InPlace, received: Parts, ranks: number): Plan {
    const to = nativeParts(this.library, received, ranks);
    const from = sent === IN_PLACE ? undefined : nativeParts(this.library, sent, ranks);
    const values = [...listed(from ?? { ...to, address: this.#inPlace }), ...listed(to), this.handle];
    return { name, values, kept: [from?.kept, to.kept] };
  }

  #reduce(
    sent: Message | InPlace,
    received: Message | undefined,
    operation: OperationLike,
    root: number,
  ): Plan {
    const to = this.#atRoot(root, received, (message) => nativeMessage(this.library, message));
    const from = this.#own(sent);
    const { count, type } = from ?? to ?? this.#nothing;
    checkAlike(from, to);
    const values = [
      from?.address ?? this.#inPlace,
      to?.address ?? 0,
      count,
      type.handle,
      nativeOperation(this.library, operation),
      this.rankNumber(root),
      this.handle,
    ];
    return { name: 'reduce', values, kept: [from?.kept, to?.kept, operation] };
  }

  #combine(name: string, sent: Message | InPlace, received: Message, operation: OperationLike): Plan {
    const to = nativeMessage(this.library, received);
    const from = this.#own(sent);
    checkAlike(from, to);
    const own = nativeOperation(this.library, operation);
    const values = [from?.address ?? this.#inPlace, to.address, to.count, to.type.handle, own, this.handle];
    return { name, values, kept: [from?.kept, to.kept, operation] };
  }

  #reduceScatter(sent: Message | InPlace, received: Message, operation: OperationLike): Plan {
    const ranks = this.size;
    // In place, what all contribute lies where the result will be.
    const to = nativeMessage(this.library, received, sent === IN_PLACE ? ranks : 1);
    const from = sent === IN_PLACE ? undefined : nativeMessage(this.library, sent, ranks);
    checkAlike(from, to);
    const own = nativeOperation(this.library, operation);
    const values = [from?.address ?? this.#inPlace, to.address, to.count, to.type.handle, own, this.handle];
    return { name: 'reduce_scatter_block', values, kept: [from?.kept, to.kept, operation] };
  }

  get #inPlace(): number {
    return this.library.table.inPlace;
  }

  #own(message: Message | InPlace): NativeMessage | undefined {
    return message === IN_PLACE ? undefined : nativeMessage(this.library, message);
  }

  #atRoot<G, N>(root: number, given: G | undefined, make: (given: G) => N): N | undefined {
    if (this.rank !== root) return undefined;
    if (given === undefined) throw new MPIError('MPI_ERR_BUFFER', 'the root gives an array for all ranks');
    return make(given);
  }

  get #nothing(): NativeMessage {
    return nativeMessage(this.library, { data: new Uint8Array(0) });
  }

  get #noParts(): NativeParts {
    return { address: 0, counts: 0, displacements: 0, type: this.#nothing.type, kept: undefined };
  }
}

const plain = ({ address, count, type }: NativeMessage): number[] => [address, count, type.handle];

const listed = ({ address, counts, displacements, type }: NativeParts): number[] => [
  address,
  counts,
  displacements,
  type.handle,
];

/** The place of what is in place; count and type do not matter. @throws MPIError MPI_ERR_BUFFER where nothing is given that it could be in */
function inPlace(address: number, other: NativeMessage | NativeParts | undefined): NativeMessage {
  if (!other) throw new MPIError('MPI_ERR_BUFFER', 'only the root may have its data in place');
  return { address, count: 0, type: other.type, kept: undefined };
}

/** @throws MPIError unless both have as many elements of a type */
function checkAlike(from: NativeMessage | undefined, to: NativeMessage | undefined): void {
  if (!from || !to) return;
  if (from.type.handle !== to.type.handle)
    throw new MPIError('MPI_ERR_TYPE', 'what is combined and the result are of one type');
  if (from.count !== to.count)
    throw new MPIError('MPI_ERR_COUNT', `${from.count} elements are combined, ${to.count} are wanted`);
}
