/**
 * How large a level of a texture is. WebGL has no query for that, but shaders have textureSize, so one point is drawn whose
 * colour is the answer.
 */
import type { textureBindings } from './state.ts';

type TextureTarget = keyof typeof textureBindings;
type Prefix = '' | 'i' | 'u';

const samplers: Readonly<Record<TextureTarget, { readonly type: string; readonly size: string }>> = {
  TEXTURE_2D: { type: 'sampler2D', size: 'ivec4(textureSize(image, 0), 1, 1)' },
  TEXTURE_CUBE_MAP: { type: 'samplerCube', size: 'ivec4(textureSize(image, 0), 1, 1)' },
  TEXTURE_3D: { type: 'sampler3D', size: 'ivec4(textureSize(image, 0), 1)' },
  TEXTURE_2D_ARRAY: { type: 'sampler2DArray', size: 'ivec4(textureSize(image, 0), 1)' },
};

const vertexShader = `#version 300 es
void main() {
  gl_Position = vec4(0, 0, 0, 1);
  gl_PointSize = 1.0;
}`;

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

const programs = new WeakMap<WebGL2RenderingContext, Map<string, WebGLProgram>>();

function programFor(gl: WebGL2RenderingContext, target: TextureTarget, prefix: Prefix): WebGLProgram {
  const known = programs.get(gl) ?? new Map<string, WebGLProgram>();
  programs.set(gl, known);
  const key = `${prefix}${target}`;
  let program = known.get(key);
  if (!program) {
    program = gl.createProgram()!;
    for (const [type, text] of [
      [gl.VERTEX_SHADER, vertexShader],
      [gl.FRAGMENT_SHADER, fragmentShader(target, prefix)],
    ] as const) {
      const shader = gl.createShader(type)!;
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
      gl.deleteShader(shader);
    }
    gl.linkProgram(program);
    known.set(key, program);
  }
  return program;
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
  const unit = (gl.getParameter(gl.ACTIVE_TEXTURE) as number) - gl.TEXTURE0;
  const program = gl.getParameter(gl.CURRENT_PROGRAM) as WebGLProgram | null;
  const vertices = gl.getParameter(gl.VERTEX_ARRAY_BINDING) as WebGLVertexArrayObject | null;
  const bound = gl.getParameter(gl.SAMPLER_BINDING) as WebGLSampler | null;
  const viewport = gl.getParameter(gl.VIEWPORT) as Int32Array;
  const mask = gl.getParameter(gl.COLOR_WRITEMASK) as [boolean, boolean, boolean, boolean];
  const own = {
    // Without a filter between levels one level makes a whole texture.
    sampler: gl.createSampler()!,
    vertices: gl.createVertexArray(),
    answer: gl.createRenderbuffer(),
  };
  const answer = new Int32Array(4);
  try {
    gl.samplerParameteri(own.sampler, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.samplerParameteri(own.sampler, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.bindSampler(unit, own.sampler);
    gl.bindVertexArray(own.vertices);
    gl.bindRenderbuffer(gl.RENDERBUFFER, own.answer);
    gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA32I, 1, 1);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, own.answer);
    gl.viewport(0, 0, 1, 1);
    gl.colorMask(true, true, true, true);
    const measuring = programFor(gl, target, prefix);
    gl.useProgram(measuring);
    gl.uniform1i(gl.getUniformLocation(measuring, 'image'), unit);
    gl.drawArrays(gl.POINTS, 0, 1);
    gl.readPixels(0, 0, 1, 1, gl.RGBA_INTEGER, gl.INT, answer);
  } finally {
    gl.useProgram(program);
    gl.colorMask(...mask);
    gl.viewport(viewport[0]!, viewport[1]!, viewport[2]!, viewport[3]!);
    gl.bindVertexArray(vertices);
    gl.bindSampler(unit, bound);
    gl.deleteSampler(own.sampler);
    gl.deleteVertexArray(own.vertices);
    gl.deleteRenderbuffer(own.answer);
  }
  return [answer[0]!, answer[1]!, answer[2]!];
}
