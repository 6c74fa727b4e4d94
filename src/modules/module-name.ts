/** The name of a file without its folders. */
export function moduleName(path: string): string {
  return path.replace(/^.*[\\/]/, '');
}
