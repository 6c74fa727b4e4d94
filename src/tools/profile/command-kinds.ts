/** What commands are called in tables and traces, by their CL_COMMAND_* (OpenCL 2.2, 5.11; OpenCL 2.0 for those of SVM). */
import type { CommandBody } from '../../runtime/command.ts';

const kinds: Readonly<Record<number, string>> = {
  4592: 'kernel',
  4593: 'kernel',
  4594: 'native kernel',
  4595: 'read buffer',
  4596: 'write buffer',
  4597: 'copy buffer',
  4598: 'read image',
  4599: 'write image',
  4600: 'copy image',
  4601: 'copy image to buffer',
  4602: 'copy buffer to image',
  4603: 'map buffer',
  4604: 'map image',
  4605: 'unmap',
  4606: 'marker',
  4607: 'acquire GL objects',
  4608: 'release GL objects',
  4609: 'read buffer rectangle',
  4610: 'write buffer rectangle',
  4611: 'copy buffer rectangle',
  4613: 'barrier',
  4614: 'migrate',
  4615: 'fill buffer',
  4616: 'fill image',
  4617: 'free SVM',
  4618: 'copy SVM',
  4619: 'fill SVM',
  4620: 'map SVM',
  4621: 'unmap SVM',
  4622: 'migrate SVM',
};

/** Native kernels, and what passes objects to OpenGL and back: the types of commands that the host thread does. */
export const hostActions: readonly number[] = [0x11f2, 0x11ff, 0x1200];

/** A command's name; the runtime's own commands, whose type is 0, are called by what they do. */
export function kindOf(type: number, body: CommandBody | undefined): string {
  const kind = kinds[type];
  if (kind !== undefined) return kind;
  switch (body?.kind) {
    case 'launch':
      return 'kernel';
    case 'copy-rectangle':
      return 'copy rectangle';
    default:
      return body?.kind ?? 'host';
  }
}
