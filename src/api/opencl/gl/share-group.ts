/**
 * A context's share in OpenGL: the WebGL 2 context that it was created from, and who waits for fences in it. All of WebGL
 * belongs to one thread, the one that the OpenCL context belongs to, so nothing here is done by other threads.
 */
import type { Context } from '../../../runtime/context.ts';
import { later } from '../../../runtime/host.ts';
import { OpenCLError } from '../../../runtime/status.ts';

interface Waiting {
  readonly fence: WebGLSync;
  readonly then: () => void;
}

/** So many times a fence is looked at turn after turn of the event loop, from then on every other millisecond. */
const eagerLooks = 16;

export class GLShareGroup {
  readonly gl: WebGL2RenderingContext;
  #waiting: Waiting[] = [];
  #looks = 0;
  #isScheduled = false;

  constructor(gl: WebGL2RenderingContext, runtime: Context) {
    this.gl = gl;
    // Without it float images cannot be read.
    gl.getExtension('EXT_color_buffer_float');
    runtime.notifications.addBlockTask(() => this.#finish());
  }

  /** @throws OpenCLError CL_INVALID_GL_OBJECT when the WebGL context is lost, and all its objects with it */
  checkAlive(): void {
    if (this.gl.isContextLost()) throw new OpenCLError('CL_INVALID_GL_OBJECT', 'the WebGL context is lost');
  }

  /** A fence after all commands of OpenGL so far, on their way. */
  fence(): WebGLSync | undefined {
    const fence = this.gl.fenceSync(this.gl.SYNC_GPU_COMMANDS_COMPLETE, 0) ?? undefined;
    this.gl.flush();
    return fence;
  }

  /**
   * Calls `then` when OpenGL has passed a fence; in a later turn of the event loop, or out of a call that blocks. Without a
   * fence, which a lost context does not give, at once.
   */
  whenPassed(fence: WebGLSync | undefined, then: () => void): void {
    if (!fence || this.#hasPassed(fence)) {
      then();
      return;
    }
    this.#waiting.push({ fence, then });
    this.#looks = 0;
    this.#schedule();
  }

  #hasPassed(fence: WebGLSync): boolean {
    const { gl } = this;
    // One that the program has deleted, or of a lost context, tells nothing more: all its objects are then refused anyhow.
    if (gl.isContextLost() || !gl.isSync(fence)) return true;
    return gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.SIGNALED;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    const look = (): void => {
      this.#isScheduled = false;
      this.#looks += 1;
      const passed = this.#waiting.filter(({ fence }) => this.#hasPassed(fence));
      this.#waiting = this.#waiting.filter((each) => !passed.includes(each));
      for (const { then } of passed) then();
      this.#schedule();
    };
    if (this.#looks < eagerLooks) later(look);
    else setTimeout(look, 2);
  }

  /**
   * A fence is not seen to be passed before this thread is back in its event loop; a call that blocks has OpenGL finish
   * everything instead. True if somebody has waited.
   */
  #finish(): boolean {
    if (this.#waiting.length === 0) return false;
    this.gl.finish();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { then } of waiting) then();
    return true;
  }
}
