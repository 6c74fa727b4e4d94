// The names, titles and descriptions of the project's samples as a module of their own: the gallery shows them before the
// compiler, which the samples themselves import, is loaded.
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { calSamples, sampleDevices } from '../samples/cal.ts';
import { allSamples, secondPart, thirdPart } from '../samples/gallery.ts';

const id = 'virtual:studies';

/** What the comment at a file's head says first. */
function aboutFile(path: string): string {
  const text = readFileSync(path, 'utf8');
  const comment = /^\/\*(.*?)\*\//s.exec(text)?.[1] ?? '';
  const words = comment.replaceAll(/\s*\n \*/g, '').trim();
  return (/^(.*?[.?])(?:\s.{0,90}?\.(?:\s|$))?/s.exec(words)?.[0] ?? words).trim();
}

export function studiesPlugin(): Plugin {
  return {
    name: 'millrace-studies',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (module) => {
      if (module !== `\0${id}`) return undefined;
      const studies = allSamples.map((sample) => {
        const { name, title, about } = sample;
        const part = thirdPart.includes(sample)
          ? 'brook'
          : (secondPart as readonly (typeof sample)[]).includes(sample)
            ? 'opencl-2'
            : 'opencl-1';
        return { name, title, about, part };
      });
      const calPrograms = Object.keys(calSamples).map((name) => {
        const path = new URL(`../samples/cal-${name}/${name}.c`, import.meta.url);
        return { name, about: aboutFile(path.pathname) };
      });
      return [
        `export const studies = ${JSON.stringify(studies)};`,
        `export const calPrograms = ${JSON.stringify(calPrograms)};`,
        `export const calDevices = ${JSON.stringify(sampleDevices)};`,
      ].join('\n');
    },
  };
}
