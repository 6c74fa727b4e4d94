/** The types of one program: few enough that its variables fit together. */
import type { Random } from '../../test/support/random.ts';
import {
  type ArrayType,
  type DataType,
  type ElementName,
  integerNames,
  type RecordType,
  type ValueType,
  valueType,
  vectorLanes,
} from './types.ts';

const elements: readonly ElementName[] = [...integerNames, ...integerNames, 'float', 'float', 'double'];

export function makePalette(random: Random): ValueType[] {
  const palette = [valueType('int'), valueType('uint')];
  for (let count = 3 + random.below(3); count > 0; count--) palette.push(valueType(random.pick(elements)));
  if (random.below(4) === 0) palette.push(valueType('bool'));
  const vectorElements = [random.pick(elements), random.pick(elements), random.pick(elements)];
  for (let count = 3 + random.below(4); count > 0; count--) {
    palette.push(valueType(random.pick(vectorElements), random.pick(vectorLanes)));
  }
  return palette;
}

/** A type that memory may hold whoever else reads it: bool is left out. */
function stored(
  random: Random,
  palette: readonly ValueType[],
  accept: (type: ValueType) => boolean,
): ValueType {
  return random.pick(palette.filter((type) => type.element !== 'bool' && accept(type)));
}

function array(element: DataType, length: number): ArrayType {
  return { kind: 'array', element, length };
}

export function makeRecords(random: Random, palette: readonly ValueType[], count: number): RecordType[] {
  const records: RecordType[] = [];
  for (let index = 0; index < count; index++) {
    const name = `record_${index}`;
    if (random.below(4) === 0) {
      records.push({ kind: 'record', name, isUnion: true, members: unionMembers(random) });
      continue;
    }
    const members = Array.from({ length: 1 + random.below(5) }, (_, at) => ({
      name: `m${at}`,
      type: memberType(random, palette, records),
    }));
    records.push({ kind: 'record', name, isUnion: false, members });
  }
  return records;
}

function memberType(random: Random, palette: readonly ValueType[], earlier: readonly RecordType[]): DataType {
  const value = stored(random, palette, () => true);
  if (random.below(5) === 0) return array(value, random.pick([2, 4]));
  if (random.below(5) === 0 && earlier.length > 0) return random.pick(earlier);
  return value;
}

/** Members that cover each other to the last byte, all of integers: any of them may be read at any time. */
function unionMembers(random: Random): RecordType['members'] {
  const choices: readonly DataType[] =
    random.below(2) === 0
      ? [valueType('int'), valueType('uchar', 4), array(valueType('ushort'), 2), valueType('short', 2)]
      : [
          valueType('ulong'),
          valueType('int', 2),
          array(valueType('char'), 8),
          valueType('uchar', 8),
          array(valueType('uint', 2), 1),
        ];
  const first = random.below(choices.length);
  const count = 2 + random.below(choices.length - 1);
  return Array.from({ length: count }, (_, index) => ({
    name: `u${index}`,
    type: choices[(first + index) % choices.length]!,
  }));
}

export function makeArrays(
  random: Random,
  palette: readonly ValueType[],
  records: readonly RecordType[],
): ArrayType[] {
  const scalar = (): ValueType => stored(random, palette, ({ lanes }) => lanes === 1);
  const arrays = [
    array(scalar(), random.pick([4, 8, 16])),
    array(scalar(), random.pick([4, 8, 16])),
    array(
      stored(random, palette, ({ lanes }) => lanes > 1),
      random.pick([2, 4]),
    ),
    array(array(scalar(), random.pick([2, 4, 8])), random.pick([2, 4])),
  ];
  if (records.length > 0) arrays.push(array(random.pick(records), 2));
  return arrays;
}
