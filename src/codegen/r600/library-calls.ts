/**
 * Functions of Millrace's library that the chips have instructions for. Their bodies are for processors that can only add and
 * multiply; here a call of one becomes one to four operations, as precise as the transcendental unit is.
 */
import type * as ir from '../../ir/ir.ts';
import { bitsOfFloat } from './bits.ts';
import type { Chip } from './chips.ts';
import { type Emitter, literal, negated } from './emitter.ts';
import type { Source } from './operations.ts';

type Expansion = (emitter: Emitter, args: readonly Source[], chip: Chip) => Source;

const float = (value: number): Source => literal(bitsOfFloat(value));

/** A multiple of the base-2 exponential of a multiple of the argument, and the same of the logarithm. */
const exponential =
  (factor: number): Expansion =>
  (emitter, [x]) =>
    emitter.emit('EXP_e', factor === 1 ? x! : emitter.emit('MUL_e', x!, float(factor)));
const logarithm =
  (factor: number): Expansion =>
  (emitter, [x]) => {
    const base2 = emitter.emit('LOG_e', x!);
    return factor === 1 ? base2 : emitter.emit('MUL_e', base2, float(factor));
  };

/** Angles are brought into one turn around zero; R600 then counts in radians, R700 in turns. */
function wave(name: 'SIN' | 'COS', emitter: Emitter, angle: Source, perTurn: number, chip: Chip): Source {
  const turns = emitter.emit('MULADD_e', angle, float(1 / perTurn), float(0.5));
  const part = emitter.emit('FRACT', turns);
  if (chip.hasCompute) return emitter.emit(name, emitter.emit('ADD', part, float(-0.5)));
  const radians = emitter.emit('MULADD_e', part, float(2 * Math.PI), float(-Math.PI));
  return emitter.emit(`${name}_RADIANS`, radians);
}

const trigonometric =
  (name: 'SIN' | 'COS', perTurn: number): Expansion =>
  (emitter, [x], chip) =>
    wave(name, emitter, x!, perTurn, chip);

const tangent: Expansion = (emitter, [x], chip) =>
  emitter.emit(
    'MUL_e',
    wave('SIN', emitter, x!, 2 * Math.PI, chip),
    emitter.emit('RCP_e', wave('COS', emitter, x!, 2 * Math.PI, chip)),
  );

const power: Expansion = (emitter, [x, y]) =>
  emitter.emit('EXP_e', emitter.emit('MUL_e', y!, emitter.emit('LOG_e', x!)));

/** x - y * trunc(x / y). */
const remainder: Expansion = (emitter, [x, y]) => {
  const quotient = emitter.emit('TRUNC', emitter.emit('MUL_e', x!, emitter.emit('RCP_e', y!)));
  return emitter.emit('MULADD_e', negated(quotient), y!, x!);
};

const expansions: ReadonlyMap<string, Expansion> = new Map([
  ['sin', trigonometric('SIN', 2 * Math.PI)],
  ['cos', trigonometric('COS', 2 * Math.PI)],
  ['sinpi', trigonometric('SIN', 2)],
  ['cospi', trigonometric('COS', 2)],
  ['tan', tangent],
  ['exp2', exponential(1)],
  ['exp', exponential(Math.LOG2E)],
  ['exp10', exponential(Math.log2(10))],
  ['log2', logarithm(1)],
  ['log', logarithm(Math.LN2)],
  ['log10', logarithm(Math.log10(2))],
  ['pow', power],
  ['powr', power],
  ['fmod', remainder],
]);

function nameOf({ name }: ir.Function): string | undefined {
  return /^__millrace_(?:native_)?([a-z0-9]+)_f32$/.exec(name)?.[1];
}

/** Makes the functions that have instructions of their own ones without a body, so that no pass takes calls of them apart. */
export function keepHardwareCalls(module: ir.Module): void {
  for (const fn of module.functions) {
    const name = nameOf(fn);
    if (name === undefined || !expansions.has(name)) continue;
    fn.body = undefined;
    fn.imported = { module: 'r600', name };
  }
}

/** The result of such a call, or undefined for other functions. */
export function hardwareCall(
  emitter: Emitter,
  callee: ir.Function,
  args: readonly Source[],
  chip: Chip,
): Source | undefined {
  if (callee.imported?.module !== 'r600') return undefined;
  return expansions.get(callee.imported.name)?.(emitter, args, chip);
}
