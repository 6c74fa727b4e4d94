/** Values of JavaScript as logs of calls show them: short, and objects by numbers by which they can be followed. */

const numbers = new WeakMap<object, number>();
const counts = new Map<string, number>();

const longestText = 60;
const mostElements = 8;

/** The name of an object's class, as the program knows it. */
export function className(kind: { readonly name: string }): string {
  // The bundler puts an underscore before the names of some classes.
  return kind.name.replace(/^_/, '');
}

/** An object of an API: `CLBuffer#2` is the second buffer that a log shows. */
export function objectText(object: object): string {
  const name = className(object.constructor);
  let number = numbers.get(object);
  if (number === undefined) {
    number = (counts.get(name) ?? 0) + 1;
    counts.set(name, number);
    numbers.set(object, number);
  }
  return `${name}#${number}`;
}

/** Any value. */
export function valueText(value: unknown, depth = 0): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'function') return value.name === '' ? 'function' : `function ${value.name}`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer || isShared(value)) return bytesText(value);
  if (Array.isArray(value)) {
    if (depth > 1) return `[${value.length === 0 ? '' : '...'}]`;
    const shown = value.slice(0, mostElements).map((each) => valueText(each, depth + 1));
    if (value.length > mostElements) shown.push(`... ${value.length - mostElements} more`);
    return `[${shown.join(', ')}]`;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return objectText(value);
  if (depth > 1) return '{...}';
  const entries = Object.entries(value);
  const shown = entries.slice(0, mostElements).map(([key, each]) => `${key}: ${valueText(each, depth + 1)}`);
  if (entries.length > mostElements) shown.push('...');
  return shown.length === 0 ? '{}' : `{ ${shown.join(', ')} }`;
}

/** A text between quotes, cut where it is long. */
export function quoted(text: string): string {
  const cut = text.length > longestText;
  const shown = JSON.stringify(cut ? text.slice(0, longestText) : text);
  return cut ? `${shown}... (${text.length} characters)` : shown;
}

function isShared(value: object): value is SharedArrayBuffer {
  return typeof SharedArrayBuffer !== 'undefined' && value instanceof SharedArrayBuffer;
}

function bytesText(value: ArrayBufferView | ArrayBuffer | SharedArrayBuffer): string {
  const length = 'length' in value ? value.length : value.byteLength;
  return `${value.constructor.name}(${String(length)})`;
}
