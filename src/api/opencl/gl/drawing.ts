/**
 * Drawing for what WebGL has no call for: to ask a shader for a level's size, to read textures that readPixels refuses, and to write
 * depths beside stencils. A fragment shader runs once for each pixel of what is attached to the bound framebuffer.
 */

/** One triangle that covers the viewport, without any vertex data. */
const vertexShader = `#version 300 es
void main() {
  gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1);
}`;

const programs = new WeakMap<WebGL2RenderingContext, Map<string, WebGLProgram>>();

function programOf(gl: WebGL2RenderingContext, fragmentShader: string): WebGLProgram {
  const known = programs.get(gl) ?? new Map<string, WebGLProgram>();
  programs.set(gl, known);
  const made = known.get(fragmentShader);
  if (made) return made;
  const program = gl.createProgram()!;
  for (const [type, text] of [
    [gl.VERTEX_SHADER, vertexShader],
    [gl.FRAGMENT_SHADER, fragmentShader],
  ] as const) {
    const shader = gl.createShader(type)!;
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    gl.deleteShader(shader);
  }
  gl.linkProgram(program);
  known.set(fragmentShader, program);
  return program;
}

/** WEBGL_polygon_mode, by which triangles may be drawn as their edges. */
interface PolygonMode {
  readonly POLYGON_MODE_WEBGL: number;
  readonly FILL_WEBGL: number;
  polygonModeWEBGL(face: number, mode: number): void;
}

/** Puts what a drawing depends on in order; returns what puts the program's own state back. */
function prepareState(gl: WebGL2RenderingContext, unit: number): () => void {
  const parameter = <V>(name: number): V => gl.getParameter(name) as V;
  const program = parameter<WebGLProgram | null>(gl.CURRENT_PROGRAM);
  const vertices = parameter<WebGLVertexArrayObject | null>(gl.VERTEX_ARRAY_BINDING);
  const sampler = parameter<WebGLSampler | null>(gl.SAMPLER_BINDING);
  const viewport = parameter<Int32Array>(gl.VIEWPORT);
  const colorMask = parameter<[boolean, boolean, boolean, boolean]>(gl.COLOR_WRITEMASK);
  const depthMask = parameter<boolean>(gl.DEPTH_WRITEMASK);
  const depthFunc = parameter<number>(gl.DEPTH_FUNC);
  const depthRange = parameter<Float32Array>(gl.DEPTH_RANGE);
  const isCulling = gl.isEnabled(gl.CULL_FACE);
  // A feedback that runs would take the triangle, and forbids another program.
  const isFeeding =
    parameter<boolean>(gl.TRANSFORM_FEEDBACK_ACTIVE) && !parameter<boolean>(gl.TRANSFORM_FEEDBACK_PAUSED);
  const polygons = gl.getExtension('WEBGL_polygon_mode') as PolygonMode | null;
  const polygonMode = polygons && parameter<number>(polygons.POLYGON_MODE_WEBGL);
  const own = { sampler: gl.createSampler()!, vertices: gl.createVertexArray() };
  if (isFeeding) gl.pauseTransformFeedback();
  // Without a filter between levels one level makes a whole texture.
  gl.samplerParameteri(own.sampler, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.samplerParameteri(own.sampler, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  gl.bindSampler(unit, own.sampler);
  gl.bindVertexArray(own.vertices);
  gl.colorMask(true, true, true, true);
  gl.depthMask(true);
  gl.depthFunc(gl.ALWAYS);
  gl.depthRange(0, 1);
  gl.disable(gl.CULL_FACE);
  polygons?.polygonModeWEBGL(gl.FRONT_AND_BACK, polygons.FILL_WEBGL);
  return () => {
    if (polygonMode) polygons.polygonModeWEBGL(gl.FRONT_AND_BACK, polygonMode);
    if (isCulling) gl.enable(gl.CULL_FACE);
    gl.depthRange(depthRange[0]!, depthRange[1]!);
    gl.depthFunc(depthFunc);
    gl.depthMask(depthMask);
    gl.colorMask(...colorMask);
    gl.viewport(viewport[0]!, viewport[1]!, viewport[2]!, viewport[3]!);
    gl.useProgram(program);
    if (isFeeding) gl.resumeTransformFeedback();
    gl.bindVertexArray(vertices);
    gl.bindSampler(unit, sampler);
    gl.deleteSampler(own.sampler);
    gl.deleteVertexArray(own.vertices);
  };
}

/**
 * Runs a fragment shader for each of width x height pixels of the bound framebuffer; its uniform `image` is what is bound to the active
 * texture unit, sampled without a filter. The depth that it writes replaces what is there when `writesDepth`. Inside withPixels.
 */
export function drawOver(
  gl: WebGL2RenderingContext,
  fragmentShader: string,
  [width, height]: readonly [number, number],
  {
    writesDepth = false,
    uniforms,
  }: {
    readonly writesDepth?: boolean;
    readonly uniforms?: (locate: (name: string) => WebGLUniformLocation | null) => void;
  } = {},
): void {
  const unit = (gl.getParameter(gl.ACTIVE_TEXTURE) as number) - gl.TEXTURE0;
  const restore = prepareState(gl, unit);
  try {
    gl.viewport(0, 0, width, height);
    const program = programOf(gl, fragmentShader);
    gl.useProgram(program);
    const locate = (name: string) => gl.getUniformLocation(program, name);
    gl.uniform1i(locate('image'), unit);
    uniforms?.(locate);
    // withPixels has turned the test off, and without it no depth is written.
    if (writesDepth) gl.enable(gl.DEPTH_TEST);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  } finally {
    if (writesDepth) gl.disable(gl.DEPTH_TEST);
    restore();
  }
}
