/** The kernels under a folder, each with what it takes to build it. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { filesUnder, parentsOf } from '../support/folder-files.ts';
import { knownProjects, type Project, ruleFor } from './projects.ts';

export interface KernelFile {
  /** The project's name, or '.' outside all known projects. */
  readonly project: string;
  /** Path in the folder that was asked for. */
  readonly name: string;
  /** The folder that paths in `options` count from. */
  readonly root: string;
  readonly source: string;
  readonly options: string;
  /** Where includes are looked for besides the options' paths. */
  readonly searchFolders: readonly string[];
  /** Why it is no program, if it is none. */
  readonly skip: string | undefined;
}

/**
 * All .cl files under a folder. Its subfolders that are named like a known project are built by that project's rules;
 * a file there that no rule names is left out. Other files get `options`.
 */
export function* kernelFiles(folder: string, options: string): Generator<KernelFile> {
  const top = resolve(folder);
  const projects = knownProjects().filter(({ name }) => existsSync(join(top, name)));
  const inProjects = new Set<string>();
  for (const project of projects) {
    const root = join(top, project.name);
    for (const path of filesUnder(root, ['.cl'])) {
      inProjects.add(path);
      yield projectFile(project, root, path);
    }
  }
  for (const path of filesUnder(top, ['.cl'])) {
    if (inProjects.has(path)) continue;
    yield {
      project: '.',
      name: relative(top, path) || path,
      root: top,
      source: readFileSync(path, 'utf8'),
      options,
      searchFolders: foldersOf(top, path),
      skip: undefined,
    };
  }
}

function projectFile(project: Project, root: string, path: string): KernelFile {
  const inner = relative(root, path);
  const rule = ruleFor(project, inner);
  const before = rule?.before ?? [];
  const text = readFileSync(path, 'utf8');
  return {
    project: project.name,
    name: `${project.name}/${inner}`,
    root,
    source: [...before.map((name) => `#include "${name}"\n`), text].join(''),
    options: rule?.options ?? '',
    searchFolders: foldersOf(root, path),
    skip: rule ? rule.skip : 'no rule of its project names it',
  };
}

/** A file's own folder first, then those around it. */
function foldersOf(top: string, path: string): string[] {
  return [dirname(path), ...parentsOf(dirname(path)).filter((parent) => parent.startsWith(top))];
}

/** The words of build options, split as a shell would. */
export function optionWords(options: string): string[] {
  return [...options.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'),
  );
}
