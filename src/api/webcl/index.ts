/**
 * What `import ... from 'millrace/webcl'` gives: the Khronos WebCL 1.0 binding. `installWebCL()` makes `webcl` and its
 * classes global, as programs written for a browser with WebCL expect them (docs/webcl.md).
 */
import * as classes from './classes.ts';
import { createWebCL, type WebCL, type WebCLOptions, webcl } from './webcl.ts';

export * from './classes.ts';
export type { WebCLGLObjectInfo } from './memory.ts';
export { createWebCL, type WebCL, type WebCLOptions, webcl };

/** Makes `webcl` and the classes properties of the global object. */
export function installWebCL(options?: WebCLOptions): WebCL {
  const root = options ? createWebCL(options) : webcl;
  Object.assign(globalThis, classes, { webcl: root });
  return root;
}
