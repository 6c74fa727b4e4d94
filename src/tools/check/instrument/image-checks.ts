/**
 * Checks that pixels lie in their images where OpenCL leaves it open what becomes of others: of writes, of reads without a sampler,
 * and of those with one that says CLK_ADDRESS_NONE, in the program or as an argument (OpenCL 1.2, 6.12.14).
 */
import { imageTypeFacts, samplerParts, samplerType } from '../../../ir/images.ts';
import type * as ir from '../../../ir/ir.ts';
import { elementOf, i32 } from '../../../ir/types.ts';
import { codes } from '../codes.ts';
import { stateWords } from '../shadow-layout.ts';
import type { ImageSide } from '../sites.ts';
import type { CheckWriter } from './check-writer.ts';
import type { Objects } from './objects.ts';

export class ImageChecks {
  readonly #writer: CheckWriter;
  readonly #objects: Objects;

  constructor(writer: CheckWriter, objects: Objects) {
    this.#writer = writer;
    this.#objects = objects;
  }

  /** Before a read or write of an image. */
  check(instruction: ir.ImageRead | ir.ImageWrite): void {
    const image = instruction.operands[0]!;
    const facts = imageTypeFacts(image.type);
    if (!facts) return;
    const sampler = this.#samplerOf(instruction);
    if (sampler === 'all') return;
    const at = instruction.operands[sampler === undefined ? 1 : 2]!;
    const writer = this.#writer;
    const write = (isNormalized?: ir.Value): void => this.#checkPlace(instruction, at, isNormalized);
    if (sampler === undefined || typeof sampler === 'number') {
      write(sampler === undefined ? undefined : writer.number(sampler & samplerParts.normalized));
      return;
    }
    const { builder } = writer;
    const part = (bits: number): ir.Value => builder.binary('and', sampler, writer.number(bits));
    const isNone = builder.compare('eq', part(samplerParts.addressing), writer.number(0));
    writer.when(isNone, () => write(part(samplerParts.normalized)));
  }

  #checkPlace(instruction: ir.ImageRead | ir.ImageWrite, at: ir.Value, isNormalized?: ir.Value): void {
    const image = instruction.operands[0]!;
    const facts = imageTypeFacts(image.type)!;
    const writer = this.#writer;
    const { builder, context } = writer;
    const isFloat = elementOf(at.type).kind === 'float';
    const sides: ImageSide[] = (['width', 'height', 'depth'] as const).slice(0, facts.dimensions);
    // Of a layer that is a float the nearest one is taken.
    if (facts.isArray && !isFloat) sides.push('arraySize');
    const parts = sides.map((_, lane) => (at.type.kind === 'vector' ? builder.extract(at, lane) : at));
    const sizes = sides.map((side) =>
      context.runtime.imageQuery(builder, side === 'arraySize' ? 'array_size' : side, image),
    );
    const places = isFloat
      ? parts.map((part, lane) => this.#pixelOf(part, sizes[lane]!, isNormalized!))
      : parts;
    const isBad = places
      .map((place, lane) => builder.compare('uge', place, sizes[lane]!))
      .reduce((a, b) => builder.binary('or', a, b));
    const [x, y, z] = places;
    const kind = instruction.op === 'image_write' ? 'store' : 'load';
    const index = writer.fn.parameters.findIndex(({ value }) => value === image);
    const name = writer.fn.parameters[index]?.info?.name ?? 'an image';
    writer.when(isBad, () => {
      const word = builder.offset(context.runtime.state(builder), writer.number(4 * stateWords.place));
      builder.store(word, z ?? writer.number(0), 4);
      const who = writer.who(kind, { kind: 'image', name, sides }, 0);
      const code = writer.number(codes.outsideImage);
      context.runtime.report(builder, code, who, x!, y ?? writer.number(0));
    });
  }

  /** In which pixel a coordinate lies; that of NaN is outside. */
  #pixelOf(coordinate: ir.Value, size: ir.Value, isNormalized: ir.Value): ir.Value {
    const writer = this.#writer;
    const { builder } = writer;
    const { type } = coordinate;
    const scaled = builder.binary('fmul', coordinate, builder.convert('utof', size, type));
    const isPixel = builder.compare('eq', isNormalized, writer.number(0));
    const place = builder.unary('ffloor', builder.select(isPixel, coordinate, scaled));
    const isNumber = builder.compare('feq', place, place);
    return builder.select(
      isNumber,
      builder.convert('ftos', place, i32, { saturate: true }),
      writer.number(-1),
    );
  }

  /** The bits of the sampler, which may be known in a run only; undefined if there is none, 'all' for one that allows all pixels. */
  #samplerOf({ op, operands }: ir.ImageRead | ir.ImageWrite): ir.Value | number | 'all' | undefined {
    const second = operands[1]!;
    if (op !== 'image_read' || second.type !== samplerType) return undefined;
    const definition = this.#objects.definition(second);
    if (definition?.op !== 'constant') return this.#writer.context.samplerBits.get(second) ?? 'all';
    const bits = Number(definition.value);
    return (bits & samplerParts.addressing) === 0 ? bits : 'all';
  }
}
