/**
 * What ties a memory object to an object of OpenGL: which one it is, and the copies either way. The memory object's bytes
 * are the context's own; acquiring copies OpenGL's into them, releasing copies them back.
 */
import { extentOf, type ImageShape } from '../../../runtime/image-shape.ts';
import { OpenCLError } from '../../../runtime/status.ts';
import { channelsOf, isReadDirectly, narrow, pixelsFor, type SharedFormat } from './formats.ts';
import { drawDepths, sampleLevel } from './sampling.ts';
import { textureBindings, withBuffer, withPixels } from './state.ts';

export interface GLLink {
  /** CL_GL_OBJECT_*. */
  readonly objectType: number;
  /** WebGL's object. */
  readonly object: object;
  /** Of a texture: the target and the level that it was created from. */
  readonly texture?: { readonly target: number; readonly level: number };
  /** Copies OpenGL's bytes into the memory object's. @throws OpenCLError CL_INVALID_GL_OBJECT if the object is gone */
  acquire(bytes: Uint8Array): void;
  /** Copies the memory object's bytes into OpenGL's. @throws OpenCLError CL_INVALID_GL_OBJECT if the object is gone */
  release(bytes: Uint8Array): void;
}

function gone(what: string): never {
  throw new OpenCLError('CL_INVALID_GL_OBJECT', `the ${what} of the memory object is not what it was`);
}

/** The link of a buffer of so many bytes. */
export function bufferLink(
  gl: WebGL2RenderingContext,
  objectType: number,
  buffer: WebGLBuffer,
  size: number,
): GLLink {
  const exchange = (copy: (target: number) => void): void => {
    if (!gl.isBuffer(buffer)) gone('buffer');
    withBuffer(gl, buffer, () => {
      if (gl.getBufferParameter(gl.COPY_READ_BUFFER, gl.BUFFER_SIZE) !== size) gone('buffer');
      copy(gl.COPY_READ_BUFFER);
    });
  };
  return {
    objectType,
    object: buffer,
    acquire: (bytes) => exchange((target) => gl.getBufferSubData(target, 0, bytes)),
    release: (bytes) => exchange((target) => gl.bufferSubData(target, 0, bytes)),
  };
}

/** The part of a framebuffer's pixels that one slice of an image is, read into the image's bytes. */
function readSlice(
  gl: WebGL2RenderingContext,
  format: SharedFormat,
  width: number,
  height: number,
  bytes: Uint8Array,
): void {
  const read = format.read!;
  if (isReadDirectly(format)) {
    gl.readPixels(0, 0, width, height, read.format, read.type, channelsOf(read.Channels, bytes));
    return;
  }
  const elements = width * height * 4;
  const bytesEach = (read.Channels as unknown as { BYTES_PER_ELEMENT: number }).BYTES_PER_ELEMENT;
  const pixels = new read.Channels(new ArrayBuffer(elements * bytesEach), 0, elements);
  gl.readPixels(0, 0, width, height, read.format, read.type, pixels);
  narrow(format, pixels, channelsOf(format.Channels, bytes));
}

/** A level of a texture, one face of it for a cube map. */
export class GLTextureLevel {
  readonly #gl: WebGL2RenderingContext;
  readonly texture: WebGLTexture;
  /** TEXTURE_2D, TEXTURE_3D, TEXTURE_2D_ARRAY, or a face of a cube. */
  readonly target: number;
  readonly level: number;
  /** The target that the texture is bound to. */
  readonly bound: keyof typeof textureBindings;

  constructor(gl: WebGL2RenderingContext, texture: WebGLTexture, target: number, level: number) {
    this.#gl = gl;
    this.texture = texture;
    this.target = target;
    this.level = level;
    const whole = (['TEXTURE_2D', 'TEXTURE_3D', 'TEXTURE_2D_ARRAY'] as const).find(
      (name) => gl[name] === target,
    );
    this.bound = whole ?? 'TEXTURE_CUBE_MAP';
  }

  get hasLayers(): boolean {
    return this.bound === 'TEXTURE_3D' || this.bound === 'TEXTURE_2D_ARRAY';
  }

  /** Binds the texture. False if it is a texture of another target. Inside withPixels, which puts the binding back. */
  bind(): boolean {
    const gl = this.#gl;
    gl.bindTexture(gl[this.bound], this.texture);
    return gl.getParameter(gl[textureBindings[this.bound]]) === this.texture;
  }

  /** Does something while the level is the only one of the texture, which is bound: what is whole then is the level. */
  alone<T>(body: () => T, level = this.level): T {
    const gl = this.#gl;
    const target = gl[this.bound];
    const names = [gl.TEXTURE_BASE_LEVEL, gl.TEXTURE_MAX_LEVEL];
    const before = names.map((name) => gl.getTexParameter(target, name) as number);
    for (const name of names) gl.texParameteri(target, name, level);
    try {
      return body();
    } finally {
      for (const [index, name] of names.entries()) gl.texParameteri(target, name, before[index]!);
    }
  }

  /** Makes the level, or a layer of it, the colour of the bound framebuffer, or another part of that. */
  attach(layer: number, level = this.level, part: number = this.#gl.COLOR_ATTACHMENT0): void {
    const gl = this.#gl;
    const place = [gl.FRAMEBUFFER, part] as const;
    if (this.hasLayers) gl.framebufferTextureLayer(...place, this.texture, level, layer);
    else gl.framebufferTexture2D(...place, this.target, this.texture, level);
  }
}

/** The link of a level of a texture and the image of the same shape. */
export function textureLink(
  gl: WebGL2RenderingContext,
  objectType: number,
  place: GLTextureLevel,
  format: SharedFormat,
  shape: ImageShape,
): GLLink {
  const { target, level, texture } = place;
  const [width, height, layers] = extentOf(shape);
  const sliceBytes = shape.rowPitch * height;
  const exchange = (copy: () => void): void => {
    if (!gl.isTexture(texture)) gone('texture');
    withPixels(gl, () => {
      place.bind();
      copy();
    });
  };
  const sliceOf = (bytes: Uint8Array, layer: number): Uint8Array =>
    bytes.subarray(layer * sliceBytes, (layer + 1) * sliceBytes);
  const readLayer = (layer: number, bytes: Uint8Array): void => {
    if (!format.read) {
      narrow(format, sampleLevel(gl, place, layer, width, height), channelsOf(format.Channels, bytes));
      return;
    }
    place.attach(layer);
    if (gl.checkFramebufferStatus(gl.FRAMEBUFFER) !== gl.FRAMEBUFFER_COMPLETE) gone('texture');
    readSlice(gl, format, width, height, bytes);
  };
  const read = (bytes: Uint8Array): void =>
    place.alone(() => {
      for (let layer = 0; layer < layers; layer += 1) readLayer(layer, sliceOf(bytes, layer));
    });
  const write = (bytes: Uint8Array): void => {
    const { format: order, type, depth } = format;
    if (depth?.way === 'draw') {
      for (let layer = 0; layer < layers; layer += 1) {
        const pixels = channelsOf(format.Channels, sliceOf(bytes, layer));
        const depths = Float32Array.from({ length: width * height }, (_, pixel) =>
          depth.decode(pixels[pixel * format.stride]!),
        );
        drawDepths(gl, place, layer, width, height, depths);
      }
      return;
    }
    const pixels = pixelsFor(format, bytes);
    if (place.hasLayers) {
      gl.texSubImage3D(target, level, 0, 0, 0, width, height, layers, order, type, pixels);
    } else gl.texSubImage2D(target, level, 0, 0, width, height, order, type, pixels);
  };
  return {
    objectType,
    object: texture,
    texture: { target, level },
    acquire: (bytes) => exchange(() => read(bytes)),
    release: (bytes) => exchange(() => write(bytes)),
  };
}

/** The link of a renderbuffer and the 2D image of the same shape. */
export function renderbufferLink(
  gl: WebGL2RenderingContext,
  objectType: number,
  renderbuffer: WebGLRenderbuffer,
  format: SharedFormat,
  { width, height }: ImageShape,
): GLLink {
  const exchange = (copy: (framebuffer: WebGLFramebuffer) => void): void => {
    if (!gl.isRenderbuffer(renderbuffer)) gone('renderbuffer');
    withPixels(gl, (framebuffer) => {
      gl.bindRenderbuffer(gl.RENDERBUFFER, renderbuffer);
      const sizeNow = [gl.RENDERBUFFER_WIDTH, gl.RENDERBUFFER_HEIGHT].map((name) =>
        gl.getRenderbufferParameter(gl.RENDERBUFFER, name),
      );
      if (sizeNow[0] !== width || sizeNow[1] !== height) gone('renderbuffer');
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, renderbuffer);
      copy(framebuffer);
    });
  };
  const write = (bytes: Uint8Array): void => {
    // Nothing but drawing writes to a renderbuffer, so the pixels go to a texture that is copied onto it.
    const texture = gl.createTexture();
    const source = gl.createFramebuffer();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, format.internalFormat, width, height);
    const pixels = channelsOf(format.Channels, bytes);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, height, format.format, format.type, pixels);
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, source);
    gl.framebufferTexture2D(gl.READ_FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT, gl.NEAREST);
    gl.deleteFramebuffer(source);
    gl.deleteTexture(texture);
  };
  return {
    objectType,
    object: renderbuffer,
    acquire: (bytes) => exchange(() => readSlice(gl, format, width, height, bytes)),
    release: (bytes) => exchange(() => write(bytes)),
  };
}
