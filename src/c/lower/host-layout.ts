/**
 * How values of a C type lie in memory, as hosts are told of it (ir.HostLayout).
 *
 * A struct of four structs of four others, and so on, has a layout that grows to four times its size with each line of the
 * source. So the layout of each struct is made once and shared, and one of very many parts, which hosts, caches and binaries would
 * have to write out, is not told.
 */
import type { HostLayout } from '../../ir/ir.ts';
import { arithmeticOf } from '../type-facts.ts';
import type { ArithmeticType, CType, RecordType } from '../types.ts';
import type { ModuleLowering } from './module-lowering.ts';

/** So many parts (fields, and what they hold) may a layout have, and so deep may they nest. */
const mostParts = 10_000;
const mostNesting = 256;

/** A layout, and how much there is of it when it is written out. */
interface Measured {
  readonly layout: HostLayout;
  readonly parts: number;
  readonly nesting: number;
}

/** Layouts of the structs of one module; undefined for one of too many parts. */
export type KnownLayouts = Map<RecordType, Measured | undefined>;

const known = new WeakMap<ModuleLowering, KnownLayouts>();

/** How a value of the type lies in memory; undefined for what hosts cannot write, and for what has too many parts to be told. */
export function hostLayout(module: ModuleLowering, type: CType): HostLayout | undefined {
  let layouts = known.get(module);
  if (!layouts) {
    layouts = new Map();
    known.set(module, layouts);
  }
  return measure(module, type, layouts)?.layout;
}

function measure(module: ModuleLowering, type: CType, layouts: KnownLayouts): Measured | undefined {
  switch (type.kind) {
    case 'arithmetic':
    case 'enum':
    case 'atomic': {
      const scalar = arithmeticOf(type.kind === 'atomic' ? type.value : type);
      return scalar && single(scalarLayout(scalar));
    }
    case 'vector':
      return single({
        kind: 'vector',
        element: scalarLayout(type.element),
        lanes: type.lanes,
        size: type.size,
      });
    case 'array': {
      const element = measure(module, type.element.type, layouts);
      if (!element || type.length === undefined || element.nesting >= mostNesting) return undefined;
      const { layout, parts, nesting } = element;
      const size = module.sizeOf(type);
      return {
        layout: { kind: 'array', element: layout, length: type.length, size },
        parts: parts + 1,
        nesting: nesting + 1,
      };
    }
    case 'record': {
      if (!layouts.has(type)) layouts.set(type, measureRecord(module, type, layouts));
      return layouts.get(type);
    }
    default:
      return undefined;
  }
}

function measureRecord(
  module: ModuleLowering,
  type: RecordType,
  layouts: KnownLayouts,
): Measured | undefined {
  const fields = [];
  let parts = 1;
  let nesting = 0;
  for (const field of type.fields ?? []) {
    const inner = measure(module, field.type.type, layouts);
    if (!inner) {
      if (hasTooMany(field.type.type, layouts)) return undefined;
      continue;
    }
    parts += inner.parts;
    nesting = Math.max(nesting, inner.nesting + 1);
    if (parts > mostParts || nesting > mostNesting) return undefined;
    fields.push({ name: field.name ?? '', offset: field.offset, layout: inner.layout });
  }
  const layout: HostLayout = {
    kind: 'struct',
    name: type.tag ?? '',
    size: type.size,
    align: type.align,
    fields,
  };
  return { layout, parts, nesting };
}

/** Whether a type that has no layout has none because of its size: a struct with a pointer in it has one without the pointer. */
function hasTooMany(type: CType, layouts: KnownLayouts): boolean {
  let element = type;
  while (element.kind === 'array') element = element.element.type;
  return element.kind === 'record' && layouts.has(element) && !layouts.get(element);
}

function single(layout: HostLayout): Measured {
  return { layout, parts: 1, nesting: 0 };
}

function scalarLayout(type: ArithmeticType): HostLayout {
  if (type.floating) return { kind: 'float', size: type.size as 2 | 4 | 8 };
  return { kind: 'integer', size: type.size, signed: type.signed };
}
