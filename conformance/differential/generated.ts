/**
 * `npm run differential -- --generated COUNT`: programs of conformance/generator on devices. They mean one thing only,
 * so every byte must agree.
 */
import { BuildError } from 'millrace';
import { compileOpenCL } from '../../src/opencl/compile.ts';
import { generateKernel, type Size } from '../generator/generate.ts';
import type { Outcome } from '../support/outcome.ts';
import { build, type Contestant, runOn } from './devices.ts';
import type { InputArgument } from './inputs.ts';
import { judge, type LaunchPlan } from './judge.ts';

export interface GeneratedOptions {
  readonly contestants: readonly Contestant[];
  readonly seed: number;
  readonly count: number;
  readonly size: Size;
}

/** One outcome for each program. */
export async function runGenerated({ contestants, seed, count, size }: GeneratedOptions): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let at = seed; at < seed + count; at += 1) {
    const reason = await faultOf(at, size, contestants);
    const name = `generated program, --seed ${at} --size ${size}`;
    outcomes.push(reason === undefined ? { name, status: 'passed' } : { name, status: 'failed', reason });
  }
  return outcomes;
}

async function faultOf(
  seed: number,
  size: Size,
  contestants: readonly Contestant[],
): Promise<string | undefined> {
  const { source, kernel, range, arguments: given } = generateKernel(seed, { size, isForPocl: true });
  const plan: LaunchPlan = {
    kernel,
    ...range,
    arguments: given.map((argument): InputArgument => {
      if ('buffer' in argument) return { kind: 'buffer', bytes: argument.buffer.slice() };
      if ('bytes' in argument) return { kind: 'value', bytes: argument.bytes.slice() };
      return { kind: 'local', bytes: argument.local };
    }),
  };
  const verdicts = new Map<number, ReturnType<typeof judge>>();
  for (const contestant of contestants) {
    const { addressBits } = contestant.device.info;
    let verdict = verdicts.get(addressBits);
    if (!verdict) {
      const { module, log } = compileOpenCL(source, { addressBits });
      verdict = module ? judge(module, plan, []) : { reason: log };
      verdicts.set(addressBits, verdict);
    }
    if ('reason' in verdict)
      return `the interpreter, with addresses of ${addressBits} bits: ${verdict.reason}`;
    try {
      const program = await build(contestant, source, '', `seed-${seed}.cl`, []);
      try {
        const found = await runOn(program, plan);
        for (const [index, expected] of verdict.buffers) {
          const at = expected.findIndex((byte, offset) => byte !== found.get(index)![offset]);
          if (at >= 0) return `on ${contestant.name}: argument ${index} differs at byte ${at}`;
        }
      } finally {
        program.release();
      }
    } catch (error) {
      const text = error instanceof BuildError ? error.log : String(error);
      return `on ${contestant.name}: ${text}`;
    }
  }
  return undefined;
}
