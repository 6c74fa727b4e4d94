/**
 * For each object of local memory a counter of the granules that the group has not written yet, in the state that the library
 * shares (shadow-layout.ts). Once it is zero, no read of the object can find anything that was never written. Writes of which
 * nobody knows the object count down a spare one: the object's own then never becomes zero, and its reads are looked at one by one.
 */
import type * as ir from '../../../ir/ir.ts';
import { i32 } from '../../../ir/types.ts';
import { walkRegion } from '../../../ir/walk.ts';
import { mostCounted, stateWords } from '../shadow-layout.ts';
import type { CheckWriter } from './check-writer.ts';
import type { Root } from './pointer-roots.ts';

export class LocalCounters {
  readonly #writer: CheckWriter;
  /** Words of the state, by the objects, and the objects' bytes. */
  readonly #counters = new Map<ir.Value, { readonly word: number; readonly bytes: number | ir.Value }>();

  constructor(writer: CheckWriter, body: ir.Region) {
    this.#writer = writer;
    const { fn, context } = writer;
    if (fn.kind !== 'kernel') return;
    const add = (object: ir.Value, bytes: number | ir.Value): void => {
      if (this.#counters.size === mostCounted) return;
      this.#counters.set(object, { word: stateWords.left + this.#counters.size, bytes });
    };
    fn.parameters.forEach(({ value }, index) => {
      const facts = context.argumentFacts.get(index);
      if (facts && value.type.kind === 'pointer' && value.type.space === 'local') add(value, facts.readable);
    });
    walkRegion(body, (instruction) => {
      if (instruction.op === 'variable' && instruction.space === 'local') {
        add(instruction.results[0]!, instruction.size);
      }
    });
  }

  /** Says that nothing is written; when a group begins. */
  begin(): void {
    const { builder, context } = this.#writer;
    const shift = context.shifts.local;
    for (const { word, bytes } of this.#counters.values()) {
      const granules =
        typeof bytes === 'number'
          ? this.#writer.number(Math.ceil(bytes / 2 ** shift))
          : builder.binary(
              'ushr',
              builder.binary('iadd', bytes, this.#writer.number(2 ** shift - 1)),
              this.#writer.number(shift),
            );
      builder.store(this.#at(word), granules, 4);
    }
  }

  /** Whether it has one. */
  counts(root: Root): boolean {
    return this.#counters.has(root.value);
  }

  /** How many granules of an object are not written; undefined where nobody counts. */
  left(root: Root | undefined): ir.Value | undefined {
    const counter = root && this.#counters.get(root.value);
    return counter && this.#writer.builder.load(i32, this.#at(counter.word), 4);
  }

  /** The address of the counter for writes of an object, or of one that is not known. */
  addressFor(root: Root | undefined): ir.Value {
    const word = (root && this.#counters.get(root.value)?.word) ?? stateWords.left + mostCounted;
    return this.#writer.address(this.#at(word));
  }

  #at(word: number): ir.Value {
    const { builder, context } = this.#writer;
    return builder.offset(context.runtime.state(builder), this.#writer.number(4 * word));
  }
}
