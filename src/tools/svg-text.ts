/** Text in pictures that are drawn as SVG. */
export function svgText(text: string): string {
  return text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);
}
