/** Images (OpenCL 1.2, 6.12.14): operations of the IR, but for what is put together from several queries. */
import { imageTypeFacts } from '../../ir/images.ts';
import type * as ir from '../../ir/ir.ts';
import { f16, f32, i32, vectorType } from '../../ir/types.ts';
import { argument, type BuiltinHandler, type BuiltinHandlers, type LoweredCall } from './builtin-handler.ts';

/** Whether a call is about an image of depths, which are one number a pixel. */
function isOfDepths(call: LoweredCall): boolean {
  return imageTypeFacts(argument(call, 0).type)?.isDepth === true;
}

function read(channels: ir.ImageChannels): BuiltinHandler {
  return (call) => {
    const colour = call.builder.imageRead(channels, argument(call, 0), call.args.slice(1));
    return isOfDepths(call) ? call.builder.extract(colour, 0) : colour;
  };
}

function write(channels: ir.ImageChannels): BuiltinHandler {
  return (call) => {
    const { builder } = call;
    let colour = argument(call, 2);
    if (isOfDepths(call)) {
      const zero = builder.constant(f32, 0);
      colour = builder.build(vectorType(f32, 4), [colour, zero, zero, zero]);
    }
    builder.imageWrite(channels, argument(call, 0), argument(call, 1), colour);
    return undefined;
  };
}

/** Halves are floats to the IR's images: what those cannot say in a half they round. */
const half4 = vectorType(f16, 4);

const readHalf: BuiltinHandler = (call) => {
  const { builder } = call;
  const colour = builder.imageRead('float', argument(call, 0), call.args.slice(1));
  return builder.convert('fnarrow', colour, half4);
};

const writeHalf: BuiltinHandler = (call) => {
  const { builder } = call;
  const colour = builder.convert('fwiden', argument(call, 2), vectorType(f32, 4));
  builder.imageWrite('float', argument(call, 0), argument(call, 1), colour);
  return undefined;
};

function query(fn: ir.ImageQueryFunction): BuiltinHandler {
  return (call) => call.builder.imageQuery(fn, argument(call, 0));
}

/** Width and height; for a 3D image the depth and a zero besides. */
const dimensions: BuiltinHandler = (call) => {
  const { builder } = call;
  const image = argument(call, 0);
  const sizes = [builder.imageQuery('width', image), builder.imageQuery('height', image)];
  if (imageTypeFacts(image.type)?.dimensions !== 3) return builder.build(vectorType(i32, 2), sizes);
  return builder.build(vectorType(i32, 4), [
    ...sizes,
    builder.imageQuery('depth', image),
    builder.integer(i32, 0),
  ]);
};

/** A size_t. */
const arraySize: BuiltinHandler = (call) => {
  const { builder } = call;
  const size = builder.imageQuery('array_size', argument(call, 0));
  return builder.addressType === i32 ? size : builder.convert('zext', size, builder.addressType);
};

export const imageHandlers: BuiltinHandlers = {
  get_image_array_size: arraySize,
  get_image_channel_data_type: query('channel_data_type'),
  get_image_channel_order: query('channel_order'),
  get_image_depth: query('depth'),
  get_image_dim: dimensions,
  get_image_height: query('height'),
  get_image_width: query('width'),
  read_imagef: read('float'),
  read_imageh: readHalf,
  read_imagei: read('signed'),
  read_imageui: read('unsigned'),
  write_imagef: write('float'),
  write_imageh: writeHalf,
  write_imagei: write('signed'),
  write_imageui: write('unsigned'),
};
