import { ownScripts } from './src/own-scripts.ts';

/**
 * The page's Content-Security-Policy: everything is from where the page is, nothing from inside of its HTML, and nothing is made a program
 * of but WebAssembly. Styles may stand inside: the editor (CodeMirror) writes its own into the page, and where nothing else can be loaded
 * from anywhere they can tell nobody anything.
 */
const directives: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self' 'wasm-unsafe-eval'",
  'worker-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  // Pictures that were drawn (data:), and files that programs wrote (blob:).
  'img-src': "'self' data: blob:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  // No text becomes HTML, a script or the address of one, but by two policies that look at the addresses of workers: the page's, and
  // Millrace's for its threads (src/runtime/worker-address.ts).
  'require-trusted-types-for': "'script'",
  'trusted-types': `${ownScripts} millrace`,
};

/** As the text of the header, or of the element in the page. */
export const contentSecurityPolicy = Object.entries(directives)
  .map(([name, sources]) => `${name} ${sources}`)
  .join('; ');
