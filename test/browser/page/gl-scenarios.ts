/** What the browser tests do with objects of WebGL 2, in a window or in a worker. */
import {
  CL,
  CLEvent,
  type CLImage,
  type CLMemory,
  createContext,
  getGLContextInfoKHR,
  waitForEvents,
} from 'millrace/opencl';
import { failureName } from './failures.ts';

type GL = WebGL2RenderingContext;
type Channels = Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array | Float32Array;

const source = `
kernel void twice_plus_one(global float *x) { x[get_global_id(0)] = 2 * x[get_global_id(0)] + 1; }
kernel void invert(read_only image2d_t in, write_only image2d_t out) {
  const sampler_t texel = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, at, (float4)(1) - read_imagef(in, texel, at));
}`;

export function start() {
  const gl = new OffscreenCanvas(8, 8).getContext('webgl2') as GL;
  const context = createContext(null, { properties: [CL.GL_CONTEXT_KHR, gl, 0] });
  return { gl, context, queue: context.createCommandQueue() };
}

/** Does the commands of `enqueue` between an acquire and a release, and waits for them in a way. */
export async function shared(
  queue: ReturnType<typeof start>['queue'],
  objects: readonly CLMemory[],
  way: 'blocking' | 'promise',
  enqueue: () => void,
): Promise<void> {
  if (way === 'blocking') await queue.ready();
  queue.enqueueAcquireGLObjects(objects);
  enqueue();
  const released = new CLEvent();
  queue.enqueueReleaseGLObjects(objects, null, released);
  if (way === 'blocking') waitForEvents([released]);
  else await released.done;
}

function extension() {
  const { gl, context } = start();
  const [device] = context.devices;
  const properties = [CL.GL_CONTEXT_KHR, gl, 0];
  return {
    listed: device!.getSupportedExtensions().includes('cl_khr_gl_sharing'),
    current: getGLContextInfoKHR(properties, CL.CURRENT_DEVICE_FOR_GL_CONTEXT_KHR) === device,
    all: (getGLContextInfoKHR(properties, CL.DEVICES_FOR_GL_CONTEXT_KHR) as unknown[]).includes(device),
    kept: (context.getInfo(CL.CONTEXT_PROPERTIES) as unknown[])[1] === gl,
  };
}

/** A kernel changes a vertex buffer that WebGL filled. */
async function glBuffer(way: 'blocking' | 'promise') {
  const { gl, context, queue } = start();
  const count = 1000;
  const vertices = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, vertices);
  gl.bufferData(
    gl.ARRAY_BUFFER,
    Float32Array.from({ length: count }, (_, i) => i),
    gl.DYNAMIC_DRAW,
  );
  const buffer = context.createFromGLBuffer(CL.MEM_READ_WRITE, vertices);
  const program = context.createProgram(source);
  program.build();
  const kernel = program.createKernel('twice_plus_one');
  kernel.setArg(0, buffer);
  const launch = () => queue.enqueueNDRangeKernel(kernel, 1, null, [count]);
  await shared(queue, [buffer], way, launch);
  // WebGL changes it, and a kernel again.
  gl.bufferSubData(gl.ARRAY_BUFFER, 4 * 10, Float32Array.of(-1, -2));
  await shared(queue, [buffer], way, launch);
  const result = new Float32Array(count);
  gl.getBufferSubData(gl.ARRAY_BUFFER, 0, result);
  const wrong = result.filter((value, i) => value !== (i === 10 ? -1 : i === 11 ? -3 : 4 * i + 3)).length;
  // What kernels may only read is not given back.
  const constant = context.createFromGLBuffer(CL.MEM_READ_ONLY, vertices);
  await shared(queue, [constant], way, () => queue.enqueueFillBuffer(constant, Float32Array.of(7), 0, 16));
  gl.getBufferSubData(gl.ARRAY_BUFFER, 0, result);
  const info = buffer.getGLObjectInfo();
  const found = {
    wrong,
    size: buffer.getInfo(CL.MEM_SIZE),
    unchanged: result[0],
    info: info.type === CL.GL_OBJECT_BUFFER && info.glObject === vertices,
    error: gl.getError(),
  };
  context.releaseAll();
  return found;
}

/** Acquires and releases in an out-of-order queue, ordered by events alone, with a user event before all. */
async function glEvents() {
  const { gl, context } = start();
  const queue = context.createCommandQueue(null, CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const bytes = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, bytes);
  gl.bufferData(gl.ARRAY_BUFFER, Float32Array.of(1, 2, 3, 4), gl.DYNAMIC_DRAW);
  const buffer = context.createFromGLBuffer(CL.MEM_READ_WRITE, bytes);
  const program = context.createProgram(source);
  program.build();
  const kernel = program.createKernel('twice_plus_one');
  kernel.setArg(0, buffer);
  const gate = context.createUserEvent();
  const [acquired, launched, released] = [new CLEvent(), new CLEvent(), new CLEvent()];
  queue.enqueueAcquireGLObjects([buffer], [gate], acquired);
  queue.enqueueNDRangeKernel(kernel, 1, null, [4], null, [acquired], launched);
  queue.enqueueReleaseGLObjects([buffer], [launched], released);
  const before = acquired.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS) as number;
  gate.setStatus(CL.COMPLETE);
  await released.done;
  const result = new Float32Array(4);
  gl.getBufferSubData(gl.ARRAY_BUFFER, 0, result);
  const types = [acquired, released].map((event) => event.getInfo(CL.EVENT_COMMAND_TYPE));
  // A failed event stops the exchange, and the buffer stays as it is.
  const failed = context.createUserEvent();
  const never = new CLEvent();
  queue.enqueueReleaseGLObjects([buffer], [failed], never);
  failed.setStatus(-5);
  const passedOn = await failureName(() => never.done);
  // An empty list is an exchange of nothing.
  const nothing = new CLEvent();
  queue.enqueueAcquireGLObjects(null, null, nothing);
  await nothing.done;
  const deleted = new CLEvent();
  gl.deleteBuffer(bytes);
  queue.enqueueAcquireGLObjects([buffer], null, deleted);
  const found = {
    before,
    result: [...result],
    types,
    passedOn,
    deleted: await failureName(() => deleted.done),
  };
  context.releaseAll();
  return found;
}

/** How a test gives WebGL pixels of an internal format, and takes them back: always four channels. */
interface PixelKind {
  readonly internal: readonly ('R' | 'RG' | 'RGBA')[];
  readonly suffix: string;
  readonly Channels: new (values: readonly number[]) => Channels;
  readonly type:
    | 'UNSIGNED_BYTE'
    | 'BYTE'
    | 'SHORT'
    | 'UNSIGNED_SHORT'
    | 'INT'
    | 'UNSIGNED_INT'
    | 'HALF_FLOAT'
    | 'FLOAT';
  readonly channelType: number;
  /** Values of channels, and what WebGL gives back for each. */
  readonly values: readonly number[];
  readonly read: readonly number[];
}

const all = ['R', 'RG', 'RGBA'] as const;
const integers = (values: readonly number[]) => ({ internal: all, values, read: values });
const pixelKinds: readonly PixelKind[] = [
  {
    suffix: '8',
    Channels: Uint8Array,
    type: 'UNSIGNED_BYTE',
    channelType: CL.UNORM_INT8,
    ...integers([0, 1, 127, 128, 254, 255]),
  },
  {
    suffix: '8I',
    Channels: Int8Array,
    type: 'BYTE',
    channelType: CL.SIGNED_INT8,
    ...integers([0, 1, -1, 127, -128]),
  },
  {
    suffix: '8UI',
    Channels: Uint8Array,
    type: 'UNSIGNED_BYTE',
    channelType: CL.UNSIGNED_INT8,
    ...integers([0, 1, 127, 255]),
  },
  {
    suffix: '16I',
    Channels: Int16Array,
    type: 'SHORT',
    channelType: CL.SIGNED_INT16,
    ...integers([0, -1, 300, 32767, -32768]),
  },
  {
    suffix: '16UI',
    Channels: Uint16Array,
    type: 'UNSIGNED_SHORT',
    channelType: CL.UNSIGNED_INT16,
    ...integers([0, 300, 65535]),
  },
  {
    suffix: '32I',
    Channels: Int32Array,
    type: 'INT',
    channelType: CL.SIGNED_INT32,
    ...integers([0, -1, 70000, 2 ** 31 - 1, -(2 ** 31)]),
  },
  {
    suffix: '32UI',
    Channels: Uint32Array,
    type: 'UNSIGNED_INT',
    channelType: CL.UNSIGNED_INT32,
    ...integers([0, 70000, 2 ** 32 - 1]),
  },
  {
    suffix: '32F',
    Channels: Float32Array,
    type: 'FLOAT',
    channelType: CL.FLOAT,
    ...integers([0, -1.5, 2 ** -20, 3e38]),
  },
  {
    suffix: '16F',
    Channels: Uint16Array,
    type: 'HALF_FLOAT',
    channelType: CL.HALF_FLOAT,
    internal: all,
    // Bits of halves, and the numbers that they are (IEEE 754, 3.6).
    values: [0x0000, 0x3c00, 0xc000, 0x3555, 0x7bff, 0x0400],
    read: [0, 1, -2, 0.333251953125, 65504, 2 ** -14],
  },
];
const orderOf = { R: CL.R, RG: CL.RG, RGBA: CL.RGBA } as const;
const formatOf = {
  R: { plain: 'RED', integer: 'RED_INTEGER' },
  RG: { plain: 'RG', integer: 'RG_INTEGER' },
  RGBA: { plain: 'RGBA', integer: 'RGBA_INTEGER' },
} as const;

const cycle = (values: readonly number[], length: number, from = 0): number[] =>
  Array.from({ length }, (_, i) => values[(i + from) % values.length]!);

export const sameNumbers = (a: ArrayLike<number>, b: ArrayLike<number>): boolean =>
  a.length === b.length && Array.from(a).every((value, i) => value === b[i]);

/** Textures of every internal format, WebGL to kernel side and back; the formats for which something is wrong. */
async function glFormats(way: 'blocking' | 'promise') {
  const { gl, context, queue } = start();
  gl.getExtension('EXT_color_buffer_float');
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  const wrong: string[] = [];
  const [width, height] = [5, 3];
  for (const { internal, suffix, Channels, type, channelType, values, read } of pixelKinds) {
    for (const order of internal) {
      const name = `${order}${suffix}`;
      const isInteger = suffix.endsWith('I');
      const channels = order.length;
      const format = gl[formatOf[order][isInteger ? 'integer' : 'plain']];
      const given = new Channels(cycle(values, width * height * channels));
      const texture = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, texture);
      const internalFormat = gl[name as 'RGBA8'];
      gl.texImage2D(gl.TEXTURE_2D, 0, internalFormat, width, height, 0, format, gl[type], given);
      const image = context.createFromGLTexture(CL.MEM_READ_WRITE, gl.TEXTURE_2D, 0, texture);
      const { channelOrder, channelType: found } = image.getImageInfo(CL.IMAGE_FORMAT) as {
        channelOrder: number;
        channelType: number;
      };
      if (channelOrder !== orderOf[order] || found !== channelType) wrong.push(`${name}: its format`);
      const taken = new Channels(cycle([0], given.length));
      const others = new Channels(cycle(values, given.length, 1));
      await shared(queue, [image], way, () => {
        queue.enqueueReadImage(image, false, [0, 0, 0], [width, height, 1], 0, 0, taken);
        queue.enqueueWriteImage(image, false, [0, 0, 0], [width, height, 1], 0, 0, others);
      });
      if (!sameNumbers(taken, given)) wrong.push(`${name}: acquired`);
      const framebuffer = gl.createFramebuffer();
      gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
      const isFloat = suffix.endsWith('F');
      const pixels = isInteger
        ? new (suffix.endsWith('UI') ? Uint32Array : Int32Array)(width * height * 4)
        : new (isFloat ? Float32Array : Uint8Array)(width * height * 4);
      const readType = isInteger
        ? suffix.endsWith('UI')
          ? gl.UNSIGNED_INT
          : gl.INT
        : isFloat
          ? gl.FLOAT
          : gl.UNSIGNED_BYTE;
      gl.readPixels(0, 0, width, height, isInteger ? gl.RGBA_INTEGER : gl.RGBA, readType, pixels);
      const expected = Float32Array.from(cycle(read, given.length, 1));
      const seen = Array.from(pixels).filter((_, i) => i % 4 < channels);
      if (!sameNumbers(Float32Array.from(seen), expected)) wrong.push(`${name}: released`);
      gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    }
  }
  const error = gl.getError();
  context.releaseAll();
  return { wrong, error };
}

/** Volumes, arrays, faces of a cube, levels and renderbuffers: what comes out wrong. */
async function glTargets() {
  const { gl, context, queue } = start();
  const wrong: string[] = [];
  const read = async (image: CLImage, region: readonly [number, number, number]): Promise<Uint8Array> => {
    const bytes = new Uint8Array(region[0] * region[1] * region[2] * 4);
    queue.enqueueAcquireGLObjects([image]);
    queue.enqueueReadImage(image, false, [0, 0, 0], region, 0, 0, bytes);
    await queue.finished();
    return bytes;
  };
  const write = async (image: CLImage, region: readonly [number, number, number], bytes: Uint8Array) => {
    queue.enqueueWriteImage(image, false, [0, 0, 0], region, 0, 0, bytes);
    queue.enqueueReleaseGLObjects([image]);
    await queue.finished();
  };
  const count = (bytes: number, from = 0) =>
    Uint8Array.from({ length: bytes }, (_, i) => (i * 7 + from) % 256);
  const framebuffer = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  const seen = (width: number, height: number, attach: () => void): Uint8Array => {
    attach();
    const pixels = new Uint8Array(width * height * 4);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    return pixels;
  };
  const attached = [gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0] as const;
  const check = (name: string, isRight: boolean) => {
    if (!isRight) wrong.push(name);
  };

  for (const target of [gl.TEXTURE_3D, gl.TEXTURE_2D_ARRAY] as const) {
    const isVolume = target === gl.TEXTURE_3D;
    const name = isVolume ? 'volume' : 'array';
    const texture = gl.createTexture();
    gl.bindTexture(target, texture);
    const given = count(4 * 3 * 2 * 4);
    gl.texImage3D(target, 0, gl.RGBA8, 4, 3, 2, 0, gl.RGBA, gl.UNSIGNED_BYTE, given);
    const image = context.createFromGLTexture(CL.MEM_READ_WRITE, target, 0, texture);
    const type = isVolume ? CL.MEM_OBJECT_IMAGE3D : CL.MEM_OBJECT_IMAGE2D_ARRAY;
    const sizes = isVolume ? CL.IMAGE_DEPTH : CL.IMAGE_ARRAY_SIZE;
    check(`${name}: its type`, image.getInfo(CL.MEM_TYPE) === type && image.getImageInfo(sizes) === 2);
    check(`${name}: acquired`, sameNumbers(await read(image, [4, 3, 2]), given));
    const others = count(given.length, 100);
    await write(image, [4, 3, 2], others);
    for (const layer of [0, 1]) {
      const pixels = seen(4, 3, () => gl.framebufferTextureLayer(...attached, texture, 0, layer));
      check(`${name}: layer ${layer}`, sameNumbers(pixels, others.subarray(layer * 48, layer * 48 + 48)));
    }
  }

  const cube = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_CUBE_MAP, cube);
  const faces = Array.from({ length: 6 }, (_, i) => gl.TEXTURE_CUBE_MAP_POSITIVE_X + i);
  for (const [i, face] of faces.entries()) {
    gl.texImage2D(face, 0, gl.RGBA8, 2, 2, 0, gl.RGBA, gl.UNSIGNED_BYTE, count(16, i));
  }
  const face = context.createFromGLTexture(CL.MEM_READ_WRITE, faces[3]!, 0, cube);
  check('face: its target', face.getGLTextureInfo(CL.GL_TEXTURE_TARGET) === faces[3]);
  check('face: acquired', sameNumbers(await read(face, [2, 2, 1]), count(16, 3)));
  await write(face, [2, 2, 1], count(16, 77));
  for (const [i, target] of faces.entries()) {
    const pixels = seen(2, 2, () => gl.framebufferTexture2D(...attached, target, cube, 0));
    check(`face ${i}`, sameNumbers(pixels, count(16, i === 3 ? 77 : i)));
  }

  const levels = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, levels);
  for (const [level, size] of [8, 4, 2, 1].entries()) {
    const pixels = count(size * size * 4, level);
    gl.texImage2D(gl.TEXTURE_2D, level, gl.RGBA8, size, size, 0, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  }
  const second = context.createFromGLTexture(CL.MEM_READ_WRITE, gl.TEXTURE_2D, 2, levels);
  check(
    'level: its size',
    second.getImageInfo(CL.IMAGE_WIDTH) === 2 && second.getImageInfo(CL.IMAGE_HEIGHT) === 2,
  );
  check('level: its number', second.getGLTextureInfo(CL.GL_MIPMAP_LEVEL) === 2);
  check('level: acquired', sameNumbers(await read(second, [2, 2, 1]), count(16, 2)));
  await write(second, [2, 2, 1], count(16, 50));
  for (const [level, size] of [8, 4, 2].entries()) {
    const pixels = seen(size, size, () => gl.framebufferTexture2D(...attached, gl.TEXTURE_2D, levels, level));
    check(`level ${level}`, sameNumbers(pixels, count(size * size * 4, level === 2 ? 50 : level)));
  }
  check('levels stay', gl.getTexParameter(gl.TEXTURE_2D, gl.TEXTURE_MAX_LEVEL) === 1000);

  const renderbuffer = gl.createRenderbuffer();
  gl.bindRenderbuffer(gl.RENDERBUFFER, renderbuffer);
  gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, 3, 2);
  gl.framebufferRenderbuffer(...attached, gl.RENDERBUFFER, renderbuffer);
  gl.clearColor(1, 0, 0.2, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  // In a scissor's way, which must not matter.
  gl.enable(gl.SCISSOR_TEST);
  gl.scissor(0, 0, 1, 1);
  const drawn = context.createFromGLRenderbuffer(CL.MEM_READ_WRITE, renderbuffer);
  check('renderbuffer: its kind', drawn.getGLObjectInfo().type === CL.GL_OBJECT_RENDERBUFFER);
  check('renderbuffer: acquired', sameNumbers(await read(drawn, [3, 2, 1]), cycle([255, 0, 51, 255], 24)));
  await write(drawn, [3, 2, 1], count(24, 9));
  const pixels = seen(3, 2, () => gl.framebufferRenderbuffer(...attached, gl.RENDERBUFFER, renderbuffer));
  check('renderbuffer: released', sameNumbers(pixels, count(24, 9)));
  const error = gl.getError();
  context.releaseAll();
  return { wrong, error };
}

/** A kernel reads a texture and writes another one. */
async function glKernelOnTextures() {
  const { gl, context, queue } = start();
  const [from, to] = [0, 1].map(() => {
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 2, 1);
    return texture;
  });
  gl.bindTexture(gl.TEXTURE_2D, from!);
  gl.texSubImage2D(
    gl.TEXTURE_2D,
    0,
    0,
    0,
    2,
    1,
    gl.RGBA,
    gl.UNSIGNED_BYTE,
    Uint8Array.of(0, 10, 20, 30, 255, 254, 1, 0),
  );
  const input = context.createFromGLTexture(CL.MEM_READ_ONLY, gl.TEXTURE_2D, 0, from!);
  const output = context.createFromGLTexture(CL.MEM_WRITE_ONLY, gl.TEXTURE_2D, 0, to!);
  const program = context.createProgram(source);
  program.build();
  const kernel = program.createKernel('invert');
  kernel.setArg(0, input);
  kernel.setArg(1, output);
  await shared(queue, [input, output], 'promise', () => queue.enqueueNDRangeKernel(kernel, 2, null, [2, 1]));
  gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, to!, 0);
  const pixels = new Uint8Array(8);
  gl.readPixels(0, 0, 2, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  context.releaseAll();
  return [...pixels];
}

/** Begins a transform feedback, of which what is drawn from here on would be a part; gives what looks whether anything was. */
function startFeedback(gl: GL): () => boolean {
  const program = gl.createProgram()!;
  for (const [type, text] of [
    [gl.VERTEX_SHADER, '#version 300 es\nout float fed; void main() { fed = 7.0; gl_Position = vec4(0); }'],
    [gl.FRAGMENT_SHADER, '#version 300 es\nprecision highp float; out vec4 c; void main() { c = vec4(1); }'],
  ] as const) {
    const shader = gl.createShader(type)!;
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.transformFeedbackVaryings(program, ['fed'], gl.INTERLEAVED_ATTRIBS);
  gl.linkProgram(program);
  const target = gl.createBuffer();
  gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, gl.createTransformFeedback());
  gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, target);
  gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, new Float32Array(16), gl.DYNAMIC_COPY);
  gl.useProgram(program);
  gl.beginTransformFeedback(gl.TRIANGLES);
  return () => {
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, null);
    gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, null);
    const fed = new Float32Array(16);
    gl.bindBuffer(gl.COPY_WRITE_BUFFER, target);
    gl.getBufferSubData(gl.COPY_WRITE_BUFFER, 0, fed);
    return fed.some((value) => value !== 0);
  };
}

/** Whether the program finds WebGL as it left it. */
async function glState() {
  const { gl, context, queue } = start();
  const make = (target: number) => {
    const texture = gl.createTexture();
    gl.bindTexture(target, texture);
    return texture;
  };
  gl.activeTexture(gl.TEXTURE3);
  const texture = make(gl.TEXTURE_2D);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 2, 2, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(16));
  const signed = make(gl.TEXTURE_2D);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8_SNORM, 2, 2);
  const depths = make(gl.TEXTURE_2D);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH24_STENCIL8, 2, 2);
  const bytes = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, bytes);
  gl.bufferData(gl.ARRAY_BUFFER, 16, gl.STATIC_DRAW);
  const renderbuffer = gl.createRenderbuffer();
  gl.bindRenderbuffer(gl.RENDERBUFFER, renderbuffer);
  gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, 2, 2);
  make(gl.TEXTURE_2D);
  make(gl.TEXTURE_3D);
  make(gl.TEXTURE_CUBE_MAP);
  for (const target of [gl.PIXEL_PACK_BUFFER, gl.PIXEL_UNPACK_BUFFER, gl.COPY_READ_BUFFER]) {
    gl.bindBuffer(target, gl.createBuffer());
  }
  gl.bindRenderbuffer(gl.RENDERBUFFER, gl.createRenderbuffer());
  gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, gl.createFramebuffer());
  gl.bindFramebuffer(gl.READ_FRAMEBUFFER, gl.createFramebuffer());
  gl.bindVertexArray(gl.createVertexArray());
  gl.bindSampler(3, gl.createSampler());
  gl.viewport(1, 2, 3, 4);
  gl.colorMask(true, false, true, false);
  gl.depthMask(false);
  gl.depthFunc(gl.GREATER);
  gl.depthRange(0.25, 0.75);
  const feedback = startFeedback(gl);
  for (const name of ['SCISSOR_TEST', 'DEPTH_TEST', 'BLEND', 'STENCIL_TEST', 'CULL_FACE'] as const)
    gl.enable(gl[name]);
  gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, true);
  gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
  gl.pixelStorei(gl.UNPACK_ROW_LENGTH, 77);
  gl.pixelStorei(gl.PACK_ALIGNMENT, 8);
  gl.pixelStorei(gl.PACK_SKIP_ROWS, 5);
  const names = Object.keys(Object.getPrototypeOf(gl) as object).filter(
    (name) =>
      /^[A-Z0-9_]+$/.test(name) &&
      /BINDING|PACK_|ENABLE|_TEST$|MASK|VIEWPORT|PROGRAM$|ACTIVE_TEXTURE|^BLEND$|CULL_FACE$|RASTERIZER|DEPTH_FUNC|DEPTH_RANGE|FEEDBACK/.test(
        name,
      ),
  );
  const snapshot = () => names.map((name) => gl.getParameter(gl[name as 'VIEWPORT']) as unknown);
  const known = names.filter((name) => {
    gl.getParameter(gl[name as 'VIEWPORT']);
    return gl.getError() === 0;
  });
  names.splice(0, names.length, ...known);
  const before = snapshot();
  const objects = [
    context.createFromGLTexture(CL.MEM_READ_WRITE, gl.TEXTURE_2D, 0, texture),
    context.createFromGLBuffer(CL.MEM_READ_WRITE, bytes),
    context.createFromGLRenderbuffer(CL.MEM_READ_WRITE, renderbuffer),
    // These two are exchanged by drawing.
    context.createFromGLTexture(CL.MEM_READ_WRITE, gl.TEXTURE_2D, 0, signed),
    context.createFromGLTexture(CL.MEM_READ_WRITE, gl.TEXTURE_2D, 0, depths),
  ];
  await shared(queue, objects, 'promise', () => {});
  const after = snapshot();
  const show = (value: unknown) => (ArrayBuffer.isView(value) ? String(value) : value);
  const changed = names.filter((_, i) => {
    const [a, b] = [before[i], after[i]].map((value) => (Array.isArray(value) ? String(value) : show(value)));
    return a !== b;
  });
  gl.endTransformFeedback();
  const found = { looked: names.length, changed, fed: feedback(), error: gl.getError() };
  context.releaseAll();
  return found;
}

/** The error of each wrong call. */
async function glErrors(): Promise<Record<string, string>> {
  const { gl, context, queue } = start();
  const plain = createContext();
  const other = start();
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
  const bytes = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, bytes);
  gl.bufferData(gl.ARRAY_BUFFER, 16, gl.STATIC_DRAW);
  const empty = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, empty);
  const renderbuffer = (internal: number, samples = 0) => {
    const made = gl.createRenderbuffer();
    gl.bindRenderbuffer(gl.RENDERBUFFER, made);
    gl.renderbufferStorageMultisample(gl.RENDERBUFFER, samples, internal, 4, 4);
    return made;
  };
  const noPixels = gl.createRenderbuffer();
  gl.bindRenderbuffer(gl.RENDERBUFFER, noPixels);
  const textureOf = (internal: number, format: number, type: number) => {
    const made = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, made);
    gl.texImage2D(gl.TEXTURE_2D, 0, internal, 4, 4, 0, format, type, null);
    return made;
  };
  const openCube = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_CUBE_MAP, openCube);
  for (let face = 0; face < 5; face += 1) {
    const target = gl.TEXTURE_CUBE_MAP_POSITIVE_X + face;
    gl.texImage2D(target, 0, gl.RGBA8, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
  }
  const undefinedTexture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, undefinedTexture);
  const [rw, ro] = [CL.MEM_READ_WRITE, CL.MEM_READ_ONLY];
  const buffer = context.createFromGLBuffer(rw, bytes);
  const image = context.createFromGLTexture(ro, gl.TEXTURE_2D, 0, texture);
  const drawn = context.createFromGLRenderbuffer(rw, renderbuffer(gl.RGBA8));
  const ordinary = context.createBuffer(rw, 16);
  const foreign = other.gl.createBuffer();
  other.gl.bindBuffer(other.gl.ARRAY_BUFFER, foreign);
  other.gl.bufferData(other.gl.ARRAY_BUFFER, 16, other.gl.STATIC_DRAW);
  const released = context.createFromGLBuffer(rw, bytes);
  released.release();
  const sync = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)!;
  const fence = context.createEventFromGLsyncKHR(sync);
  const texture2d = (flags: number, target: number, level: number, object: unknown) => () =>
    context.createFromGLTexture(flags, target, level, object as object);
  const properties =
    (...list: unknown[]) =>
    () =>
      createContext(null, { properties: list as never });
  const webgl1 = new OffscreenCanvas(1, 1).getContext('webgl');
  const calls: Record<string, () => unknown> = {
    'a context of WebGL 1': properties(CL.GL_CONTEXT_KHR, webgl1, 0),
    'a context of nothing': properties(CL.GL_CONTEXT_KHR, {}, 0),
    'a context of a display': properties(CL.GLX_DISPLAY_KHR, 5, 0),
    'a context without OpenGL': properties(CL.GL_CONTEXT_KHR, 0, CL.EGL_DISPLAY_KHR, 0, 0),
    'info without a context': () => getGLContextInfoKHR([0], CL.DEVICES_FOR_GL_CONTEXT_KHR),
    'info of another name': () => getGLContextInfoKHR([CL.GL_CONTEXT_KHR, gl, 0], 0x1234),
    'buffer: no sharing context': () => plain.createFromGLBuffer(rw, bytes),
    'buffer: host pointer flags': () => context.createFromGLBuffer(rw | CL.MEM_COPY_HOST_PTR, bytes),
    'buffer: a texture': () => context.createFromGLBuffer(rw, texture),
    'buffer: nothing': () => context.createFromGLBuffer(rw, null as never),
    'buffer: without data': () => context.createFromGLBuffer(rw, empty),
    'buffer: of another WebGL context': () => context.createFromGLBuffer(rw, foreign),
    'texture: no sharing context': () => plain.createFromGLTexture(rw, gl.TEXTURE_2D, 0, texture),
    'texture: flags': texture2d(CL.MEM_ALLOC_HOST_PTR, gl.TEXTURE_2D, 0, texture),
    'texture: 1D target': texture2d(rw, 0x0de0, 0, texture),
    'texture: whole cube': texture2d(rw, gl.TEXTURE_CUBE_MAP, 0, texture),
    'texture: another target': texture2d(rw, gl.TEXTURE_3D, 0, texture),
    'texture: a buffer': texture2d(rw, gl.TEXTURE_2D, 0, bytes),
    'texture: without a level': texture2d(rw, gl.TEXTURE_2D, 0, undefinedTexture),
    'texture: level -1': texture2d(rw, gl.TEXTURE_2D, -1, texture),
    'texture: level beyond the last': texture2d(rw, gl.TEXTURE_2D, 3, texture),
    'texture: level not defined': texture2d(rw, gl.TEXTURE_2D, 1, texture),
    'texture: sRGB without alpha': texture2d(
      rw,
      gl.TEXTURE_2D,
      0,
      textureOf(gl.SRGB8, gl.RGB, gl.UNSIGNED_BYTE),
    ),
    'texture: a cube with a face missing': texture2d(rw, gl.TEXTURE_CUBE_MAP_POSITIVE_X, 0, openCube),
    'texture: RGB': texture2d(rw, gl.TEXTURE_2D, 0, textureOf(gl.RGB8, gl.RGB, gl.UNSIGNED_BYTE)),
    'texture: 5551': texture2d(rw, gl.TEXTURE_2D, 0, textureOf(gl.RGB5_A1, gl.RGBA, gl.UNSIGNED_BYTE)),
    'renderbuffer: no sharing context': () => plain.createFromGLRenderbuffer(rw, noPixels),
    'renderbuffer: flags': () => context.createFromGLRenderbuffer(rw | ro, renderbuffer(gl.RGBA8)),
    'renderbuffer: a texture': () => context.createFromGLRenderbuffer(rw, texture),
    'renderbuffer: without pixels': () => context.createFromGLRenderbuffer(rw, noPixels),
    'renderbuffer: samples': () => context.createFromGLRenderbuffer(rw, renderbuffer(gl.RGBA8, 4)),
    'renderbuffer: depth': () => context.createFromGLRenderbuffer(rw, renderbuffer(gl.DEPTH_COMPONENT16)),
    'renderbuffer: 565': () => context.createFromGLRenderbuffer(rw, renderbuffer(gl.RGB565)),
    'object info: ordinary': () => ordinary.getGLObjectInfo(),
    'object info: released': () => released.getGLObjectInfo(),
    'texture info: renderbuffer': () => drawn.getGLTextureInfo(CL.GL_TEXTURE_TARGET),
    'texture info: name': () => image.getGLTextureInfo(CL.MEM_SIZE),
    'acquire: ordinary': () => queue.enqueueAcquireGLObjects([buffer, ordinary]),
    'acquire: no list': () => queue.enqueueAcquireGLObjects(7 as never),
    'acquire: no memory object': () => queue.enqueueAcquireGLObjects([3 as never]),
    'acquire: released': () => queue.enqueueAcquireGLObjects([released]),
    'acquire: no sharing context': () => plain.createCommandQueue().enqueueAcquireGLObjects([]),
    'acquire: of another context': () => other.queue.enqueueAcquireGLObjects([buffer]),
    'acquire: wait list': () => queue.enqueueAcquireGLObjects([buffer], [new CLEvent()]),
    'release: ordinary': () => queue.enqueueReleaseGLObjects([ordinary]),
    'release: waits for a fence': () => queue.enqueueReleaseGLObjects([buffer], [fence]),
    'fill: waits for a fence': () => queue.enqueueFillBuffer(ordinary, Uint8Array.of(1), 0, 16, [fence]),
    'fence: no sharing context': () => plain.createEventFromGLsyncKHR(sync),
    'fence: a buffer': () => context.createEventFromGLsyncKHR(bytes),
  };
  const found: Record<string, string> = {};
  for (const [name, call] of Object.entries(calls)) found[name] = await failureName(call);
  context.releaseAll();
  plain.releaseAll();
  other.context.releaseAll();
  return found;
}

/** An event of a fence: what it tells, and an acquire that waits for it. */
async function glFence(way: 'blocking' | 'promise') {
  const { gl, context, queue } = start();
  if (way === 'blocking') await queue.ready();
  const bytes = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, bytes);
  gl.bufferData(gl.ARRAY_BUFFER, Uint8Array.of(1, 2, 3, 4), gl.DYNAMIC_DRAW);
  const buffer = context.createFromGLBuffer(CL.MEM_READ_WRITE, bytes);
  const sync = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)!;
  const event = context.createEventFromGLsyncKHR(sync);
  const before = event.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS);
  const result = new Uint8Array(4);
  queue.enqueueAcquireGLObjects([buffer], [event]);
  queue.enqueueReadBuffer(buffer, way === 'blocking', 0, 4, result);
  await queue.finished();
  const found = {
    before,
    after: event.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS),
    type: event.getInfo(CL.EVENT_COMMAND_TYPE),
    queue: event.getInfo(CL.EVENT_COMMAND_QUEUE),
    result: [...result],
  };
  await event.done;
  context.releaseAll();
  return found;
}

/** After the WebGL context is lost every exchange fails, and nothing hangs. */
async function glLoss() {
  const { gl, context, queue } = start();
  const bytes = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, bytes);
  gl.bufferData(gl.ARRAY_BUFFER, 16, gl.STATIC_DRAW);
  const buffer = context.createFromGLBuffer(CL.MEM_READ_WRITE, bytes);
  gl.getExtension('WEBGL_lose_context')!.loseContext();
  const [acquired, released] = [new CLEvent(), new CLEvent()];
  queue.enqueueAcquireGLObjects([buffer], null, acquired);
  queue.enqueueReleaseGLObjects([buffer], null, released);
  const found = {
    acquired: await failureName(() => acquired.done),
    released: await failureName(() => released.done),
    created: await failureName(() => context.createFromGLBuffer(CL.MEM_READ_WRITE, bytes)),
    context: await failureName(() => createContext(null, { properties: [CL.GL_CONTEXT_KHR, gl, 0] })),
  };
  context.releaseAll();
  return found;
}

export const glScenarios = {
  glExtension: extension,
  glBuffer,
  glEvents,
  glFormats,
  glTargets,
  glKernelOnTextures,
  glState,
  glErrors,
  glFence,
  glLoss,
} as const;
