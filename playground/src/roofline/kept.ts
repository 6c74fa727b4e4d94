/** The machine's peaks from one visit to the next, where the browser keeps things for the page. */

const key = 'millrace-peaks';

export function readKept(): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    // It is not allowed to.
    return undefined;
  }
}

export function keep(text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    // They are measured again the next time.
  }
}
