/** Reads between the elements of a resource and beyond its edges, against the same computed in JavaScript. */
import * as cal from 'millrace/cal';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import * as il from './il-programs.ts';

const { bind, filled, load, numbers, ok, run } = il;

beforeAll(() => {
  cal.calChooseDevices('webassembly');
});

afterEach(() => il.end());

afterAll(() => {
  cal.calShutdown();
});

/** Reads i0 at (x * 0.6875 - 1.59375, y * 0.625 - 1.28125), x and y the middle of the thread’s element; no coordinate is whole. */
const program = `il_ps_2_0
dcl_input_position_interp(linear_noperspective) v0.xy__
dcl_output_generic o0
dcl_literal l0, 0.6875, 0.625, -1.59375, -1.28125
dcl_resource_id(0)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)
mad_ieee r0.xy__, v0.xy, l0.xy, l0.zw
sample_resource(0)_sampler(0) o0, r0.xy
end
`;

const [width, height] = [5, 3];
const [columns, rows] = [12, 9];
const border = 100;
const element = (index: number): number => ((index * 7) % 15) + index / 8;

type Wrap = (at: number, size: number) => number | undefined;

const modulo = (value: number, by: number): number => ((value % by) + by) % by;

/** The element that is meant, or undefined for the border. */
const wraps: Readonly<Record<string, readonly [mode: number, wrap: Wrap]>> = {
  'clamp to edge': [cal.CAL_SAMPLER_WRAP_CLAMP_TO_EDGE, (at, size) => Math.min(size - 1, Math.max(0, at))],
  repeat: [cal.CAL_SAMPLER_WRAP_REPEAT, modulo],
  'mirrored repeat': [
    cal.CAL_SAMPLER_WRAP_MIRRORED_REPEAT,
    (at, size) => {
      const part = modulo(at, 2 * size);
      return part < size ? part : 2 * size - 1 - part;
    },
  ],
  'clamp to border': [
    cal.CAL_SAMPLER_WRAP_CLAMP_TO_BORDER,
    (at, size) => (at >= 0 && at < size ? at : undefined),
  ],
};

function expected(isLinear: boolean, wrapS: Wrap, wrapT: Wrap): number[] {
  const read = (x: number, y: number): number => {
    const [column, row] = [wrapS(x, width), wrapT(y, height)];
    return column === undefined || row === undefined ? border : element(row * width + column);
  };
  return Array.from({ length: columns * rows }, (_, index) => {
    const x = ((index % columns) + 0.5) * 0.6875 - 1.59375;
    const y = (Math.floor(index / columns) + 0.5) * 0.625 - 1.28125;
    if (!isLinear) return read(Math.floor(x), Math.floor(y));
    const [left, top] = [Math.floor(x - 0.5), Math.floor(y - 0.5)];
    const [across, down] = [x - 0.5 - left, y - 0.5 - top];
    const row = (at: number): number => read(left, at) * (1 - across) + read(left + 1, at) * across;
    return row(top) * (1 - down) + row(top + 1) * down;
  });
}

const pairs = Object.keys(wraps).map((name, index, all) => [name, all[(index + 1) % all.length]!] as const);

it.each(pairs)('%s along rows and %s along columns, nearest and linear', (s, t) => {
  const { device, context } = il.begin();
  const { module, func } = load(context, program);
  const output = filled(device, columns, rows, cal.CAL_FORMAT_FLOAT_1, () => -1);
  bind(context, module, 'i0', filled(device, width, height, cal.CAL_FORMAT_FLOAT_1, element));
  bind(context, module, 'o0', output);
  const sampler = ok(cal.calModuleGetName(context, module, 's0'));
  const set = (parameter: number, ...values: number[]): void =>
    expect(cal.calCtxSetSamplerParams(context, sampler, parameter, values)).toBe(cal.CAL_RESULT_OK);
  const [[modeS, wrapS], [modeT, wrapT]] = [wraps[s]!, wraps[t]!];
  set(cal.CAL_SAMPLER_PARAM_WRAP_S, modeS);
  set(cal.CAL_SAMPLER_PARAM_WRAP_T, modeT);
  set(cal.CAL_SAMPLER_PARAM_BORDER_COLOR, border, border, border, border);
  for (const isLinear of [false, true]) {
    set(
      cal.CAL_SAMPLER_PARAM_MAG_FILTER,
      isLinear ? cal.CAL_SAMPLER_MAG_LINEAR : cal.CAL_SAMPLER_MAG_NEAREST,
    );
    set(
      cal.CAL_SAMPLER_PARAM_MIN_FILTER,
      isLinear ? cal.CAL_SAMPLER_MIN_LINEAR : cal.CAL_SAMPLER_MIN_NEAREST,
    );
    run(context, func, columns, rows);
    const found = numbers(output, columns, rows);
    for (const [index, value] of expected(isLinear, wrapS, wrapT).entries())
      expect(found[index], `${isLinear} ${index}`).toBeCloseTo(value, 3);
  }
});
