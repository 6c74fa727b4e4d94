/** The forms of a built-in function with the names of their parameters, from the compiler's table of overloads. */
import { wordsOf } from '../../../opencl/builtins/describe.ts';
import type { Pattern, PatternType } from '../../../opencl/builtins/patterns.ts';
import { patternsOf } from '../../../opencl/builtins/resolve.ts';
import { versionOf } from '../../../opencl/builtins/versions.ts';
import { documentationOf } from './documentation/index.ts';

export interface BuiltinForm {
  readonly result: string;
  readonly parameters: readonly string[];
  /** What the words `gentype` and its like stand for; empty for a form with plain types. */
  readonly where: string;
}

/** All forms, those of images of other dimensions and accesses among them. */
export function formsOf(name: string): readonly BuiltinForm[] {
  const names = documentationOf(name)?.parameters ?? [];
  const patterns = patternsOf(name);
  if (patterns) return patterns.map((pattern) => formOf(name, pattern, names));
  if (name.startsWith('convert_')) {
    const type = name.slice('convert_'.length).split('_')[0]!;
    return [{ result: type, parameters: [`gentype${/\d*$/.exec(type)![0]} x`], where: '' }];
  }
  if (name.startsWith('as_')) return [{ result: name.slice(3), parameters: ['gentype x'], where: '' }];
  // The functions of pipes take any packets, so their types are not in the table.
  return [{ result: '', parameters: [...names], where: '' }];
}

function formOf(name: string, pattern: Pattern, names: readonly string[]): BuiltinForm {
  const { result, parameters, isVariadic, elements, lanes } = pattern;
  const texts = parameters.map((type, index) =>
    declared(type, rangeName(name, parameters.length, index) ?? names[index]),
  );
  if (isVariadic) texts.push('...');
  const counts = lanes.filter((count) => count > 1);
  const scalar = lanes.includes(1) ? 'scalar' : '';
  const vectors = counts.length > 0 ? `${scalar === '' ? '' : ' or '}of ${counts.join(', ')} components` : '';
  const where =
    elements.length === 0
      ? ''
      : `gentype: ${elements.map((one) => one.name).join(', ')}; ${scalar}${vectors}`;
  return { result: wordsOf(result), parameters: texts, where };
}

/** An ndrange's first argument is the size where there is one, or two. */
function rangeName(name: string, count: number, index: number): string | undefined {
  if (!name.startsWith('ndrange_')) return undefined;
  const names = ['global_work_offset', 'global_work_size', 'local_work_size'];
  return count === 3 ? names[index] : names[index + 1];
}

function declared(type: PatternType, name: string | undefined): string {
  const words = wordsOf(type);
  if (name === undefined) return words;
  return words.endsWith('*') ? `${words}${name}` : `${words} ${name}`;
}

/** `gentype fmax(gentype x, gentype y)` */
export function formText(name: string, { result, parameters }: BuiltinForm): string {
  return `${result} ${name}(${parameters.join(', ')})`.trimStart();
}

/** What a built-in function needs beside any device: `OpenCL C 2.0`; and what of the text's options leaves it out. */
export function needsOf(name: string, version: number): string {
  const first = versionOf(name);
  const since = `OpenCL C ${(first / 100).toFixed(1)}${first > 100 ? ' or later' : ''}`;
  const option =
    first <= version ? '' : ` (\`-cl-std=CL${first === 200 ? '2.0' : (first / 100).toFixed(1)}\`)`;
  const needs = documentationOf(name)?.needs;
  return needs === undefined ? `${since}${option}` : `${since}${option}; ${needs}`;
}
