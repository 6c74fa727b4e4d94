// The names, titles and descriptions of the project's case studies as a module of their own: the gallery shows them
// before the compiler, which the studies themselves import, is loaded.
import type { Plugin } from 'vite';
import { gallery, secondPart } from '../samples/gallery.ts';

const id = 'virtual:studies';

export function studiesPlugin(): Plugin {
  return {
    name: 'millrace-studies',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (module) => {
      if (module !== `\0${id}`) return undefined;
      const list = gallery.map((sample) => {
        const { name, title, about } = sample;
        return { name, title, about, options: secondPart.includes(sample) ? '-cl-std=CL2.0' : '' };
      });
      return `export const studies = ${JSON.stringify(list)};`;
    },
  };
}
