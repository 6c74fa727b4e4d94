export const projectFolder: string;
export const pagesFolder: string;
export function withLinks(
  text: string,
  path: string,
  samples: ReadonlySet<string>,
  exists: (path: string) => boolean,
): string;
