/** Images: samplers that are constants, and the calls of what reads, writes and asks. */
import { imageTypeFacts, samplerParts } from '../../ir/images.ts';
import type * as ir from '../../ir/ir.ts';
import { elementOf } from '../../ir/types.ts';
import { OpenCLCError } from './error.ts';
import { call, cast, type Expression } from './expression.ts';
import type { ValueWriter } from './value-writer.ts';

const letters: Readonly<Record<ir.ImageChannels, string>> = { float: 'f', signed: 'i', unsigned: 'ui' };

/** The colour that a read gives. */
export function imageRead(writer: ValueWriter, { channels, operands }: ir.ImageRead): Expression {
  const [image, ...at] = operands as [ir.Value, ...ir.Value[]];
  if (at.length === 1) needsNewVersion(writer, 'reads of images without a sampler');
  checkKind(writer, image);
  const args = at.map((value) =>
    elementOf(value.type).kind === 'int' ? writer.signed(value) : writer.value(value),
  );
  return call(`read_image${letters[channels]}`, [writer.value(image), ...args], channels === 'signed');
}

/** The statement of a write. */
export function imageWrite(writer: ValueWriter, { channels, operands }: ir.ImageWrite): string {
  const [image, at, colour] = operands as [ir.Value, ir.Value, ir.Value];
  checkKind(writer, image);
  const written =
    channels === 'float'
      ? writer.value(colour)
      : channels === 'signed'
        ? writer.signed(colour)
        : writer.unsigned(colour);
  return `${call(`write_image${letters[channels]}`, [writer.value(image), writer.signed(at), written]).text};`;
}

export function imageQuery(writer: ValueWriter, { fn, operands }: ir.ImageQuery): Expression {
  const [image] = operands as [ir.Value];
  checkKind(writer, image);
  const asked = call(`get_image_${fn}`, [writer.value(image)], true);
  // The only one that is a size_t.
  return fn === 'array_size' ? cast('uint', asked) : asked;
}

const addressings = ['NONE', 'CLAMP_TO_EDGE', 'CLAMP', 'REPEAT', 'MIRRORED_REPEAT'];

/** A sampler's parts by their names, for drivers have numbers of their own for them. */
export function samplerText(bits: number): string {
  const normalized = bits & samplerParts.normalized ? 'TRUE' : 'FALSE';
  const addressing = addressings[(bits & samplerParts.addressing) >> 1] ?? 'NONE';
  const filter = bits & samplerParts.linear ? 'LINEAR' : 'NEAREST';
  return `CLK_NORMALIZED_COORDS_${normalized} | CLK_ADDRESS_${addressing} | CLK_FILTER_${filter}`;
}

/** OpenCL 1.1 has 2D and 3D images only. */
function checkKind(writer: ValueWriter, image: ir.Value): void {
  const { type } = imageTypeFacts(image.type)!;
  if (type !== 'image2d_t' && type !== 'image3d_t') needsNewVersion(writer, `images of type ${type}`);
}

function needsNewVersion(writer: ValueWriter, what: string): void {
  if (writer.version === '1.1') throw new OpenCLCError(`${what} need OpenCL C 1.2`);
}
