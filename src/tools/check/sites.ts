/** Places in a program at which checked code may find something: what happens there, and to what. */
import type { DeclaredVariable, HostLayout } from '../../ir/ir.ts';
import type { Span } from '../../source/span.ts';
import { siteBits } from './shadow-layout.ts';

export type ImageSide = 'width' | 'height' | 'depth' | 'arraySize';

/** The object that a pointer was made from. */
export type Base =
  /** An image, and what the numbers that say which pixel must be below. */
  | { readonly kind: 'image'; readonly name: string; readonly sides: readonly ImageSide[] }
  | {
      readonly kind: 'parameter';
      readonly index: number;
      readonly name: string;
      /** What it points to, where that is a struct. */
      readonly pointee?: HostLayout | undefined;
    }
  | {
      readonly kind: 'variable';
      readonly space: 'private' | 'local' | 'global' | 'constant';
      readonly name: string;
      readonly size: number;
      /** Where it is declared, and what struct or array it is. */
      readonly declared?: DeclaredVariable | undefined;
    };

export type SiteKind =
  | 'load'
  | 'store'
  | 'atomic'
  | 'copy'
  | 'value'
  | 'barrier'
  | 'event'
  | 'division'
  | 'pipe'
  | 'loop';

export interface Site {
  readonly kind: SiteKind;
  /** The kernel, or the helper that stays a function of its own. */
  readonly functionName: string;
  readonly span: Span | undefined;
  /** Of an access: bytes, and what it is into, where that is known. */
  readonly bytes: number;
  readonly base: Base | undefined;
  /** Of a copy that stores what may be undefined: where its bytes come from. */
  readonly source?: CopySource | undefined;
}

export interface CopySource {
  readonly base: Base | undefined;
  /** Bytes from the object's beginning, if they are always the same. */
  readonly offset: number | undefined;
  /** Whether arrays in structs count as never set if no element is: what is set at places that the program computes may be a list. */
  readonly hasArrays: boolean;
}

/** The sites of a module by their numbers. */
export class Sites {
  readonly list: Site[] = [];

  /** A number for the site; those of very large programs share the last one, which says nothing. */
  add(site: Site): number {
    const last = (1 << siteBits) - 1;
    if (this.list.length >= last) {
      this.list[last] = { ...site, span: undefined, base: undefined };
      return last;
    }
    return this.list.push(site) - 1;
  }
}
