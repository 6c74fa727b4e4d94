/**
 * What single work-items do, in the forms of the kernels that people write: sums along rows and over the range, sparse matrices, filters with clamped borders, windows
 * that slide, pointers that walk, searches, loops that end when something grew too large, pixels of three bytes, indices in every
 * width that wrap, small arrays of their own.
 */
import type { IdiomBody, Scope } from './idiom-body.ts';
import { essential, line, type Statement } from './syntax.ts';

type Walk = (body: IdiomBody, scope: Scope) => Statement[];

/** Adds the statements of one of them. */
export function walk(body: IdiomBody, scope: Scope): void {
  scope.statements.push(...body.random.pick(body.isExact ? exactWalks : walks)(body, scope));
}

/** Rows of different lengths, or all of one with holes in them. */
const sparse: Walk = (body) => {
  const { random } = body;
  const [first, j, c] = [body.name('v'), body.name('k'), body.name('v')];
  const term = body.element(1, random.pick([`${c} & 127`, `${c} + x`, `abs(${c})`]));
  if (body.chance(50)) {
    const end = random.pick([
      `${first} + ((int)${body.element(1, 'x')} & 7)`,
      `${first} + m`,
      `(x + 1) * 3 - (x & 1)`,
    ]);
    return [
      essential`int ${first} = x * 3 + ${random.below(4)};`,
      line`for (int ${j} = ${first}; ${j} < ${end}; ${j}++) ${[
        essential`int ${c} = ${body.element(0, j)};`,
        line`${body.sum()} ${c} * ${term};`,
      ]}`,
    ];
  }
  return [
    line`for (int ${j} = 0; ${j} < m; ${j}++) ${[
      essential`int ${c} = ${body.element(0, body.flat(j, 'w', 'x'))};`,
      line`${random.pick([`if (${c} >= 0) `, `if (${c} < 0) break; `, `if (${c} == 3) continue; `])}${body.sum()} ${c} * ${term};`,
    ]}`,
  ];
};

/** Sums along rows of a matrix, one or two at a time, or down its columns. */
const rows: Walk = (body) => {
  const { random } = body;
  const k = body.name('k');
  const end = random.pick(['m', 'm', 'w', '16', 'm * 2 + 1']);
  const width = random.pick(['m', 'w', '24', 'm + 1']);
  const along = body.element(0, `${random.pick(['x', 'y', 'lx'])} * ${width} + ${k}`);
  const other = random.pick([
    body.element(1, k),
    body.element(1, `${random.pick(['y', 'x'])} * ${width} + ${k}`),
    body.element(1, body.flat(k, 'h', 'x')),
    `(${k} + 1)`,
  ]);
  const term = random.pick([`${along} * ${other}`, `${along} * ${other}`, along, `fabs((float)(${along}))`]);
  const [second] = random.pick([
    [`f ${random.pick(['+', '-'])}= (float)(${other});`],
    [`s += ${along} > 0;`],
    [''],
  ]);
  return [
    line`for (int ${k} = ${random.pick(['0', '0', '1', 'm & 3'])}; ${k} < ${end}; ${k}++) ${[line`f += (float)(${term});`, line`${second!}`]}`,
  ];
};

/** Sums of what lies as far apart as the range is long. */
const grid: Walk = (body) => {
  const { random } = body;
  const i = body.name('k');
  const [type, end] = random.pick([
    ['int', 'n'],
    ['int', 'n'],
    ['size_t', 'max(n, 0)'],
    ['uint', '(uint)max(n, 0)'],
    ['int', 'n + m'],
  ] as const);
  const start = random.pick(['get_global_id(0)', 'get_global_id(0)', 'x', 'get_group_id(0) * width + lx']);
  const step = random.pick(['get_global_size(0)', 'get_global_size(0)', 'width * get_num_groups(0)']);
  const first = body.element(0, i);
  const second = body.element(1, random.pick([i, `${i} + 1`, `${i} & 15`, 'x']));
  const use = random.pick([
    line`${body.sum()} ${first} * ${second};`,
    line`${body.sum()} ${first};`,
    line`if (${first} > 2) ${body.sum()} ${second};`,
    line`{ ${body.sum()} ${first}; s = max(s, (int)${second}); }`,
  ]);
  return [line`for (${type} ${i} = ${start}; ${i} < ${end}; ${i} += ${step}) ${[use]}`];
};

/** A filter whose places are clamped, left out, or reflected at the border. */
const filter: Walk = (body) => {
  const { random } = body;
  const [dx, dy, px, py] = [body.name('k'), body.name('k'), body.name('v'), body.name('v')];
  const radius = random.pick(['1', '2', '(m & 3)']);
  const tap = body.element(0, body.flat(py, 'w', px));
  const weight = random.pick([
    '1',
    body.element(1, `(${dy} + ${radius}) * (2 * ${radius} + 1) + ${dx} + ${radius}`),
  ]);
  const places = random.pick([
    [`clamp(x + ${dx}, 0, w - 1)`, `clamp(y + ${dy}, 0, h - 1)`],
    [`max(0, min(x + ${dx}, w - 1))`, `max(0, min(y + ${dy}, h - 1))`],
    [`x + ${dx} < 0 ? 0 : x + ${dx} >= w ? w - 1 : x + ${dx}`, `y + ${dy}`],
    [`abs(x + ${dx})`, `abs(y + ${dy})`],
    [`x + ${dx}`, `y + ${dy}`],
    [`(x + ${dx} + w) % w`, `(y + ${dy} + h) % h`],
  ]);
  const inside = random.pick([
    '',
    '',
    `if (${px} >= 0 && ${px} < w && ${py} >= 0 && ${py} < h) `,
    `if ((uint)${px} < (uint)w && (uint)${py} < (uint)h) `,
  ]);
  return [
    line`for (int ${dy} = -${radius}; ${dy} <= ${radius}; ${dy}++) for (int ${dx} = -${radius}; ${dx} <= ${radius}; ${dx}++) ${[
      essential`int ${px} = ${places[0]!}, ${py} = ${places[1]!};`,
      line`${inside}${body.sum()} ${tap} * ${weight};`,
    ]}`,
  ];
};

/** The last few elements of a row or column, which move on by one each turn; or the middle of nine. */
const window: Walk = (body) => {
  const { random } = body;
  const [window, i, k, t] = [body.name('v'), body.name('k'), body.name('k'), body.name('v')];
  if (body.chance(60)) {
    const place = random.pick([body.flat(k, 'w', 'x'), body.flat('y', 'w', `x + ${k}`), `x + ${k}`]);
    return [
      essential`int ${window}[5] = {0};`,
      line`for (int ${k} = 0; ${k} < ${random.pick(['m', '7', 'h + 2'])}; ${k}++) ${[
        line`for (int ${i} = 0; ${i} < 4; ${i}++) ${window}[${i}] = ${window}[${i} + 1];`,
        line`${window}[4] = ${body.element(0, place)};`,
        line`${body.sum()} ${window}[0] + ${window}[2] * 3 - ${window}[4];`,
      ]}`,
    ];
  }
  const load = body.element(0, body.flat(`(y + ${k} / 3)`, 'w', `x + ${k} % 3`));
  return [
    essential`int ${window}[9];`,
    essential`for (int ${k} = 0; ${k} < 9; ${k}++) ${window}[${k}] = ${load};`,
    line`for (int ${k} = 0; ${k} < ${random.pick(['5', '8'])}; ${k}++) for (int ${i} = ${random.pick(['0', k])}; ${i} < 8; ${i}++) ${[
      essential`int ${t} = min(${window}[${i}], ${window}[${i} + 1]);`,
      line`${window}[${i} + 1] = max(${window}[${i}], ${window}[${i} + 1]);`,
      line`${window}[${i}] = ${t};`,
    ]}`,
    line`s += ${window}[4] * 2 + ${window}[${random.pick(['0', '8', 'lx % 9'])}];`,
  ];
};

/** A pointer that walks along a row or down a column. */
const pointer: Walk = (body) => {
  const { random } = body;
  const [p, end, k] = [body.name('v'), body.name('v'), body.name('k')];
  const which = random.below(2);
  const start = body.flat(
    random.pick(['y', 'x', '1']),
    random.pick(['w', 'm']),
    random.pick(['x', '0', 'y']),
  );
  const at = `(*${p})${body.memberOf(which)}`;
  const type = body.pointee(which);
  const declare = essential`${type} *${p} = ${'ab'[which]!} + ${start};`;
  if (body.chance(50)) {
    const step = random.pick(['++', ' += w', ' += h', '--', ' += 2']);
    return [
      declare,
      line`for (int ${k} = 0; ${k} < ${random.pick(['m', '9', 'h'])}; ${k}++, ${p}${step}) ${body.sum()} ${at} * ${random.pick([body.element(1 - which, k), k, '1'])};`,
    ];
  }
  return [
    declare,
    essential`${type} *${end} = ${p} + ${random.pick(['m', '8', '(x & 7)'])};`,
    line`while (${p} ${random.pick(['<', '!='])} ${end}) ${[line`${body.sum()} ${at};`, essential`${p}++;`]}`,
  ];
};

/** For as long as nothing is found, or by halves. */
const search: Walk = (body) => {
  const { random } = body;
  const [k, low, high, mid] = [body.name('k'), body.name('v'), body.name('v'), body.name('v')];
  const wanted = random.pick(['3', 'lx', 'x & 7', 'm']);
  const value = body.element(0, random.pick([body.flat(k, 'w', 'x'), `x + ${k}`, k, `x * m + ${k}`]));
  return random.pick([
    [
      essential`int ${k} = 0;`,
      line`while (${k} < m && ${value} != ${wanted}) ${k}++;`,
      line`s += ${k} * 2 + (${k} == m);`,
    ],
    [
      essential`int ${k} = ${random.pick(['0', 'lx'])};`,
      line`do ${[line`${body.sum()} ${value};`, essential`${k} += ${1 + random.below(3)};`]} while (${k} < m${random.pick(['', ` && s < 40`, ` || ${k} < x`])});`,
    ],
    [
      essential`int ${low} = 0, ${high} = ${random.pick(['32', 'max(n, 0)', 'm'])};`,
      line`while (${low} < ${high}) ${[
        essential`int ${mid} = (${low} + ${high}) ${random.pick(['>> 1', '/ 2'])};`,
        line`if (${body.element(0, mid)} + ${mid} < ${random.pick(['x', 'y + 5', 'lx * 3'])}) ${[essential`${low} = ${mid} + 1;`]} else ${[essential`${high} = ${mid};`]}`,
      ]}`,
      line`s += ${low};`,
    ],
    [
      line`for (int ${k} = 0; ; ${k}++) ${[
        essential`if (${k} >= m || ${k} > x) break;`,
        line`if (${value} == ${wanted}) { out[at * 4 + 3] = ${k}; ${random.pick(['break', 'continue'])}; }`,
        line`${body.sum()} ${value};`,
      ]}`,
    ],
  ]);
};

/** Numbers that go on until they are too large or small, which each work-item's do after turns of its own. */
const largeNumbers: Walk = (body) => {
  const { random } = body;
  const [u, v, t, k] = [body.name('v'), body.name('v'), body.name('v'), body.name('k')];
  const type = random.pick(['int', 'float']);
  const end = random.pick(['20', 'm', 'min(n, 30)']);
  return random.pick([
    [
      essential`${type} ${u} = x % 7 - 3, ${v} = y % 5 - 2; int ${k} = 0;`,
      line`while (${u} * ${u} + ${v} * ${v} < 1000 && ${k} < ${end}) ${[
        essential`${type} ${t} = ${u} * ${u} - ${v} * ${v} + lx % 3;`,
        line`${v} = 2 * ${u} * ${v} + ${random.pick(['1', 'ly'])};`,
        line`${u} = ${t};`,
        essential`${k}++;`,
      ]}`,
      line`s += ${k}; f += ${u};`,
    ],
    [
      essential`uint ${u} = (uint)(x * 7 + y + 1) & 255, ${k} = 0;`,
      line`for (; ${u} > 1 && ${k} < 40; ${k}++) ${u} = ${u} & 1 ? 3 * ${u} + 1 : ${u} >> 1;`,
      line`s += ${k};`,
    ],
    [
      essential`uint ${u} = (uint)x * 6 + 12, ${v} = (uint)abs(m) * 4 + 8;`,
      line`while (${v} != 0) { uint ${t} = ${u} % ${v}; ${u} = ${v}; ${v} = ${t}; }`,
      line`s += ${u};`,
    ],
    [
      essential`uint ${u} = (uint)at * 1664525u + 1013904223u;`,
      line`for (int ${k} = 0; ${k} < ${end}; ${k}++) ${[
        line`${u} ^= ${u} << 13; ${u} ^= ${u} >> 17; ${u} ^= ${u} << 5;`,
        line`${random.pick([`if (${u} & 1) `, `if (${u} > 0x40000000u) `, ''])}s ${random.pick(['+=', '^='])} ${random.pick([`${u} >> 24`, `rotate(${u}, 7u) & 255`, `popcount(${u})`, `clz(${u})`, `mul_hi(${u}, 77u)`, `mul24((int)(${u} & 4095), 13)`, `hadd(${u}, 5u) & 63`])};`,
      ]}`,
    ],
  ]);
};

/** Elements that lie side by side for each work-item: three of a pixel, or whole vectors. */
const pixels: Walk = (body) => {
  const { random } = body;
  const [c, v] = [body.name('k'), body.name('v')];
  const index = random.pick(['at', 'x', body.flat('y', 'w', 'x')]);
  const count = random.pick([3, 4, 2]);
  const which = random.below(2);
  const loop = line`for (int ${c} = 0; ${c} < ${count}; ${c}++) ${random.pick([`out[at * 4 + ${c}] =`, `out[at * 4 + ${c}] +=`, body.sum()])} ${body.element(which, `(${index}) * ${count} + ${c}`)}${random.pick(['', ` * (${c} + 1)`])};`;
  if (body.isVector(which) || body.chance(40)) return [loop];
  const lanes = random.pick([2, 3, 4, 8]);
  const name = 'ab'[which]!;
  const vector = essential`int${lanes} ${v} = convert_int${lanes}(vload${lanes}(${random.pick(['x', 'at', 'lx', `x + ${c}`, 'y'])}, ${name}${random.pick(['', ' + m', ' + x'])}));`;
  return [
    essential`int ${c} = ${random.pick(['0', 'm & 3', 'ly'])};`,
    vector,
    ...(lanes === 4 && body.chance(60)
      ? [
          random.pick([
            line`vstore4(${v} + ${c}, at, out);`,
            line`((global int4 *)out)[at] ${random.pick(['', '+'])}= ${v} * ${c};`,
          ]),
        ]
      : []),
    line`s += ${v}.s0 * 3 - ${v}.s1${lanes > 2 ? ` + ${v}.s2` : ''};`,
  ];
};

/** Subscripts of every width and sign. */
const wrapped: Walk = (body) => {
  const { random } = body;
  const [i, k] = [body.name('v'), body.name('k')];
  const load = (index: string): string => body.element(random.below(2), index);
  const limit = random.pick(['w', 'm', 'h']);
  // m may be 0, and what a division by zero gives may differ from device to device.
  const divisor = `max(${limit}, 1)`;
  return random.pick([
    [
      essential`uint ${i} = (uint)x - ${1 + random.below(4)}u;`,
      line`if (${i} < (uint)${limit}) s += ${load(i)};`,
    ],
    [
      essential`size_t ${i} = get_global_id(0) - ${random.pick(['get_local_size(0)', '3', 'get_local_id(0)', '(size_t)m'])};`,
      line`if (${i} < (size_t)${limit}) ${body.sum()} ${load(i)};`,
    ],
    [
      essential`${random.pick(['uchar', 'char', 'short', 'ushort'])} ${i} = x * ${random.pick(['1', '16', '9', '300'])} + lx;`,
      line`${body.sum()} ${load(`${i} & 1023`)};`,
    ],
    [
      line`for (${random.pick(['uchar', 'char', 'ushort', 'short', 'long', 'ulong'])} ${k} = 0; ${k} < ${random.pick(['9', 'min(m, 100)', 'max(m, 0)'])}; ${k}++) ${body.sum()} ${load(random.pick([`x + ${k}`, `x * 4 + ${k}`, `${k} * 8 + lx`, k]))};`,
    ],
    [
      line`for (uint ${k} = ${random.pick(['m', '7', '(uint)h'])}; ${k}-- > 0;) ${body.sum()} ${load(random.pick([`x - ${k}`, `${k} * w + x`, k]))};`,
    ],
    [
      line`for (int ${k} = m - 1; ${k} >= 0; ${k} -= ${1 + random.below(3)}) ${body.sum()} ${load(`x + ${k}`)} * ${load(random.pick([k, `m - ${k}`]))};`,
    ],
    [
      essential`int ${i} = (int)(get_global_id(0) - ${1 + random.below(5)}) ${random.pick(['>> 1', '/ 2', '/ 3', '* 2', '% 5'])};`,
      line`${body.sum()} ${load(i)};`,
    ],
    [
      essential`int ${i} = at / ${divisor}, ${k} = at % ${divisor};`,
      line`if (${k} > 0 && ${k} < ${limit} - 1 && ${i} < h) ${body.sum()} ${load(`${i} * ${limit} + ${k} - 1`)} + ${load(`(${i} + 1) * ${limit} + ${k}`)};`,
    ],
    [
      essential`uint ${i} = (uint)at ${random.pick(['/', '%'])} ${random.pick(['3u', '4u', '7u', `(uint)${divisor}`])};`,
      line`${body.sum()} ${load(i)} * ${load(`at - ${i} * ${random.pick(['3', '4', '2'])}`)};`,
    ],
    [
      line`for (size_t ${k} = get_global_id(0) + ${random.pick(['0', 'get_global_size(0) * lx', 'm'])}; ${k} < (size_t)max(n, 0); ${k} += get_global_size(0)) ${body.sum()} ${load(k)}${random.pick(['', ` * ${load(`${k} + 1`)}`])};`,
    ],
    [
      essential`long ${i} = 0;`,
      line`for (int ${k} = 0; ${k} < m; ${k}++) ${i} += (long)${load(`x + ${k}`)} * (${k} - 2) * 100000;`,
      line`s += (int)(${i} >> ${random.pick(['3', '16', '33'])});`,
    ],
  ]);
};

/** Polynomials, and whatever else is multiplied from turn to turn before something is added; the factors are 1, 0 and -1. */
const polynomial: Walk = (body) => {
  const { random } = body;
  const [v, k] = [body.name('v'), body.name('k')];
  const lanes = random.pick(['', '', '', '', '', '2', '4', '8']);
  const scalar = random.pick(['float', 'float', 'float', 'double']);
  const type = `${scalar}${lanes}`;
  const end = random.pick(['m', 'm', 'min(n, 40)', '13', '16']);
  const place = (): string =>
    random.pick([
      k,
      `x + ${k}`,
      `x * m + ${k}`,
      `x * 13 + ${k}`,
      `y * m + ${k}`,
      `y * 13 + ${k}`,
      body.flat(k, 'w', 'x'),
    ]);
  const read = (which: number): string => {
    const element = body.element(which, place());
    return lanes ? `(${scalar})${element}` : element;
  };
  const small = body.isExact ? read(1) : `(${scalar})((int)${body.element(1, place())} & 1)`;
  const factor = random.pick([small, small, small, `-(${scalar})${small}`]);
  const term = read(random.below(2));
  const product = random.pick([`${v} * ${factor}`, `${factor} * ${v}`]);
  const sum = random.pick([
    `${product} + ${term}`,
    `${product} + ${term}`,
    `${term} + ${product}`,
    `${product} - ${term}`,
    `${term} - ${product}`,
    `mad(${v}, (${type})${factor}, (${type})${term})`,
  ]);
  const count = random.pick([1, 1, 1, 2]);
  const other = body.name('v');
  const member = lanes ? `.s${random.below(Number(lanes))}` : '';
  return [
    essential`${type} ${v} = ${random.pick(['1', '0', '(x & 7)'])}, ${other} = 1;`,
    line`for (int ${k} = 0; ${k} < ${end}; ${k}++) ${[
      line`${v} = ${sum};`,
      ...(count > 1 ? [line`${other} = ${other} * ${factor} - ${read(0)};`] : []),
    ]}`,
    line`f ${random.pick(['+', '-'])}= (float)(${v} - ${other})${member};`,
  ];
};

/** Triangles: as many turns as the work-item's id says. */
const triangle: Walk = (body) => {
  const { random } = body;
  const j = body.name('k');
  const head = random.pick([
    `int ${j} = 0; ${j} <= x; ${j}++`,
    `int ${j} = 0; ${j} < y; ${j}++`,
    `int ${j} = x + 1; ${j} < n; ${j}++`,
    `int ${j} = y; ${j} < min(x, 30); ${j}++`,
    `int ${j} = x; ${j} > 0; ${j} /= 2`,
    `int ${j} = max(0, x - m); ${j} <= min(x, w); ${j}++`,
  ]);
  const first = body.element(0, random.pick([body.flat('(y & 7)', 'w', j), `(x - ${j}) & 255`, `x + ${j}`]));
  const second = body.element(1, random.pick([body.flat(`(${j} & 15)`, 'w', 'x'), `x - ${j}`, j]));
  return [line`for (${head}) ${body.sum()} ${first} * ${second};`];
};

/** Four turns written as one, and what is left. */
const unrolled: Walk = (body) => {
  const { random } = body;
  const k = body.name('k');
  const times = random.pick([2, 4]);
  const place = random.pick(['', 'x + ', 'y * w + ', 'x * m + ']);
  const term = (turn: number | string): string =>
    `${body.element(0, `${place}${k}${turn === 0 ? '' : ` + ${turn}`}`)} * ${body.element(1, `${k}${turn === 0 ? '' : ` + ${turn}`}`)}`;
  const limit = random.pick(['n', 'm', 'n - lx']);
  const sum = body.sum();
  return [
    essential`int ${k} = 0;`,
    line`for (; ${k} + ${times} <= ${limit}; ${k} += ${times}) ${Array.from({ length: times }, (_, turn) => line`${sum} ${term(turn)};`)}`,
    line`for (; ${k} < ${limit}; ${k}++) ${sum} ${term(0)};`,
  ];
};

/** Counts of the work-item's own, and what is done by cases. */
const cases: Walk = (body, scope) => {
  const { random } = body;
  const [mine, k] = [body.name('v'), body.name('k')];
  if (body.chance(50)) {
    return [
      essential`int ${mine}[8];`,
      essential`for (int ${k} = 0; ${k} < 8; ${k}++) ${mine}[${k}] = ${random.pick(['0', 'x', `${k} * lx`])};`,
      line`for (int ${k} = 0; ${k} < ${random.pick(['m', 'n'])}; ${k}++) ${mine}[(int)${body.element(0, `${random.pick(['', 'x + '])}${k}`)} & 7]++;`,
      line`for (int ${k} = 0; ${k} < 8; ${k}++) ${random.pick([`s += ${mine}[${k}] * ${k};`, `if (${mine}[${k}] > 2) atomic_add(&totals[${k}], ${mine}[${k}]);`])}`,
    ];
  }
  const value = (): string =>
    random.pick(['x', 'lx * 3', body.element(0, 'x'), body.element(1, 'at & 63'), 'm']);
  const end = (): string => random.pick(['break;', 'break;', '']);
  return [
    line`switch (${random.pick(['x & 3', 'm & 3', `(int)${body.element(0, 'x')} & 3`, 'lx', 's & 3'])}) ${[
      essential`case 0: s += ${value()}; ${end()}`,
      essential`case 1: if (${body.condition(scope)}) s ^= (int)${value()}; ${end()}`,
      essential`case 2: for (int ${k} = 0; ${k} < m; ${k}++) ${body.sum()} ${body.element(1, `x + ${k}`)}; ${end()}`,
      essential`default: f -= ${value()};`,
    ]}`,
  ];
};

/** Neighbours in all directions of a volume, except at its border. */
const volume: Walk = (body) => {
  const { random } = body;
  const at = (dx: string, dy: string, dz: string): string =>
    body.element(0, body.flat(`((z${dz}) * h + y${dy})`, 'w', `x${dx}`));
  const terms = [
    at(' - 1', '', ''),
    at(' + 1', '', ''),
    at('', ' - 1', ''),
    at('', ' + 1', ''),
    at('', '', ' + 1'),
  ];
  const inside = random.pick([
    'x > 0 && x < w - 1 && y > 0 && y < h - 1',
    'x >= 1 && y >= 1 && x + 1 < w',
    '!(x == 0 || y == 0 || x == w - 1 || y == h - 1)',
    'x < w && y < h && z < m',
  ]);
  const compute = line`${body.sum()} ${terms.join(' + ')} - ${random.below(7)} * ${at('', '', '')};`;
  return random.pick([
    [line`if (${inside}) ${[compute]}`],
    [line`if (${inside}) ${[compute]} else ${[line`s -= ${at('', '', '')};`]}`],
    [compute],
  ]);
};

const walks: readonly Walk[] = [
  rows,
  rows,
  grid,
  grid,
  sparse,
  filter,
  filter,
  window,
  pointer,
  search,
  largeNumbers,
  pixels,
  pixels,
  wrapped,
  wrapped,
  wrapped,
  triangle,
  unrolled,
  cases,
  volume,
  polynomial,
];

/** Those that multiply small whole numbers only. */
const exactWalks: readonly Walk[] = [
  rows,
  grid,
  sparse,
  filter,
  triangle,
  unrolled,
  volume,
  polynomial,
  polynomial,
  polynomial,
];
