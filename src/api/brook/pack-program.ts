/**
 * The kernels and element types of a program's .br files as text and back, for the build cache. Checked kernels are a graph: parameters,
 * variables and subkernels are the same objects wherever they are named, and are so again afterwards. Where statements
 * stand in their files, which only tools ask for before a program is kept, is left out.
 */
import { BrookProgram } from '../../brook/program.ts';
import { keepsDebugInfo } from '../../opencl/debug-info.ts';
import { append } from '../../source/lists.ts';

/** A number, a text, a truth, null, or the place of an object in the list of all, in a list of its own. */
type Packed = string | number | boolean | null | readonly [place: number];

/** An object by its keys, or a list. */
type PackedObject = { readonly list: readonly Packed[] } | { readonly of: Readonly<Record<string, Packed>> };

/** What holds places in files. */
const leftOut: ReadonlySet<string> = new Set(['span']);

/** Whether nobody wants to know what is left out: debuggers do. */
export function canPackProgram(): boolean {
  return !keepsDebugInfo();
}

export function packProgram({ types, kernels }: BrookProgram): string {
  const objects: PackedObject[] = [];
  const places = new Map<object, number>();
  const pack = (value: unknown): Packed => {
    if (typeof value !== 'object' || value === null) return value as Packed;
    const known = places.get(value);
    if (known !== undefined) return [known];
    const place = objects.length;
    places.set(value, place);
    // Its place first: what is in it may lead back to it.
    objects.push({ list: [] });
    objects[place] = Array.isArray(value) ? { list: value.map(pack) } : { of: packFields(value) };
    return [place];
  };
  const packFields = (value: object): Record<string, Packed> =>
    Object.fromEntries(
      Object.entries(value)
        .filter(([key, field]) => field !== undefined && !leftOut.has(key))
        .map(([key, field]) => [key, pack(field)]),
    );
  pack([types, kernels]);
  return JSON.stringify(objects);
}

/** @param text as {@link packProgram} gave it */
export function unpackProgram(text: string): BrookProgram {
  const objects = JSON.parse(text) as PackedObject[];
  const made = objects.map((packed): unknown[] | Record<string, unknown> => ('list' in packed ? [] : {}));
  const unpack = (packed: Packed): unknown => (Array.isArray(packed) ? made[packed[0] as number] : packed);
  for (const [place, packed] of objects.entries()) {
    const target = made[place]!;
    if ('list' in packed) append(target as unknown[], packed.list.map(unpack));
    else
      for (const [key, field] of Object.entries(packed.of))
        (target as Record<string, unknown>)[key] = unpack(field);
  }
  const [types, kernels] = made[0] as unknown as [BrookProgram['types'], BrookProgram['kernels']];
  const program = new BrookProgram();
  append(program.types, types);
  append(program.kernels, kernels);
  return program;
}
