/**
 * Elements of streams and arrays in memory: how they are loaded and stored, and where they are.
 *
 * The shape of a stream is a uint8: its sizes in x, y, z and w (x is the fastest), how many elements on the next row,
 * slice and volume lie, and where its first element is, all counted in elements. Parts of streams (domains) are shapes, too.
 * Entries move their pointers to the first element once, so that indices count from there.
 */
import type { ElementType, StructType } from '../types.ts';
import { fieldName, storedTypeText, typeText } from './names.ts';
import type { Source } from './source.ts';

const axes = ['x', 'y', 'z', 'w'];

/** The element at a position that lies in the stream and is 0 behind the rank: an index for {@link load} and {@link store}. */
export function indexAt(source: Source, place: string, shape: string, rank = 4): string {
  const name = `brook_at${rank}`;
  const steps = ['(uint)at.x', '(uint)at.y * shape.s4', '(uint)at.z * shape.s5', '(uint)at.w * shape.s6'];
  const terms = steps.slice(0, rank).reverse();
  source.need(name, `uint ${name}(int4 at, uint8 shape) {\n  return ${terms.join(' + ')};\n}`);
  return `${name}(${place}, ${shape})`;
}

/** The position in a stream of other sizes that belongs to one of the domain: floor(i * own / domain), in each dimension. */
export function resizedPlace(source: Source, place: string, own: string, domain: string): string {
  const lanes = axes
    .map((axis, lane) => `(int)((ulong)(uint)at.${axis} * own.s${lane} / domain.${axis})`)
    .join(',\n    ');
  source.need(
    'brook_resized',
    `int4 brook_resized(int4 at, uint8 own, uint4 domain) {\n  return (int4)(${lanes});\n}`,
  );
  return `brook_resized(${place}, ${own}, ${domain})`;
}

/**
 * Index of an element of a gather array of `rank` dimensions: subscripts beyond its ends mean its first or last element. In the
 * dimensions of `inside` (0 is the fastest) they are known to be none.
 */
export function gatherIndex(source: Source, rank: number, inside: readonly number[] = []): string {
  const name = ['brook_gather', rank, ...inside.map((lane) => axes[lane]!)].join('');
  const terms = axes
    .slice(0, rank)
    .map((axis, lane) => {
      const own = inside.includes(lane)
        ? `(uint)${axis}`
        : `(uint)clamp(${axis}, 0, (int)shape.s${lane} - 1)`;
      return lane === 0 ? own : `${own} * shape.s${lane + 3}`;
    })
    .join(' + ');
  source.need(name, `uint ${name}(${parameters(rank)}, uint8 shape) {\n  return ${terms};\n}`);
  return name;
}

/** Index of an element of a scatter array, or -1 for subscripts beyond its ends, where nothing is written. */
export function scatterIndex(source: Source, rank: number): string {
  const name = `brook_scatter${rank}`;
  const own = axes.slice(0, rank);
  const inside = own.map((axis, lane) => `(uint)${axis} < shape.s${lane}`).join(' && ');
  const terms = own
    .map((axis, lane) => (lane === 0 ? `(uint)${axis}` : `(uint)${axis} * shape.s${lane + 3}`))
    .join(' + ');
  const body = `  return ${inside} ? (int)(${terms}) : -1;`;
  source.need(name, `int ${name}(${parameters(rank)}, uint8 shape) {\n${body}\n}`);
  return name;
}

/** The slowest dimension first, as C writes subscripts. */
function parameters(rank: number): string {
  return axes
    .slice(0, rank)
    .reverse()
    .map((axis) => `int ${axis}`)
    .join(', ');
}

/** Moves a pointer to the first element of its stream. */
export function toFirst(type: ElementType, pointer: string, shape: string): string {
  const scale = type.kind === 'value' && type.width === 3 ? '3 * ' : '';
  return `${pointer} += ${scale}${shape}.s7;`;
}

export function load(source: Source, type: ElementType, pointer: string, index: string): string {
  if (type.kind === 'struct') {
    declareStruct(source, type);
    return `brook_load_${type.name}(${pointer} + ${index})`;
  }
  return type.width === 3 ? `vload3(${index}, ${pointer})` : `${pointer}[${index}]`;
}

export function store(
  source: Source,
  type: ElementType,
  pointer: string,
  index: string,
  value: string,
): string {
  if (type.kind === 'struct') {
    declareStruct(source, type);
    return `brook_store_${type.name}(${pointer} + ${index}, ${value})`;
  }
  return type.width === 3 ? `vstore3(${value}, ${index}, ${pointer})` : `${pointer}[${index}] = ${value}`;
}

/** The function that reads an element of a scatter array; 0 where there is none. */
export function getFunction(source: Source, type: ElementType): string {
  const name = `brook_get_${typeText(type)}`;
  const found = load(source, type, 'array', '(uint)index');
  source.need(
    name,
    `${typeText(type)} ${name}(global const ${storedTypeText(type)} *array, int index) {
  ${typeText(type)} value = 0;
  if (index >= 0) value = ${found};
  return value;
}`,
  );
  return name;
}

/**
 * A structure twice: as kernels compute with it (`s_Pair`), and as it lies in streams (`t_Pair`), where vectors are aligned as
 * their components are.
 */
export function declareStruct(source: Source, type: StructType): void {
  const { name, fields } = type;
  if (source.has(`s_${name}`)) return;
  for (const field of fields) if (field.type.kind === 'struct') declareStruct(source, field.type);
  const values = fields.map((field) => `  ${typeText(field.type)} ${fieldName(field.name)};\n`);
  source.need(`s_${name}`, `typedef struct {\n${values.join('')}} s_${name};`);
  const stored = fields.map(({ name: field, type: of }) => {
    const isVector = of.kind === 'value' && of.width > 1;
    const base = isVector ? of.scalar : storedTypeText(of);
    return `  ${base} ${fieldName(field)}${isVector ? `[${of.width}]` : ''};\n`;
  });
  source.need(`t_${name}`, `typedef struct {\n${stored.join('')}} t_${name};`);
  const loads = fields.map(({ name: field, type: of }) => {
    const member = `at->${fieldName(field)}`;
    const loaded =
      of.kind === 'struct'
        ? `brook_load_${of.name}(&${member})`
        : of.width > 1
          ? `vload${of.width}(0, ${member})`
          : member;
    return `  value.${fieldName(field)} = ${loaded};\n`;
  });
  source.need(
    `brook_load_${name}`,
    `s_${name} brook_load_${name}(global const t_${name} *at) {\n  s_${name} value;\n${loads.join('')}  return value;\n}`,
  );
  const stores = fields.map(({ name: field, type: of }) => {
    const member = `at->${fieldName(field)}`;
    const value = `value.${fieldName(field)}`;
    if (of.kind === 'struct') return `  brook_store_${of.name}(&${member}, ${value});\n`;
    return of.width > 1 ? `  vstore${of.width}(${value}, 0, ${member});\n` : `  ${member} = ${value};\n`;
  });
  source.need(
    `brook_store_${name}`,
    `void brook_store_${name}(global t_${name} *at, s_${name} value) {\n${stores.join('')}}`,
  );
}
