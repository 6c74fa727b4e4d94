/** From where a new project is to have Millrace: from where the command that writes it was installed. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

export interface Dependency {
  /** What `package.json` says. */
  readonly specifier: string;
  /** The clone that the command ran in, if it has not been packed yet. */
  readonly unpacked?: string | undefined;
}

/**
 * @param project the folder of the new project, which is there
 * @param installed the folder of this package
 * @param version of this package
 */
export function millraceDependency(project: string, installed: string, version: string): Dependency {
  const folder = realpathSync(installed);
  const around = dirname(folder);
  const isClone = basename(around) !== 'node_modules';
  const packed = isClone ? join(folder, `millrace-${version}.tgz`) : fileByNpm(around);
  // A version with the same promises (docs/versioning.md).
  if (packed === undefined) return { specifier: `^${version}` };
  // Through links `..` leads elsewhere.
  const path = relative(realpathSync(project), packed).split(sep).join('/');
  return { specifier: `file:${path}`, unpacked: isClone && !existsSync(packed) ? folder : undefined };
}

/** The file that npm took the package from, which it notes by a path from the folder around node_modules; undefined of others. */
function fileByNpm(modules: string): string | undefined {
  try {
    const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as {
      packages?: Record<string, { resolved?: string }>;
    };
    const origin = packages?.['node_modules/millrace']?.resolved;
    return origin?.startsWith('file:') ? resolve(dirname(modules), origin.slice('file:'.length)) : undefined;
  } catch {
    return undefined; // installed by something else
  }
}
