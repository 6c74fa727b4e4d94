/** Memory objects of OpenGL's: clCreateFromGLBuffer and its like (OpenCL 1.2 extensions, 9.7.2 to 9.7.4). */
import { OpenCLError, type StatusName } from '../../../runtime/status.ts';
import { shown } from '../../../source/shown.ts';
import { CLBuffer } from '../buffer.ts';
import { CL } from '../constants.ts';
import type { CLContext } from '../context.ts';
import { shownBits } from '../handle.ts';
import { CLImage } from '../image.ts';
import type { CLImageDescriptor } from '../image-descriptors.ts';
import { type SharedFormat, sharedDepthFormat, sharedFormat } from './formats.ts';
import { levelSize } from './level-size.ts';
import { bufferLink, GLTextureLevel, renderbufferLink, textureLink } from './links.ts';
import type { GLShareGroup } from './share-group.ts';
import { withBuffer, withPixels } from './state.ts';

/** @throws OpenCLError CL_INVALID_CONTEXT, CL_INVALID_VALUE, CL_INVALID_GL_OBJECT */
function begin(context: CLContext, memFlags: number): { group: GLShareGroup; flags: number } {
  const group = shareGroupOf(context);
  const allowed: readonly number[] = [0, CL.MEM_READ_WRITE, CL.MEM_READ_ONLY, CL.MEM_WRITE_ONLY];
  if (!allowed.includes(memFlags)) {
    fail(
      'CL_INVALID_VALUE',
      `${shownBits(memFlags)}: objects of OpenGL are READ_WRITE, READ_ONLY or WRITE_ONLY`,
    );
  }
  group.checkAlive();
  return { group, flags: memFlags === 0 ? CL.MEM_READ_WRITE : memFlags };
}

/** @throws OpenCLError CL_INVALID_CONTEXT if the context was created without OpenGL */
export function shareGroupOf(context: CLContext): GLShareGroup {
  return (
    context.glShareGroup ??
    fail('CL_INVALID_CONTEXT', 'the context was not created from a WebGL 2 context (CL.GL_CONTEXT_KHR)')
  );
}

/** See CLContext.createFromGLBuffer. */
export function createFromGLBuffer(context: CLContext, memFlags: number, bufobj: object): CLBuffer {
  const { group, flags } = begin(context, memFlags);
  const { gl } = group;
  if (!isObject(bufobj, 'WebGLBuffer') || !gl.isBuffer(bufobj as WebGLBuffer)) {
    fail('CL_INVALID_GL_OBJECT', `${shown(bufobj)} is no buffer of the WebGL context that has been bound`);
  }
  const buffer = bufobj as WebGLBuffer;
  const size = withBuffer(gl, buffer, () =>
    gl.getBufferParameter(gl.COPY_READ_BUFFER, gl.BUFFER_SIZE),
  ) as number;
  if (!(size > 0)) fail('CL_INVALID_GL_OBJECT', 'the buffer has no data store');
  const result = CLBuffer.create(context, flags, size);
  result.gl = bufferLink(gl, CL.GL_OBJECT_BUFFER, buffer, size);
  return result;
}

/** See CLContext.createFromGLTexture. */
export function createFromGLTexture(
  context: CLContext,
  memFlags: number,
  target: number,
  miplevel: number,
  texture: object,
): CLImage {
  const { group, flags } = begin(context, memFlags);
  const { gl } = group;
  const isFace = target >= gl.TEXTURE_CUBE_MAP_POSITIVE_X && target <= gl.TEXTURE_CUBE_MAP_NEGATIVE_Z;
  const kind = isFace ? flat : kindsOfTarget.get(target);
  if (!kind) fail('CL_INVALID_VALUE', `${shownBits(target)} is no target of textures that WebGL 2 has`);
  const given = texture as WebGLTexture;
  if (!isObject(texture, 'WebGLTexture') || !gl.isTexture(given)) {
    fail('CL_INVALID_GL_OBJECT', `${shown(texture)} is no texture of the WebGL context that has been bound`);
  }
  const place = new GLTextureLevel(gl, given, target, miplevel);
  const { format, size } = withPixels(gl, () => {
    if (!place.bind()) fail('CL_INVALID_GL_OBJECT', 'the texture has another target');
    checkLevel(gl, place);
    checkCube(gl, place, miplevel);
    return inspectLevel(gl, place, miplevel) ?? refuseLevel(gl, place, miplevel);
  });
  const [width, height, layers] = size;
  const descriptor = { type: kind.image, width, height, [kind.layers ?? 'depth']: kind.layers ? layers : 0 };
  const image = imageOf(context, flags, format, descriptor);
  image.gl = textureLink(gl, kind.object, place, format, image.shape);
  return image;
}

/** See CLContext.createFromGLRenderbuffer. */
export function createFromGLRenderbuffer(
  context: CLContext,
  memFlags: number,
  renderbuffer: object,
): CLImage {
  const { group, flags } = begin(context, memFlags);
  const { gl } = group;
  const given = renderbuffer as WebGLRenderbuffer;
  if (!isObject(renderbuffer, 'WebGLRenderbuffer') || !gl.isRenderbuffer(given)) {
    fail(
      'CL_INVALID_GL_OBJECT',
      `${shown(renderbuffer)} is no renderbuffer of the WebGL context that has been bound`,
    );
  }
  const { format, width, height } = withPixels(gl, () => {
    gl.bindRenderbuffer(gl.RENDERBUFFER, given);
    const ask = (name: number) => gl.getRenderbufferParameter(gl.RENDERBUFFER, name) as number;
    const [width, height, samples] = [
      gl.RENDERBUFFER_WIDTH,
      gl.RENDERBUFFER_HEIGHT,
      gl.RENDERBUFFER_SAMPLES,
    ].map(ask);
    if (!(width! > 0 && height! > 0)) fail('CL_INVALID_GL_OBJECT', 'the renderbuffer has no pixels');
    if (samples! > 0) fail('CL_INVALID_OPERATION', 'the renderbuffer has several samples a pixel');
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, given);
    return { format: attachedFormat(gl), width: width!, height: height! };
  });
  const descriptor = { type: CL.MEM_OBJECT_IMAGE2D, width, height };
  const image = imageOf(context, flags, format, descriptor);
  image.gl = renderbufferLink(gl, CL.GL_OBJECT_RENDERBUFFER, given, format, image.shape);
  return image;
}

interface TextureKind {
  readonly object: number;
  readonly image: number;
  /** What the third size of a level is. */
  readonly layers?: 'depth' | 'arraySize';
}

const flat: TextureKind = { object: CL.GL_OBJECT_TEXTURE2D, image: CL.MEM_OBJECT_IMAGE2D };

/** By the numbers of TEXTURE_2D, TEXTURE_3D and TEXTURE_2D_ARRAY. */
const kindsOfTarget: ReadonlyMap<number, TextureKind> = new Map([
  [0x0de1, flat],
  [0x806f, { object: CL.GL_OBJECT_TEXTURE3D, image: CL.MEM_OBJECT_IMAGE3D, layers: 'depth' }],
  [0x8c1a, { object: CL.GL_OBJECT_TEXTURE2D_ARRAY, image: CL.MEM_OBJECT_IMAGE2D_ARRAY, layers: 'arraySize' }],
]);

/**
 * Checks the level's number against those that the texture, which is bound, has (OpenGL ES 3.0, 3.8.10).
 * @throws OpenCLError CL_INVALID_MIP_LEVEL, CL_INVALID_GL_OBJECT
 */
function checkLevel(gl: WebGL2RenderingContext, place: GLTextureLevel): void {
  const { level } = place;
  if (!Number.isInteger(level) || level < 0) fail('CL_INVALID_MIP_LEVEL', `${shown(level)} is no level`);
  const target = gl[place.bound];
  const ask = (name: number) => gl.getTexParameter(target, name) as number;
  const most = ask(gl.TEXTURE_MAX_LEVEL);
  const isImmutable = Boolean(gl.getTexParameter(target, gl.TEXTURE_IMMUTABLE_FORMAT));
  const there = isImmutable
    ? ask(gl.TEXTURE_IMMUTABLE_LEVELS) - 1
    : lastLevel(gl, place, ask(gl.TEXTURE_BASE_LEVEL));
  const last = Math.min(most, there);
  if (level > last) fail('CL_INVALID_MIP_LEVEL', `level ${level}: the last one of the texture is ${last}`);
}

/** The last level that a texture can have whose base level is defined. @throws OpenCLError CL_INVALID_GL_OBJECT */
function lastLevel(gl: WebGL2RenderingContext, place: GLTextureLevel, base: number): number {
  checkCube(gl, place, base);
  const found = inspectLevel(gl, place, base) ?? refuseLevel(gl, place, base);
  const [width, height, depth] = found.size;
  const longest = Math.max(width, height, place.bound === 'TEXTURE_3D' ? depth : 1);
  return base + Math.floor(Math.log2(longest));
}

/**
 * Says why nothing is known of a level of the texture, which is bound. Luminances are told as no bits of any colour, like a level that is
 * not there; but that one is sampled as a single pixel.
 */
function refuseLevel(gl: WebGL2RenderingContext, place: GLTextureLevel, level: number): never {
  const why = `it has an internal format which no image format of OpenCL is`;
  const [width, height, depth] = place.alone(() => levelSize(gl, place.bound, gl.FLOAT), level);
  const isDefined = gl.getTexParameter(gl[place.bound], gl.TEXTURE_IMMUTABLE_FORMAT) as boolean;
  if (isDefined || width * height * depth > 1) fail('CL_INVALID_IMAGE_FORMAT_DESCRIPTOR', why);
  return fail('CL_INVALID_GL_OBJECT', `level ${level} is not defined, or ${why}`);
}

/** A cube of which a face is missing cannot be sampled. @throws OpenCLError CL_INVALID_GL_OBJECT */
function checkCube(gl: WebGL2RenderingContext, { texture, bound }: GLTextureLevel, level: number): void {
  if (bound !== 'TEXTURE_CUBE_MAP') return;
  for (let face = 0; face < 6; face += 1) {
    const place = new GLTextureLevel(gl, texture, gl.TEXTURE_CUBE_MAP_POSITIVE_X + face, level);
    if (attachLevel(gl, place, level) === undefined) {
      fail(
        'CL_INVALID_GL_OBJECT',
        `the cube map is incomplete: level ${level} of face ${face} is not defined`,
      );
    }
  }
}

/** Attaches a level to the bound framebuffer as what it is, colour or depth, and says as which; undefined if it is not defined. */
function attachLevel(gl: WebGL2RenderingContext, place: GLTextureLevel, level: number): number | undefined {
  place.attach(0, level);
  if (attachedBits(gl).some((bits) => bits > 0)) return gl.COLOR_ATTACHMENT0;
  place.attach(0, level, gl.DEPTH_ATTACHMENT);
  const depth = attachedFact(gl, gl.FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE, gl.DEPTH_ATTACHMENT);
  return depth > 0 ? gl.DEPTH_ATTACHMENT : undefined;
}

/**
 * Format and size of a level of the texture, which is bound; undefined if the level is not defined.
 * @throws OpenCLError CL_INVALID_IMAGE_FORMAT_DESCRIPTOR
 */
function inspectLevel(
  gl: WebGL2RenderingContext,
  place: GLTextureLevel,
  level: number,
): { readonly format: SharedFormat; readonly size: readonly [number, number, number] } | undefined {
  return place.alone(() => {
    const part = attachLevel(gl, place, level);
    if (part === undefined) return undefined;
    const format = part === gl.COLOR_ATTACHMENT0 ? attachedFormat(gl) : attachedDepthFormat(gl);
    const component = attachedFact(gl, gl.FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE, part);
    return { format, size: levelSize(gl, place.bound, component) };
  }, level);
}

function attachedFact(gl: WebGL2RenderingContext, name: number, part: number = gl.COLOR_ATTACHMENT0): number {
  return gl.getFramebufferAttachmentParameter(gl.FRAMEBUFFER, part, name) as number;
}

function attachedBits(gl: WebGL2RenderingContext): number[] {
  return [
    gl.FRAMEBUFFER_ATTACHMENT_RED_SIZE,
    gl.FRAMEBUFFER_ATTACHMENT_GREEN_SIZE,
    gl.FRAMEBUFFER_ATTACHMENT_BLUE_SIZE,
    gl.FRAMEBUFFER_ATTACHMENT_ALPHA_SIZE,
  ].map((name) => attachedFact(gl, name));
}

/**
 * The format of what is attached to the bound framebuffer.
 * @throws OpenCLError CL_INVALID_IMAGE_FORMAT_DESCRIPTOR
 */
function attachedFormat(gl: WebGL2RenderingContext): SharedFormat {
  const refuse = (why: string): never => fail('CL_INVALID_IMAGE_FORMAT_DESCRIPTOR', why);
  const bits = attachedBits(gl);
  if (bits.every((size) => size === 0)) refuse('the internal format has no colours');
  const component = attachedFact(gl, gl.FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE);
  const isEncoded = attachedFact(gl, gl.FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING) === gl.SRGB;
  const found = sharedFormat(component, bits, isEncoded);
  // What is sampled need not be drawn into.
  const canRead = !found?.read || gl.checkFramebufferStatus(gl.FRAMEBUFFER) === gl.FRAMEBUFFER_COMPLETE;
  if (found && canRead) return found;
  const why = found ? 'which WebGL cannot read back here' : 'which no image format of OpenCL is';
  return refuse(
    `the internal format has ${isEncoded ? 'sRGB, ' : ''}${bits.join(', ')} bits a channel, ${why}`,
  );
}

/**
 * The same of a depth texture.
 * @throws OpenCLError CL_INVALID_IMAGE_FORMAT_DESCRIPTOR
 */
function attachedDepthFormat(gl: WebGL2RenderingContext): SharedFormat {
  const ask = (name: number) => attachedFact(gl, name, gl.DEPTH_ATTACHMENT);
  const depth = ask(gl.FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE);
  const stencil = ask(gl.FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE);
  const component = ask(gl.FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE);
  return (
    sharedDepthFormat(component, depth, stencil > 0) ??
    fail(
      'CL_INVALID_IMAGE_FORMAT_DESCRIPTOR',
      `the internal format has depths of ${depth} bits and stencils of ${stencil}, which no image format of OpenCL is`,
    )
  );
}

/** An image without host data. @throws OpenCLError CL_INVALID_IMAGE_FORMAT_DESCRIPTOR if devices do not have the format */
function imageOf(
  context: CLContext,
  flags: number,
  { image: { order, type } }: SharedFormat,
  descriptor: CLImageDescriptor,
): CLImage {
  try {
    const format = { channelOrder: order, channelType: type };
    return CLImage.create(context, flags, format, descriptor, undefined, undefined, true);
  } catch (error) {
    if (!(error instanceof OpenCLError) || error.name !== 'CL_IMAGE_FORMAT_NOT_SUPPORTED') throw error;
    throw new OpenCLError('CL_INVALID_IMAGE_FORMAT_DESCRIPTOR', error.message, { cause: error });
  }
}

/** Whether a value is an object of a class of the page, by what it calls itself. */
export function isObject(value: unknown, name: string): boolean {
  return Object.prototype.toString.call(value) === `[object ${name}]`;
}

function fail(error: StatusName, why: string): never {
  throw new OpenCLError(error, why);
}
