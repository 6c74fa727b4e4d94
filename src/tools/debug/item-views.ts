/** The work-items of the group that runs, as people see them: their ids, what they are doing and where they are. */
import type { WorkItem } from '../../ir/interpreter/state.ts';
import { isItem } from './breakpoints.ts';
import type { Inspector } from './inspector.ts';
import type { Machine } from './machine.ts';
import type { SourcePlace } from './source-map.ts';

/** A work-item of the group that runs. Ids have as many dimensions as the launch. */
export interface ItemView {
  /** Its number in the group. */
  readonly index: number;
  readonly global: readonly number[];
  readonly local: readonly number[];
  readonly group: readonly number[];
  readonly state: 'ready' | 'at barrier' | 'at sub-group barrier' | 'ended';
  /** Where it is, or waits. */
  readonly place: SourcePlace | undefined;
}

const stateNames = {
  ready: 'ready',
  'waits-group': 'at barrier',
  'waits-sub-group': 'at sub-group barrier',
  ended: 'ended',
} as const;

export class ItemViews {
  readonly #machine: Machine;
  readonly #inspector: Inspector;
  readonly #dimensions: number;

  /** @param dimensions of the launch */
  constructor(machine: Machine, inspector: Inspector, dimensions: number) {
    this.#machine = machine;
    this.#inspector = inspector;
    this.#dimensions = dimensions;
  }

  /** All of the group, in their order; none when the launch has ended. */
  all(): ItemView[] {
    return (this.#machine.running?.items ?? []).map((item) => this.of(item));
  }

  of(item: WorkItem): ItemView {
    const { running } = this.#machine;
    const state = running?.group === item.group ? running.states[item.index]! : 'ended';
    return {
      index: item.index,
      global: this.trim(item.globalId),
      local: this.trim(item.localId),
      group: this.trim(item.group.id),
      state: stateNames[state],
      place: this.#inspector.calls(item)[0]?.place,
    };
  }

  /**
   * @param id a global id, or a number in the group
   * @throws RangeError if it is none of this group
   */
  find(id: readonly number[] | number): WorkItem {
    const { running } = this.#machine;
    const item = running?.items.find((one) => (typeof id === 'number' ? one.index === id : isItem(one, id)));
    if (item) return item;
    const name = typeof id === 'number' ? `number ${id}` : idText(id);
    throw new RangeError(
      running
        ? `work-item ${name} is not in the group that runs, ${idText(this.trim(running.group.id))}`
        : 'the launch has ended',
    );
  }

  nameOf({ globalId }: WorkItem): string {
    return `work-item ${idText(this.trim(globalId))}`;
  }

  /** As many dimensions as the launch has. */
  trim(id: readonly number[]): readonly number[] {
    return id.slice(0, this.#dimensions);
  }
}

/** An id as all messages write it: `(3, 0)`. */
export function idText(id: readonly number[]): string {
  return `(${id.join(', ')})`;
}
