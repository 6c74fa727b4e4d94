/** A buffer or an image after a run, in the form in which the page shows it. */
import { type BoundArgument, elementsOf } from '../../../src/cli/arguments/bind.ts';
import { describeBuffer, pictureOf } from '../../../src/cli/arguments/describe.ts';
import { pixelForm } from '../../../src/cli/arguments/pixels.ts';
import type { ResultBuffer } from './outcome.ts';

const summaryWidth = 110;

/** Nothing of an argument that has no elements. */
export function resultOf(argument: BoundArgument, global: readonly number[]): ResultBuffer[] {
  const elements = elementsOf(argument);
  if (!elements) return [];
  const { name, typeName } = argument.parameter;
  const isPicture = argument.picture !== undefined || pixelForm(elements.shape) === 'bytes';
  return [
    {
      name,
      typeName,
      summary: describeBuffer(name, elements, summaryWidth, undefined),
      picture: isPicture && pixelForm(elements.shape) ? pictureOf(argument, global) : undefined,
      numbers: elements.entries(),
      lanes: elements.shape.places.length,
    },
  ];
}
