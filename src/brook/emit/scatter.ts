/**
 * What changes elements of scatter arrays: functions that write all of an element or some of its components, or compute with what is
 * there. Each returns the value of the expression that it stands for, and writes nothing where there is no such element.
 */
import { type ValueType, valueType } from '../types.ts';
import { narrowed } from './expressions.ts';
import { componentOf, storedTypeText, typeText } from './names.ts';
import type { Source } from './source.ts';
import { load, store } from './storage.ts';

export interface Change {
  /** What combines the element with the value, such as `+`; nothing where the value takes its place. */
  readonly operator: string;
  /** The value of the expression is that from before. */
  readonly isPostfix: boolean;
}

const operatorNames: Readonly<Record<string, string>> = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '%': 'remainder',
  '&': 'and',
  '|': 'or',
  '^': 'xor',
  '<<': 'left',
  '>>': 'right',
};

/** The name of the function that makes a change to the elements of a type, or to some of their components. */
export function changeFunction(
  source: Source,
  type: ValueType,
  lanes: string | undefined,
  { operator, isPostfix }: Change,
): string {
  const verb = operator === '' ? 'put' : operatorNames[operator]!;
  const name = ['brook', verb, ...(isPostfix ? ['behind'] : []), typeText(type), ...(lanes ?? [])].join('_');
  const value = valueType(type.scalar, lanes?.length ?? type.width);
  const before = lanes === undefined ? 'whole' : `whole.${lanes}`;
  const result = operator === '' ? 'value' : narrowed(value, `${before} ${operator} value`);
  const lines = [
    `${typeText(value)} made = value;`,
    'if (index >= 0) {',
    ...(operator === ''
      ? []
      : [`  ${typeText(type)} whole = ${load(source, type, 'array', '(uint)index')};`]),
    `  made = ${result};`,
    ...writes(source, type, lanes).map((line) => `  ${line};`),
    ...(isPostfix ? [`  made = ${before};`] : []),
    '}',
    'return made;',
  ];
  const head = `${typeText(value)} ${name}(global ${storedTypeText(type)} *array, int index, ${typeText(value)} value)`;
  source.need(name, `${head} {\n${lines.map((line) => `  ${line}\n`).join('')}}`);
  return name;
}

/** Components are written on their own, since other threads may write the others. */
function writes(source: Source, type: ValueType, lanes: string | undefined): readonly string[] {
  if (lanes === undefined) return [store(source, type, 'array', '(uint)index', 'made')];
  const scalars = `((global ${typeText(componentOf(type))} *)array)`;
  return [...lanes].map((lane, place) => {
    const made = lanes.length === 1 ? 'made' : `made.${'xyzw'[place]}`;
    return `${scalars}[(uint)index * ${type.width} + ${'xyzw'.indexOf(lane)}] = ${made}`;
  });
}
