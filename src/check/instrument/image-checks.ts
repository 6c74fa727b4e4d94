/**
 * Checks that pixels lie in their images where OpenCL leaves it open what becomes of others: of writes, of reads without a sampler,
 * and of those by integers with one that says CLK_ADDRESS_NONE in the program (OpenCL 1.2, 6.12.14).
 */
import { imageTypeFacts, samplerParts, samplerType } from '../../ir/images.ts';
import type * as ir from '../../ir/ir.ts';
import { elementOf, i32 } from '../../ir/types.ts';
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
    const at = this.#coordinates(instruction);
    if (!facts || !at) return;
    const writer = this.#writer;
    const { builder, context } = writer;
    const sides: ImageSide[] = (['width', 'height', 'depth'] as const).slice(0, facts.dimensions);
    if (facts.isArray) sides.push('arraySize');
    const places = sides.map((_, lane) => (at.type.kind === 'vector' ? builder.extract(at, lane) : at));
    const isBad = sides
      .map((side, lane) => {
        const query = side === 'arraySize' ? 'array_size' : side;
        const size = context.runtime.imageQuery(builder, query, image);
        return builder.compare('uge', places[lane]!, size);
      })
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

  /** Which pixel; undefined where all are allowed. */
  #coordinates({ op, operands }: ir.ImageRead | ir.ImageWrite): ir.Value | undefined {
    const second = operands[1]!;
    let at = second;
    if (op === 'image_read' && second.type === samplerType) {
      const definition = this.#objects.definition(second);
      if (definition?.op !== 'constant') return undefined;
      if ((Number(definition.value) & (samplerParts.addressing | samplerParts.normalized)) !== 0)
        return undefined;
      at = operands[2]!;
    }
    return elementOf(at.type) === i32 ? at : undefined;
  }
}
