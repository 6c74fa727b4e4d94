/** What in a block must come before what: values, the registers that they lie in, and memory. */
import {
  type Block,
  type Fetch,
  type Operation,
  type Register,
  registersRead,
  registersWritten,
} from './operations.ts';

export interface Node {
  readonly number: number;
  readonly operation: Operation;
  /** `isOrder`: it may be in the same bundle, where all reads come before all writes. */
  readonly before: { readonly node: Node; readonly isOrder: boolean }[];
  /** Operations in the longest chain from here to the block's end; fetches count more. */
  height: number;
}

const fetchHeight = 8;

export class Dependences {
  readonly nodes: readonly Node[];

  constructor({ operations, predicate }: Block) {
    const all = predicate ? [...operations, predicate] : operations;
    this.nodes = all.map((operation, number) => ({ number, operation, before: [], height: 0 }));
    this.#registers();
    this.#memory();
    if (predicate) this.#order(this.nodes.slice(0, -1), this.nodes.at(-1)!);
    for (const node of [...this.nodes].reverse()) {
      const own = node.operation.kind === 'alu' ? 1 : fetchHeight;
      for (const { node: other } of node.before) other.height = Math.max(other.height, node.height + own);
    }
  }

  #order(earlier: readonly Node[], later: Node): void {
    for (const node of earlier) {
      if (!later.before.some((one) => one.node === node)) later.before.push({ node, isOrder: true });
    }
  }

  #registers(): void {
    const writers = new Map<Register, Node>();
    const readers = new Map<Register, Node[]>();
    for (const node of this.nodes) {
      for (const register of registersRead(node.operation)) {
        const writer = writers.get(register);
        if (writer) node.before.push({ node: writer, isOrder: false });
        const known = readers.get(register);
        if (known) known.push(node);
        else readers.set(register, [node]);
      }
      for (const register of registersWritten(node.operation)) {
        const writer = writers.get(register);
        if (writer && writer !== node) node.before.push({ node: writer, isOrder: false });
        for (const reader of readers.get(register) ?? []) {
          if (reader !== node) node.before.push({ node: reader, isOrder: true });
        }
        writers.set(register, node);
        readers.set(register, []);
      }
    }
  }

  /** Stores keep their order, and reads of memory that is written keep theirs among stores; a barrier parts all of them. */
  #memory(): void {
    let stores: Node[] = [];
    let reads: Node[] = [];
    let barrier: Node | undefined;
    for (const node of this.nodes) {
      const { operation } = node;
      if (operation.kind === 'alu') {
        if (!parts.has(operation.opcode.name)) continue;
        this.#order([...stores, ...reads], node);
        if (barrier) node.before.push({ node: barrier, isOrder: false });
        barrier = node;
        stores = [];
        reads = [];
        continue;
      }
      if (operation.kind === 'fetch' && operation.isConstant) continue;
      if (barrier) node.before.push({ node: barrier, isOrder: false });
      if (operation.kind === 'write') {
        this.#order([...stores, ...reads], node);
        stores.push(node);
      } else {
        this.#order(
          stores.filter((store) => mayMeet(operation, store.operation)),
          node,
        );
        reads.push(node);
      }
    }
  }
}

/** What no access of memory moves over. */
const parts: ReadonlySet<string> = new Set(['GROUP_BARRIER', 'KILLE']);

const storesOf: Readonly<Record<string, string>> = {
  VFETCH: 'MEM_EXPORT_WRITE_IND',
  LOCAL_DS_READ: 'LOCAL_DS_WRITE',
  READ_SCRATCH: 'MEM_SCRATCH_WRITE_IND',
};

function mayMeet({ name }: Fetch, store: Operation): boolean {
  return store.kind === 'write' && storesOf[name] === store.name;
}
