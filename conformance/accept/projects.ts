/**
 * What a project's host gives its kernels when it builds them: options, and files that it puts in front. The lists lie
 * beside this file as data, one a project; nothing of the projects themselves is here.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** How some files of a project are built. Where several entries name a file, the last one holds. */
export interface BuildRule {
  /** Paths in the project; `*` stands for anything but `/`, `**` for anything. */
  readonly files: readonly string[];
  /** As for clBuildProgram; -I counts from the project's folder. */
  readonly options?: string;
  /** Files of the project that the host puts before the kernel's own text. */
  readonly before?: readonly string[];
  /** Why these files are no programs: they are then left out. */
  readonly skip?: string;
}

export interface Project {
  /** The folder's name, and the project's in reports. */
  readonly name: string;
  /** Where the project is published. */
  readonly origin: string;
  readonly builds: readonly BuildRule[];
}

/** The folder of the lists, seen from dist/conformance/run.js. */
const folder = new URL('../../conformance/accept/projects/', import.meta.url);

export function knownProjects(): Project[] {
  const names = readdirSync(fileURLToPath(folder)).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Project);
}

/** How a file is built, or undefined if no rule names it. */
export function ruleFor(project: Project, path: string): BuildRule | undefined {
  return project.builds.findLast((rule) => rule.files.some((pattern) => matcher(pattern).test(path)));
}

const matchers = new Map<string, RegExp>();

function matcher(pattern: string): RegExp {
  let known = matchers.get(pattern);
  if (!known) {
    const parts = pattern.split(/(\*\*|\*)/).map((part) => {
      if (part === '**') return '.*';
      return part === '*' ? '[^/]*' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
    });
    known = new RegExp(`^${parts.join('')}$`);
    matchers.set(pattern, known);
  }
  return known;
}
