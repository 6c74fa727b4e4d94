/**
 * What the analysis of uniformity says, against what work-items compute: each kernel is run with a trace of all its
 * values. Work-items are compared where they are at the same place in the same iterations of the loops around it.
 */
import { describe, expect, it } from 'vitest';
import { Builder, newRegion, newValue } from '../../src/ir/builder.ts';
import { Interpreter } from '../../src/ir/interpreter.ts';
import type * as ir from '../../src/ir/ir.ts';
import { printModule } from '../../src/ir/print.ts';
import { f32, i32, pointerType } from '../../src/ir/types.ts';
import { assertValid } from '../../src/ir/verify.ts';
import { analyseUniformity, type Shape } from '../../src/passes/analysis/uniformity.ts';
import { optimise } from '../../src/passes/pipeline.ts';
import { openclC } from '../../src/target/opencl-c.ts';
import { randomKernel } from './random-kernel.ts';
import { numbers } from './run-stages.ts';

/** Events that a work-item can note; each is two words: what, and its value. */
const traceLength = 1 << 13;

/** A place in the kernel that notes something. */
type Site =
  | {
      readonly kind: 'value';
      readonly name: string;
      readonly shape: Shape;
      readonly loops: readonly number[];
    }
  /** A loop is about to start, or its body is. */
  | { readonly kind: 'enter'; readonly loop: number }
  | { readonly kind: 'iterate'; readonly loop: number };

/** Adds to a kernel in work-item form what notes its values; gives the places by their number. */
function instrument(module: ir.Module): Site[] {
  const fn = module.functions[0]!;
  const uniformity = analyseUniformity(fn);
  const sites: Site[] = [];
  const trace = newValue(pointerType('global'), 'trace');
  fn.parameters.push({ value: trace });
  const body = fn.body!;
  const top = newRegion();
  const start = new Builder(top, module.addressBits);
  const count = start.variable('private', 4, 4, 'count');
  start.store(count, start.integer(i32, 0), 4);
  const sizes = ([0, 1, 2] as const).map((dimension) => start.query('global_size', dimension));
  const ids = ([0, 1, 2] as const).map((dimension) => start.query('global_id', dimension));
  const plane = start.binary('iadd', start.binary('imul', ids[2]!, sizes[1]!), ids[1]!);
  const item = start.binary('iadd', start.binary('imul', plane, sizes[0]!), ids[0]!);
  const own = start.offset(trace, start.binary('imul', item, start.integer(i32, traceLength * 8)));

  const note = (builder: Builder, site: Site, value: ir.Value): void => {
    const at = builder.load(i32, count, 4);
    builder.store(count, builder.binary('iadd', at, builder.integer(i32, 1)), 4);
    const room = builder.binary('umin', at, builder.integer(i32, traceLength - 1));
    const place = builder.offset(own, builder.binary('shl', room, builder.integer(i32, 3)));
    sites.push(site);
    builder.store(place, builder.integer(i32, sites.length), 4);
    builder.store(builder.offset(place, builder.integer(i32, 4)), value, 4);
  };
  const noteValue = (builder: Builder, value: ir.Value, loops: readonly number[]): void => {
    const shape = uniformity.of(value);
    if (shape.kind === 'varying') return;
    const word = asWord(builder, value);
    if (word) note(builder, { kind: 'value', name: value.name ?? '', shape, loops }, word);
  };
  let loopCount = 0;
  const visit = (region: ir.Region, loops: readonly number[], loop: number | undefined): void => {
    const output = newRegion();
    const builder = new Builder(output, module.addressBits);
    if (loop !== undefined) note(builder, { kind: 'iterate', loop }, builder.integer(i32, 0));
    for (const parameter of region.parameters) noteValue(builder, parameter, loops);
    for (const instruction of region.instructions) {
      if (instruction.op === 'loop') {
        const inner = loopCount;
        loopCount += 1;
        note(builder, { kind: 'enter', loop: inner }, builder.integer(i32, 0));
        visit(instruction.regions[0]!, [...loops, inner], inner);
      } else for (const nested of instruction.regions) visit(nested, loops, undefined);
      builder.append(instruction);
      for (const result of instruction.results) noteValue(builder, result, loops);
    }
    region.instructions = output.instructions;
  };
  visit(body, [], undefined);
  body.instructions = [...top.instructions, ...body.instructions];
  return sites;
}

/** The value's bits in 32, if that can be said of its type. */
function asWord(builder: Builder, value: ir.Value): ir.Value | undefined {
  const { type } = value;
  if (type === i32) return value;
  if (type === f32) return builder.convert('bitcast', value, i32);
  if (type.kind === 'bool') return builder.convert('zext', value, i32);
  if (type.kind === 'int') return builder.convert(type.bits === 64 ? 'trunc' : 'sext', value, i32);
  if (type.kind === 'pointer') return builder.convert('ptoi', value, i32);
  return undefined;
}

/** Who noted what at one place and in the same iterations, group by group. */
type Meetings = Map<string, { site: number; x: number; row: string; value: number }[]>;

function meetingsOf(sites: readonly Site[], words: Int32Array, range: Range): Meetings {
  const meetings: Meetings = new Map();
  const [width, height, depth] = range.global;
  for (let item = 0; item < width * height * depth; item += 1) {
    const id = [item % width, Math.floor(item / width) % height, Math.floor(item / width / height)] as const;
    const group = id.map((at, dimension) => Math.floor(at / range.local[dimension]!)).join();
    const iterations = new Map<number, number>();
    for (let event = 0; event < traceLength - 1; event += 1) {
      const at = (item * traceLength + event) * 2;
      const number = words[at]!;
      if (number === 0) break;
      const site = sites[number - 1]!;
      if (site.kind === 'enter') iterations.set(site.loop, -1);
      else if (site.kind === 'iterate') iterations.set(site.loop, iterations.get(site.loop)! + 1);
      else if (site.kind === 'value') {
        const key = `${group}|${number}|${site.loops.map((loop) => iterations.get(loop)).join()}`;
        const met = { site: number, x: id[0], row: `${id[1]},${id[2]}`, value: words[at + 1]! };
        const list = meetings.get(key);
        if (list) list.push(met);
        else meetings.set(key, [met]);
      }
    }
  }
  return meetings;
}

interface Range {
  readonly global: readonly [number, number, number];
  readonly local: readonly [number, number, number];
}

const ranges: readonly Range[] = [
  { global: [8, 1, 1], local: [4, 1, 1] },
  { global: [4, 2, 1], local: [4, 2, 1] },
  { global: [4, 2, 2], local: [2, 2, 2] },
];

/** Runs the kernel and lists where the analysis is wrong; also how many values it could be asked about. */
function compare(module: ir.Module, range: Range, seed: number): { wrong: string[]; asked: number } {
  const sites = instrument(module);
  assertValid(module, 'instrumentation');
  const items = range.global.reduce((a, b) => a * b, 1);
  const words = new Int32Array(items * traceLength * 2);
  const machine = new Interpreter(module, { maximumSteps: 20_000_000 });
  const buffer = (array: Int32Array): { kind: 'address'; address: number } => ({
    kind: 'address',
    address: machine.allocate('global', new Uint8Array(array.buffer)),
  });
  machine.launch('test', { globalSize: [...range.global], localSize: [...range.local] }, [
    buffer(numbers(128, seed)),
    buffer(new Int32Array(items * 4)),
    { kind: 'bytes', bytes: new Uint8Array(Int32Array.of(seed % 7).buffer) },
    { kind: 'local', size: items * 4 },
    buffer(words),
  ]);
  const wrong: string[] = [];
  let asked = 0;
  for (const list of meetingsOf(sites, words, range).values()) {
    const site = sites[list[0]!.site - 1]!;
    if (site.kind !== 'value') continue;
    const { shape, name } = site;
    for (const { x, row, value } of list) {
      const other = shape.kind === 'uniform' ? list[0]! : list.find((one) => one.row === row)!;
      const step = shape.kind === 'affine' ? shape.step : 0;
      asked += 1;
      if (value === ((other.value + step * (x - other.x)) | 0)) continue;
      wrong.push(`%${name} (${shape.kind} ${step}): ${other.value} at ${other.x}, ${value} at ${x}`);
    }
  }
  return { wrong, asked };
}

const { MILLRACE_SEEDS: seeds = '1-60' } = process.env;
const [from, to] = seeds.split('-').map(Number) as [number, number];

describe('values are what the analysis says', () => {
  for (let seed = from; seed <= to; seed += 1) {
    it(`seed ${seed}`, () => {
      const module = randomKernel(seed, { freelySet: true, unrolledLoops: seed % 4 === 0 });
      optimise(module, { target: openclC });
      const before = printModule(module);
      const { wrong, asked } = compare(module, ranges[seed % ranges.length]!, seed);
      expect(asked).toBeGreaterThan(0);
      if (wrong.length > 0) expect(wrong, before).toEqual([]);
    });
  }
});
