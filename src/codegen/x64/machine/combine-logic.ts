/**
 * Logic of two operands is one instruction, also where one of them is inverted first. With AVX-512 logic of three operands is one instruction, and so
 * is a rotation. Stack code has none of these: it writes them as two operations and more.
 *
 *     vpxor    v4, v2, ones
 *     vpand    v5, v1, v4          vpandn     v5, v2, v1
 *
 *     vpand    v4, v1, v2
 *     vpandn   v5, v1, v3          vmovaps    v6, v1
 *     vpor     v6, v4, v5          vpternlogd v6, v2, v3, 0xca
 *
 *     vpslld   v4, v1, 7
 *     vpsrld   v5, v1, 25
 *     vpor     v6, v4, v5          vprold     v6, v1, 7
 *
 * The operands of an operation are followed to what computes them, as long as nobody else reads that, and what all of it reads comes to no more than
 * three operands. It comes when copies have been followed (value-numbering.ts).
 */
import {
  type Immediate,
  type Instruction,
  immediate,
  type MemoryOperand,
  type Operand,
  type VectorRegister,
} from '../assembler/instruction.ts';
import { countAccesses } from './access-counts.ts';
import { dce } from './dce.ts';
import type { MachineFunction } from './function.ts';
import {
  endsBlock,
  firstVirtual,
  type MachineItem,
  type MachineOperation,
  numberShift,
  ofMnemonic,
  writes,
} from './operation.ts';

/** The bits of the result for each combination of bits of three operands: those that the operand itself would give. */
const columns = [0xf0, 0xcc, 0xaa] as const;
const allOnes = 0xff;

type Logic = 'and' | 'andn' | 'or' | 'xor';

const logicOf = ofMnemonic(
  (mnemonic): Logic | undefined =>
    (/^vp(andn|and|or|xor)[dq]?$/.exec(mnemonic)?.[1] ?? /^v(andn|and|or|xor)p[sd]$/.exec(mnemonic)?.[1]) as
      | Logic
      | undefined,
);
const isComparisonForEquality = ofMnemonic((mnemonic) => /^vpcmpeq[bwdq]$/.test(mnemonic));

/** Halves have not been joined yet. */
function isVirtual(operand: Operand): operand is VectorRegister {
  return operand.kind === 'vector' && operand.bits === 128 && operand.number >= firstVirtual;
}

/** An operand of logic: a register, or a constant in memory. */
type Leaf = VectorRegister | MemoryOperand;

/** What a register is computed as, from up to three others. */
interface Node {
  readonly item: MachineOperation;
  /** The place in the function. */
  readonly at: number;
  readonly leaves: readonly Leaf[];
  /** The result's bits, as {@link columns} of the leaves. */
  readonly table: number;
  /** The operations that it takes the place of, besides its own. */
  readonly absorbed: readonly Node[];
}

/** What two operands can be put together by, by its table: `andn` inverts its first operand, so it may want them the other way round. */
const plain: ReadonlyMap<number, { readonly mnemonic: string; readonly isReversed?: true }> = new Map([
  [0xc0, { mnemonic: 'vpand' }],
  [0x0c, { mnemonic: 'vpandn' }],
  [0x30, { mnemonic: 'vpandn', isReversed: true }],
  [0xfc, { mnemonic: 'vpor' }],
  [0x3c, { mnemonic: 'vpxor' }],
]);

/**
 * Rewrites the function, whose registers have a value each.
 *
 * @param avx512 whether there are the instructions of AVX-512
 */
export function combineLogic(fn: MachineFunction, { avx512 }: { readonly avx512: boolean }): void {
  if (!fn.registers.some(({ kind }) => kind === 'vector')) return;
  const combining = new Combining(fn, avx512);
  fn.items.forEach((item, at) => {
    combining.visit(item, at);
  });
  combining.rewrite();
}

class Combining {
  readonly #fn: MachineFunction;
  readonly #avx512: boolean;
  /** By number: how many operations read and write a register. */
  readonly #readers: Int32Array;
  readonly #writers: Int32Array;
  /** By number: whether a test for bits that are set reads a register. */
  readonly #isTested: Uint8Array;
  /** By number: where in this block a register was last written. */
  readonly #writtenAt = new Map<number, number>();
  /** What this block computes, by register. */
  readonly #shifts = new Map<number, { readonly instruction: Instruction; readonly at: number }>();
  readonly #nodes = new Map<number, Node>();
  readonly #all: Node[] = [];

  constructor(fn: MachineFunction, avx512: boolean) {
    this.#fn = fn;
    this.#avx512 = avx512;
    ({ readers: this.#readers, writers: this.#writers } = countAccesses(fn));
    this.#isTested = new Uint8Array(firstVirtual + fn.registers.length);
    for (const item of fn.items) {
      if (item.kind === 'label') continue;
      const [tested] = item.instruction.operands;
      if (item.instruction.mnemonic === 'vptest' && isVirtual(tested!)) this.#isTested[tested.number] = 1;
    }
  }

  visit(item: MachineItem, at: number): void {
    if (item.kind === 'label' || item.isCall || endsBlock(item.instruction.mnemonic)) {
      // What is computed before it would have to be kept longer.
      this.#shifts.clear();
      this.#nodes.clear();
      this.#writtenAt.clear();
      return;
    }
    const { instruction } = item;
    const [to, a, b] = instruction.operands;
    if (to !== undefined && isVirtual(to) && this.#writers[to.number] === 1) {
      if (logicOf(instruction.mnemonic) && !this.#rotate(item) && isVirtual(a!) && isLeaf(b!)) {
        this.#combine(item, at, [a, b]);
      } else if (isAllOnes(instruction)) {
        this.#nodes.set(to.number, { item, at, leaves: [], table: allOnes, absorbed: [] });
      } else if (shiftOf(instruction)) this.#shifts.set(to.number, { instruction, at });
    }
    for (const access of item.accesses) {
      if ((access & writes) !== 0) this.#writtenAt.set(access >> numberShift, at);
    }
  }

  /** Makes a rotation of an operation, if it joins both parts of one. */
  #rotate(item: MachineOperation): boolean {
    const { mnemonic, operands, line } = item.instruction;
    const logic = logicOf(mnemonic);
    if (!this.#avx512 || (logic !== 'or' && logic !== 'xor')) return false;
    const [to, a, b] = operands;
    const parts = [a!, b!].map((one) => (isVirtual(one) ? this.#shiftFor(one.number) : undefined));
    const left = parts.find((one) => one?.isLeft);
    const right = parts.find((one) => one && !one.isLeft);
    if (!left || !right || left.letter !== right.letter || left.from.number !== right.from.number)
      return false;
    if (left.count + right.count !== (left.letter === 'd' ? 32 : 64)) return false;
    item.instruction = {
      mnemonic: `vprol${left.letter}`,
      operands: [to!, left.from, immediate(left.count)],
      ...(line === undefined ? {} : { line }),
    };
    return true;
  }

  /** What shifts a register that nobody else reads, if what it shifts is still there. */
  #shiftFor(number: number): ReturnType<typeof shiftOf> {
    const shift = this.#shifts.get(number);
    if (!shift || this.#readers[number] !== 1) return undefined;
    const found = shiftOf(shift.instruction)!;
    return this.#isStillThere(found.from, shift.at) ? found : undefined;
  }

  #isStillThere(leaf: Leaf, at: number): boolean {
    return leaf.kind === 'memory' || (this.#writtenAt.get(leaf.number) ?? -1) < at;
  }

  #combine(item: MachineOperation, at: number, operands: readonly [Leaf, Leaf]): void {
    const logic = logicOf(item.instruction.mnemonic)!;
    // It may be what both halves of a register come to, and is tested as a whole then (widen/test-whole.ts).
    if (logic === 'or' && this.#isTested[(item.instruction.operands[0] as VectorRegister).number]) return;
    const inner = operands.map((one) => this.#nodeFor(one));
    // Both operands are followed, else the one behind which there is more.
    const size = (node: Node | undefined): number => (node ? node.absorbed.length + 1 : 0);
    const alone = size(inner[0]) >= size(inner[1]) ? [inner[0], undefined] : [undefined, inner[1]];
    const other = alone[0] ? [undefined, inner[1]] : [inner[0], undefined];
    let node: Node | undefined;
    for (const followed of [inner, alone, other, [undefined, undefined]]) {
      node ??= nodeOf(item, at, logic, operands, followed, this.#avx512 ? 3 : 2);
    }
    this.#nodes.set((item.instruction.operands[0] as VectorRegister).number, node!);
    this.#all.push(node!);
  }

  /** What computes an operand, if that can be done again where it is read. What has more than one operand must have no other reader. */
  #nodeFor(operand: Leaf): Node | undefined {
    if (operand.kind === 'memory') return undefined;
    const node = this.#nodes.get(operand.number);
    if (!node || (node.leaves.length > 1 && this.#readers[operand.number] !== 1)) return undefined;
    return node.leaves.every((leaf) => this.#isStillThere(leaf, node.at)) ? node : undefined;
  }

  /** Writes an instruction for each operation that takes the place of others, and of which no other one takes the place. */
  rewrite(): void {
    const absorbed = new Set<Node>();
    const made = new Map<MachineItem, MachineOperation[]>();
    for (const node of this.#all.toReversed()) {
      if (absorbed.has(node)) continue;
      const isShorter = node.absorbed.length > 0 && node.leaves.length > 1;
      const one = isShorter ? (this.#twoOperands(node) ?? this.#threeOperands(node)) : undefined;
      // On AVX2 there are tables of two operands that no instruction computes: what they were put together from stays.
      if (isShorter && !one) continue;
      for (const inner of node.absorbed) absorbed.add(inner);
      if (one) made.set(node.item, one);
    }
    if (made.size > 0) this.#fn.items = this.#fn.items.flatMap((item) => made.get(item) ?? item);
    dce(this.#fn);
  }

  #twoOperands({ item, leaves, table }: Node): MachineOperation[] | undefined {
    const logic = leaves.length === 2 ? plain.get(table) : undefined;
    if (!logic) return undefined;
    const { operands, line } = item.instruction;
    const sources = logic.isReversed ? leaves.toReversed() : [...leaves];
    // Only the last operand may be in memory, and where `andn` inverts it, it must not be there.
    if (sources[0]!.kind === 'memory') {
      if (logic.mnemonic === 'vpandn') return undefined;
      sources.reverse();
    }
    const place = line === undefined ? {} : { line };
    return [item.with({ mnemonic: logic.mnemonic, operands: [operands[0]!, ...sources], ...place })];
  }

  #threeOperands({ item, leaves, table }: Node): MachineOperation[] | undefined {
    if (!this.#avx512) return undefined;
    const { operands, line } = item.instruction;
    const place = line === undefined ? {} : { line };
    const to = operands[0] as VectorRegister;
    // The first operand is overwritten: one that ends here costs no copy. The last one may be in memory.
    const readers = (leaf: Leaf): number =>
      leaf.kind === 'memory' ? Number.POSITIVE_INFINITY : this.#readers[leaf.number]!;
    const order = leaves.map((leaf, at) => ({ leaf, column: columns[at]! }));
    order.sort((x, y) => readers(x.leaf) - readers(y.leaf));
    const first = order[0];
    const [second, third] = order.length === 2 ? order : order.slice(1);
    const mnemonic = 'vpternlogd';
    const columnOf = [first!.column, second!.column, third!.column];
    return [
      item.with({ mnemonic: 'vmovaps', operands: [to, first!.leaf], ...place }),
      item.with({
        mnemonic,
        operands: [to, second!.leaf, third!.leaf, immediate(permuted(table, columnOf))],
        ...place,
      }),
    ];
  }
}

/** A table of bits for operands in another order: `from` has the column that each had. */
function permuted(table: number, from: readonly number[]): number {
  let result = 0;
  for (let row = 0; row < 8; row += 1) {
    // Bits of the operands in the new order; where one comes twice, rows in which it differs from itself mean nothing.
    let before = 0;
    from.forEach((column, at) => {
      if ((columns[at]! >> row) & 1) before |= rowBit(column);
    });
    result |= ((table >> before) & 1) << row;
  }
  return result;
}

/** What an operand that is one adds to the number of a row: the lowest row where its column has a one. */
function rowBit(column: number): number {
  return column === columns[0] ? 4 : column === columns[1] ? 2 : 1;
}

/** Two operands put together, of which those in `followed` are replaced by what they are computed from; undefined if that is too much. */
function nodeOf(
  item: MachineOperation,
  at: number,
  logic: Logic,
  operands: readonly [Leaf, Leaf],
  followed: readonly (Node | undefined)[],
  mostLeaves: 2 | 3,
): Node | undefined {
  const leaves: Leaf[] = [];
  const columnOf = (leaf: Leaf): number | undefined => {
    let index = leaves.findIndex((one) => isSame(one, leaf));
    if (index < 0) index = leaves.push(leaf) - 1;
    return index < mostLeaves ? columns[index] : undefined;
  };
  const tables: number[] = [];
  for (const [side, operand] of operands.entries()) {
    const inner = followed[side];
    const own = (inner?.leaves ?? [operand]).map(columnOf);
    if (own.includes(undefined)) return undefined;
    tables.push(inner ? substituted(inner.table, own as number[]) : (own[0] as number));
  }
  if (leaves.filter(({ kind }) => kind === 'memory').length > 1) return undefined;
  const absorbed = followed.flatMap((node) =>
    node && node.leaves.length > 0 ? [node, ...node.absorbed] : [],
  );
  return { item, at, leaves, table: apply(logic, tables[0]!, tables[1]!), absorbed };
}

/** A table whose operands have these columns. */
function substituted(table: number, own: readonly number[]): number {
  let result = 0;
  for (let row = 0; row < 8; row += 1) {
    let inner = 0;
    own.forEach((column, at) => {
      if ((column >> row) & 1) inner |= rowBit(columns[at]!);
    });
    result |= ((table >> inner) & 1) << row;
  }
  return result;
}

function apply(logic: Logic, a: number, b: number): number {
  switch (logic) {
    case 'and':
      return a & b;
    case 'andn':
      return ~a & b & allOnes;
    case 'or':
      return a | b;
    case 'xor':
      return a ^ b;
  }
}

function isSame(one: Leaf, other: Leaf): boolean {
  if (one.kind === 'memory' || other.kind === 'memory') {
    return one.kind === other.kind && (one as MemoryOperand).constant === (other as MemoryOperand).constant;
  }
  return one.number === other.number;
}

function isLeaf(operand: Operand): operand is Leaf {
  return isVirtual(operand) || (operand.kind === 'memory' && operand.constant !== undefined);
}

/** Whether a register is compared with itself, which makes it all ones. */
function isAllOnes({ mnemonic, operands }: Instruction): boolean {
  const [to] = operands;
  return (
    isComparisonForEquality(mnemonic) &&
    operands.every((one) => one.kind === 'vector' && one.number === (to as VectorRegister).number)
  );
}

/** A shift of lanes of 32 or 64 bits by a number. */
function shiftOf({ mnemonic, operands }: Instruction):
  | {
      readonly isLeft: boolean;
      readonly letter: 'd' | 'q';
      readonly from: VectorRegister;
      readonly count: number;
    }
  | undefined {
  const parts = /^vps(ll|rl)([dq])$/.exec(mnemonic);
  const [, from, count] = operands;
  if (!parts || !from || !isVirtual(from) || count?.kind !== 'immediate') return undefined;
  return {
    isLeft: parts[1] === 'll',
    letter: parts[2] as 'd' | 'q',
    from,
    count: Number((count as Immediate).value),
  };
}
