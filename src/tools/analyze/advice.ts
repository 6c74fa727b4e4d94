/**
 * What could be better about a kernel, in plain words, each with its line and the rule of the Stream Computing User Guide or of OpenCL
 * practice that it follows. Only what the program or the modelled run shows is said.
 */
import { lineOf } from '../../codegen/r600/print.ts';
import type { ControlFlow, FetchInstruction, Program } from '../../codegen/r600/program.ts';
import type * as ir from '../../ir/ir.ts';
import { elementOf } from '../../ir/types.ts';
import { walkFunction } from '../../ir/walk.ts';
import { instructionMix } from '../../model/counts.ts';
import { wavefronts } from '../../model/occupancy.ts';
import type { ModelledRun } from '../../model/run.ts';
import type { Span } from '../../source/span.ts';

export interface Advice {
  /** In the source; undefined if the kernel as a whole is meant. */
  readonly line: number | undefined;
  readonly topic:
    | 'bound'
    | 'coalescing'
    | 'vector fetches'
    | 'divergence'
    | 'domain size'
    | 'work-group size'
    | 'local memory'
    | 'double literals'
    | 'registers'
    | 'slots'
    | 'scratch memory';
  readonly text: string;
  /** Where the rule stands. */
  readonly rule: string;
}

export interface AdviceOptions {
  readonly width: number;
  readonly height: number;
  readonly groupSize?: number | undefined;
}

export function adviceFor(
  fn: ir.Function,
  program: Program,
  run: ModelledRun,
  options: AdviceOptions,
): readonly Advice[] {
  return [
    ...boundAdvice(run),
    ...strideAdvice(run),
    ...vectorAdvice(program),
    ...divergenceAdvice(program, run),
    ...sizeAdvice(fn, program, options),
    ...localAdvice(program, run),
    ...doubleAdvice(fn),
    ...registerAdvice(program),
    ...slotAdvice(program),
  ];
}

const line = (span: Span | undefined): number | undefined => span && lineOf(span);

function fetchesOf({ controlFlow }: Program): readonly FetchInstruction[] {
  return controlFlow.flatMap((one) => (one.kind === 'fetch' ? one.fetches : []));
}

function boundAdvice({ estimate, cost }: ModelledRun): readonly Advice[] {
  const { bound, alu, fetch, memory } = estimate;
  const rule = 'Stream Computing User Guide, 1.3.2';
  if (bound === 'fetch' && cost.fetches > 0) {
    const free = Math.floor((fetch / Math.max(alu, 1e-12)) * cost.instructions - cost.instructions);
    const text = `The fetch units decide the time: ${free} more instructions a work-item would cost nothing, fewer fetches would save time.`;
    return [{ line: undefined, topic: 'bound', text, rule }];
  }
  if (bound === 'memory') {
    const text = `Memory decides the time, ${(memory / Math.max(alu, fetch, 1e-12)).toFixed(1)} times as long as the next slowest unit: move fewer bytes, or use them more than once.`;
    return [{ line: undefined, topic: 'bound', text, rule }];
  }
  return [];
}

/** Neighbours that read places far apart. */
function strideAdvice({ strides }: ModelledRun): readonly Advice[] {
  return strides.flatMap(({ fetch, bytes }): readonly Advice[] => {
    if (bytes === 0 || Math.abs(bytes) <= fetch.bytes) return [];
    const text = `Neighbouring work-items read places ${Math.abs(bytes)} bytes apart, of which each uses ${fetch.bytes}: let neighbours along dimension 0 read neighbours in memory.`;
    return [
      {
        line: line(fetch.span),
        topic: 'coalescing',
        text,
        rule: 'Stream Computing User Guide, 1.3.3.6: memory access patterns',
      },
    ];
  });
}

function vectorAdvice(program: Program): readonly Advice[] {
  const narrow = fetchesOf(program).filter(
    ({ name, bytes }) => (name === 'VFETCH' || name === 'SAMPLE') && bytes <= 4,
  );
  const isSame = (a: FetchInstruction, b: FetchInstruction): boolean =>
    a.name === b.name && a.resource === b.resource;
  return narrow.flatMap((first, index): readonly Advice[] => {
    if (narrow.findIndex((other) => isSame(other, first)) !== index) return [];
    const count = narrow.filter((other) => isSame(other, first)).length;
    if (count < 2) return [];
    const text = `${count} fetches of single numbers from one buffer: a float4 comes in the time of one of them, if they lie side by side.`;
    return [
      {
        line: line(first.span),
        topic: 'vector fetches',
        text,
        rule: 'Stream Computing User Guide, 1.3.3.4: memory fetch instructions',
      },
    ];
  });
}

function divergenceAdvice({ controlFlow }: Program, run: ModelledRun): readonly Advice[] {
  if (run.divergence < 1.2) return [];
  const branch = controlFlow.find(
    (one): one is Extract<ControlFlow, { kind: 'branch' }> =>
      one.kind === 'branch' &&
      (one.name === 'JUMP' || one.name === 'LOOP_DX10') &&
      line(one.span) !== undefined,
  );
  const text = `Work-items of a wavefront go different ways: it takes ${run.divergence.toFixed(1)} times as long as they would alone. Let neighbours decide alike.`;
  return [
    {
      line: line(branch?.span),
      topic: 'divergence',
      text,
      rule: 'Stream Computing User Guide, 1.2.3: flow control',
    },
  ];
}

function sizeAdvice(
  fn: ir.Function,
  { kind, chip }: Program,
  { width, height, groupSize }: AdviceOptions,
): readonly Advice[] {
  if (kind === 'pixel') {
    if (width % 2 === 0 && height % 2 === 0) {
      if (width % 8 === 0 && height % 8 === 0) return [];
      const text = `A domain of ${width} x ${height}: multiples of 8 fill the blocks that wavefronts are made of.`;
      return [{ line: undefined, topic: 'domain size', text, rule: 'Stream Computing User Guide, 1.2.4' }];
    }
    const text = `A domain of ${width} x ${height}: quads are 2 x 2, and what of them is not in the domain idles. Take multiples of 2, better of 8.`;
    return [{ line: undefined, topic: 'domain size', text, rule: 'Stream Computing User Guide, 1.3.3.2' }];
  }
  const required = fn.attributes?.requiredWorkGroupSize;
  const size = required ? required[0] * required[1] * required[2] : groupSize;
  if (size === undefined || size % chip.wavefront === 0) return [];
  const text = `Work-groups of ${size} work-items: the last wavefront of each is not full. Take a multiple of ${chip.wavefront}.`;
  return [
    {
      line: line(fn.span),
      topic: 'work-group size',
      text,
      rule: 'Stream Computing User Guide, 1.2.2: wavefronts',
    },
  ];
}

/** Fetches in a loop by which neighbours read the same. */
function localAdvice(program: Program, { strides, estimate }: ModelledRun): readonly Advice[] {
  if (program.kind !== 'compute' || program.localBytes > 0 || estimate.bound === 'ALU') return [];
  const inLoops = fetchesInLoops(program);
  const again = strides.find(({ fetch, bytes }) => bytes === 0 && inLoops.includes(fetch));
  if (!again) return [];
  const text =
    'What this loop reads, other work-items of the group read, too: load a tile to local memory together, wait for each other, and read it from there.';
  return [
    {
      line: line(again.fetch.span),
      topic: 'local memory',
      text,
      rule: 'OpenCL practice: reuse through local memory',
    },
  ];
}

function fetchesInLoops({ controlFlow }: Program): readonly FetchInstruction[] {
  let depth = 0;
  return controlFlow.flatMap((one) => {
    if (one.kind === 'branch' && one.name === 'LOOP_DX10') depth += 1;
    if (one.kind === 'branch' && one.name === 'ENDLOOP') depth -= 1;
    return one.kind === 'fetch' && depth > 0 ? one.fetches : [];
  });
}

/** Floats that became doubles because of a literal, and floats again. */
function doubleAdvice(fn: ir.Function): readonly Advice[] {
  const made = new Map<ir.Value, ir.Instruction>();
  const lines = new Set<number | undefined>();
  walkFunction(fn, (instruction) => {
    for (const result of instruction.results) made.set(result, instruction);
    if (instruction.op !== 'convert' || instruction.fn !== 'fnarrow') return;
    const computed = made.get(instruction.operands[0]!);
    if (computed?.op !== 'binary' && computed?.op !== 'fma') return;
    const element = elementOf(computed.results[0]!.type);
    const hasLiteral = computed.operands.some((operand) => made.get(operand)?.op === 'constant');
    if (hasLiteral && element.kind === 'float' && element.bits === 64) lines.add(line(computed.span));
  });
  return [...lines].map((at) => ({
    line: at,
    topic: 'double literals',
    text: 'A literal without f makes this arithmetic of doubles, of which a thread processor does one at a time. Write 1.0f for 1.0.',
    rule: 'Stream Computing User Guide, 1.2.1: doubles take four stream cores',
  }));
}

const fewWavefronts = 4;

function registerAdvice({ registers, scratchBytes, spilledWords }: Program): readonly Advice[] {
  const advice: Advice[] = [];
  const rule = 'Stream Computing User Guide, 1.3.3.1: register usage';
  const active = wavefronts(registers);
  if (active < fewWavefronts) {
    const text = `${registers} registers leave room for ${active} wavefronts on a SIMD engine, which hide little of each other's waiting: keep fewer values at a time.`;
    advice.push({ line: undefined, topic: 'registers', text, rule });
  }
  if (spilledWords > 0) {
    const text = `There are too few registers: ${spilledWords} words a work-item are kept in memory, which is slow. Keep fewer values at a time.`;
    advice.push({ line: undefined, topic: 'scratch memory', text, rule });
  } else if (scratchBytes > 0) {
    const text = `A private array that is reached by an index lies in memory (${scratchBytes} bytes a work-item), which is slow: unroll the loops that index it.`;
    advice.push({ line: undefined, topic: 'scratch memory', text, rule });
  }
  return advice;
}

function slotAdvice(program: Program): readonly Advice[] {
  const { bundles, slotsPerBundle } = instructionMix(program);
  if (bundles < 8 || slotsPerBundle >= 2) return [];
  return [
    {
      line: undefined,
      topic: 'slots',
      text: `Bundles hold ${slotsPerBundle.toFixed(1)} of five instructions: compute several results in a work-item, with vectors.`,
      rule: 'Stream Computing User Guide, 1.3.3.5: thread processor use',
    },
  ];
}
