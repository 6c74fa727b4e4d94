/** What the editor knows of each language: its words, its comments, how it is indented. */
import { cpp } from '@codemirror/lang-cpp';
import type { Extension } from '@codemirror/state';
import type { Language } from '../document.ts';
import { ilLanguage } from './il-language.ts';
import { brookWords, openclWords } from './marked-words.ts';

export function languageSupport(language: Language): Extension {
  switch (language) {
    case 'il':
      return ilLanguage;
    case 'brook':
      return [cpp(), brookWords];
    case 'c':
      return cpp();
    case 'opencl':
      return [cpp(), openclWords];
  }
}
