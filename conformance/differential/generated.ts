/**
 * `npm run differential -- --generated COUNT`: programs of conformance/generator on devices. They mean one thing only,
 * so every byte must agree.
 */
import { BuildError } from 'millrace';
import { compileOpenCL } from '../../src/opencl/compile.ts';
import { type GeneratedKernel, generateKernel, type Size } from '../generator/generate.ts';
import { reduce } from '../generator/reduce.ts';
import type { Outcome } from '../support/outcome.ts';
import { build, type Contestant, keepsDenormals, runOn } from './devices.ts';
import type { InputArgument } from './inputs.ts';
import { judge, type LaunchPlan } from './judge.ts';

export interface GeneratedOptions {
  readonly contestants: readonly Contestant[];
  readonly seed: number;
  readonly count: number;
  readonly size: Size;
  /** Make each program that fails as small as it can be while it fails in the same way, and show it. */
  readonly isReduced?: boolean;
  /** Milliseconds for making one small. Default ten minutes. */
  readonly patience?: number;
}

/** One outcome for each program. */
export async function runGenerated(options: GeneratedOptions): Promise<Outcome[]> {
  const { contestants, seed, count, size, isReduced, patience = 600_000 } = options;
  const outcomes: Outcome[] = [];
  for (let at = seed; at < seed + count; at += 1) {
    const generated = generateKernel(at, { size, isForPocl: true });
    const fault = await faultOf(generated, generated.source, contestants);
    const name = `generated program, --seed ${at} --size ${size}`;
    if (fault instanceof Flushed) {
      outcomes.push({ name, status: 'skipped', reason: fault.message });
      continue;
    }
    let reason = fault;
    if (reason === undefined) {
      outcomes.push({ name, status: 'passed' });
      continue;
    }
    if (isReduced) reason += `\n${await smallest(generated, contestants, reason, patience)}`;
    outcomes.push({ name, status: 'failed', reason });
  }
  return outcomes;
}

/** A difference on a device that may flush denormals, of a program that computes with them. */
class Flushed {
  readonly message = 'it computes with denormals, and a device that may flush them differs';
}

/** The launch and what is left of a program that fails for this reason. */
async function smallest(
  generated: GeneratedKernel,
  contestants: readonly Contestant[],
  reason: string,
  patience: number,
): Promise<string> {
  const kind = (text: string | Flushed | undefined): string | undefined =>
    (text instanceof Flushed ? text.message : text)?.replaceAll(/\d+/g, '').slice(0, 80);
  const source = await reduce(
    generated.program,
    async (candidate) => kind(await faultOf(generated, candidate, contestants)) === kind(reason),
    patience,
  );
  return `// launched with ${JSON.stringify(generated.range)}\n${source}`;
}

/** What goes wrong with a source that is launched as the generated kernel. */
export async function faultOf(
  { kernel, range, arguments: given }: GeneratedKernel,
  source: string,
  contestants: readonly Contestant[],
): Promise<string | Flushed | undefined> {
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
      const program = await build(contestant, source, '', 'generated.cl', []);
      try {
        const found = await runOn(program, plan);
        for (const [index, expected] of verdict.buffers) {
          const at = expected.findIndex((byte, offset) => byte !== found.get(index)![offset]);
          if (at < 0) continue;
          if (verdict.hasDenormals && !keepsDenormals(contestant)) return new Flushed();
          return `on ${contestant.name}: argument ${index} differs at byte ${at}`;
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
