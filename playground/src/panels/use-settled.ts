/** Work that follows what a person does, once they have stopped for a moment; its result counts if nothing has changed since. */
import { type Inputs, useEffect } from 'preact/hooks';
import { pointedLine } from '../state.ts';

/** Milliseconds without a change. */
const pause = 250;

/** `work` gives what `show` shows; undefined: there is nothing to do. Lines that were pointed to are so no more afterwards. */
export function useSettled<T>(
  work: (() => Promise<T>) | undefined,
  show: (result: T) => void,
  inputs: Inputs,
): void {
  useEffect(() => {
    if (!work) return;
    let isMeant = true;
    const timer = setTimeout(async () => {
      const result = await work();
      if (isMeant) show(result);
    }, pause);
    return () => {
      isMeant = false;
      clearTimeout(timer);
      pointedLine.value = undefined;
    };
  }, inputs);
}
