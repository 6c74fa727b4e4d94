/** The files that `millrace run` writes results to: whether an argument fits into one, and the writing. */
import { type BoundArgument, elementsOf } from './arguments/bind.ts';
import { elementText, pictureOf, pictureSize } from './arguments/describe.ts';
import { npyBytes } from './arguments/npy.ts';
import { fileEnding, isPictureName } from './arguments/picture.ts';
import { pixelForm } from './arguments/pixels.ts';
import { UsageError } from './errors.ts';
import { checkPlace, writeFile } from './files.ts';
import { writePicture } from './picture.ts';

/** Throws a {@link UsageError} if an argument cannot be saved to such a file, a FailureError if there is no place for it. */
export function checkSave(argument: BoundArgument, path: string, globalSize: readonly number[]): void {
  const { name } = argument.parameter;
  const elements = elementsOf(argument);
  if (!elements) throw new UsageError(`parameter '${name}' is not a buffer; it cannot be saved`);
  checkPlace(path);
  if (!isPictureName(path)) return;
  const { shape, count } = elements;
  if (!pixelForm(shape)) {
    throw new UsageError(
      `parameter '${name}' cannot be saved as a picture: ${shape.name} elements are not pixels`,
    );
  }
  const size = pictureSize(argument, globalSize);
  if (!size) {
    throw new UsageError(
      `parameter '${name}' cannot be saved as a picture: its width and height are not known; give it a size such as zeros:640x480, or --global with two dimensions`,
    );
  }
  if (count < size.width * size.height) {
    throw new UsageError(
      `parameter '${name}' cannot be saved as a picture: ${count} elements are fewer than ${size.width} x ${size.height}`,
    );
  }
}

/** Writes a buffer to a file, in the form its ending says: a picture, .npy, .txt, anything else raw bytes. */
export function saveBuffer(argument: BoundArgument, path: string, globalSize: readonly number[]): void {
  const elements = elementsOf(argument);
  if (!elements) return;
  if (isPictureName(path)) {
    const picture = pictureOf(argument, globalSize);
    if (picture) writePicture(path, picture);
    return;
  }
  switch (fileEnding(path)) {
    case '.npy':
      writeFile(path, npyBytes(elements, argument.picture));
      break;
    case '.txt': {
      const lines: string[] = [];
      for (let element = 0; element < elements.count; element++) lines.push(elementText(elements, element));
      writeFile(path, `${lines.join('\n')}\n`);
      break;
    }
    default:
      writeFile(path, elements.bytes);
  }
}
