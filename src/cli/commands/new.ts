/** `millrace new`: a project to begin with, for pages (Vite and TypeScript) or for Node. */
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Command, Option } from 'commander';
import { FailureError, UsageError } from '../errors.ts';
import { reason } from '../files.ts';
import { millraceDependency } from '../new/dependency.ts';
import { nodeProject } from '../new/node.ts';
import type { ProjectFiles } from '../new/project.ts';
import { viteProject } from '../new/vite.ts';
import { packageVersion } from '../version.ts';

const templates = { vite: viteProject, node: nodeProject } as const;
type Template = keyof typeof templates;

const packageFolder = fileURLToPath(new URL('../', import.meta.url));

/** Declares arguments, options and action of the subcommand. */
export function newCommand(command: Command): void {
  command
    .argument('<folder>', 'a folder that is not there yet, or empty; its name is the project’s')
    .addOption(
      new Option('-t, --template <name>', 'vite: a page in TypeScript; node: a program')
        .choices(Object.keys(templates))
        .default('vite'),
    )
    .addHelpText(
      'after',
      `
Examples:
  millrace new waves
  millrace new sums --template node`,
    )
    .action((folder: string, { template }: { template: Template }) => create(folder, template));
}

function create(folder: string, template: Template): void {
  const root = resolve(folder);
  const name = basename(root)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|-+$/g, '');
  if (name === '') throw new UsageError(`'${folder}' has no name that a package could have`);
  if (existsSync(root)) {
    if (!statSync(root).isDirectory()) throw new UsageError(`'${folder}' is no folder`);
    if (readdirSync(root).length > 0)
      throw new UsageError(`'${folder}' is not empty: give a new folder, nothing is written over`);
  }
  let files: ProjectFiles;
  let unpacked: string | undefined;
  try {
    mkdirSync(root, { recursive: true });
    const dependency = millraceDependency(root, packageFolder, packageVersion());
    unpacked = dependency.unpacked;
    files = templates[template]({ name, millrace: dependency.specifier });
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      // Of two who begin in one folder at once the second is refused.
      writeFileSync(join(root, path), text, { flag: 'wx' });
    }
  } catch (error) {
    throw new FailureError(`cannot write to '${folder}': ${reason(error)}`);
  }
  const place = relative(process.cwd(), root) || '.';
  console.log(`${place}: ${Object.keys(files).length} files\n`);
  console.log('Next:');
  if (place !== '.') console.log(`  cd ${quoted(place)}`);
  if (unpacked !== undefined) {
    const clone = quoted(relative(root, unpacked));
    console.log(`  npm pack ${clone} --pack-destination ${clone}`);
  }
  console.log('  npm install');
  console.log(template === 'vite' ? '  npm run dev' : '  npm start');
}

const quoted = (path: string): string => (/\s/.test(path) ? `'${path}'` : path);
