/**
 * What changes elements of scatter arrays: functions that write all of an element or some of its components, or compute with what is
 * there. Each returns the value of the expression that it stands for, and writes nothing where there is no such element.
 */
import { type ScalarName, type ValueType, valueType } from '../types.ts';
import { emitConversion, narrowed } from './expressions.ts';
import { componentOf, storedTypeText, typeText } from './names.ts';
import type { Source } from './source.ts';
import { load, store } from './storage.ts';

export interface Change {
  /** What combines the element with the value, such as `+`; nothing where the value takes its place. */
  readonly operator: string;
  /** The value of the expression is that from before. */
  readonly isPostfix: boolean;
  /** The scalar that they are combined in, where that is not the element's. */
  readonly computed?: ScalarName | undefined;
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
  { operator, isPostfix, computed }: Change,
): string {
  const verb = operator === '' ? 'put' : operatorNames[operator]!;
  const words = ['brook', verb, ...(isPostfix ? ['behind'] : []), ...(computed ? ['in', computed] : [])];
  const name = [...words, typeText(type), ...(lanes ?? [])].join('_');
  const value = valueType(type.scalar, lanes?.length ?? type.width);
  const common = valueType(computed ?? type.scalar, value.width);
  const before = lanes === undefined ? 'whole' : `whole.${lanes}`;
  const combined = `${emitConversion(value, common, before)} ${operator} value`;
  const ofValue = (text: string): string => (computed ? emitConversion(common, value, text) : text);
  const result = operator === '' ? 'value' : ofValue(narrowed(common, combined));
  const lines = [
    `${typeText(value)} made = ${ofValue('value')};`,
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
  const head = `${typeText(value)} ${name}(global ${storedTypeText(type)} *array, int index, ${typeText(common)} value)`;
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
