/** Small pictures of what the gallery's entries make, by their ids; `npm run playground:pictures` makes them. */
const files = import.meta.glob<string>('./thumbnails/*.jpg', {
  query: '?url',
  import: 'default',
  eager: true,
});

export const thumbnails: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(files).map(([path, url]) => [path.slice(path.lastIndexOf('/') + 1, -'.jpg'.length), url]),
);
