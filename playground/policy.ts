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
};

/** As the text of the header, or of the element in the page. */
export const contentSecurityPolicy = Object.entries(directives)
  .map(([name, sources]) => `${name} ${sources}`)
  .join('; ');
