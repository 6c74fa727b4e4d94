/**
 * What an idiom's work-items do (idioms.ts): statements and the numbers in them. Of each number it is known how far from zero it may get,
 * so that most subscripts need no mask, which people do not write either.
 */

import { samplerBits } from '../../test/support/images.ts';
import type { Random } from '../../test/support/random.ts';
import { effect } from './idiom-effects.ts';
import { groupShape } from './idiom-groups.ts';
import { elements, type IdiomFacts } from './idiom-launches.ts';
import { overlap } from './idiom-overlaps.ts';
import { tilePhase } from './idiom-tiles.ts';
import { walk } from './idiom-walks.ts';
import { type Expression, essential, expr, guard, line, type Statement } from './syntax.ts';
import { int } from './types.ts';

/** A whole number of the kernel's: how far from zero it may get, as far as is known. */
export interface Whole {
  readonly text: Expression;
  readonly most: number;
  readonly isUniform: boolean;
}

/** Where statements go. */
export interface Scope {
  readonly statements: Statement[];
  readonly wholes: Whole[];
  /** Counters of loops around. */
  readonly counters: readonly Whole[];
  readonly depth: number;
  /** All work-items of the group come by, so that barriers may stand here. */
  readonly isTogether: boolean;
  readonly isInLoop: boolean;
}

export class IdiomBody {
  readonly random: Random;
  /** Declarations of local memory, which stand at the kernel's start. */
  readonly locals: Statement[] = [];
  /** Definitions of structs, which stand before the kernel. */
  readonly structs: Statement[] = [];
  readonly #facts: IdiomFacts;
  readonly #prints: boolean;
  #names = 0;
  #loops = 0;
  /** How often the innermost statement is done, at most. */
  #turns = 1;
  /** Barriers come later, or came before: nobody may leave. */
  #expectsBarriers = false;

  constructor(random: Random, facts: IdiomFacts, prints: boolean) {
    this.random = random;
    this.#facts = facts;
    this.#prints = prints;
  }

  /** Statements for all work-items, from numbers that are there already. */
  statements(wholes: readonly Whole[]): Statement[] {
    const scope: Scope = {
      statements: [],
      wholes: [...wholes],
      counters: [],
      depth: 0,
      isTogether: true,
      isInLoop: false,
    };
    if (this.chance(50)) this.fill(scope, 2 + this.random.below(5));
    else this.#inForm(scope);
    if (this.#prints) effect(this, scope);
    return scope.statements;
  }

  /** What a whole kernel of someone's does, perhaps behind a guard, with little else around it. */
  #inForm(scope: Scope): void {
    const { random } = this;
    const isOfGroups = !this.#facts.isExact && this.chance(50);
    if (isOfGroups) this.#expectsBarriers = true;
    this.fill(scope, random.below(2));
    if (isOfGroups) {
      groupShape(this, scope);
      if (this.chance(25)) groupShape(this, scope);
      this.#expectsBarriers = false;
      if (this.chance(25)) this.#leave(scope);
      if (this.chance(25)) walk(this, scope);
    } else {
      if (this.chance(30)) this.#leave(scope);
      const block = this.inside(scope, { isTogether: false });
      const form = (): void => (this.ownType && this.chance(70) ? overlap : walk)(this, block);
      form();
      if (this.chance(30)) form();
      if (this.chance(30)) scope.statements.push(line`if (${this.condition(scope)}) ${block.statements}`);
      else scope.statements.push(...block.statements);
    }
    this.fill(scope, random.below(2));
  }

  chance(percent: number): boolean {
    return this.random.below(100) < percent;
  }

  name(prefix: string): string {
    this.#names += 1;
    return `${prefix}${this.#names}`;
  }

  /** Whether barriers may stand here; nobody leaves from now on, then. */
  mayMeet({ isTogether }: Scope): boolean {
    // What is exchanged through tiles of floats may be any number.
    const may = isTogether && this.#turns < 8 && !this.#facts.isExact;
    if (may) this.#expectsBarriers = true;
    return may;
  }

  // -------------------------------------------------------------------------------------------- statements

  fill(scope: Scope, count: number): void {
    for (let index = 0; index < count; index += 1) this.#statement(scope);
  }

  #statement(scope: Scope): void {
    if (this.#prints && this.chance(35)) {
      effect(this, scope);
      return;
    }
    const { random } = this;
    if (this.ownType && this.#turns < 6 && this.chance(20)) {
      overlap(this, scope);
      return;
    }
    const kind = random.below(20);
    const { statements } = scope;
    if (kind < 3) statements.push(line`s ${random.pick(['+', '^', '-'])}= ${this.value(scope)};`);
    else if (kind < 5) statements.push(this.#sum(scope));
    else if (kind < 6) {
      const name = this.name('v');
      const value = this.subscript(scope);
      statements.push(essential`int ${name} = ${value.text};`);
      scope.wholes.push({ ...value, text: guard(int)`${name}` });
    } else if (kind < 8) {
      const place = random.pick(['at * 4', 'at * 4 + 1', 'at * 4 + (s & 3)']);
      statements.push(line`out[${place}] ${random.pick(['', '+', '^'])}= ${this.value(scope)};`);
    } else if (kind < 13) this.#loop(scope);
    else if (kind < 16 && scope.depth < 3) this.#branch(scope);
    else if (kind === 16 && !this.#expectsBarriers) this.#leave(scope);
    else if (kind === 17)
      statements.push(line`atomic_add(&totals[${this.value(scope)} & 7], ${this.value(scope)});`);
    else if (this.mayMeet(scope)) tilePhase(this, scope);
    else statements.push(this.#sum(scope));
  }

  #sum(scope: Scope): Statement {
    const { random } = this;
    const product = this.chance(60) ? expr(int)`${this.load(scope)} * ${this.load(scope)}` : this.load(scope);
    if (this.chance(50)) return line`f ${random.pick(['+', '+', '-'])}= (float)(${product});`;
    return line`s += (int)(${product});`;
  }

  #branch(scope: Scope): void {
    const { random } = this;
    const isUniform = this.chance(15);
    const condition = isUniform ? this.uniformCondition(scope) : this.condition(scope);
    const inner = (count: number): Statement[] => {
      const block = this.inside(scope, { isTogether: scope.isTogether && isUniform });
      this.fill(block, count);
      return block.statements;
    };
    const first = inner(1 + random.below(3));
    scope.statements.push(
      this.chance(30)
        ? line`if (${condition}) ${first} else ${inner(1 + random.below(2))}`
        : line`if (${condition}) ${first}`,
    );
  }

  #leave(scope: Scope): void {
    const how = scope.isInLoop ? this.random.pick(['break;', 'continue;', 'return;']) : 'return;';
    if (how === 'return;' && this.chance(40)) {
      scope.statements.push(
        line`if (${this.condition(scope)}) { out[at * 4 + 2] = ${this.value(scope)}; return; }`,
      );
    } else scope.statements.push(line`if (${this.condition(scope)}) ${how}`);
  }

  inside(scope: Scope, changes: Partial<Scope>): Scope {
    return { ...scope, wholes: [...scope.wholes], statements: [], depth: scope.depth + 1, ...changes };
  }

  #loop(scope: Scope): void {
    const { random } = this;
    if (this.#loops > 5 || scope.counters.length > 1 || scope.depth > 3) return;
    this.#loops += 1;
    const k = this.name('k');
    const isUniform = this.chance(65);
    const candidates = scope.wholes.filter((one) => one.most < 300 && (!isUniform || one.isUniform));
    const constant = (most: number): Whole => {
      const value = random.below(most);
      return { text: expr(int)`${value}`, most: value, isUniform: true };
    };
    const near = scope.counters.length > 0 || this.#turns > 1;
    const limit = near && this.chance(60) ? constant(6) : random.pick([...candidates, constant(20)]);
    const from = this.chance(60) ? constant(3) : random.pick(candidates);
    const turns = this.#turns * (limit.most + from.most + 2);
    if (turns > 700) return;
    const bound: Expression = random.pick([
      limit.text,
      limit.text,
      expr(int)`${limit.text} + ${random.below(4)}`,
      expr(int)`${limit.text} - 1`,
      expr(int)`min(${limit.text}, ${random.below(40)})`,
    ]);
    const step = random.pick([1, 1, 1, 1, 2, 3, 4]);
    const most = Math.max(limit.most + 4, from.most) + step;
    const heads: Statement['parts'][] = [
      [`for (int ${k} = `, from.text, `; ${k} < `, bound, `; ${k} += ${step}) `],
      [`for (int ${k} = `, from.text, `; ${k} < `, bound, `; ${k}++) `],
      [`for (int ${k} = `, from.text, `; ${k} <= `, bound, `; ${k}++) `],
      [`for (int ${k} = `, bound, ` - 1; ${k} >= 0; ${k}--) `],
      [`for (uint ${k} = abs(`, from.text, `); ${k} < (uint)max(`, bound, `, 0); ${k} += ${step}) `],
      [`for (int ${k} = lx; ${k} < `, bound, `; ${k} += width) `],
      [`for (int ${k} = x; ${k} < `, bound, `; ${k} += get_global_size(0)) `],
      [`for (int ${k} = 0; ${k} < `, bound, ` && ${k} < 9; ${k}++) `],
      [`for (size_t ${k} = get_global_id(0); ${k} < max(`, bound, `, 0); ${k} += get_global_size(0)) `],
    ];
    const head = random.pick(heads.slice(0, isUniform ? 5 : 9));
    const saved = this.#turns;
    this.#turns = turns;
    const isUnsigned = !(head[0] as string).startsWith('for (int');
    const counter: Whole = { text: guard(int)`${isUnsigned ? `(int)${k}` : k}`, most, isUniform };
    const block = this.inside(scope, {
      counters: [...scope.counters, counter],
      isTogether: scope.isTogether && isUniform && this.chance(30),
      isInLoop: true,
    });
    if (this.chance(80)) block.statements.push(this.#sum(block));
    this.fill(block, random.below(3));
    this.#turns = saved;
    scope.statements.push({ parts: [...head, block.statements], isEssential: false });
  }

  // ------------------------------------------------------------------------------------------- expressions

  value(scope: Scope): Expression {
    const { random } = this;
    const one = random.pick(scope.wholes).text;
    return random.pick([
      expr(int)`s`,
      one,
      expr(int)`(int)(${this.load(scope)})`,
      expr(int)`(int)(${this.load(scope)})`,
      expr(int)`(${one} * 3 + ${random.pick(scope.wholes).text})`,
      expr(int)`(${this.condition(scope)} ? ${one} : ${random.below(9)})`,
    ]);
  }

  /** An element, as a number. */
  load(scope: Scope): Expression {
    if (this.#facts.format && this.chance(50)) return this.#pixel(scope, this.#facts.format[2]);
    const which = this.random.below(2);
    let place = this.subscript(scope);
    if (place.most >= elements / 2) place = { ...place, text: guard(int)`((${place.text}) & 1023)` };
    return expr(int)`${['a', 'b'][which]!}[${place.text}]${this.memberOf(which)}`;
  }

  #pixel(scope: Scope, letter: string): Expression {
    const { random } = this;
    const { sampler } = this.#facts;
    const sides = [0, 1].map(() => this.#clamped(scope, this.#index(scope)).text) as [Expression, Expression];
    // Beyond the borders such a sampler promises nothing.
    const isInside = (sampler & 0xe) === samplerBits.none;
    const [x, y] = isInside
      ? (sides.map(
          (side, at) =>
            guard(int)`clamp((int)${side}, 0, ${['get_image_width', 'get_image_height'][at]!}(image) - 1)`,
        ) as [Expression, Expression])
      : sides;
    const isInteger = !(sampler & samplerBits.linear) && (isInside || this.chance(60));
    const place = isInteger
      ? guard(int)`(int2)(${x}, ${y})`
      : guard(
          int,
        )`(float2)(${x} + ${random.pick(['0.5f', '0.25f', '0.0f'])}, ${y} * ${random.pick(['1.0f', '0.5f'])})`;
    const read =
      letter === 'f' || isInteger || !(sampler & samplerBits.linear) ? place : guard(int)`(int2)(${x}, ${y})`;
    return expr(int)`read_image${letter}(image, sampler, ${read}).s${random.below(4)}`;
  }

  /** Behind an element of `a` (0) or `b` (1), for a number. */
  memberOf(which: number): string {
    const lanes = Number(/\d$/.exec(this.#facts.dataTypes[which]!)?.[0] ?? 1);
    return lanes > 1 ? `.s${this.random.below(lanes)}` : '';
  }

  /** The element of `a` or `b` at an index, as a number. */
  element(which: number, index: string): string {
    return `${['a', 'b'][which]!}[${index}]${this.memberOf(which)}`;
  }

  isVector(which: number): boolean {
    return /\d$/.test(this.#facts.dataTypes[which]!);
  }

  /** What a pointer to them points to. */
  pointee(which: number): string {
    const { dataTypes, isAliased, isConstant } = this.#facts;
    const type = dataTypes[which]!;
    if (which === 1) return isConstant ? `constant ${type}` : `global const ${type}`;
    return isAliased ? 'global int' : `global const ${type}`;
  }

  /** Where an element lies that stands in a row and a column. */
  flat(row: string, width: string, column: string): string {
    return this.random.pick([
      `${row} * ${width} + ${column}`,
      `${row} * ${width} + ${column}`,
      `${column} + ${row} * ${width}`,
      `mad24((int)(${row}), ${width}, (int)(${column}))`,
      `(uint)(${row}) * (uint)${width} + ${column}`,
      `(size_t)(${row}) * ${width} + ${column}`,
    ]);
  }

  /** What adds something up. */
  sum(): string {
    return this.random.pick(['s +=', 's +=', 'f +=', 'f +=', 'f -=']);
  }

  /** Of an array in local memory. */
  tileType(): string {
    return this.random.pick(['int', 'int', 'float', 'float', 'short', 'uchar']);
  }

  /** A number that is likely to be a subscript. */
  subscript(scope: Scope): Whole {
    const { random } = this;
    const part = (): Whole => this.#clamped(scope, this.#index(scope));
    const across = (): Whole =>
      scope.counters.length > 0 && this.chance(60)
        ? this.#clamped(scope, random.pick(scope.counters))
        : part();
    const width = random.pick(scope.wholes.filter(({ isUniform, most }) => isUniform && most < 300));
    const a = across();
    const b = part();
    const row: Whole = {
      text: guard(int)`(${a.text} * ${width.text} + ${b.text})`,
      most: a.most * width.most + b.most,
      isUniform: a.isUniform && b.isUniform,
    };
    const reversed: Whole = {
      text: guard(int)`(${width.text} - 1 - ${a.text})`,
      most: width.most + a.most + 1,
      isUniform: a.isUniform && width.isUniform,
    };
    const sum: Whole = {
      text: guard(int)`(${a.text} + ${b.text} * ${random.pick([1, 1, 2, 4])})`,
      most: a.most + 4 * b.most,
      isUniform: a.isUniform && b.isUniform,
    };
    return random.pick([row, row, row, a, sum, reversed]);
  }

  #index(scope: Scope): Whole {
    const { random } = this;
    const ids = scope.wholes.filter(({ isUniform }) => !isUniform);
    return scope.counters.length > 0 && this.chance(50) ? random.pick(scope.counters) : random.pick(ids);
  }

  #clamped(scope: Scope, index: Whole): Whole {
    const { random } = this;
    if (this.chance(55)) return index;
    const shift = random.pick(['', '', ' + 1', ' - 1', ' + 2', ' * 2', ' - 3']);
    const limit = random.pick(scope.wholes.filter(({ isUniform }) => isUniform));
    const i = guard(int)`${index.text}${shift}`;
    const most = Math.max(limit.most, index.most * 2) + 4;
    const forms = [
      guard(int)`clamp(${i}, 0, ${limit.text} - 1)`,
      guard(int)`min(${i}, ${limit.text} - 1)`,
      guard(int)`max(${i}, 0)`,
      guard(int)`min(max(${i}, 0), ${limit.text})`,
      guard(int)`max(min(${i}, ${limit.text} - 1), 0)`,
      guard(int)`(${i} < ${limit.text} ? ${i} : ${limit.text} - 1)`,
      guard(int)`(int)min((uint)(${i}), (uint)${limit.text})`,
      guard(int)`(${i})`,
      guard(int)`(${i} & 15)`,
      guard(int)`(int)abs(${i})`,
    ];
    return { text: guard(int)`${random.pick(forms)}`, most, isUniform: index.isUniform };
  }

  get isNew(): boolean {
    return this.#facts.isNew;
  }

  /** Of the elements of `own`, if there is such a buffer. */
  get ownType(): string | undefined {
    return this.#facts.own;
  }

  /** The elements of `own` that are a work-item's are apart. */
  get isOwnApart(): boolean {
    return this.#facts.isOwnApart;
  }

  /** No product of floating-point numbers may need to be rounded. */
  get isExact(): boolean {
    return this.#facts.isExact;
  }

  /** The name of a struct of so many elements. */
  struct(type: string, length: number): string {
    const name = `struct ${type}s${length}`;
    const definition = `${name} { ${type} e[${length}]; };`;
    if (!this.structs.some(({ parts }) => parts[0] === definition)) {
      this.structs.push(essential`${definition}`);
    }
    return name;
  }

  get dimensions(): number {
    return this.#facts.dimensions;
  }

  /** Whether a work-item is the first of its group. */
  isFirst(): string {
    return this.#facts.isNew && this.chance(70) ? 'get_local_linear_id() == 0' : 'li == 0';
  }

  uniformCondition({ wholes }: Scope): Expression {
    const { random } = this;
    const one = random.pick(wholes.filter(({ isUniform }) => isUniform));
    return expr(int)`${one.text} ${random.pick(['<', '>', '!='])} ${random.below(10)}`;
  }

  condition(scope: Scope): Expression {
    const { random } = this;
    const ids = scope.wholes.filter(({ isUniform }) => !isUniform);
    const id = (): Expression => this.#clampFree(random.pick([...ids, ...ids, ...scope.counters]));
    const bound = (): Expression => random.pick(scope.wholes.filter(({ isUniform }) => isUniform)).text;
    const compare = (): Expression => {
      const by = random.pick(['<', '<', '<', '<=', '>', '>=', '==', '!=']);
      return random.pick([
        expr(int)`${id()} ${by} ${bound()}`,
        expr(int)`${id()} ${by} ${bound()} - 1`,
        expr(int)`${id()} ${by} ${bound()} + 1`,
        expr(int)`${id()} ${by} ${id()}`,
        expr(int)`${id()} ${by} ${id()}`,
        expr(int)`${id()} ${by} ${random.below(12)}`,
        expr(int)`(uint)${id()} < (uint)${bound()}`,
        expr(int)`get_global_id(0) ${by} (size_t)${bound()}`,
        expr(int)`${this.isFirst()}`,
      ]);
    };
    return random.pick([
      compare(),
      compare(),
      compare(),
      expr(int)`(${compare()} && ${compare()})`,
      expr(int)`(${compare()} && ${compare()})`,
      expr(int)`(${compare()} || ${compare()})`,
      expr(int)`!(${compare()} || ${compare()})`,
      expr(int)`(${id()} & 1) == 0`,
      expr(int)`s > ${random.below(9)}`,
      expr(int)`${this.load(scope)} > 2`,
    ]);
  }

  #clampFree({ text }: Whole): Expression {
    return this.chance(25) ? expr(int)`(${text} + ${this.random.below(3)})` : text;
  }
}
