/** The little Markdown that hovers are written in, as elements: paragraphs, blocks of code, `code` and *emphasis*. */

export function markdown(text: string): HTMLElement {
  const place = document.createElement('div');
  place.className = 'explanation';
  // Between fences stands code; every other part is paragraphs.
  for (const [index, part] of text.split(/^```\w*\n?/m).entries()) {
    if (index % 2 === 1) {
      const block = document.createElement('pre');
      block.textContent = part.trimEnd();
      place.append(block);
      continue;
    }
    for (const paragraph of part.split(/\n\s*\n/)) {
      if (paragraph.trim() === '') continue;
      const element = document.createElement('p');
      element.append(...phrases(paragraph.trim()));
      place.append(element);
    }
  }
  return place;
}

function phrases(text: string): (Node | string)[] {
  return text.split(/(`[^`]+`|\*[^*]+\*)/).map((piece) => {
    const marked = /^([`*])(.+)\1$/.exec(piece);
    if (!marked) return piece;
    const element = document.createElement(marked[1] === '`' ? 'code' : 'em');
    element.append(...(marked[1] === '*' ? phrases(marked[2]!) : [marked[2]!]));
    return element;
  });
}
