/** A colour of style.css as a canvas takes it: variables may hold functions of light and dark. */
export function colourOf(element: HTMLElement, name: string): string {
  element.style.color = `var(${name})`;
  const { color } = getComputedStyle(element);
  element.style.color = '';
  return color;
}
