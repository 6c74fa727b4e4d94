/**
 * The order in which a launch's work-groups run. A thread is told the numbers of those that it runs next; their ids are
 * found by division once and count up from there.
 *
 * Mostly groups run row by row. In a product of matrices, however, groups below each other read the same columns,
 * and groups next to each other the same rows:
 *
 *     for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
 *
 * By the end of a row of groups all of `b` has been read, and the first columns have left the cache. Such kernels run in
 * strips of a few rows, each column of a strip from top to bottom:
 *
 *     0  3  6  9
 *     1  4  7 10
 *     2  5  8 11
 *     12 ...
 *
 * The pass order-groups says for which kernels. It cannot do it, since the loop over groups is not in the IR: which groups a thread runs, and how many, it is told by the launch.
 */
import type { CodeWriter } from '../module/code-writer.ts';
import type { FunctionCompiler } from './function-compiler.ts';

/** Rows of groups in a strip, if it is not for others to say. */
export const swizzleHeight = 8;

export function highestGroupDimension(keys: Iterable<string>): number {
  const all = new Set(keys);
  for (const dimension of [2, 1, 0]) if (all.has(`group_id.${dimension}`)) return dimension;
  return -1;
}

/** @param by a local; one if there is none */
export function increment(code: CodeWriter, local: number, by?: number): void {
  code.get(local);
  if (by === undefined) code.i32(1);
  else code.get(by);
  code.op('i32.add');
  code.set(local);
}

/** Groups in their order, as those see it who run several together. */
export interface GroupOrder {
  /** The local of the id that counts up from group to group of a line: a row, or a column of a strip. */
  readonly line: number;
  /** Pushes how many groups of the line are left. */
  pushLeft(): void;
  /** Where lines lie next to each other, in a strip: how they do. */
  readonly columns: GroupColumns | undefined;
}

export interface GroupColumns {
  /** The local of the id that counts up from column to column. */
  readonly x: number;
  /** Pushes how many columns are left from this one on, itself included. */
  pushColumnsLeft(): void;
  /** Pushes whether the column is a whole one still. */
  pushIsAtTop(): void;
}

/** Row by row: x counts up, and carries into y and z. */
export class RowsOfGroups implements GroupOrder {
  readonly columns = undefined;
  readonly #fc: FunctionCompiler;
  /** The locals of the ids in use, x first. */
  readonly #ids: number[] = [];

  /**
   * Writes the ids of the first group.
   * @param first a local with its number
   */
  constructor(fc: FunctionCompiler, keys: Iterable<string>, first: number) {
    this.#fc = fc;
    const { code, environment } = fc;
    const highest = highestGroupDimension(keys);
    if (highest < 0) return;
    const rest = code.allocate('i32');
    code.get(first);
    code.set(rest);
    for (let dimension = 0; dimension <= highest; dimension++) {
      const key = `group_id.${dimension}`;
      const local = code.allocate('i32', key);
      code.get(rest);
      if (dimension < 2) {
        fc.pushEnvironment(`num_groups.${dimension}`);
        code.op('i32.rem_u');
      }
      code.set(local);
      if (dimension < highest) {
        code.get(rest);
        fc.pushEnvironment(`num_groups.${dimension}`);
        code.op('i32.div_u');
        code.set(rest);
      }
      environment.set(key, { local });
      this.#ids.push(local);
    }
    code.release(rest);
  }

  /** That along x, which must be in use. */
  get line(): number {
    return this.#ids[0]!;
  }

  pushLeft(): void {
    this.#fc.pushEnvironment('num_groups.0');
    this.#fc.code.get(this.line);
    this.#fc.code.op('i32.sub');
  }

  /**
   * Goes on to the next group, or so many further.
   * @param joined a local with the number of groups that have run as one
   */
  advance(joined?: number): void {
    this.#advance(0, joined);
  }

  #advance(dimension: number, joined?: number): void {
    const { code } = this.#fc;
    const id = this.#ids[dimension];
    if (id === undefined) return;
    increment(code, id, joined);
    if (dimension === 2) return;
    code.get(id);
    this.#fc.pushEnvironment(`num_groups.${dimension}`);
    code.op('i32.eq');
    code.open('if');
    code.i32(0);
    code.set(id);
    this.#advance(dimension + 1);
    code.end();
  }
}

/** Strip by strip: y counts up within a strip, and carries into x, and then into the next strip and z. */
export class SwizzledGroups implements GroupOrder, GroupColumns {
  readonly #fc: FunctionCompiler;
  readonly #x: number;
  readonly #y: number;
  readonly #z: number | undefined;
  /** Locals: the first row of the strip, and the first behind it. */
  readonly #top: number;
  readonly #bottom: number;
  readonly #height: number | undefined;

  /**
   * Writes the ids of the first group.
   * @param first a local with its number
   * @param height a local with the rows of groups in a strip; {@link swizzleHeight} if there is none
   */
  constructor(fc: FunctionCompiler, keys: Iterable<string>, first: number, height?: number) {
    this.#fc = fc;
    this.#height = height;
    const { code, environment } = fc;
    const id = (dimension: number): number => {
      const local = code.allocate('i32', `group_id.${dimension}`);
      environment.set(`group_id.${dimension}`, { local });
      return local;
    };
    this.#x = id(0);
    this.#y = id(1);
    this.#z = highestGroupDimension(keys) === 2 ? id(2) : undefined;
    this.#top = code.allocate('i32', 'swizzle_top');
    this.#bottom = code.allocate('i32', 'swizzle_bottom');
    const rest = code.allocate('i32');
    code.get(first);
    code.set(rest);
    if (this.#z !== undefined) {
      this.#divide(rest, this.#z, () => {
        fc.pushEnvironment('num_groups.0');
        fc.pushEnvironment('num_groups.1');
        code.op('i32.mul');
      });
    }
    // A strip with no more rows than there are has no more groups than there are: 2^29 in a row, times eight, would wrap around.
    const rows = code.allocate('i32');
    this.#pushLesser(
      () => this.#pushHeight(),
      () => fc.pushEnvironment('num_groups.1'),
    );
    code.set(rows);
    this.#divide(rest, this.#top, () => {
      fc.pushEnvironment('num_groups.0');
      code.get(rows);
      code.op('i32.mul');
    });
    code.release(rows);
    code.get(this.#top);
    this.#pushHeight();
    code.op('i32.mul');
    code.set(this.#top);
    this.#findBottom();
    this.#divide(rest, this.#x, () => {
      code.get(this.#bottom);
      code.get(this.#top);
      code.op('i32.sub');
    });
    code.get(this.#top);
    code.get(rest);
    code.op('i32.add');
    code.set(this.#y);
    code.release(rest);
  }

  #pushHeight(): void {
    if (this.#height === undefined) this.#fc.code.i32(swizzleHeight);
    else this.#fc.code.get(this.#height);
  }

  get line(): number {
    return this.#y;
  }

  get columns(): GroupColumns {
    return this;
  }

  get x(): number {
    return this.#x;
  }

  pushLeft(): void {
    const { code } = this.#fc;
    code.get(this.#bottom);
    code.get(this.#y);
    code.op('i32.sub');
  }

  pushColumnsLeft(): void {
    this.#fc.pushEnvironment('num_groups.0');
    this.#fc.code.get(this.#x);
    this.#fc.code.op('i32.sub');
  }

  pushIsAtTop(): void {
    const { code } = this.#fc;
    code.get(this.#y);
    code.get(this.#top);
    code.op('i32.eq');
  }

  /**
   * Goes on to the next group, or so many further.
   * @param rows a local with the number of groups of the column that have run together
   * @param columns a local with the number of columns that have, of which more than one are whole; one if there is none
   */
  advance(rows?: number, columns?: number): void {
    const { code } = this.#fc;
    increment(code, this.#y, rows);
    code.get(this.#y);
    code.get(this.#bottom);
    code.op('i32.eq');
    code.open('if');
    increment(code, this.#x, columns);
    code.get(this.#x);
    this.#fc.pushEnvironment('num_groups.0');
    code.op('i32.eq');
    code.open('if');
    this.#zero(this.#x);
    code.get(this.#bottom);
    code.set(this.#top);
    code.get(this.#top);
    this.#fc.pushEnvironment('num_groups.1');
    code.op('i32.eq');
    code.open('if');
    this.#zero(this.#top);
    if (this.#z !== undefined) increment(code, this.#z);
    code.end();
    this.#findBottom();
    code.end();
    code.get(this.#top);
    code.set(this.#y);
    code.end();
  }

  #zero(local: number): void {
    this.#fc.code.i32(0);
    this.#fc.code.set(local);
  }

  /** The quotient goes to one local, the remainder takes the place of the dividend. */
  #divide(dividend: number, quotient: number, pushDivisor: () => void): void {
    const { code } = this.#fc;
    code.get(dividend);
    pushDivisor();
    code.op('i32.div_u');
    code.set(quotient);
    code.get(dividend);
    pushDivisor();
    code.op('i32.rem_u');
    code.set(dividend);
  }

  /** The last strip may have fewer rows. */
  #findBottom(): void {
    const { code } = this.#fc;
    this.#pushLesser(
      () => {
        code.get(this.#top);
        this.#pushHeight();
        code.op('i32.add');
      },
      () => this.#fc.pushEnvironment('num_groups.1'),
    );
    code.set(this.#bottom);
  }

  /** The lesser of two numbers without sign. */
  #pushLesser(pushOne: () => void, pushOther: () => void): void {
    const { code } = this.#fc;
    pushOne();
    pushOther();
    pushOne();
    pushOther();
    code.op('i32.lt_u');
    code.op('select');
  }
}
