/** Instructions that read resources: samples, loads, and questions about their size. */
import type * as ir from '../../ir/ir.ts';
import { f32 } from '../../ir/types.ts';
import { valuesOf } from '../declarations.ts';
import type { Instruction, Source } from '../tree.ts';
import type { Code, Kind } from './code.ts';
import type { Context } from './context.ts';
import { type Handler, type Handlers, hasModifier, refused } from './handlers.ts';
import { defaultFormat, defaultSampler } from './interface.ts';
import { loadAt, type Offsets, type Surface, sampleSurface } from './sampling.ts';

const supported = new Set(['1d', '2d', 'buffer', 'unknown']);

function resourceOf(cx: Context, instruction: Instruction): { surface: Surface; isUnnormalized: boolean } {
  const { code, plan, bindings } = cx;
  const index = Number(valuesOf(instruction, 'resource')[0] ?? 0);
  const declared = plan.declarations.resources.get(index);
  if (!declared) cx.fail(instruction.span, `there is no dcl_resource_id(${index})`);
  if (!supported.has(declared.type)) {
    cx.fail(declared.span, `resources of type ${declared.type} are not supported; those of 1d and 2d are`);
  }
  const shape = cx.parameter(`i${index}.shape`);
  const surface: Surface = {
    pointer: cx.parameter(`i${index}`),
    width: code.extract(shape, 0),
    height: code.extract(shape, 1),
    pitch: code.extract(shape, 2),
    format: bindings.inputs?.get(index) ?? defaultFormat,
    dimensions: declared.type === '1d' || declared.type === 'buffer' ? 1 : 2,
  };
  const type = valuesOf(instruction, 'coordtype')[0];
  const isUnnormalized =
    type === undefined || type === 'unknown' ? declared.isUnnormalized : type === 'unnormalized';
  return { surface, isUnnormalized };
}

/** In elements; fractions of one are not supported, as they would need a filter. */
function offsetsOf(cx: Context, instruction: Instruction): Offsets {
  const [x = 0, y = 0] = valuesOf(instruction, 'aoffimmi').map(Number);
  if (!Number.isInteger(x) || !Number.isInteger(y)) {
    cx.fail(instruction.span, `_aoffimmi takes whole numbers of elements, not ${x} and ${y}`);
  }
  return [x, y];
}

/** How most of what is written is kept, and perhaps read. */
function wantedKind(cx: Context, instruction: Instruction): Kind {
  const destination = cx.destination(instruction);
  const kinds = destination.mask.flatMap((write, position) =>
    write === 'write' && !cx.variables.isUnknown(destination.register, position)
      ? [cx.kindOf(destination, position)]
      : [],
  );
  return kinds.filter((kind) => kind === 'int').length > kinds.length / 2 ? 'int' : 'float';
}

function coordinatesOf(cx: Context, source: Source, surface: Surface, isUnnormalized: boolean): ir.Value[] {
  const { code } = cx;
  const read = cx.floats(source);
  const sizes = [surface.width, surface.height].slice(0, surface.dimensions);
  return sizes.map((size, axis) =>
    isUnnormalized ? read(axis) : code.binary('fmul', read(axis), code.convert('stof', size, f32)),
  );
}

const sample: Handler = (cx, instruction) => {
  const { surface, isUnnormalized } = resourceOf(cx, instruction);
  const sampler =
    cx.bindings.samplers?.get(Number(valuesOf(instruction, 'sampler')[0] ?? 0)) ?? defaultSampler;
  const coordinates = coordinatesOf(cx, cx.sources(instruction)[0]!, surface, isUnnormalized);
  const kind = wantedKind(cx, instruction);
  const values = sampleSurface(cx.code, surface, sampler, coordinates, offsetsOf(cx, instruction), kind);
  writeSample(cx, instruction, values);
};

function writeSample(cx: Context, instruction: Instruction, values: readonly ir.Value[]): void {
  cx.writeBits(instruction, (position) => values[position]!);
}

/** By whole coordinates; outside of the resource all components are 0. */
const load: Handler = (cx, instruction) => {
  const { code } = cx;
  const { surface } = resourceOf(cx, instruction);
  const read = cx.integers(cx.sources(instruction)[0]!);
  const offsets = offsetsOf(cx, instruction);
  let isInside: ir.Value | undefined;
  const places = [surface.width, surface.height].slice(0, surface.dimensions).map((size, axis) => {
    const place =
      offsets[axis] === 0 ? read(axis) : code.binary('iadd', read(axis), code.int(offsets[axis]!));
    const isHere = code.compare('ult', place, size);
    isInside = isInside ? code.binary('and', isInside, isHere) : isHere;
    return code.binary('umin', place, code.binary('isub', size, code.int(1)));
  });
  const values = loadAt(code, surface, places[0]!, places[1], wantedKind(cx, instruction));
  writeSample(
    cx,
    instruction,
    values.map((value) => code.select(isInside!, value, code.bits(0, value.type === f32 ? 'float' : 'int'))),
  );
};

/** An offset that a register gives has six bits, as in DirectX 11: -32 to 31. */
const programmed = (code: Code, offset: ir.Value): ir.Value =>
  code.binary('sshr', code.binary('shl', offset, code.int(26)), code.int(26));

/** One component of the four elements around a point: lower left, lower right, upper right, upper left. */
const fetchFour: Handler = (cx, instruction) => {
  const { code } = cx;
  const { surface, isUnnormalized } = resourceOf(cx, instruction);
  const [dx, dy] = offsetsOf(cx, instruction);
  const component = 'xyzw'.indexOf(valuesOf(instruction, 'compselect')[0] ?? 'x');
  const [place, moves] = cx.sources(instruction);
  const move = moves && cx.integers(moves);
  const coordinates = coordinatesOf(cx, place!, surface, isUnnormalized).map((coordinate, axis) => {
    const corner = code.binary('fsub', coordinate, code.float(0.5));
    return move
      ? code.binary('fadd', corner, code.convert('stof', programmed(code, move(axis)), f32))
      : corner;
  });
  const around: readonly Offsets[] = [
    [0, 1],
    [1, 1],
    [1, 0],
    [0, 0],
  ];
  const sampler =
    cx.bindings.samplers?.get(Number(valuesOf(instruction, 'sampler')[0] ?? 0)) ?? defaultSampler;
  const kind = wantedKind(cx, instruction);
  writeSample(
    cx,
    instruction,
    around.map(([x, y]) => {
      const nearest = { ...sampler, filter: 'nearest' } as const;
      return sampleSurface(code, surface, nearest, coordinates, [dx + x, dy + y], kind)[component]!;
    }),
  );
};

/** Width, height, depth and the number of mipmaps. */
const sizes: Handler = (cx, instruction) => {
  const { code } = cx;
  const { surface } = resourceOf(cx, instruction);
  const height = surface.dimensions === 1 ? code.int(0) : surface.height;
  const numbers = [surface.width, height, code.int(0), code.int(1)];
  const isInteger = hasModifier(instruction, 'uint') || instruction.opcode.name === 'bufinfo';
  if (isInteger) cx.write(instruction, (position) => numbers[position]!);
  else cx.writeFloats(instruction, (position) => code.convert('stof', numbers[position]!, f32));
};

const noComparison = refused("CAL's samplers have no comparison");
const noSamples = refused('resources have one sample an element and no mipmaps');
const noExport = refused('memory is written through g and uavs');

export const textureHandlers: Handlers = {
  // there are no mipmaps, so that level, bias and gradients choose between one
  sample,
  sample_b: sample,
  sample_l: sample,
  sample_g: sample,
  sample_c: noComparison,
  sample_c_lz: noComparison,
  sample_c_l: noComparison,
  sample_c_b: noComparison,
  sample_c_g: noComparison,
  load,
  load_fptr: noSamples,
  fetch4: fetchFour,
  fetch4_po: fetchFour,
  fetch4_c: noComparison,
  fetch4_po_c: noComparison,
  resinfo: sizes,
  bufinfo: sizes,
  sampleinfo: noSamples,
  samplepos: noSamples,
  lod: noSamples,
  memimport: noExport,
  memexport: noExport,
};
