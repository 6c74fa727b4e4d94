// A vertex buffer that a kernel writes and WebGL draws, frame after frame (cl_khr_gl_sharing): acquire, launch,
// release, await, draw.
import { CL, CLEvent, createContext } from 'millrace/opencl';
import { camera } from './reference.ts';

const vertexShader = `#version 300 es
in vec4 place;
out float height;
void main() {
  float c = cos(${camera.tilt.toFixed(3)});
  float s = sin(${camera.tilt.toFixed(3)});
  float up = place.y * c - place.z * s;
  float near = place.y * s + place.z * c;
  height = place.y;
  float away = ${camera.distance.toFixed(3)} - near;
  gl_Position = vec4(2.2 * place.x, 2.2 * up, away - 1.0, away);
}`;

const fragmentShader = `#version 300 es
precision highp float;
in float height;
out vec4 colour;
void main() {
  float part = clamp(height * 3.0 + 0.5, 0.0, 1.0);
  colour = vec4(mix(vec3(0.02, 0.12, 0.35), vec3(0.9, 0.97, 1.0), part), 1.0);
}`;

export interface Waves {
  /** Moves the vertices to where they are at a time, in seconds, and draws them. */
  frame(time: number): Promise<void>;
  /** What is in the vertex buffer, as WebGL sees it. */
  vertices(): Float32Array;
}

/** A surface of so many vertices in a canvas. `source` is the text of vertex-waves.cl. */
export function createWaves(
  canvas: HTMLCanvasElement | OffscreenCanvas,
  source: string,
  columns: number,
  rows: number,
): Waves {
  // The same method, of two types that know nothing of each other.
  const gl = (canvas as HTMLCanvasElement).getContext('webgl2', { preserveDrawingBuffer: true });
  if (!gl) throw new Error('there is no WebGL 2 here');
  const count = columns * rows;

  // OpenGL's side: the buffer, which must have its bytes before OpenCL sees it, and triangles between neighbours.
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, count * 16, gl.DYNAMIC_DRAW);
  const program = linkedProgram(gl);
  const place = gl.getAttribLocation(program, 'place');
  gl.enableVertexAttribArray(place);
  gl.vertexAttribPointer(place, 4, gl.FLOAT, false, 0, 0);
  const corners = trianglesOf(columns, rows);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, corners, gl.STATIC_DRAW);
  gl.enable(gl.DEPTH_TEST);

  // OpenCL's side: a context from OpenGL's, and the same buffer as a memory object.
  const context = createContext(null, { properties: [CL.GL_CONTEXT_KHR, gl, 0] });
  const queue = context.createCommandQueue();
  const shared = context.createFromGLBuffer(CL.MEM_READ_WRITE, buffer);
  const built = context.createProgram(source);
  built.build();
  const kernel = built.createKernel('wave_vertices');
  kernel.setArg(0, shared);

  return {
    frame: async (time) => {
      kernel.setArg(1, time);
      const released = new CLEvent();
      queue.enqueueAcquireGLObjects([shared]);
      queue.enqueueNDRangeKernel(kernel, 2, null, [columns, rows]);
      queue.enqueueReleaseGLObjects([shared], null, released);
      await released.done;
      released.release();

      gl.viewport(0, 0, canvas.width, canvas.height);
      gl.clearColor(0, 0, 0, 1);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      gl.useProgram(program);
      gl.drawElements(gl.TRIANGLES, corners.length, gl.UNSIGNED_INT, 0);
    },
    vertices: () => {
      const values = new Float32Array(count * 4);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.getBufferSubData(gl.ARRAY_BUFFER, 0, values);
      return values;
    },
  };
}

function linkedProgram(gl: WebGL2RenderingContext): WebGLProgram {
  const program = gl.createProgram();
  for (const [type, text] of [
    [gl.VERTEX_SHADER, vertexShader],
    [gl.FRAGMENT_SHADER, fragmentShader],
  ] as const) {
    const shader = gl.createShader(type)!;
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    throw new Error(gl.getProgramInfoLog(program) ?? 'the shaders do not link');
  }
  return program;
}

/** Two triangles for each square of neighbouring vertices. */
function trianglesOf(columns: number, rows: number): Uint32Array {
  const corners = new Uint32Array((columns - 1) * (rows - 1) * 6);
  let at = 0;
  for (let row = 0; row + 1 < rows; row++) {
    for (let column = 0; column + 1 < columns; column++) {
      const first = row * columns + column;
      const below = first + columns;
      corners.set([first, below, first + 1, first + 1, below, below + 1], at);
      at += 6;
    }
  }
  return corners;
}
