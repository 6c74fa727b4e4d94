/**
 * Textures that readPixels cannot give back, because WebGL does not draw into their formats (signed normalised numbers) or takes no depths
 * out of a framebuffer: a shader samples them, and its results are read. Depths beside stencils are written by a shader too, as
 * WebGL writes both from an array or neither, and has no way to read the stencil.
 */
import { drawOver } from './drawing.ts';
import type { GLTextureLevel } from './links.ts';

const fetches = {
  TEXTURE_2D: { sampler: 'sampler2D', texel: 'texelFetch(image, ivec2(gl_FragCoord.xy), 0)' },
  TEXTURE_3D: { sampler: 'sampler3D', texel: 'texelFetch(image, ivec3(ivec2(gl_FragCoord.xy), layer), 0)' },
  TEXTURE_2D_ARRAY: {
    sampler: 'sampler2DArray',
    texel: 'texelFetch(image, ivec3(ivec2(gl_FragCoord.xy), layer), 0)',
  },
  // Cubes have no fetches; the direction through the middle of the texel finds it.
  TEXTURE_CUBE_MAP: {
    sampler: 'samplerCube',
    texel: 'texture(image, face * vec3(2.0 * gl_FragCoord.xy / size - 1.0, 1.0))',
  },
} as const;

/** For each face, what its horizontal, its vertical and its outward direction are in the cube (OpenGL ES 3.0, table 3.20). */
const faces: readonly (readonly number[])[] = [
  [0, 0, -1, 0, -1, 0, 1, 0, 0],
  [0, 0, 1, 0, -1, 0, -1, 0, 0],
  [1, 0, 0, 0, 0, 1, 0, 1, 0],
  [1, 0, 0, 0, 0, -1, 0, -1, 0],
  [1, 0, 0, 0, -1, 0, 0, 0, 1],
  [-1, 0, 0, 0, -1, 0, 0, 0, -1],
];

/** The bits of the sampled numbers, as every WebGL 2 draws integers, but not floats. */
function samplingShader(bound: keyof typeof fetches): string {
  const { sampler, texel } = fetches[bound];
  return `#version 300 es
precision highp float;
precision highp int;
uniform highp ${sampler} image;
uniform int layer;
uniform mat3 face;
uniform vec2 size;
out ivec4 bits;
void main() {
  bits = floatBitsToInt(${texel});
}`;
}

/**
 * A layer of the level that is the only one of its texture, which is bound: four floats a pixel. Inside withPixels, whose
 * framebuffer it changes.
 */
export function sampleLevel(
  gl: WebGL2RenderingContext,
  place: GLTextureLevel,
  layer: number,
  width: number,
  height: number,
): Float32Array {
  const drawn = gl.createRenderbuffer();
  const read = new Float32Array(width * height * 4);
  try {
    gl.bindRenderbuffer(gl.RENDERBUFFER, drawn);
    gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA32I, width, height);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, drawn);
    drawOver(gl, samplingShader(place.bound), [width, height], {
      uniforms: (locate) => {
        gl.uniform1i(locate('layer'), layer);
        gl.uniform2f(locate('size'), width, height);
        const face = faces[place.target - gl.TEXTURE_CUBE_MAP_POSITIVE_X];
        if (face) gl.uniformMatrix3fv(locate('face'), false, face);
      },
    });
    gl.readPixels(0, 0, width, height, gl.RGBA_INTEGER, gl.INT, new Int32Array(read.buffer));
  } finally {
    gl.deleteRenderbuffer(drawn);
  }
  return read;
}

const depthShader = `#version 300 es
precision highp float;
uniform highp sampler2D image;
void main() {
  gl_FragDepth = texelFetch(image, ivec2(gl_FragCoord.xy), 0).r;
}`;

/** Writes depths into a layer of a level with depths and stencils, which stay. Inside withPixels, whose framebuffer it changes. */
export function drawDepths(
  gl: WebGL2RenderingContext,
  place: GLTextureLevel,
  layer: number,
  width: number,
  height: number,
  depths: Float32Array,
): void {
  const source = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, source);
  try {
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.R32F, width, height);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, height, gl.RED, gl.FLOAT, depths);
    place.attach(layer, place.level, gl.DEPTH_STENCIL_ATTACHMENT);
    drawOver(gl, depthShader, [width, height], { writesDepth: true });
  } finally {
    gl.deleteTexture(source);
  }
}
