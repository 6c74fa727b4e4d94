/** Keeps the program's state of OpenGL: what an exchange binds and sets is put back when it is over. */

/** Capabilities that would touch what is drawn or copied here. */
const capabilities = ['SCISSOR_TEST', 'RASTERIZER_DISCARD', 'STENCIL_TEST', 'DEPTH_TEST'] as const;
/** How pixels lie in arrays: tightly, rows from the first to the last, nothing changed on the way. */
const pixelStore = {
  PACK_ALIGNMENT: 1,
  PACK_ROW_LENGTH: 0,
  PACK_SKIP_PIXELS: 0,
  PACK_SKIP_ROWS: 0,
  UNPACK_ALIGNMENT: 1,
  UNPACK_ROW_LENGTH: 0,
  UNPACK_IMAGE_HEIGHT: 0,
  UNPACK_SKIP_PIXELS: 0,
  UNPACK_SKIP_ROWS: 0,
  UNPACK_SKIP_IMAGES: 0,
  UNPACK_FLIP_Y_WEBGL: false,
  UNPACK_PREMULTIPLY_ALPHA_WEBGL: false,
} as const;
type StoreName = keyof typeof pixelStore;

/** The targets that textures are bound to, with the names by which one asks what is bound. */
export const textureBindings = {
  TEXTURE_2D: 'TEXTURE_BINDING_2D',
  TEXTURE_3D: 'TEXTURE_BINDING_3D',
  TEXTURE_2D_ARRAY: 'TEXTURE_BINDING_2D_ARRAY',
  TEXTURE_CUBE_MAP: 'TEXTURE_BINDING_CUBE_MAP',
} as const;
const textureTargets = Object.keys(textureBindings) as (keyof typeof textureBindings)[];

/**
 * Does something with a buffer bound to COPY_READ_BUFFER, which is there for this: drawing takes nothing from it.
 */
export function withBuffer<T>(gl: WebGL2RenderingContext, buffer: WebGLBuffer, body: () => T): T {
  const before = gl.getParameter(gl.COPY_READ_BUFFER_BINDING) as WebGLBuffer | null;
  gl.bindBuffer(gl.COPY_READ_BUFFER, buffer);
  try {
    return body();
  } finally {
    gl.bindBuffer(gl.COPY_READ_BUFFER, before);
  }
}

/** Does something with pixels: with a new framebuffer for both uses, arrays packed tightly, and nothing that discards. */
export function withPixels<T>(gl: WebGL2RenderingContext, body: (framebuffer: WebGLFramebuffer) => T): T {
  const parameter = <V>(name: number): V => gl.getParameter(name) as V;
  const drawn = parameter<WebGLFramebuffer | null>(gl.DRAW_FRAMEBUFFER_BINDING);
  const read = parameter<WebGLFramebuffer | null>(gl.READ_FRAMEBUFFER_BINDING);
  const renderbuffer = parameter<WebGLRenderbuffer | null>(gl.RENDERBUFFER_BINDING);
  const packBuffer = parameter<WebGLBuffer | null>(gl.PIXEL_PACK_BUFFER_BINDING);
  const unpackBuffer = parameter<WebGLBuffer | null>(gl.PIXEL_UNPACK_BUFFER_BINDING);
  const textures = textureTargets.map((name) => parameter<WebGLTexture | null>(gl[textureBindings[name]]));
  const enabled = capabilities.filter((name) => gl.isEnabled(gl[name]));
  const names = Object.keys(pixelStore) as StoreName[];
  const stored = names.map((name) => parameter<number | boolean>(gl[name]));
  const framebuffer = gl.createFramebuffer()!;
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
  gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, null);
  for (const name of enabled) gl.disable(gl[name]);
  for (const name of names) gl.pixelStorei(gl[name], pixelStore[name]);
  try {
    return body(framebuffer);
  } finally {
    for (const [index, name] of names.entries()) gl.pixelStorei(gl[name], stored[index]!);
    for (const name of enabled) gl.enable(gl[name]);
    for (const [index, name] of textureTargets.entries()) gl.bindTexture(gl[name], textures[index]!);
    gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, unpackBuffer);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, packBuffer);
    gl.bindRenderbuffer(gl.RENDERBUFFER, renderbuffer);
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, read);
    gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, drawn);
    gl.deleteFramebuffer(framebuffer);
  }
}
