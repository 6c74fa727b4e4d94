/**
 * What arrays are made of: nodes of a graph. A node has its numbers in a buffer, or says how they are made: by an operation on the
 * elements of other nodes, of an index alone, or by a task. Nodes are counted by those who use them, so that a buffer is given back
 * when nobody does.
 */
import type { DeviceBuffer } from '../api/javascript/device-buffer.ts';
import type { NumberType } from './number-types.ts';
import type { OperationName } from './operations.ts';
import { denseStrides, type Shape } from './shape.ts';

/** Elements in a buffer. */
export interface Stored {
  readonly kind: 'stored';
  readonly buffer: DeviceBuffer;
}

/** An operation on elements, computed by the kernel of whoever needs it. */
export interface Mapped {
  readonly kind: 'map';
  readonly operation: OperationName | 'cast';
  readonly inputs: readonly Node[];
}

/** One number everywhere. */
export interface Constant {
  readonly kind: 'constant';
  readonly value: number | bigint;
}

/** `start` + i x `step`, but at the last index `last`, if it is given. */
export interface Range {
  readonly kind: 'range';
  readonly start: number | bigint;
  readonly step: number | bigint;
  readonly last?: number | undefined;
}

/** Elements of another node, in a different order or fewer of them. */
export interface View {
  readonly kind: 'view';
  readonly base: Node;
  /** In elements of the base. */
  readonly offset: number;
  readonly strides: readonly number[];
}

/** What a function of its own computes, into a new buffer. */
export interface Task {
  readonly kind: 'task';
  readonly inputs: readonly Node[];
  run(): Promise<DeviceBuffer>;
}

export type Content = Stored | Mapped | Constant | Range | View | Task;

/** So many operations one kernel computes at most; what is beyond that is computed first. */
const mostFused = 48;

export class Node {
  readonly type: NumberType;
  readonly shape: Shape;
  #content: Content;
  #users = 1;
  /** How many operations a kernel has that computes this; 1 if it is loaded. */
  readonly weight: number;
  /** Under way. */
  pending: Promise<void> | undefined;

  /** It is used by who makes it. */
  constructor(type: NumberType, shape: Shape, content: Content) {
    this.type = type;
    this.shape = shape;
    this.#content = content;
    for (const input of inputsOf(content)) input.use();
    this.weight = 1;
    if (content.kind === 'map') {
      for (const input of content.inputs)
        this.weight += input.content.kind === 'map' && !input.isCut ? input.weight : 1;
    }
  }

  get content(): Content {
    return this.#content;
  }

  /** Whether it gets a buffer before another node's kernel reads it. */
  get isCut(): boolean {
    const { kind } = this.#content;
    return kind === 'task' || (kind === 'map' && this.weight > mostFused);
  }

  use(): void {
    this.#users += 1;
  }

  /** One user less. */
  leave(): void {
    // Not by recursion: a chain may be longer than the stack is deep.
    const waiting: Node[] = [this];
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      node.#users -= 1;
      if (node.#users > 0) continue;
      if (node.#content.kind === 'stored') node.#content.buffer.release();
      else waiting.push(...inputsOf(node.#content));
    }
  }

  /** Its numbers are there, one after another. */
  store(buffer: DeviceBuffer): void {
    const inputs = inputsOf(this.#content);
    this.#content = { kind: 'stored', buffer };
    for (const input of inputs) input.leave();
    if (this.#users <= 0) buffer.release();
  }

  /** Where elements lie, of what is stored or a view of that. */
  get strides(): readonly number[] {
    return this.#content.kind === 'view' ? this.#content.strides : denseStrides(this.shape);
  }
}

export function inputsOf(content: Content): readonly Node[] {
  if (content.kind === 'map' || content.kind === 'task') return content.inputs;
  return content.kind === 'view' ? [content.base] : [];
}
