/** Values that an editor may ask more of: what it asks by are references, numbers that are good until something moves. */
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { DebugValue } from 'millrace/debug';

/** Values, and the frame whose names they are called by. */
interface Shown {
  readonly values: (start: number, count: number) => readonly DebugValue[];
  readonly frame: number | undefined;
}

/** So many values are asked for where the editor does not say how many. */
const valuesAtOnce = 1000;
/** Of values with more parts than this the editor asks for some at a time. */
const partsAtOnce = 100;

export class EditorValues {
  /** References are indices and one. */
  #shown: Shown[] = [];

  /** Something moves. */
  forget(): void {
    this.#shown = [];
  }

  /** Gives a list of values a reference. */
  keep(values: readonly DebugValue[], frame: number | undefined): number {
    return this.#keep((start, count) => values.slice(start, start + count), frame);
  }

  #keep(values: Shown['values'], frame: number | undefined): number {
    return this.#shown.push({ values, frame });
  }

  /** The values behind a reference, from one on; of 0 as many as there may be at once. */
  variables(reference: number, start = 0, count = 0): DebugProtocol.Variable[] {
    const shown = this.#shown[reference - 1];
    const values = shown?.values(start, count || valuesAtOnce) ?? [];
    return values.map((value) => this.variable(value, shown?.frame));
  }

  /** A value as the editor shows it. */
  variable(value: DebugValue, frame: number | undefined): DebugProtocol.Variable {
    const { name, type, text, count, expression } = value;
    return {
      name,
      value: text,
      type,
      evaluateName: expression,
      variablesReference: count > 0 ? this.#keep((start, wanted) => value.children(start, wanted), frame) : 0,
      ...(count > partsAtOnce ? { indexedVariables: count } : {}),
    };
  }

  /** One of the values behind a reference, by its name. */
  child(reference: number, name: string): DebugValue | undefined {
    const values = this.#shown[reference - 1]?.values(0, Number.MAX_SAFE_INTEGER);
    return values?.find((value) => value.name === name);
  }

  frameOf(reference: number): number | undefined {
    return this.#shown[reference - 1]?.frame;
  }
}
