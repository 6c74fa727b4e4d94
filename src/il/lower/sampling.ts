/** Where samples read: from coordinates to elements, by the sampler's filter and wrap modes (CAL, sampler parameters). */
import type * as ir from '../../ir/ir.ts';
import { f32, i32 } from '../../ir/types.ts';
import type { Code, Kind } from './code.ts';
import type { ElementFormat, SamplerState, WrapMode } from './interface.ts';
import { elementBytes, isInteger, loadElement } from './texel.ts';

/** A resource that is read. */
export interface Surface {
  readonly pointer: ir.Value;
  /** in elements; pitch is the distance of rows */
  readonly width: ir.Value;
  readonly height: ir.Value;
  readonly pitch: ir.Value;
  readonly format: ElementFormat;
  readonly dimensions: 1 | 2;
}

/** An element's number along one dimension, inside the resource, and whether the border is meant instead. */
interface Place {
  readonly index: ir.Value;
  readonly isBorder: ir.Value | undefined;
}

export type Offsets = readonly [number, number];

/** Doubles and integers are never filtered. */
const canFilter = (format: ElementFormat): boolean => format.type !== 'float64' && !isInteger(format);

/**
 * Samples a resource.
 * @param coordinates in elements; the first one has its centre at 0.5
 * @param offsets in elements, whole numbers
 */
export function sampleSurface(
  code: Code,
  surface: Surface,
  sampler: SamplerState,
  coordinates: readonly ir.Value[],
  offsets: Offsets,
  kind: Kind,
): ir.Value[] {
  if (sampler.filter === 'linear' && canFilter(surface.format)) {
    return sampleLinear(code, surface, sampler, coordinates, offsets);
  }
  const places = coordinates.map((coordinate, axis) => {
    const [mode, size] = axis === 0 ? [sampler.wrapS, surface.width] : [sampler.wrapT, surface.height];
    const offset = offsets[axis]!;
    const index = floorOf(code, coordinate, mode, offset);
    // positions and turns of loops begin at 0
    const whole = code.whole(coordinate);
    if (mode === 'clamp-to-edge' && whole?.isSmall && whole.offset >= 0 && offset >= 0) {
      return {
        index: code.binary('smin', index, code.binary('isub', size, code.int(1))),
        isBorder: undefined,
      };
    }
    return wrapped(code, index, size, mode, false);
  });
  return elementAt(code, surface, sampler, places, kind);
}

/** Coordinates that are known to be whole numbers never become floats at all. */
function floorOf(code: Code, coordinate: ir.Value, mode: WrapMode, offset: number): ir.Value {
  const whole = code.whole(coordinate);
  const plain =
    whole && (whole.isSmall || mode === 'clamp' || mode.startsWith('clamp-to'))
      ? code.floorOf(whole)
      : code.convert('ftos', code.unary('ffloor', coordinate), i32, { saturate: true });
  return offset === 0 ? plain : code.binary('iadd', plain, code.int(offset));
}

function wrapped(code: Code, index: ir.Value, size: ir.Value, mode: WrapMode, isFiltered: boolean): Place {
  const zero = code.int(0);
  const last = code.binary('isub', size, code.int(1));
  const nearest = (from: ir.Value): ir.Value => code.binary('smin', code.binary('smax', from, zero), last);
  const mirrored = (): ir.Value =>
    code.select(code.compare('slt', index, zero), code.unary('not', index), index);
  const outside = (from: ir.Value): ir.Value => code.compare('uge', from, size);
  switch (mode) {
    case 'repeat':
      return { index: modulo(code, index, size), isBorder: undefined };
    case 'mirrored-repeat': {
      const twice = code.binary('shl', size, code.int(1));
      const part = modulo(code, index, twice);
      const back = code.binary('isub', code.binary('isub', twice, code.int(1)), part);
      return { index: code.select(code.compare('slt', part, size), part, back), isBorder: undefined };
    }
    case 'clamp-to-edge':
      return { index: nearest(index), isBorder: undefined };
    case 'mirror-clamp-to-edge':
      return { index: nearest(mirrored()), isBorder: undefined };
    case 'clamp':
      return { index: nearest(index), isBorder: isFiltered ? outside(index) : undefined };
    case 'mirror-clamp': {
      const from = mirrored();
      return { index: nearest(from), isBorder: isFiltered ? outside(from) : undefined };
    }
    case 'clamp-to-border':
      return { index: nearest(index), isBorder: outside(index) };
    case 'mirror-clamp-to-border': {
      const from = mirrored();
      return { index: nearest(from), isBorder: outside(from) };
    }
  }
}

/** The remainder that is not negative. */
function modulo(code: Code, index: ir.Value, size: ir.Value): ir.Value {
  const rest = code.binary('srem', index, size);
  return code.select(code.compare('slt', rest, code.int(0)), code.binary('iadd', rest, size), rest);
}

function elementAt(
  code: Code,
  surface: Surface,
  sampler: SamplerState,
  places: readonly Place[],
  kind: Kind,
): ir.Value[] {
  const [x, y] = places;
  const values = loadAt(code, surface, x!.index, y?.index, kind);
  let isBorder = x!.isBorder;
  if (y?.isBorder) isBorder = isBorder ? code.binary('or', isBorder, y.isBorder) : y.isBorder;
  if (!isBorder) return values;
  const condition = isBorder;
  return values.map((value, component) => {
    const border = sampler.border[component]!;
    const colour = isInteger(surface.format) ? code.int(Math.round(border)) : code.float(border);
    return code.select(condition, code.as(value.type === f32 ? 'float' : 'int', colour), value);
  });
}

/** The element at whole coordinates, which lie inside of the resource. */
export function loadAt(
  code: Code,
  surface: Surface,
  x: ir.Value,
  y: ir.Value | undefined,
  kind: Kind,
): ir.Value[] {
  const index = y ? code.binary('iadd', code.binary('imul', y, surface.pitch), x) : x;
  const bytes = code.binary('imul', index, code.int(elementBytes(surface.format)));
  return loadElement(code, surface.format, code.offset(surface.pointer, bytes), kind);
}

/** The mean of the two or four elements around, by their distance. */
function sampleLinear(
  code: Code,
  surface: Surface,
  sampler: SamplerState,
  coordinates: readonly ir.Value[],
  offsets: Offsets,
): ir.Value[] {
  const axes = coordinates.map((coordinate, axis) => {
    const [mode, size] = axis === 0 ? [sampler.wrapS, surface.width] : [sampler.wrapT, surface.height];
    const moved = code.binary('fsub', limited(code, coordinate, size, mode), code.float(0.5));
    const below = code.unary('ffloor', moved);
    const index = code.binary(
      'iadd',
      code.convert('ftos', below, i32, { saturate: true }),
      code.int(offsets[axis]!),
    );
    const next = code.binary('iadd', index, code.int(1));
    return {
      share: code.binary('fsub', moved, below),
      places: [wrapped(code, index, size, mode, true), wrapped(code, next, size, mode, true)] as const,
    };
  });
  const [x, y] = axes;
  const row = (vertical: readonly Place[]): ir.Value[] => {
    const [left, right] = x!.places.map((place) =>
      elementAt(code, surface, sampler, [place, ...vertical], 'float'),
    );
    return left!.map((value, component) => mixed(code, value, right![component]!, x!.share));
  };
  if (!y) return row([]);
  const [upper, lower] = y.places.map((place) => row([place]));
  return upper!.map((value, component) => mixed(code, value, lower![component]!, y.share));
}

/** The older clamps stop at the resource's edge, half an element beyond the last centre, where half is border. */
function limited(code: Code, coordinate: ir.Value, size: ir.Value, mode: WrapMode): ir.Value {
  if (mode !== 'clamp' && mode !== 'mirror-clamp') return coordinate;
  const most = code.convert('stof', size, f32);
  const from = mode === 'clamp' ? coordinate : code.unary('fabs', coordinate);
  return code.binary('fmin', code.binary('fmax', from, code.float(0)), most);
}

const mixed = (code: Code, a: ir.Value, b: ir.Value, share: ir.Value): ir.Value =>
  code.binary('fadd', a, code.binary('fmul', code.binary('fsub', b, a), share));
