/** A value of JavaScript as messages show it: `8` and `'8'` are not the same mistake. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value.length > 40 ? `${value.slice(0, 40)}...` : value}'`;
  if (ArrayBuffer.isView(value)) return `a typed array of ${value.byteLength} bytes`;
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}
