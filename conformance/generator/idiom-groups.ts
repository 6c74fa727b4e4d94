/**
 * What the work-items of a group do together over several barriers, in the forms of the kernels that people write: products in tiles,
 * transpositions, stencils with halos, prefix sums, sorting networks, histograms, rows of sparse matrices, eliminations. What `idiom-tiles.ts`
 * makes is one exchange with anything in it; here each has the shape, the padding and the borders that it has in the wild.
 */
import type { IdiomBody, Scope } from './idiom-body.ts';
import { essential, line, type Statement } from './syntax.ts';

/** Elements of an array in local memory. */
const length = 512;

const meet: Statement = essential`barrier(CLK_LOCAL_MEM_FENCE);`;

type Shape = (body: IdiomBody, scope: Scope) => Statement[];

/** Adds the statements of one of them. */
export function groupShape(body: IdiomBody, scope: Scope): void {
  const shape = body.isNew && body.chance(25) ? together : body.random.pick(shapes);
  scope.statements.push(...shape(body, scope), meet);
}

function localArray(body: IdiomBody, type: string): string {
  const name = body.name('tile');
  body.locals.push(essential`local ${type} ${name}[${length}];`);
  return name;
}

/** A product of matrices in tiles of `depth` columns and rows, with zeros beyond their edges. */
const product: Shape = (body) => {
  const { random } = body;
  const [ta, tb] = [localArray(body, body.tileType()), localArray(body, body.tileType())];
  const [t, i, k] = [body.name('k'), body.name('k'), body.name('k')];
  const depth = random.pick(['4', '8', '16', 'width', '5']);
  const [padA, padB] = [random.below(3), random.below(3)];
  const across = `(${depth} + ${padA})`;
  const down = `(width + ${padB})`;
  const sum = body.sum();
  const limit = random.pick(['m', 'm', 'w', '16', 'm / 4 * 4']);
  const row = `(get_group_id(1) * height + ${i} / ${depth})`;
  const column = `(get_group_id(0) * width + ${i} % width)`;
  const [inA, inB] = [
    random.pick([
      `${t} + ${i} % ${depth} < ${limit}`,
      `${row} < h && ${t} + ${i} % ${depth} < ${limit}`,
      '1',
    ]),
    random.pick([`${t} + ${i} / width < ${limit}`, `${column} < w && ${t} + ${i} / width < ${limit}`, '1']),
  ];
  const loadA = body.element(0, body.flat(row, limit, `${t} + ${i} % ${depth}`));
  const loadB = body.element(1, body.flat(`(${t} + ${i} / width)`, 'w', column));
  const first = `${ta}[${i} / ${depth} * ${across} + ${i} % ${depth}]`;
  const second = `${tb}[${i} / width * ${down} + ${i} % width]`;
  const fill = [
    line`for (int ${i} = li; ${i} < height * ${depth}; ${i} += items) ${first} = ${inA} ? ${loadA} : 0;`,
    line`for (int ${i} = li; ${i} < width * ${depth}; ${i} += items) ${second} = ${inB} ? ${loadB} : 0;`,
  ];
  return [
    line`for (int ${t} = 0; ${t} < ${limit}; ${t} += ${depth}) ${[
      ...fill,
      meet,
      line`for (int ${k} = 0; ${k} < ${depth}; ${k}++) ${sum} ${ta}[ly * ${across} + ${k}] * ${tb}[${k} * ${down} + lx];`,
      meet,
    ]}`,
  ];
};

/** The same for square groups, of which each work-item fetches one element of either tile, and adds up several rows or one. */
const squareProduct: Shape = (body) => {
  const { random } = body;
  const [ta, tb] = [localArray(body, body.tileType()), localArray(body, body.tileType())];
  const [t, k, r, sums] = [body.name('k'), body.name('k'), body.name('k'), body.name('v')];
  const side = random.pick(['width', 'width', 'min(width, height)']);
  const rows = random.pick([1, 2, 4]);
  const pad = random.below(2);
  const stride = `(width + ${pad})`;
  const rowA = `(y + ${r} * height)`;
  const columnA = random.pick([`${t} * ${side} + lx`, `(${t} * ${side} + lx)`]);
  const guards = [`${columnA} < m && ${rowA} < h`, `${columnA} < m`, '1'];
  return [
    essential`int ${sums}[${rows}];`,
    essential`for (int ${r} = 0; ${r} < ${rows}; ${r}++) ${sums}[${r}] = 0;`,
    line`for (int ${t} = 0; ${t} < (m + ${side} - 1) / ${side}; ${t}++) ${[
      line`for (int ${r} = 0; ${r} < ${rows}; ${r}++) ${ta}[(ly * ${rows} + ${r}) * ${stride} + lx] = ${random.pick(guards)} ? ${body.element(0, body.flat(rowA, 'm', columnA))} : 0;`,
      line`${tb}[ly * ${stride} + lx] = ${body.element(1, body.flat(`(${t} * ${side} + ly)`, 'w', 'x'))};`,
      meet,
      line`for (int ${k} = 0; ${k} < ${side}; ${k}++) for (int ${r} = 0; ${r} < ${rows}; ${r}++) ${sums}[${r}] += ${ta}[(ly * ${rows} + ${r}) * ${stride} + ${k}] * ${tb}[${k} % height * ${stride} + lx];`,
      meet,
    ]}`,
    line`for (int ${r} = 0; ${r} < ${rows}; ${r}++) s += ${sums}[${r}] * (${r} + 1);`,
  ];
};

/** Groups that are written where their mirror images stand, through a padded tile. */
const transposition: Shape = (body) => {
  const { random } = body;
  const tile = localArray(body, body.tileType());
  const stride = `(width + ${random.below(2)})`;
  const [r, c] = [body.name('v'), body.name('v')];
  const plane = 'get_global_size(0) * get_global_size(1)';
  const place = `(z - get_global_offset(2)) * ${plane} + (get_group_id(0) * width + ${r}) * get_global_size(1) + get_group_id(1) * height + ${c}`;
  return [
    line`${tile}[(lz * height + ly) * ${stride} + lx] = ${random.pick(['', 'x >= w ? 0 : '])}${body.element(0, body.flat('y', 'w', 'x'))};`,
    meet,
    essential`int ${r} = (ly * width + lx) / height, ${c} = (ly * width + lx) % height;`,
    line`out[(${place}) * 4 + ${1 + random.below(3)}] ${random.pick(['', '+', '^'])}= (int)${tile}[(lz * height + ${c}) * ${stride} + ${r}];`,
  ];
};

/** A stencil over a tile with a halo, whose border is clamped, cyclic or empty. */
const stencil: Shape = (body, scope) => {
  const { random } = body;
  const tile = localArray(body, body.tileType());
  const radius = 1 + random.below(2);
  const [i, dx, dy] = [body.name('k'), body.name('k'), body.name('k')];
  const stride = `(width + ${2 * radius})`;
  const [row, column] = [
    `(y - ly - ${radius} + ${i} / ${stride})`,
    `(x - lx - ${radius} + ${i} % ${stride})`,
  ];
  const load = random.pick([
    body.element(0, body.flat(`clamp(${row}, 0, h - 1)`, 'w', `clamp(${column}, 0, w - 1)`)),
    body.element(0, body.flat(`min(max(${row}, 0), h - 1)`, 'w', `min(max(${column}, 0), w - 1)`)),
    body.element(0, body.flat(`((${row} + h) % h)`, 'w', `((${column} + w) % w)`)),
    `${row} >= 0 && ${row} < h && ${column} >= 0 && ${column} < w ? ${body.element(0, body.flat(row, 'w', column))} : 0`,
    `(uint)${row} < (uint)h && (uint)${column} < (uint)w ? ${body.element(0, body.flat(row, 'w', column))} : 0`,
    body.element(0, body.flat(row, 'w', column)),
  ]);
  const centre = `(ly + ${radius}) * ${stride} + lx + ${radius}`;
  const weight = body.element(1, `(${dy} + ${radius}) * ${2 * radius + 1} + ${dx} + ${radius}`);
  const sum = body.sum();
  const use = random.pick([
    line`for (int ${dy} = ${-radius}; ${dy} <= ${radius}; ${dy}++) for (int ${dx} = ${-radius}; ${dx} <= ${radius}; ${dx}++) ${sum} ${tile}[${centre} + ${dy} * ${stride} + ${dx}] * ${random.pick([weight, '1', `(${dx} - ${dy})`])};`,
    line`${sum} ${tile}[${centre} - 1] + ${tile}[${centre} + 1] + ${tile}[${centre} - ${stride}] + ${tile}[${centre} + ${stride}] - 4 * ${tile}[${centre}];`,
    line`for (int ${dx} = 0; ${dx} <= ${2 * radius}; ${dx}++) ${sum} ${tile}[${centre} - ${radius} + ${dx}] * ${body.element(1, dx)};`,
  ]);
  return [
    line`for (int ${i} = li; ${i} < (height + ${2 * radius}) * ${stride}; ${i} += items) ${tile}[${i}] = ${load};`,
    meet,
    ...(body.chance(30) ? [line`if (${body.condition(scope)}) ${[use]}`] : [use]),
  ];
};

/** Planes one behind the other: the one at hand in a tile, those before and behind it in values. */
const planes: Shape = (body) => {
  const tile = localArray(body, body.tileType());
  const [behind, here, front, k] = [body.name('v'), body.name('v'), body.name('v'), body.name('k')];
  const at = (plane: string): string => body.element(0, body.flat(`(${plane} * h + y)`, 'w', 'x'));
  const sum = body.sum();
  const end = body.random.pick(['5', 'm', 'm - 1']);
  return [
    essential`int ${behind} = 0, ${here} = ${at('0')}, ${front} = ${at('1')};`,
    line`for (int ${k} = 1; ${k} < min(${end}, 6); ${k}++) ${[
      line`${behind} = ${here}; ${here} = ${front}; ${front} = ${at(`(${k} + 1)`)};`,
      line`${tile}[li] = ${here};`,
      meet,
      line`${sum} ${tile}[lx > 0 ? li - 1 : li] + ${tile}[lx + 1 < width ? li + 1 : li] + ${behind} * ${front};`,
      line`if (ly > 0 && ly < height - 1) ${sum} ${tile}[li - width] - ${tile}[li + width];`,
      meet,
    ]}`,
  ];
};

/** Sums of all that came before, by steps that double. */
const scan: Shape = (body, scope) => {
  const { random } = body;
  const type = random.pick(['int', 'int', 'uint', 'float', 'short']);
  const tile = localArray(body, type);
  const [d, v] = [body.name('k'), body.name('v')];
  const end = random.pick(['items', 'items', 'width']);
  const own = end === 'items' ? 'li' : 'lx';
  const sum = body.sum();
  const start = line`${tile}[li] = ${body.value(scope)} & 63;`;
  const last = line`${sum} ${random.pick([`${tile}[li]`, `(li > 0 ? ${tile}[li - 1] : 0)`, `${tile}[items - 1] - ${tile}[li]`])};`;
  const steps = random.pick([`${d} <<= 1`, `${d} *= 2`, `${d} += ${d}`]);
  if (body.chance(50)) {
    return [
      start,
      meet,
      line`for (int ${d} = 1; ${d} < ${end}; ${steps}) ${[
        essential`${type} ${v} = 0;`,
        line`if (${own} >= ${d}) ${v} = ${tile}[li - ${d}];`,
        meet,
        line`${tile}[li] += ${v};`,
        meet,
      ]}`,
      last,
    ];
  }
  const [other, from, to, swap] = [localArray(body, type), body.name('v'), body.name('v'), body.name('v')];
  return [
    start,
    essential`${other}[li] = 0;`,
    essential`local ${type} *${from} = ${tile}, *${to} = ${other};`,
    meet,
    line`for (int ${d} = 1; ${d} < ${end}; ${steps}) ${[
      line`${to}[li] = ${own} >= ${d} ? ${from}[li] + ${from}[li - ${d}] : ${from}[li];`,
      meet,
      essential`local ${type} *${swap} = ${from}; ${from} = ${to}; ${to} = ${swap};`,
    ]}`,
    line`${sum} ${from}[li];`,
  ];
};

/** The same up and down a tree, past the banks of memory. */
const treeScan: Shape = (body, scope) => {
  const { random } = body;
  const tile = localArray(body, random.pick(['int', 'int', 'float', 'uint']));
  const [d, t] = [body.name('k'), body.name('v')];
  const shift = random.pick([3, 4, 5]);
  const place = (i: string): string =>
    shift === 5 ? `${tile}[${i}]` : `${tile}[(${i}) + ((${i}) >> ${shift})]`;
  const [left, right] = [place(`2 * ${d} * (li + 1) - ${d} - 1`), place(`2 * ${d} * (li + 1) - 1`)];
  return [
    line`${place('li')} = ${body.value(scope)} & 31;`,
    line`for (int ${d} = 1; ${d} < items; ${d} <<= 1) ${[
      meet,
      line`if (2 * ${d} * (li + 1) - 1 < items) ${right} += ${left};`,
    ]}`,
    meet,
    line`if (li == 0) ${place('items - 1')} = 0;`,
    line`for (int ${d} = (items + 1) / 2; ${d} > 0; ${d} >>= 1) ${[
      meet,
      line`if (2 * ${d} * (li + 1) - 1 < items) ${[
        essential`int ${t} = ${left};`,
        line`${left} = ${right};`,
        line`${right} += ${t};`,
      ]}`,
    ]}`,
    meet,
    line`${body.sum()} ${place('li')};`,
  ];
};

/** A bitonic network, and butterflies of a Walsh transform. */
const network: Shape = (body, scope) => {
  const tile = localArray(body, body.random.pick(['int', 'int', 'uint', 'float', 'short']));
  const [k, j, o, t] = [body.name('k'), body.name('k'), body.name('v'), body.name('v')];
  const up = body.random.pick([`(li & ${k}) == 0`, `((li & ${k}) == 0) != (x < n)`, '1']);
  const sort = [
    line`for (int ${k} = 2; ${k} <= items; ${k} <<= 1) for (int ${j} = ${k} >> 1; ${j} > 0; ${j} >>= 1) ${[
      essential`int ${o} = li ^ ${j};`,
      line`if (${o} > li && ${o} < items && (${tile}[li] > ${tile}[${o}]) == (${up})) ${[
        essential`int ${t} = ${tile}[li];`,
        line`${tile}[li] = ${tile}[${o}];`,
        line`${tile}[${o}] = ${t};`,
      ]}`,
      meet,
    ]}`,
  ];
  const butterfly = [
    line`for (int ${j} = 1; ${j} < items; ${j} *= 2) ${[
      essential`int ${o} = li ^ ${j}, ${t} = ${o} < items ? ${tile}[${o}] : 0;`,
      meet,
      line`${tile}[li] = li & ${j} ? ${t} - ${tile}[li] : ${t} + ${tile}[li];`,
      meet,
    ]}`,
  ];
  return [
    line`${tile}[li] = ${body.value(scope)} & 127;`,
    meet,
    ...(body.chance(60) ? sort : butterfly),
    line`${body.sum()} ${tile}[li] * ${body.random.pick(['1', '(li + 1)'])};`,
  ];
};

/** Counts by values: of the group with atomics, or of each work-item's own, added up at the end. */
const histogram: Shape = (body) => {
  const { random } = body;
  const [i, j, c] = [body.name('k'), body.name('k'), body.name('v')];
  const loop = random.pick([
    `int ${i} = at; ${i} < n; ${i} += get_global_size(0) * get_global_size(1)`,
    `uint ${i} = get_global_id(0); ${i} < max(n, 0); ${i} += get_global_size(0)`,
    `int ${i} = li; ${i} < 2 * items + m; ${i} += items`,
    `int ${i} = li * m; ${i} < li * m + m; ${i}++`,
  ]);
  const value = `(int)${body.element(random.below(2), i)}`;
  if (body.chance(50)) {
    const bins = random.pick([8, 16, 64]);
    const tile = localArray(body, random.pick(['int', 'uint']));
    return [
      essential`for (int ${i} = li; ${i} < ${bins}; ${i} += items) ${tile}[${i}] = 0;`,
      meet,
      line`for (${loop}) ${random.pick(['atomic_inc(', 'atomic_add('])}&${tile}[${value} & ${bins - 1}]${'X'};`,
      meet,
      line`for (int ${i} = li; ${i} < ${bins}; ${i} += items) if (${tile}[${i}]) atomic_add(&totals[${i} & 7], (int)${tile}[${i}]);`,
      line`s += ${tile}[x & ${bins - 1}];`,
    ].map(withOperand);
  }
  const isByBin = body.chance(50);
  const tile = localArray(body, random.pick(['uchar', 'int', 'ushort']));
  const place = (item: string, bin: string): string =>
    isByBin ? `${tile}[(${bin}) * items + ${item}]` : `${tile}[${item} * 4 + (${bin})]`;
  return [
    essential`for (int ${i} = 0; ${i} < 4; ${i}++) ${place('li', i)} = 0;`,
    ...(isByBin ? [meet] : []),
    line`for (${loop}) ${place('li', `${value} & 3`)}${random.pick(['++', ' += 1', ' += 3'])};`,
    meet,
    line`if (li < 4) ${[
      essential`int ${c} = 0;`,
      line`for (int ${j} = 0; ${j} < items; ${j}++) ${c} += ${place(j, 'li')};`,
      line`atomic_add(&totals[li], ${c});`,
      line`s += ${c};`,
    ]}`,
  ];
};

/** `atomic_add` takes what to add, `atomic_inc` does not. */
function withOperand(statement: Statement): Statement {
  const add = statement.parts.includes('atomic_add(');
  return { ...statement, parts: statement.parts.map((part) => (part === 'X' ? (add ? ', 2)' : ')') : part)) };
}

/** A row of a sparse matrix, by the work-items of a row of the group, whose sums are added up by halves. */
const sparseRow: Shape = (body) => {
  const { random } = body;
  const type = random.pick(['int', 'float']);
  const tile = localArray(body, type);
  const [first, last, j, d, v] = [
    body.name('v'),
    body.name('v'),
    body.name('k'),
    body.name('k'),
    body.name('v'),
  ];
  const widest = random.pick(['8', '16', 'width / 2']);
  return [
    essential`int ${first} = y * m + ((int)${body.element(1, 'y')} & 3), ${last} = ${first} + ${random.pick(['m', '(y & 3) * 5', 'm * 2 - 1'])};`,
    essential`${type} ${v} = 0;`,
    line`for (int ${j} = ${first} + lx; ${j} < ${last}; ${j} += width) ${v} += ${body.element(0, j)} * ${body.element(1, `(int)${body.element(0, j)} & 63`)};`,
    line`${tile}[li] = ${v};`,
    meet,
    line`for (int ${d} = ${widest}; ${d} > 0; ${d} ${random.pick(['>>= 1', '/= 2'])}) ${[
      line`if (lx < ${d} && lx + ${d} < width) ${tile}[li] += ${tile}[li + ${d}];`,
      meet,
    ]}`,
    line`${random.pick(['if (lx == 0) ', ''])}${body.sum()} ${tile}[li - lx];`,
  ];
};

/** Steps of an elimination, or of shortest paths, in one tile. */
const elimination: Shape = (body) => {
  const tile = localArray(body, body.random.pick(['int', 'short', 'float']));
  const [k, v] = [body.name('k'), body.name('v')];
  const stride = `(width + ${body.random.below(2)})`;
  const own = `${tile}[ly * ${stride} + lx]`;
  const [across, down] = [`${tile}[ly * ${stride} + ${k}]`, `${tile}[${k} * ${stride} + lx]`];
  const steps = 'min(width, height)';
  const one = [
    line`if (lx > ${k} && ly > ${k}) ${own} -= (${across} & 3) * (${down} & 7);`,
    line`if (lx > ${k} && ly > ${k}) ${own} += min((int)${across}, 5) - max((int)${down}, 2);`,
  ];
  const all = [
    essential`int ${v} = min((int)${own}, (int)(${across} + ${down}));`,
    meet,
    line`${own} = ${v};`,
  ];
  return [
    essential`if (lz == 0) ${own} = ${body.element(0, body.flat('y', 'w', 'x'))};`,
    meet,
    line`for (int ${k} = 0; ${k} < ${steps}; ${k}++) ${[...(body.chance(50) ? [one[1]!] : all), meet]}`,
    line`${body.sum()} ${own};`,
  ];
};

/** Blocks of work that groups take in turn. */
const blocks: Shape = (body, scope) => {
  const { random } = body;
  const tile = localArray(body, body.tileType());
  const [g, j] = [body.name('k'), body.name('k')];
  const heads = [
    `int ${g} = get_group_id(0); ${g} < m; ${g} += get_num_groups(0)`,
    `uint ${g} = get_group_id(0) * items; ${g} < n + items; ${g} += items * get_num_groups(0)`,
    `int ${g} = 0; ${g} < m; ${g} += ${random.pick(['1', '2', 'height'])}`,
  ];
  const load = body.element(0, random.pick([`${g} * 4 + li`, `${g} + li`, body.flat(g, 'w', 'lx')]));
  const leave = line`if (${body.uniformCondition(scope)}) break;`;
  return [
    line`for (${random.pick(heads)}) ${[
      line`${tile}[li] = ${random.pick(['', `(int)${g} + x < w ? `].slice(0, 1))}${load};`,
      meet,
      line`for (int ${j} = 0; ${j} < ${random.pick(['items', 'width', '8'])}; ${j}++) ${body.sum()} ${tile}[${random.pick([`${j} % items`, `(li + ${j}) % items`, `(li ^ ${j}) % items`])}] * ${body.element(1, random.pick([j, `${j} + x`, `(int)${g} + ${j}`]))};`,
      meet,
      ...(body.chance(25) ? [leave] : []),
    ]}`,
  ];
};

/** What the group's first work-item does for all, and what all find out together. */
const together: Shape = (body, scope) => {
  const { random } = body;
  const tile = localArray(body, 'int');
  const value = (): string => random.pick(['x', 'lx * 3 - 7', 's', `(int)${body.element(0, 'x')}`, 'at & 5']);
  if (body.isNew && body.chance(60)) {
    const [fn, operation] = [
      random.pick(['reduce', 'scan_inclusive', 'scan_exclusive']),
      random.pick(['add', 'min', 'max']),
    ];
    const found = random.pick([
      `work_group_${fn}_${operation}(${value()})`,
      `work_group_${fn}_${operation}(${value()})`,
      `work_group_any(${value()} > 3)`,
      `work_group_all(${value()} > 0)`,
      `work_group_broadcast(${value()}, 0${body.dimensions > 1 ? ', 0' : ''}${body.dimensions > 2 ? ', 0' : ''})`,
    ]);
    // The identities of smallest and largest are far from zero.
    return [line`s += ${found} & 0xffff;`];
  }
  return [
    line`if (${body.isFirst()}) ${[
      essential`${tile}[0] = ${random.pick(['m', 'get_group_id(0)', `(int)${body.element(1, 'm')}`])};`,
      essential`${tile}[1] = n;`,
      line`atomic_add(&totals[${random.below(8)}], ${random.pick(['1', 'items', 'h'])});`,
    ]}`,
    meet,
    line`${body.sum()} ${tile}[${random.pick(['0', '1', 'lx & 1'])}];`,
    line`if (${body.condition(scope)}) atomic_add(&${tile}[0], ${value()});`,
    meet,
    line`${random.pick(['', `if (${body.isFirst()}) `])}${body.sum()} ${tile}[0] & 0xffff;`,
  ];
};

const shapes: readonly Shape[] = [
  product,
  product,
  squareProduct,
  together,
  product,
  squareProduct,
  transposition,
  stencil,
  stencil,
  planes,
  scan,
  treeScan,
  network,
  histogram,
  sparseRow,
  elimination,
  blocks,
];
