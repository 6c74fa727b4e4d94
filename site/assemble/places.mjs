// Where the sources of the site are, and where its pages go. A link from one document of the project to another becomes a link
// from page to page; a link to a source file becomes its name.
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectFolder = fileURLToPath(new URL('../../', import.meta.url));
export const pagesFolder = fileURLToPath(new URL('../pages/', import.meta.url));

/** Documents outside of docs/ that are pages, by their path in the project. */
const projectPages = new Map([
  ['README.md', 'project/overview.md'],
  ['ARCHITECTURE.md', 'project/architecture.md'],
  ['CONTRIBUTING.md', 'project/contributing.md'],
  ['CHANGELOG.md', 'project/changelog.md'],
  ['samples/README.md', 'samples/index.md'],
]);
export const projectDocuments = [...projectPages.keys()];

/** The page of a file of the project, or undefined where it has none. `samples` are the names that have pages. */
export function pageOf(path, samples) {
  const known = projectPages.get(path);
  if (known !== undefined) return known;
  const document = /^docs\/([\w-]+\.md)$/.exec(path);
  if (document) return `guide/${document[1]}`;
  const sample = /^samples\/([\w-]+)\/?(?:[\w.-]+)?$/.exec(path);
  if (sample && samples.has(sample[1])) return `samples/${sample[1]}.md`;
  if (path === 'docs' || path === 'docs/') return 'guide/start.md';
  if (path === 'samples' || path === 'samples/') return 'samples/index.md';
  return undefined;
}

/**
 * The text of the document at `path` with its links as the site has them.
 * @param exists whether the project has a file at a path; a link to one that it does not have is an error
 */
export function withLinks(text, path, samples, exists) {
  const page = pageOf(path, samples);
  return outsideOfCode(text, (part) =>
    part.replaceAll(/(!?)\[((?:[^\][]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g, (whole, image, label, link) => {
      if (/^[a-z]+:|^#/.test(link)) return whole;
      const [target, anchor] = link.split('#');
      const file = posix.normalize(posix.join(posix.dirname(path), target));
      if (!exists(file)) throw new Error(`${path}: there is no ${file}`);
      if (image)
        return `![${label}](${posix.relative(posix.dirname(page), `images/${posix.basename(file)}`)})`;
      const to = pageOf(file, samples);
      if (to === undefined)
        return label.startsWith('`') ? label : `${label} (\`${file.replace(/\/$/, '')}\`)`;
      const relative = posix.relative(posix.dirname(page), to);
      return `[${label}](${relative.startsWith('.') ? '' : './'}${relative}${anchor ? `#${anchor}` : ''})`;
    }),
  );
}

/** Applies `change` to a document's text, but not to its fenced or indented code. */
function outsideOfCode(text, change) {
  let inFence = false;
  let before = '';
  return text
    .split('\n')
    .map((line) => {
      const isFence = /^\s*```/.test(line);
      if (isFence) inFence = !inFence;
      const isIndented = /^ {4}/.test(line) && (before === '' || /^ {4}/.test(before));
      before = line;
      return inFence || isFence || isIndented ? line : change(line);
    })
    .join('\n');
}
