/**
 * Names of browsers that Millrace's declarations mention. The build copies this file to dist/types, so that programs whose
 * TypeScript has no "DOM" in its `lib` compile too; where it has, these add nothing to interfaces that are there.
 */
// biome-ignore-all lint/suspicious/noEmptyInterface: interfaces merge with those of the same name, other types do not

interface MessagePort {}
interface URL {}
interface WebGL2RenderingContext {}
interface WebGLBuffer {}
interface WebGLFramebuffer {}
interface WebGLRenderbuffer {}
interface WebGLSync {}
interface WebGLTexture {}

declare namespace WebAssembly {
  interface Memory {}
  interface Module {}
  interface Table {}
}
