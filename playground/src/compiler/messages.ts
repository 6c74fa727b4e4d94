/** What the page and the compiler's worker say to each other. Spans become numbers: files do not travel. */
import type { KernelParameter, Stage } from 'millrace';
import type { Analysis, KernelOccupancy } from 'millrace/analyze';
import type { Language } from '../document.ts';

/** A diagnostic, by offsets in the source. What has no place in it (a library's header) stands at its start. */
export interface Remark {
  readonly severity: 'error' | 'warning' | 'note';
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

export interface ExaminedKernel {
  readonly name: string;
  readonly parameters: readonly KernelParameter[];
}

export interface Examined {
  readonly remarks: readonly Remark[];
  readonly kernels: readonly ExaminedKernel[];
}

export function hasErrors({ remarks }: Examined): boolean {
  return remarks.some(({ severity }) => severity === 'error');
}

/** What can stand at a place, as the editor's list takes it. */
export interface CompletionsAnswer {
  readonly from: number;
  readonly options: readonly {
    readonly label: string;
    readonly type: string;
    readonly boost: number;
    readonly detail?: string;
  }[];
}

/** What a word is, in Markdown, and where it stands. */
export interface HoverAnswer {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export type Request = { readonly id: number } & (
  | {
      readonly ask: 'examine';
      readonly language: Language;
      readonly source: string;
      readonly options: string;
      /** Kernels of a case study, whose host's part is elsewhere. */
      readonly isStudy: boolean;
    }
  | {
      readonly ask: 'listing';
      readonly language: Language;
      readonly source: string;
      readonly options: string;
      readonly stage: Stage;
    }
  | {
      readonly ask: 'completions';
      readonly language: Language;
      readonly source: string;
      readonly options: string;
      readonly offset: number;
    }
  | {
      readonly ask: 'hover';
      readonly language: Language;
      readonly source: string;
      readonly options: string;
      readonly offset: number;
    }
  | {
      readonly ask: 'explanation';
      readonly language: Language;
      readonly source: string;
      readonly options: string;
      /** What a completion offered. */
      readonly name: string;
    }
  | {
      readonly ask: 'analysis';
      readonly language: Language;
      readonly source: string;
      readonly options: string;
      readonly width: number;
      readonly height: number;
      /** Numbers that arguments have, by their names. */
      readonly args: ReadonlyMap<string, number>;
    }
);

export type Reply = { readonly id: number } & (
  | { readonly examined: Examined }
  | { readonly completions: CompletionsAnswer }
  | { readonly hover: HoverAnswer | undefined }
  | { readonly explanation: string | undefined }
  | { readonly listing: string }
  /** The occupancies by kernels. */
  | { readonly analysis: Analysis; readonly occupancies: ReadonlyMap<string, KernelOccupancy> }
  | { readonly failure: string }
);
