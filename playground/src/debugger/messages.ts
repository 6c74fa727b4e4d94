/** What the page and the debugger's worker say to each other. */
import type { Picture } from '../../../src/cli/arguments/picture.ts';
import type { Document } from '../document.ts';

export type Move = 'continue' | 'stepOver' | 'stepInto' | 'stepOut' | 'stepBack' | 'reverseContinue';

/** A line to stop at, from 1 on, and under which condition; empty for always. */
export interface LineStop {
  readonly line: number;
  readonly condition: string;
}

/** Which launch of a program. */
export interface WantedLaunch {
  /** From 1 on. */
  readonly launch: number;
  /** Counts launches of this kernel only; empty for all. */
  readonly kernel: string;
}

export type DebugRequest =
  | {
      readonly ask: 'start';
      /** Where the page starts the worker's threads. */
      readonly threads: MessagePort;
      readonly document: Document;
      readonly files: ReadonlyMap<string, Blob>;
      readonly stops: readonly LineStop[];
      readonly wanted: WantedLaunch;
    }
  | { readonly ask: 'stops'; readonly stops: readonly LineStop[] }
  | { readonly ask: 'move'; readonly move: Move }
  | { readonly ask: 'pause' }
  /** Looks at another work-item, by its number in the group. */
  | { readonly ask: 'select'; readonly index: number }
  /** Expressions that are shown at every stop. */
  | { readonly ask: 'watch'; readonly expressions: readonly string[] }
  /** Stops when somebody writes there; empty for no more. */
  | { readonly ask: 'guard'; readonly expression: string };

export interface ShownValue {
  readonly name: string;
  readonly type: string;
  readonly text: string;
  /** What it is made of, as far as there is room. */
  readonly parts: readonly ShownValue[];
}

export interface ShownItem {
  readonly index: number;
  readonly global: readonly number[];
  readonly local: readonly number[];
  readonly state: string;
  readonly line: number | undefined;
}

/** The launch, where it stands. */
export interface DebugView {
  /** Why it stands there, in words. */
  readonly why: string;
  readonly isWrong: boolean;
  readonly hasEnded: boolean;
  readonly line: number | undefined;
  readonly kernel: string;
  readonly group: readonly number[];
  readonly groupSize: readonly number[];
  readonly selected: number;
  readonly items: readonly ShownItem[];
  readonly calls: readonly { readonly name: string; readonly line: number | undefined }[];
  readonly variables: readonly { readonly title: string; readonly values: readonly ShownValue[] }[];
  readonly watched: readonly ShownValue[];
  readonly pictures: readonly { readonly name: string; readonly picture: Picture }[];
  readonly printed: string;
}

export type DebugReply =
  | { readonly view: DebugView }
  /** It could not be started; or a request was wrong, such as a condition. */
  | { readonly failure: string; readonly isOver: boolean };
