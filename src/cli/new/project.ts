/** What a template is made with, and what all templates have. */

export interface ProjectOptions {
  /** Of the package. */
  readonly name: string;
  /** What package.json says of Millrace: a range of versions, or a packed file. */
  readonly millrace: string;
}

/** By path. */
export type ProjectFiles = Readonly<Record<string, string>>;

export function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** package.json of a project: what all have, and what is the template's. */
export function packageJson({ name, millrace }: ProjectOptions, own: object): string {
  return json({
    name,
    version: '0.0.0',
    private: true,
    type: 'module',
    ...own,
    dependencies: { millrace },
  });
}

/** What npm and Millrace write, and what the template does. */
export function gitIgnore(...own: readonly string[]): string {
  return ['node_modules', ...own, '*.d.cl.ts', '*.d.cl.ts.map', ''].join('\n');
}
