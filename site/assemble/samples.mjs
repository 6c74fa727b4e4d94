// A page for each sample that the playground has, or that has a kernel file: what it shows, its kernels, and a button that opens it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './places.mjs';

/**
 * The pages by sample.
 * @param overview samples/README.md, whose tables say what each sample shows
 */
export function samplePages(overview) {
  const pages = new Map();
  for (const [, name, cells] of overview.matchAll(/^\| \[([\w-]+)\]\([\w-]+\/\)\s*\|(.*)\|$/gm)) {
    const folder = join(projectFolder, 'samples', name);
    if (!existsSync(folder)) throw new Error(`samples/README.md names ${name}, which is not there`);
    const texts = cells.split('|').map((cell) => cell.trim());
    const shows =
      texts.find(
        (text) => text !== '' && !/^[`_, \w]*$/.test(text.replaceAll('`', '')) && !text.startsWith('`'),
      ) ?? texts.at(-1);
    pages.set(name, pageOfSample(name, shows, folder));
  }
  for (const [, name, , shows] of overview.matchAll(
    /^\| \[([\w-]+)\]\(libraries\/\1\.mjs\)\s*\|([^|]*)\|([^|]*)\|$/gm,
  ))
    pages.set(name, pageOfProgram(name, shows.trim()));
  if (pages.size === 0) throw new Error('samples/README.md names no sample');
  return pages;
}

function pageOfProgram(name, shows) {
  const file = `samples/libraries/${name}.mjs`;
  const text = readFileSync(join(projectFolder, file), 'utf8').trimEnd();
  return `# ${name}\n\n${shows.charAt(0).toUpperCase()}${shows.slice(1)}.\n\n\`\`\`js\n${text}\n\`\`\`\n\nThe file is \`${file}\`.\n`;
}

function pageOfSample(name, shows, folder) {
  const files = readdirSync(folder);
  const kernels = files.filter((file) => /\.(cl|br|il)$/.test(file));
  const hosts = files.filter((file) => file === `${name}.ts` || /\.(c|js)$/.test(file));
  const listing = (file) => {
    const language = /\.(cl|br|c)$/.test(file) ? 'c' : /\.il$/.test(file) ? 'text' : 'ts';
    return `## ${file}\n\n\`\`\`${language}\n${readFileSync(join(folder, file), 'utf8').trimEnd()}\n\`\`\`\n`;
  };
  return [
    `# ${name}\n`,
    `${shows.charAt(0).toUpperCase()}${shows.slice(1)}.\n`,
    ...(kernels.some((file) => /\.(cl|br)$/.test(file)) ? [`<PlaygroundSample name="${name}" />\n`] : []),
    ...kernels.map(listing),
    ...hosts.map(listing),
    `The files are in \`samples/${name}\`; \`npm start -- --only ${name}\` runs it.\n`,
  ].join('\n');
}
