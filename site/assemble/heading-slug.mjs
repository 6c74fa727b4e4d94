/**
 * What a link calls a heading, by GitHub's rule: the documents are read there, too.
 * @param {string} text of the heading, without markup
 */
export const headingSlug = (text) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
