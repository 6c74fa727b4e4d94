/**
 * What the browser tests do with textures of every internal format of WebGL 2. What a texture holds is asked of WebGL itself, by a
 * shader of this file.
 */
import { CL, CLEvent, type CLImage, createContext } from 'millrace/opencl';
import { failureName } from './failures.ts';
import { sameNumbers, shared, start } from './gl-scenarios.ts';

type GL = WebGL2RenderingContext;
type GLName = Extract<{ [K in keyof GL]: GL[K] extends number ? K : never }[keyof GL], string>;

/**
 * The sized internal formats of textures (OpenGL ES 3.0, tables 3.13 and 3.14), with a format and a type that WebGL 2 takes for them, and
 * the image format (OpenCL 2.0 extensions, tables 9.4 and 9.12.1); without one for those that the tables leave out.
 */
const internalFormats: readonly (readonly [name: string, format: string, type: string, image?: string])[] = [
  ...[
    '8 UNSIGNED_BYTE UNORM_INT8',
    '8_SNORM BYTE SNORM_INT8',
    '16F HALF_FLOAT HALF_FLOAT',
    '32F FLOAT FLOAT',
  ].flatMap((row) => {
    const [suffix, type, image] = row.split(' ') as [string, string, string];
    return [
      [`R${suffix}`, 'RED', type, `R ${image}`],
      [`RG${suffix}`, 'RG', type, `RG ${image}`],
      [`RGB${suffix}`, 'RGB', type],
      [`RGBA${suffix}`, 'RGBA', type, `RGBA ${image}`],
    ] as const;
  }),
  ...[
    '8UI UNSIGNED_BYTE',
    '8I BYTE',
    '16UI UNSIGNED_SHORT',
    '16I SHORT',
    '32UI UNSIGNED_INT',
    '32I INT',
  ].flatMap((row) => {
    const [suffix, type] = row.split(' ') as [string, string];
    const image = `${suffix.endsWith('UI') ? 'UNSIGNED' : 'SIGNED'}_INT${parseInt(suffix, 10)}`;
    return [
      [`R${suffix}`, 'RED_INTEGER', type, `R ${image}`],
      [`RG${suffix}`, 'RG_INTEGER', type, `RG ${image}`],
      [`RGB${suffix}`, 'RGB_INTEGER', type],
      [`RGBA${suffix}`, 'RGBA_INTEGER', type, `RGBA ${image}`],
    ] as const;
  }),
  ['SRGB8', 'RGB', 'UNSIGNED_BYTE'],
  ['SRGB8_ALPHA8', 'RGBA', 'UNSIGNED_BYTE', 'sRGBA UNORM_INT8'],
  ['RGB565', 'RGB', 'UNSIGNED_SHORT_5_6_5'],
  ['RGBA4', 'RGBA', 'UNSIGNED_SHORT_4_4_4_4'],
  ['RGB5_A1', 'RGBA', 'UNSIGNED_SHORT_5_5_5_1'],
  ['RGB10_A2', 'RGBA', 'UNSIGNED_INT_2_10_10_10_REV'],
  ['RGB10_A2UI', 'RGBA_INTEGER', 'UNSIGNED_INT_2_10_10_10_REV'],
  ['R11F_G11F_B10F', 'RGB', 'UNSIGNED_INT_10F_11F_11F_REV'],
  ['RGB9_E5', 'RGB', 'UNSIGNED_INT_5_9_9_9_REV'],
  ['DEPTH_COMPONENT16', 'DEPTH_COMPONENT', 'UNSIGNED_SHORT', 'DEPTH UNORM_INT16'],
  // Not in the table, but no bit of it is lost in a float.
  ['DEPTH_COMPONENT24', 'DEPTH_COMPONENT', 'UNSIGNED_INT', 'DEPTH FLOAT'],
  ['DEPTH_COMPONENT32F', 'DEPTH_COMPONENT', 'FLOAT', 'DEPTH FLOAT'],
  ['DEPTH24_STENCIL8', 'DEPTH_STENCIL', 'UNSIGNED_INT_24_8', 'DEPTH_STENCIL UNORM_INT24'],
  ['DEPTH32F_STENCIL8', 'DEPTH_STENCIL', 'FLOAT_32_UNSIGNED_INT_24_8_REV', 'DEPTH_STENCIL FLOAT'],
  // Unsized ones, which textures of WebGL 1's kind have.
  ['RGBA', 'RGBA', 'UNSIGNED_BYTE', 'RGBA UNORM_INT8'],
  ['RGB', 'RGB', 'UNSIGNED_BYTE'],
  ['LUMINANCE', 'LUMINANCE', 'UNSIGNED_BYTE'],
  ['LUMINANCE_ALPHA', 'LUMINANCE_ALPHA', 'UNSIGNED_BYTE'],
  ['ALPHA', 'ALPHA', 'UNSIGNED_BYTE'],
];

const number = (gl: GL, name: string): number => gl[name as GLName];

/** What becomes of a texture of each internal format: the names of its image format, or the error. And what should. */
async function glAllFormats() {
  const { gl, context } = start();
  const nameOf = (value: number, pattern: RegExp): string =>
    Object.entries(CL).find(([name, each]) => each === value && pattern.test(name))?.[0] ?? String(value);
  const found: Record<string, string> = {};
  const expected: Record<string, string> = {};
  for (const [name, format, type, image] of internalFormats) {
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    const internal = number(gl, name);
    gl.texImage2D(gl.TEXTURE_2D, 0, internal, 3, 2, 0, number(gl, format), number(gl, type), null);
    if (gl.getError() !== 0) throw new Error(`WebGL 2 has no texture of ${name}`);
    expected[name] = image ?? 'CL_INVALID_IMAGE_FORMAT_DESCRIPTOR';
    let result = '';
    const error = await failureName(() => {
      const shared = context.createFromGLTexture(CL.MEM_READ_WRITE, gl.TEXTURE_2D, 0, texture);
      const { channelOrder, channelType } = shared.getImageInfo(CL.IMAGE_FORMAT) as {
        channelOrder: number;
        channelType: number;
      };
      result = `${nameOf(channelOrder, /^(s?RGBA?|RG?|DEPTH(_STENCIL)?)$/)} ${nameOf(channelType, /INT|FLOAT/)}`;
    });
    found[name] = error === 'no error' ? result : error;
  }
  const glError = gl.getError();
  context.releaseAll();
  return { found, expected, glError };
}

/** Everything that WebGL samples from a level, four floats a pixel. */
function sampled(
  gl: GL,
  target: 'TEXTURE_2D' | 'TEXTURE_2D_ARRAY' | 'TEXTURE_3D',
  texture: WebGLTexture,
  size: readonly [number, number, number],
) {
  const [width, height, layers] = size;
  const isFlat = target === 'TEXTURE_2D';
  const sampler = { TEXTURE_2D: 'sampler2D', TEXTURE_2D_ARRAY: 'sampler2DArray', TEXTURE_3D: 'sampler3D' }[
    target
  ];
  const program = gl.createProgram()!;
  for (const [type, text] of [
    [gl.VERTEX_SHADER, `in vec2 at; void main() { gl_Position = vec4(at, 0, 1); }`],
    [
      gl.FRAGMENT_SHADER,
      `precision highp float; uniform highp ${sampler} t; uniform int layer; out vec4 c;
       void main() { ivec2 p = ivec2(gl_FragCoord.xy); c = texelFetch(t, ${isFlat ? 'p' : 'ivec3(p, layer)'}, 0); }`,
    ],
  ] as const) {
    const shader = gl.createShader(type)!;
    gl.shaderSource(shader, `#version 300 es\n${text}`);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.bindAttribLocation(program, 0, 'at');
  gl.linkProgram(program);
  gl.useProgram(program);
  gl.bindTexture(gl[target], texture);
  gl.texParameteri(gl[target], gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl[target], gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  const corners = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, corners);
  gl.bufferData(gl.ARRAY_BUFFER, Float32Array.of(-1, -1, 1, -1, -1, 1, 1, 1), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  const drawn = gl.createRenderbuffer();
  gl.bindRenderbuffer(gl.RENDERBUFFER, drawn);
  gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA32F, width, height);
  gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
  gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, drawn);
  gl.viewport(0, 0, width, height);
  const pixels = new Float32Array(width * height * layers * 4);
  for (let layer = 0; layer < layers; layer += 1) {
    gl.uniform1i(gl.getUniformLocation(program, 'layer'), layer);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    const part = pixels.subarray(layer * width * height * 4, (layer + 1) * width * height * 4);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.FLOAT, part);
  }
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  gl.disableVertexAttribArray(0);
  return pixels;
}

const kernels = `
#define PIXEL (get_global_id(0) + get_global_size(0) * (get_global_id(1) + get_global_size(1) * get_global_id(2)))
#define FLAT (int2)(get_global_id(0), get_global_id(1))
#define DEEP (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0)
#define DEFINE(NAME, TYPE, AT, COLOUR)                                                             \\
  kernel void read_##NAME(read_only TYPE image, global float4 *out) {                              \\
    out[PIXEL] = (float4)(read_imagef(image, AT));                                                  \\
  }                                                                                                 \\
  kernel void write_##NAME(write_only TYPE image, global const float4 *in) {                       \\
    write_imagef(image, AT, in[PIXEL] COLOUR);                                                      \\
  }
DEFINE(TEXTURE_2D, image2d_t, FLAT, )
DEFINE(TEXTURE_2D_ARRAY, image2d_array_t, DEEP, )
DEFINE(TEXTURE_3D, image3d_t, DEEP, )
DEFINE(depth_TEXTURE_2D, image2d_depth_t, FLAT, .x)
DEFINE(depth_TEXTURE_2D_ARRAY, image2d_array_depth_t, DEEP, .x)
`;

/** The kernels that read and write images, with the buffer that they share with the host. */
function kernelsOn({ context, queue }: ReturnType<typeof start>) {
  const program = context.createProgram(kernels);
  program.build(null, '-cl-std=CL2.0');
  const run = (
    way: 'read' | 'write',
    kind: string,
    image: CLImage,
    size: readonly number[],
    values: Float32Array,
  ) => {
    const buffer = context.createBuffer(CL.MEM_READ_WRITE, values.byteLength);
    const kernel = program.createKernel(`${way}_${kind}`);
    kernel.setArg(0, image);
    kernel.setArg(1, buffer);
    if (way === 'write') queue.enqueueWriteBuffer(buffer, false, 0, values.byteLength, values);
    queue.enqueueNDRangeKernel(kernel, 3, null, size);
    if (way === 'read') queue.enqueueReadBuffer(buffer, false, 0, values.byteLength, values);
  };
  return run;
}

/** Colours that kernels and WebGL see of signed bytes, sRGB bytes: every byte, given by WebGL, read, changed, and sampled by WebGL. */
async function glColourTextures(way: 'blocking' | 'promise') {
  const place = start();
  const { gl, context, queue } = place;
  gl.getExtension('EXT_color_buffer_float');
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  const run = kernelsOn(place);
  const wrong: string[] = [];
  const size = [16, 8, 2] as const;
  // sRGB and linear colours (IEC 61966-2-1), which OpenGL ES 3.0, 3.8.16, and OpenCL 2.0, 8.3.1.2, have in common.
  const linear = (c: number) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const encoded = (c: number) => (c < 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055);
  const kinds = [
    { name: 'R8_SNORM', format: 'RED', channels: 1 },
    { name: 'RG8_SNORM', format: 'RG', channels: 2 },
    { name: 'RGBA8_SNORM', format: 'RGBA', channels: 4 },
    { name: 'SRGB8_ALPHA8', format: 'RGBA', channels: 4 },
  ] as const;
  for (const { name, format, channels } of kinds) {
    for (const target of ['TEXTURE_2D', 'TEXTURE_2D_ARRAY', 'TEXTURE_3D'] as const) {
      const extent: readonly [number, number, number] =
        target === 'TEXTURE_2D' ? [size[0], size[1] * size[2], 1] : size;
      const count = extent[0] * extent[1] * extent[2];
      const isSigned = name !== 'SRGB8_ALPHA8';
      const Bytes = isSigned ? Int8Array : Uint8Array;
      const type = isSigned ? gl.BYTE : gl.UNSIGNED_BYTE;
      const values = Array.from({ length: count * channels }, (_, i) => i * 7 + Math.floor(i / 256));
      const given = new Bytes(values);
      const texture = gl.createTexture();
      gl.bindTexture(gl[target], texture);
      if (target === 'TEXTURE_2D') {
        gl.texStorage2D(gl[target], 1, gl[name], extent[0], extent[1]);
        gl.texSubImage2D(gl[target], 0, 0, 0, extent[0], extent[1], gl[format], type, given);
      } else {
        gl.texStorage3D(gl[target], 1, gl[name], ...extent);
        gl.texSubImage3D(gl[target], 0, 0, 0, 0, ...extent, gl[format], type, given);
      }
      const image = context.createFromGLTexture(CL.MEM_READ_WRITE, gl[target], 0, texture);
      const before = sampled(gl, target, texture, extent);
      const seen = new Float32Array(count * 4);
      const taken = new Bytes(given.length);
      // What a kernel gives: colours between those that bytes stand for, and beyond.
      const colours = Float32Array.from(seen, (_, i) => ((i * 37) % 300) / 281 - (isSigned ? 0.49 : 0.02));
      const colourOf = (value: number, channel: number): number => {
        if (isSigned) return Math.max(Math.min(Math.round(value * 127), 127), -127) / 127;
        const within = Math.max(Math.min(value, 1), 0);
        if (channel === 3) return Math.round(within * 255) / 255;
        return linear(Math.round(encoded(within) * 255) / 255);
      };
      await shared(queue, [image], way, () => {
        run('read', target, image, extent, seen);
        queue.enqueueReadImage(image, false, [0, 0, 0], extent, 0, 0, taken);
        run('write', target, image, extent, colours);
      });
      const isNear = (a: ArrayLike<number>, b: ArrayLike<number>) =>
        Array.from(a).every((value, i) => Math.abs(value - b[i]!) < 1e-4);
      if (!isNear(seen, before)) wrong.push(`${name} ${target}: a kernel sees something else than WebGL`);
      // -128 and -127 both stand for -1.
      const bytes = Array.from(given, (value) => Math.max(value, -127));
      if (!sameNumbers(taken, bytes)) wrong.push(`${name} ${target}: the bytes acquired`);
      const after = sampled(gl, target, texture, extent);
      const expected = Float32Array.from(colours, (value, i) => {
        const channel = i % 4;
        return channel < channels ? colourOf(value, channel) : channel === 3 ? 1 : 0;
      });
      if (!isNear(after, expected)) wrong.push(`${name} ${target}: released`);
    }
  }
  const error = gl.getError();
  context.releaseAll();
  return { wrong, error };
}

/** Faces of cube maps that are sampled, and renderbuffers of the sRGB encoding. */
async function glSampledTargets() {
  const { gl, context, queue } = start();
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  const wrong: string[] = [];
  const faces = Array.from({ length: 6 }, (_, i) => gl.TEXTURE_CUBE_MAP_POSITIVE_X + i);
  const pixels = (face: number) => Int8Array.from({ length: 5 * 5 * 4 }, (_, i) => face * 40 + i - 127);
  const cube = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_CUBE_MAP, cube);
  for (const [i, face] of faces.entries()) {
    gl.texImage2D(face, 0, gl.RGBA8_SNORM, 5, 5, 0, gl.RGBA, gl.BYTE, pixels(i));
  }
  const read = async (face: number): Promise<Int8Array> => {
    const image = context.createFromGLTexture(CL.MEM_READ_ONLY, face, 0, cube);
    const bytes = new Int8Array(100);
    queue.enqueueAcquireGLObjects([image]);
    queue.enqueueReadImage(image, false, [0, 0, 0], [5, 5, 1], 0, 0, bytes);
    await queue.finished();
    image.release();
    return bytes;
  };
  const clamped = (bytes: Int8Array) => bytes.map((value) => Math.max(value, -127));
  for (const [i, face] of faces.entries()) {
    if (!sameNumbers(await read(face), clamped(pixels(i)))) wrong.push(`face ${i}: acquired`);
  }
  const image = context.createFromGLTexture(CL.MEM_READ_WRITE, faces[4]!, 0, cube);
  queue.enqueueAcquireGLObjects([image]);
  queue.enqueueWriteImage(image, false, [0, 0, 0], [5, 5, 1], 0, 0, pixels(1));
  queue.enqueueReleaseGLObjects([image]);
  await queue.finished();
  for (const [i, face] of faces.entries()) {
    if (!sameNumbers(await read(face), clamped(pixels(i === 4 ? 1 : i)))) wrong.push(`face ${i}: released`);
  }

  const depthCube = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_CUBE_MAP, depthCube);
  const depths = (face: number) => Uint16Array.from({ length: 9 }, (_, i) => face * 10000 + i * 1111);
  for (const [i, face] of faces.entries()) {
    gl.texImage2D(face, 0, gl.DEPTH_COMPONENT16, 3, 3, 0, gl.DEPTH_COMPONENT, gl.UNSIGNED_SHORT, depths(i));
  }
  for (const [i, face] of faces.entries()) {
    const image = context.createFromGLTexture(CL.MEM_READ_ONLY, face, 0, depthCube);
    const found = new Uint16Array(9);
    queue.enqueueAcquireGLObjects([image]);
    queue.enqueueReadImage(image, false, [0, 0, 0], [3, 3, 1], 0, 0, found);
    await queue.finished();
    if (!sameNumbers(found, depths(i))) wrong.push(`face ${i}: depths`);
  }

  // All bytes of the sRGB encoding, whose copies must not go by way of rounded linear colours.
  const renderbuffer = gl.createRenderbuffer();
  gl.bindRenderbuffer(gl.RENDERBUFFER, renderbuffer);
  gl.renderbufferStorage(gl.RENDERBUFFER, gl.SRGB8_ALPHA8, 64, 4);
  const drawn = context.createFromGLRenderbuffer(CL.MEM_READ_WRITE, renderbuffer);
  const all = Uint8Array.from({ length: 1024 }, (_, i) => (i % 4 === 3 ? 255 - (i >> 2) : i >> 2));
  const kept = new Uint8Array(1024);
  queue.enqueueAcquireGLObjects([drawn]);
  queue.enqueueWriteImage(drawn, false, [0, 0, 0], [64, 4, 1], 0, 0, all);
  queue.enqueueReleaseGLObjects([drawn]);
  queue.enqueueFillImage(drawn, [0, 0, 0, 0], [0, 0, 0], [64, 4, 1]);
  queue.enqueueAcquireGLObjects([drawn]);
  queue.enqueueReadImage(drawn, false, [0, 0, 0], [64, 4, 1], 0, 0, kept);
  await queue.finished();
  const seen = new Uint8Array(1024);
  gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
  gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, renderbuffer);
  gl.readPixels(0, 0, 64, 4, gl.RGBA, gl.UNSIGNED_BYTE, seen);
  if (!sameNumbers(kept, all) || !sameNumbers(seen, all)) wrong.push('sRGB renderbuffer');
  const error = gl.getError();
  context.releaseAll();
  return { wrong, error };
}

/** Depth textures: given by WebGL, read by kernels, written by kernels, sampled by WebGL. Stencils beside them stay. */
async function glDepthTextures(way: 'blocking' | 'promise') {
  const place = start();
  const { gl, context, queue } = place;
  gl.getExtension('EXT_color_buffer_float');
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  const run = kernelsOn(place);
  const wrong: string[] = [];
  const kinds = [
    { name: 'DEPTH_COMPONENT16', step: 1 / 65535 },
    { name: 'DEPTH_COMPONENT24', step: 1 / 0xffffff },
    { name: 'DEPTH_COMPONENT32F', step: 0 },
    { name: 'DEPTH24_STENCIL8', step: 1 / 0xffffff },
    { name: 'DEPTH32F_STENCIL8', step: 0 },
  ] as const;
  for (const { name, step } of kinds) {
    for (const target of ['TEXTURE_2D', 'TEXTURE_2D_ARRAY'] as const) {
      const label = `${name} ${target}`;
      const size = [4, 3, target === 'TEXTURE_2D' ? 1 : 2] as const;
      const [width, height, layers] = size;
      const count = width * height * layers;
      const hasStencil = name.includes('STENCIL');
      const texture = gl.createTexture();
      gl.bindTexture(gl[target], texture);
      if (target === 'TEXTURE_2D') gl.texStorage2D(gl[target], 1, gl[name], width, height);
      else gl.texStorage3D(gl[target], 1, gl[name], ...size);
      // WebGL clears one pixel after another to its depth and its stencil.
      const part = hasStencil ? gl.DEPTH_STENCIL_ATTACHMENT : gl.DEPTH_ATTACHMENT;
      const attach = (layer: number) => {
        gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
        if (target === 'TEXTURE_2D') gl.framebufferTexture2D(gl.FRAMEBUFFER, part, gl[target], texture, 0);
        else gl.framebufferTextureLayer(gl.FRAMEBUFFER, part, texture, 0, layer);
      };
      const eachPixel = (action: (pixel: number) => void) => {
        gl.enable(gl.SCISSOR_TEST);
        for (let pixel = 0; pixel < count; pixel += 1) {
          const inLayer = pixel % (width * height);
          if (inLayer === 0) attach(pixel / (width * height));
          gl.scissor(inLayer % width, Math.floor(inLayer / width), 1, 1);
          action(pixel);
        }
        gl.disable(gl.SCISSOR_TEST);
      };
      eachPixel((pixel) => {
        if (hasStencil) gl.clearBufferfi(gl.DEPTH_STENCIL, 0, pixel / 29, 100 + pixel);
        else gl.clearBufferfv(gl.DEPTH, 0, [pixel / 29]);
      });
      const before = sampled(gl, target, texture, size);
      const image = context.createFromGLTexture(CL.MEM_READ_WRITE, gl[target], 0, texture);
      const seen = new Float32Array(count * 4);
      const written = Float32Array.from(seen, (_, i) => 1 - (i >> 2) / 31 - 0.001);
      await shared(queue, [image], way, () => {
        run('read', `depth_${target}`, image, size, seen);
        run('write', `depth_${target}`, image, size, written);
      });
      const after = sampled(gl, target, texture, size);
      const depthsOf = (values: Float32Array) =>
        Array.from({ length: count }, (_, pixel) => values[pixel * 4]!);
      // The nearest number that a kernel can see; WebGL itself may be a step beside what it was told.
      if (
        !depthsOf(seen).every(
          (depth, pixel) => Math.abs(depth - depthsOf(before)[pixel]!) <= step / 2 + 2 ** -25,
        )
      ) {
        wrong.push(`${label}: acquired`);
      }
      if (!depthsOf(before).every((depth, pixel) => Math.abs(depth - pixel / 29) <= step + 2 ** -24)) {
        wrong.push(`${label}: the test's own depths`);
      }
      if (
        !depthsOf(after).every((depth, pixel) => Math.abs(depth - written[pixel * 4]!) <= step + 2 ** -24)
      ) {
        wrong.push(`${label}: released`);
      }
      if (!hasStencil) continue;
      // A pixel is drawn where the stencil is what it was.
      const colour = gl.createRenderbuffer();
      gl.bindRenderbuffer(gl.RENDERBUFFER, colour);
      gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, width, height);
      const kept: boolean[] = [];
      const program = plainProgram(gl);
      eachPixel((pixel) => {
        gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, colour);
        gl.viewport(0, 0, width, height);
        gl.clearBufferfv(gl.COLOR, 0, [0, 0, 0, 0]);
        gl.enable(gl.STENCIL_TEST);
        gl.stencilFunc(gl.EQUAL, 100 + pixel, 0xff);
        gl.useProgram(program);
        gl.drawArrays(gl.TRIANGLES, 0, 3);
        gl.disable(gl.STENCIL_TEST);
        const inLayer = pixel % (width * height);
        const found = new Uint8Array(4);
        gl.readPixels(inLayer % width, Math.floor(inLayer / width), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, found);
        kept.push(found[0] === 255);
      });
      if (!kept.every(Boolean)) wrong.push(`${label}: stencils`);
    }
  }
  const error = gl.getError();
  context.releaseAll();
  return { wrong, error };
}

/** Draws everywhere in white. */
function plainProgram(gl: GL): WebGLProgram {
  const program = gl.createProgram()!;
  for (const [type, text] of [
    [
      gl.VERTEX_SHADER,
      'void main() { gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1); }',
    ],
    [gl.FRAGMENT_SHADER, 'precision highp float; out vec4 c; void main() { c = vec4(1); }'],
  ] as const) {
    const shader = gl.createShader(type)!;
    gl.shaderSource(shader, `#version 300 es\n${text}`);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  return program;
}

/** What cl_khr_gl_depth_images says of images with stencils: where they are listed, and what refuses them. */
async function glDepthStencilRules() {
  const { gl, context, queue } = start();
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH24_STENCIL8, 4, 4);
  const image = context.createFromGLTexture(CL.MEM_READ_WRITE, gl.TEXTURE_2D, 0, texture);
  const format = { channelOrder: CL.DEPTH_STENCIL, channelType: CL.UNORM_INT24 };
  const isListed = (from: typeof context, type: number) =>
    from
      .getSupportedImageFormats(CL.MEM_READ_ONLY, type)
      .filter(({ channelOrder }) => channelOrder === CL.DEPTH_STENCIL).length;
  const plain = createContext();
  const buffer = context.createBuffer(CL.MEM_READ_WRITE, 64);
  const all = [
    [0, 0, 0],
    [4, 4, 1],
  ] as const;
  const bytes = new Uint8Array(64);
  const program = context.createProgram('kernel void f(read_only image2d_t image) {}');
  program.build();
  const kernel = program.createKernel('f');
  const calls: Record<string, () => unknown> = {
    create: () =>
      context.createImage(CL.MEM_READ_WRITE, format, { type: CL.MEM_OBJECT_IMAGE2D, width: 4, height: 4 }),
    read: () => queue.enqueueReadImage(image, false, ...all, 0, 0, bytes),
    write: () => queue.enqueueWriteImage(image, false, ...all, 0, 0, bytes),
    fill: () => queue.enqueueFillImage(image, [0, 0, 0, 0], ...all),
    copy: () => queue.enqueueCopyImage(image, image, [0, 0, 0], [2, 2, 0], [1, 1, 1]),
    'copy to a buffer': () => queue.enqueueCopyImageToBuffer(image, buffer, ...all, 0),
    'copy from a buffer': () => queue.enqueueCopyBufferToImage(buffer, image, 0, ...all),
    map: () => queue.enqueueMapImage(image, true, CL.MAP_READ, ...all, [0]),
    'an argument that is no depth image': () => kernel.setArg(0, image),
  };
  const found: Record<string, string> = {};
  for (const [name, call] of Object.entries(calls)) found[name] = await failureName(call);
  const result = {
    extension: context.devices[0]!.getSupportedExtensions().includes('cl_khr_gl_depth_images'),
    listed: [CL.MEM_OBJECT_IMAGE2D, CL.MEM_OBJECT_IMAGE2D_ARRAY, CL.MEM_OBJECT_IMAGE3D].map((type) =>
      isListed(context, type),
    ),
    listedWithoutOpenGL: isListed(plain, CL.MEM_OBJECT_IMAGE2D),
    element: image.getImageInfo(CL.IMAGE_ELEMENT_SIZE),
    found,
  };
  const done = new CLEvent();
  queue.enqueueAcquireGLObjects([image], null, done);
  await done.done;
  context.releaseAll();
  plain.releaseAll();
  return result;
}

export const glFormatScenarios = {
  glAllFormats,
  glColourTextures,
  glSampledTargets,
  glDepthTextures,
  glDepthStencilRules,
} as const;
