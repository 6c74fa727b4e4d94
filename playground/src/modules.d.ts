/** What Vite makes modules of. */
/// <reference types="vite/client" />

declare module 'virtual:studies' {
  /** The project's case studies in their order. */
  export const studies: readonly {
    readonly name: string;
    readonly title: string;
    readonly about: string;
    readonly part: 'opencl-1' | 'opencl-2' | 'brook';
  }[];
  /** The samples of CAL in C, by the names of their folders without `cal-`. */
  export const calPrograms: readonly { readonly name: string; readonly about: string }[];
  /** The devices that these are written for. */
  export const calDevices: string;
}
