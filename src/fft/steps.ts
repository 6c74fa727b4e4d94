/**
 * What a plan does, as a list of launches. Between steps complex numbers lie split, all real parts before the imaginary ones, so that
 * neighbouring work-items read neighbours; what the user has lies in pairs.
 */
export type Real = 'float' | 'double';

export type Form = 'pairs' | 'split' | 'real';

/** What a step reads or writes: the user's memory, or one of two for what is between. */
export type Slot = 'input' | 'output' | 'first' | 'second';

export interface Signal {
  readonly slot: Slot;
  readonly form: Form;
}

/** The text of a kernel and how it is launched; its arguments are the two memories, its table, and these values. */
export interface Made {
  readonly source: string;
  readonly global: readonly number[];
  readonly table?: Float64Array | undefined;
  readonly values: readonly number[];
}

/** A step before it is known where its numbers are. */
export interface Maker {
  /** Complex numbers that it writes (real ones, if that is what it writes). */
  readonly total: number;
  /** @param scale what results are multiplied by */
  readonly make: (from: Signal, to: Signal, scale: number) => Made;
}

export interface Step extends Made {
  readonly from: Signal;
  readonly to: Signal;
}

/** The parts of the number at an index of what is read, which has `total_x` numbers. */
export const loadCode = (form: Form, index: string): { readonly re: string; readonly im: string } => ({
  re: form === 'pairs' ? `x[2 * (${index})]` : `x[${index}]`,
  im: form === 'pairs' ? `x[2 * (${index}) + 1]` : form === 'split' ? `x[total_x + ${index}]` : '0',
});

export function storeCode(form: Form, index: string, re: string, im: string): string {
  if (form === 'real') return `y[${index}] = ${re};`;
  if (form === 'pairs') return `{ int at = 2 * (${index}); y[at] = ${re}; y[at + 1] = ${im}; }`;
  return `{ int at = ${index}; y[at] = ${re}; y[total_y + at] = ${im}; }`;
}

/** A kernel that reads `x` and writes `y`, with the table `w` if it has one. */
export function stepText(
  real: Real,
  name: string,
  parameters: readonly string[],
  body: string,
  hasTable = false,
): string {
  const all = [
    'global const R *x_at',
    'int xo',
    'global R *y_at',
    'int yo',
    ...(hasTable ? ['global const R *w'] : []),
    'int total_x',
    'int total_y',
    ...parameters,
  ];
  return `typedef ${real} R;
kernel void ${name}(${all.join(', ')}) {
  global const R *x = x_at + xo;
  global R *y = y_at + yo;
${body}}
`;
}

/** From so many neighbours on they are a dimension of a launch. */
const manyNeighbours = 8;

const roundUp = (count: number): number => (count < 8 ? count : Math.ceil(count / 8) * 8);

/** Lines of numbers: so many steps, each of `s` neighbours, `outer` times. */
export interface Lines {
  readonly s: number;
  readonly outer: number;
}

/** A launch with a work-item for each of `count` places of lines and their neighbours. */
export interface LinesLaunch {
  /** Makes `p`, the place, `q`, the neighbour, and `o`, the line; `p` is less than the parameter `count`. */
  readonly begin: string;
  /** How code says `s`. */
  readonly s: string;
  readonly global: readonly number[];
}

export function launchOf({ s, outer }: Lines, count: number): LinesLaunch {
  const line = '  int o = get_global_id(2);\n';
  if (s < manyNeighbours) {
    const ids = s === 1 ? 'q = 0, p = get_global_id(0)' : `g = get_global_id(0), q = g % ${s}, p = g / ${s}`;
    return {
      begin: `  int ${ids};\n  if (p >= count) return;\n${line}`,
      s: `${s}`,
      global: [roundUp(s * count), 1, outer],
    };
  }
  return {
    begin: `  int q = get_global_id(0), p = get_global_id(1);\n  if (q >= s) return;\n${line}`,
    s: 's',
    global: [roundUp(s), count, outer],
  };
}
