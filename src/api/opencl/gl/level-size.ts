/**
 * How large a level of a texture is. WebGL has no query for that, but shaders have textureSize, so one point is drawn whose
 * colour is the answer.
 */
import { drawOver } from './drawing.ts';
import type { textureBindings } from './state.ts';

type TextureTarget = keyof typeof textureBindings;
/** What a sampler gives: float, signed or unsigned numbers. */
type Prefix = '' | 'i' | 'u';

const samplers: Readonly<Record<TextureTarget, { readonly type: string; readonly size: string }>> = {
  TEXTURE_2D: { type: 'sampler2D', size: 'ivec4(textureSize(image, 0), 1, 1)' },
  TEXTURE_CUBE_MAP: { type: 'samplerCube', size: 'ivec4(textureSize(image, 0), 1, 1)' },
  TEXTURE_3D: { type: 'sampler3D', size: 'ivec4(textureSize(image, 0), 1)' },
  TEXTURE_2D_ARRAY: { type: 'sampler2DArray', size: 'ivec4(textureSize(image, 0), 1)' },
};

function fragmentShader(target: TextureTarget, prefix: Prefix): string {
  const { type, size } = samplers[target];
  return `#version 300 es
precision highp int;
uniform highp ${prefix}${type} image;
out ivec4 answer;
void main() {
  answer = ${size};
}`;
}

/**
 * Width, height, depth (or layers) of the level that TEXTURE_BASE_LEVEL and TEXTURE_MAX_LEVEL leave of the texture that is
 * bound to a target. Inside {@link withPixels}, whose framebuffer it changes.
 */
export function levelSize(
  gl: WebGL2RenderingContext,
  target: TextureTarget,
  component: number,
): readonly [number, number, number] {
  const prefix = component === gl.INT ? 'i' : component === gl.UNSIGNED_INT ? 'u' : '';
  const pixel = gl.createRenderbuffer();
  const answer = new Int32Array(4);
  try {
    gl.bindRenderbuffer(gl.RENDERBUFFER, pixel);
    gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA32I, 1, 1);
    // The texture itself may be attached as depth.
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, null);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, pixel);
    drawOver(gl, fragmentShader(target, prefix), [1, 1]);
    gl.readPixels(0, 0, 1, 1, gl.RGBA_INTEGER, gl.INT, answer);
  } finally {
    gl.deleteRenderbuffer(pixel);
  }
  return [answer[0]!, answer[1]!, answer[2]!];
}
