/**
 * What a work-item does with memory of its own where its accesses overlap (idioms.ts): vectors that are moved by less than their
 * length, stores of which a later load takes a part, structs that are copied half over themselves, neighbours that are read, changed
 * and written in turn. All of it is defined by the order of the program, which no pass may change, however many work-items it packs.
 *
 * The memory is a part of the buffer `own`, of a local array or of a private one. Each work-item has `ownElements` of `own`, either one
 * after another or each as far from the next as there are work-items; before them lie as many that only the work-item `at == m` uses.
 * No other work-item comes near them, so that nothing here is a race. Numbers of floating point stay far from what is no number, whose bits
 * nobody promises, and there is no maximum of two zeros.
 */
import type { IdiomBody, Scope } from './idiom-body.ts';
import { ownElements } from './idiom-launches.ts';
import { essential, line, type Statement } from './syntax.ts';

/** Where the accesses of some statements go. */
interface Memory {
  /** Of its elements. */
  readonly type: string;
  /** With a blank behind it; nothing for private memory. */
  readonly space: string;
  /** An element, as it is written to and read. */
  element(index: string): string;
  /** To the first element; none where the elements are apart. */
  readonly pointer?: string;
  /** Whether the pointer is aligned as all vectors want it. */
  readonly isAligned: boolean;
  /** How many elements there are. */
  readonly room: number;
}

/** The most work-items of a group. */
const mostItems = 128;

/** Adds the statements. The work-items that come by need not be all of a group. */
export function overlap(body: IdiomBody, scope: Scope): void {
  const { random } = body;
  const type = body.ownType!;
  const inner = body.inside(scope, { isTogether: false });
  const { statements } = inner;
  const kind = random.below(10);
  if (kind < 2) {
    const pointer = body.name('p');
    const memory = vectors(type, 'global ', pointer, true);
    statements.push(essential`global ${type} *${pointer} = own;`, ...inSomeForm(body, memory));
    scope.statements.push(line`if (at == m) ${statements}`);
    return;
  }
  if (kind < 6) statements.push(...inOwn(body, scope));
  else {
    const pointer = body.name('p');
    const memory = kind < 8 ? localMemory(body, type, pointer) : vectors(type, '', pointer, body.chance(50));
    statements.push(
      ...declared(body, memory, pointer),
      ...perhaps(body, scope, inSomeForm(body, memory)),
      ...seen(body, memory),
    );
  }
  scope.statements.push(line`${statements}`);
}

/** Elements one after another. */
function vectors(
  type: string,
  space: string,
  pointer: string,
  isAligned: boolean,
): Memory & { pointer: string } {
  const element = (index: string): string => `${pointer}[${index}]`;
  return { type, space, pointer, element, isAligned, room: ownElements };
}

/** Those of a work-item are one after another, or as far apart as there are work-items in the group. */
function localMemory(body: IdiomBody, type: string, pointer: string): Memory {
  if (body.chance(70)) return vectors(type, 'local ', pointer, body.chance(50));
  const element = (index: string): string => `${pointer}[(${index}) * items]`;
  return { type, space: 'local ', element, isAligned: false, room: ownElements };
}

/** An element of the work-item's part of `own`. */
function ownElement(body: IdiomBody, index: string): string {
  return body.isOwnApart
    ? `own[${ownElements} + (${index}) * (int)(get_global_size(0) * get_global_size(1) * get_global_size(2)) + at]`
    : `own[${ownElements} + at * ${ownElements} + ${index}]`;
}

function inOwn(body: IdiomBody, scope: Scope): Statement[] {
  const type = body.ownType!;
  const element = (index: string): string => ownElement(body, index);
  const apart: Memory = { type, space: 'global ', element, isAligned: false, room: ownElements };
  if (body.isOwnApart) return perhaps(body, scope, inSomeForm(body, apart));
  const pointer = body.name('p');
  const start = body.random.pick([
    `own + ${ownElements} + at * ${ownElements}`,
    `own + (at + 1) * ${ownElements}`,
    `&own[(size_t)(at + 1) * ${ownElements}]`,
  ]);
  const memory = vectors(type, 'global ', pointer, true);
  return [
    essential`global ${type} *${pointer} = ${start};`,
    ...perhaps(body, scope, inSomeForm(body, memory)),
  ];
}

/** A pointer to an array of the work-item's own, whose elements have been written. */
function declared(
  body: IdiomBody,
  { type, space, isAligned, element, pointer: together }: Memory,
  pointer: string,
): Statement[] {
  const { random } = body;
  const [array, k] = [body.name('own'), body.name('k')];
  const declaration = isAligned
    ? essential`${space}${type}16 ${array}[${space ? mostItems * (ownElements / 16) : ownElements / 16}];`
    : essential`${space}${type} ${array}[${space ? mostItems * ownElements : ownElements}];`;
  const start = `(${space}${type} *)${array}${space ? ` + li${together ? ` * ${ownElements}` : ''}` : ''}`;
  if (space) body.locals.push(declaration);
  const first = random.pick([
    `(${type})(${k} * 3 + (x & 7))`,
    `(${type})${k}`,
    ownElement(body, k),
    ownElement(body, `(${k} ^ 1)`),
  ]);
  return [
    ...(space ? [] : [declaration]),
    essential`${space}${type} *${pointer} = ${start};`,
    essential`for (int ${k} = 0; ${k} < ${ownElements}; ${k}++) ${element(k)} = ${first};`,
  ];
}

/** What the array holds is stored, or counted. */
function seen(body: IdiomBody, { element, type }: Memory): Statement[] {
  const k = body.name('k');
  const use = body.chance(70)
    ? line`${ownElement(body, k)} = ${element(k)};`
    : line`s += ${element(k)} > (${type})${k};`;
  return [line`for (int ${k} = 0; ${k} < ${ownElements}; ${k}++) ${[use]}`];
}

function perhaps(body: IdiomBody, scope: Scope, statements: Statement[]): Statement[] {
  return body.chance(35) ? [line`if (${body.condition(scope)}) ${statements}`] : statements;
}

/** One way or another, on all of the memory. */
function inSomeForm(body: IdiomBody, memory: Memory): Statement[] {
  const { pointer } = memory;
  if (pointer === undefined) return recurrence(body, memory);
  return body.random.pick([straight, straight, moving, moving, moving, wholes, recurrence])(body, {
    ...memory,
    pointer,
  });
}

type Form = (body: IdiomBody, memory: Memory & { pointer: string }) => Statement[];

const straight: Form = (body, memory) => {
  const count = 1 + body.random.below(3);
  return Array.from({ length: count }, () => steps(body, memory)).flat();
};

/** Turns that are less apart than what they touch is long. */
const moving: Form = (body, memory) => {
  const { random } = body;
  const [k, pointer] = [body.name('k'), body.name('p')];
  const by = random.pick([1, 1, 2, 3, 4, 5, 8]);
  const most = by === 8 ? 2 : by > 3 ? 3 : 5;
  const turns = random.pick([`${most}`, `${most}`, `min(m, ${most})`, `(x & 1) + 1`, `min(x, ${most})`]);
  const inside = {
    ...vectors(memory.type, memory.space, pointer, false),
    room: ownElements - by * (most - 1),
  };
  const start = `${memory.space}${memory.type} *${pointer} = ${memory.pointer}`;
  const [before, ...heads] = random.pick([
    [undefined, `for (int ${k} = 0; ${k} < ${turns}; ${k}++) `],
    [undefined, `for (int ${k} = ${turns} - 1; ${k} >= 0; ${k}--) `],
    [`${start};`, `for (int ${k} = 0; ${k} < ${turns}; ${k}++, ${pointer} += ${by}) `],
  ] as const);
  const first = before === undefined ? [essential`${start} + ${k} * ${by};`] : [];
  return [
    ...(before === undefined ? [] : [essential`${before}`]),
    line`${heads[0]!}${[...first, ...steps(body, inside)]}`,
  ];
};

/** Vectors that lie where they are aligned, each changed by the next or the one before. */
const wholes: Form = (body, memory) => {
  if (!memory.isAligned) return straight(body, memory);
  const { random } = body;
  const k = body.name('k');
  const lanes = random.pick([2, 4, 8, 16]);
  const count = ownElements / lanes;
  const at = (index: string): string =>
    `((${memory.space}${memory.type}${lanes} *)${memory.pointer})[${index}]`;
  const [to, from] = random.pick([
    [k, `${k} - 1`],
    [`${k} - 1`, k],
    [k, `${count - 1} - ${k}`],
    [k, '0'],
    ['0', k],
  ] as [string, string][]);
  const store = random.pick([
    line`${at(to)} = ${mixed(body, memory.type, at(to), at(from))};`,
    line`${at(to)} = ${changed(body, memory.type, lanes, at(from))};`,
    line`${at(to)}.s${random.below(lanes).toString(16)} = ${at(from)}.s${random.below(lanes).toString(16)};`,
    line`${at(to)}.${random.pick(['lo', 'hi'])} = ${at(from)}.${random.pick(['odd', 'even', 'lo'])};`,
  ]);
  const heads = [`int ${k} = 1; ${k} < ${count}; ${k}++`, `int ${k} = ${count - 1}; ${k} > 0; ${k}--`];
  return [line`for (${random.pick(heads)}) ${[store]}`];
};

/** Element after element, each changed by another that has been changed or will be. */
function recurrence(body: IdiomBody, { type, element, room }: Memory): Statement[] {
  const { random } = body;
  const [k, t] = [body.name('k'), body.name('v')];
  const by = random.pick([1, 1, 2, 3, 4, 7]);
  const [here, behind, before] = [element(k), element(`${k} - ${by}`), element(`${k} + ${by}`)];
  const up = `for (int ${k} = ${by}; ${k} < ${random.pick([`${room}`, `min(${by} + m, ${room})`])}; ${k}++) `;
  const start = `for (int ${k} = 0; ${k} < ${room - by}; ${k}++) `;
  const down = `for (int ${k} = ${room - by - 1}; ${k} >= 0; ${k}--) `;
  const swap = (one: string, other: string): Statement[] => [
    essential`${type} ${t} = ${one};`,
    essential`${one} = ${other};`,
    essential`${other} = ${t};`,
  ];
  return random.pick([
    () => [line`${up}${[line`${here} = ${mixed(body, type, behind, here)};`]}`],
    () => [line`${up}${[line`${here} = ${behind};`]}`],
    () => [line`${start}${[line`${here} = ${mixed(body, type, here, before)};`]}`],
    () => [line`${start}${[line`${before} = ${mixed(body, type, here, before)};`]}`],
    () => [line`${down}${[line`${before} = ${changed(body, type, 1, here)};`]}`],
    () => [line`${start}${[line`if (${here} > ${before}) ${swap(here, before)}`]}`],
    () => [line`for (int ${k} = 0; ${k} < ${room}; ${k}++) ${swap(here, element(`${room - 1} - ${k}`))}`],
    () => [
      line`${start}${[
        line`${here} = ${mixed(body, type, here, before)};`,
        line`${element(`${k} ^ 1`)} = ${changed(body, type, 1, here)};`,
      ]}`,
    ],
  ])();
}

/** Loads and stores of vectors of several lengths in turn, close together. */
function steps(body: IdiomBody, memory: Memory & { pointer: string }): Statement[] {
  const { random } = body;
  const { type, room } = memory;
  const loaded: { name: string; lanes: number }[] = [];
  const statements: Statement[] = [];
  // Most accesses are near one place.
  const most = random.pick([8, 16, room]);
  const low = random.below(Math.max(1, room - most - 3));
  const near: Near = { low, room: Math.min(room, low + most + 3) };
  const load = (): void => {
    const lanes = random.pick([2, 3, 4, 4, 8, 8, 16].filter((each) => each <= near.room - low));
    const name = body.name('v');
    statements.push(line`${type}${lanes} ${name} = ${loadOf(body, memory, near, lanes)};`);
    loaded.push({ name, lanes });
  };
  const store = (): void => {
    const { name, lanes } = random.pick(loaded);
    const alike = loaded.filter((one) => one.lanes === lanes);
    const value = body.chance(60)
      ? changed(body, type, lanes, name)
      : mixed(body, type, name, random.pick(alike).name);
    const half = lanes > 3 && body.chance(20) ? random.pick(['lo', 'hi', 'odd', 'even']) : undefined;
    const stored = half
      ? storeOf(body, memory, near, lanes / 2, `(${value}).${half}`)
      : storeOf(body, memory, near, lanes, value);
    const condition = random.pick(['x & 1', 'lx < m', 's > 3', 'x < w', 'm > 4']);
    statements.push(body.chance(20) ? line`if (${condition}) ${[stored]}` : stored);
  };
  const single = (): void => {
    const [one, other] = [0, 1].map(() => memory.element(place(body, near, 1).text)) as [string, string];
    statements.push(line`${one} = ${mixed(body, type, one, other)};`);
  };
  const struct = (): void => {
    const length = random.pick([2, 3, 5, 8]);
    const name = body.struct(type, length);
    const t = body.name('v');
    const at = (): string =>
      `*(${memory.space}${name} *)(${memory.pointer} + ${place(body, near, length).text})`;
    statements.push(line`${name} ${t} = ${at()};`);
    if (body.chance(40)) single();
    statements.push(line`${at()} = ${t};`);
  };
  load();
  if (body.chance(40)) load();
  store();
  const count = random.below(4);
  for (let index = 0; index < count; index += 1) random.pick([load, store, store, single, struct])();
  return statements;
}

/** The elements that some accesses stay in, from `low` to before `room`. */
interface Near {
  readonly low: number;
  readonly room: number;
}

/** Where `lanes` elements may lie, and the same as a number if it is one. */
function place(body: IdiomBody, { low, room }: Near, lanes: number): { text: string; index?: number } {
  const { random } = body;
  const free = room - lanes - low;
  if (free >= 3 && body.chance(30)) {
    const shift = random.pick(['(lx & 3)', '(x & 3)', '(m & 3)', '(at & 1) * 3', '(s & 3)']);
    return { text: `${low + random.below(free - 2)} + ${shift}` };
  }
  const index = low + random.below(free + 1);
  return { text: `${index}`, index };
}

function loadOf(body: IdiomBody, memory: Memory & { pointer: string }, near: Near, lanes: number): string {
  const { text, index } = place(body, near, lanes);
  const whole = wholeAt(memory, index, lanes);
  if (whole && body.chance(50)) return whole;
  if (index !== undefined && body.chance(30)) {
    return `vload${lanes}(${Math.floor(index / lanes)}, ${memory.pointer} + ${index % lanes})`;
  }
  return `vload${lanes}(0, ${memory.pointer} + ${text})`;
}

function storeOf(
  body: IdiomBody,
  memory: Memory & { pointer: string },
  near: Near,
  lanes: number,
  value: string,
): Statement {
  const { text, index } = place(body, near, lanes);
  const whole = wholeAt(memory, index, lanes);
  if (whole && body.chance(50)) return line`${whole} = ${value};`;
  if (index !== undefined && body.chance(30)) {
    return line`vstore${lanes}(${value}, ${Math.floor(index / lanes)}, ${memory.pointer} + ${index % lanes});`;
  }
  return line`vstore${lanes}(${value}, 0, ${memory.pointer} + ${text});`;
}

/** As the vector that lies there, if it is aligned; one of three has a fourth, of which nobody knows what a store does to it. */
function wholeAt(
  { type, space, pointer, isAligned }: Memory & { pointer: string },
  index: number | undefined,
  lanes: number,
): string | undefined {
  if (!isAligned || index === undefined || lanes === 3 || index % lanes > 0) return undefined;
  return `((${space}${type}${lanes} *)${pointer})[${index / lanes}]`;
}

const reversed: Readonly<Record<number, string>> = {
  2: '.yx',
  3: '.zyx',
  4: '.wzyx',
  8: '.s76543210',
  16: '.sfedcba9876543210',
};

/** A number or vector made of one. */
function changed(body: IdiomBody, type: string, lanes: number, value: string): string {
  const { random } = body;
  const constant = `(${type})${1 + random.below(5)}`;
  return random.pick([
    value,
    value,
    `${value} + ${constant}`,
    `${value} - ${constant}`,
    `-${value}`,
    isFloat(type) ? `${value} * (${type})0.5f` : `${value} * ${constant}`,
    ...(lanes > 1 ? [`${value}${reversed[lanes]!}`] : []),
  ]);
}

/** Of two of a kind. */
function mixed(body: IdiomBody, type: string, one: string, other: string): string {
  const sign = body.random.pick(['+', '-']);
  return isFloat(type)
    ? `(${one} ${sign} ${other}) * (${type})0.5f`
    : body.random.pick([
        `${one} ${sign} ${other}`,
        `${one} ^ ${other}`,
        `${one} * (${type})3 ${sign} ${other}`,
      ]);
}

function isFloat(type: string): boolean {
  return type === 'float' || type === 'double';
}
