/** What Vite makes modules of. */
/// <reference types="vite/client" />

declare module 'virtual:studies' {
  /** The project's case studies in their order. */
  export const studies: readonly {
    readonly name: string;
    readonly title: string;
    readonly about: string;
    /** What its host program builds with, as for clBuildProgram. */
    readonly options: string;
  }[];
}
