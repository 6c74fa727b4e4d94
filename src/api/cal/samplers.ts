/** The state of a program's samplers: calCtxSetSamplerParams and calCtxGetSamplerParams (guide, B.4.4). */
import { type SamplerState, wrapModes } from '../../il/lower/interface.ts';
import * as C from './constants.ts';
import { failed } from './error.ts';

/** All nine values, in the order in which CAL_SAMPLER_PARAM_DEFAULT has them: the filters, three wrap modes, the border. */
export type SamplerValues = readonly number[];

export const defaultSamplerValues: SamplerValues = [
  C.CAL_SAMPLER_MIN_NEAREST,
  C.CAL_SAMPLER_MAG_NEAREST,
  C.CAL_SAMPLER_WRAP_CLAMP_TO_EDGE,
  C.CAL_SAMPLER_WRAP_CLAMP_TO_EDGE,
  C.CAL_SAMPLER_WRAP_CLAMP_TO_EDGE,
  0,
  0,
  0,
  0,
];

const borderAt = 5;

/** Filters by number, without those that are reserved and those of mipmaps, which resources do not have. */
const minFilters: ReadonlySet<number> = new Set([
  C.CAL_SAMPLER_MIN_LINEAR,
  C.CAL_SAMPLER_MIN_NEAREST,
  C.CAL_SAMPLER_MIN_LINEAR_FOUR_SAMPLE,
]);
const magFilters: ReadonlySet<number> = new Set([
  C.CAL_SAMPLER_MAG_NEAREST,
  C.CAL_SAMPLER_MAG_LINEAR,
  C.CAL_SAMPLER_MAG_LINEAR_FOUR_SAMPLE,
]);

/** Where the values of a parameter begin among the nine, and how many they are. */
export function rangeOf(parameter: C.CALsamplerParameter): readonly [start: number, count: number] {
  if (parameter === C.CAL_SAMPLER_PARAM_DEFAULT) return [0, defaultSamplerValues.length];
  if (parameter === C.CAL_SAMPLER_PARAM_BORDER_COLOR) return [borderAt, 4];
  const isNumber = Number.isInteger(parameter);
  if (isNumber && parameter > C.CAL_SAMPLER_PARAM_DEFAULT && parameter < C.CAL_SAMPLER_PARAM_LAST)
    return [parameter - 1, 1];
  throw failed(`${parameter} is no parameter of samplers`);
}

/** The values with some of them changed. @throws CalError CAL_RESULT_ERROR for values that mean nothing here */
export function withValues(
  values: SamplerValues,
  parameter: C.CALsamplerParameter,
  changes: readonly number[],
): SamplerValues {
  const [start, count] = rangeOf(parameter);
  if (changes.length < count) throw failed(`the parameter has ${count} values, not ${changes.length}`);
  const changed = values.map((value, index) =>
    index >= start && index < start + count ? changes[index - start]! : value,
  );
  const [min, mag, ...rest] = changed as [number, number, ...number[]];
  if (!minFilters.has(min)) throw failed(`${min} is no filter for minification`);
  if (!magFilters.has(mag)) throw failed(`${mag} is no filter for magnification`);
  const wraps = rest.slice(0, 3);
  const wrong = wraps.find((mode) => wrapModes[mode] === undefined);
  if (wrong !== undefined) throw failed(`${wrong} is no wrap mode`);
  return changed;
}

/** What a program makes of it. Elements are read one by one, so that the filter is the one of magnification. */
export function stateOf(values: SamplerValues): SamplerState {
  const [, mag, s, t, , ...border] = values as [number, number, number, number, number, ...number[]];
  return {
    filter: mag === C.CAL_SAMPLER_MAG_NEAREST ? 'nearest' : 'linear',
    wrapS: wrapModes[s]!,
    wrapT: wrapModes[t]!,
    border: border as [number, number, number, number],
  };
}
