/** The functions `convert_*` (OpenCL 1.2, 6.2.3), whose names say all there is to know of them. */
import {
  type ArithmeticName,
  type ArithmeticType,
  arithmeticTypes,
  type QualifiedType,
  unqualified,
} from '../../c/types.ts';
import { describe } from './describe.ts';
import { shaped } from './instantiate.ts';
import { elementsOf, type Lanes } from './patterns.ts';
import type { Conversion, Resolution } from './resolution.ts';
import { convertElements } from './signatures.ts';

const conversionName =
  /^convert_(char|uchar|short|ushort|int|uint|long|ulong|half|float|double)(2|3|4|8|16)?(_sat)?(?:_(rte|rtz|rtp|rtn))?$/;

interface ConversionName extends Conversion {
  readonly element: ArithmeticType;
  readonly lanes: Lanes;
}

/** What a name says; undefined if it is none of these functions'. */
export function parseConversion(name: string): ConversionName | undefined {
  const match = conversionName.exec(name);
  if (!match) return undefined;
  const element = arithmeticTypes[match[1] as ArithmeticName];
  const saturate = match[3] !== undefined;
  if (saturate && element.floating) return undefined;
  return {
    element,
    lanes: (match[2] === undefined ? 1 : Number(match[2])) as Lanes,
    saturate,
    rounding: match[4] as Conversion['rounding'],
  };
}

/** The function for a call with arguments of these types, if there is one argument and it has as many lanes. */
export function resolveConversion(name: string, types: readonly QualifiedType[]): Resolution {
  const wanted = parseConversion(name);
  if (!wanted) return { kind: 'unknown' };
  const result = unqualified(shaped(wanted.element, wanted.lanes));
  const given = types[0]?.type;
  const scalar = given?.kind === 'enum' ? given.underlying : given;
  const fits =
    types.length === 1 &&
    (wanted.lanes === 1
      ? scalar?.kind === 'arithmetic'
      : scalar?.kind === 'vector' && scalar.lanes === wanted.lanes);
  if (!fits || !scalar) {
    const candidates = elementsOf(convertElements).map(
      (element) => `${describe(result.type)} ${name}(${describe(shaped(element, wanted.lanes))})`,
    );
    return { kind: 'no-match', candidates };
  }
  const { saturate, rounding } = wanted;
  return {
    kind: 'found',
    builtin: { name, conversion: { saturate, rounding } },
    parameters: [unqualified(scalar)],
    result,
  };
}
