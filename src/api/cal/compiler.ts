/**
 * The compiler library (calcl*): objects and images, from text in IL or in clauses and back. It needs no calInit, and has an error text of
 * its own.
 */

import { isIsaText } from '../../codegen/r600-decompiler/interface.ts';
import { lowerIl } from '../../il/lower/lower.ts';
import { printIl } from '../../il/print.ts';
import type { Program } from '../../il/tree.ts';
import { Diagnostics } from '../../source/diagnostics.ts';
import { renderDiagnostics } from '../../source/render.ts';
import { shown } from '../../source/shown.ts';
import * as C from './constants.ts';
import { CalError, failed, invalid } from './error.ts';
import { refusedByTarget, targetName } from './features.ts';
import { CalObject, type Handles } from './handles.ts';
import { type Encoding, readText, shaderOf } from './image/encoding.ts';
import { readImage } from './image/read.ts';
import { type ReadEncoding, writeImage } from './image/write.ts';
import { chipOf, clausesOf } from './model.ts';
import type { CALimage, CALobject } from './structures.ts';

/** Version of the interface: that of the guide's SDK. */
export const calVersion = [1, 4, 0] as const;

/** A compiled program. */
class CodeObject extends CalObject {
  readonly content: ReadEncoding;

  constructor(content: ReadEncoding) {
    super();
    this.content = content;
  }
}

/** Linked programs, one for each target at most. */
export class Image extends CalObject {
  readonly contents: readonly ReadEncoding[];
  #bytes: Uint8Array | undefined;

  constructor(contents: readonly ReadEncoding[]) {
    super();
    this.contents = contents;
  }

  /** As calclImageWrite gives it. */
  get bytes(): Uint8Array {
    this.#bytes ??= writeImage(this.contents);
    return this.#bytes;
  }
}

/** Takes a line of a listing, with the character that ends it. */
export type CALLogFunction = (line: string) => void;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Compiler {
  readonly #handles: Handles;
  /** What the last function said. */
  errorText = '';

  constructor(handles: Handles) {
    this.#handles = handles;
  }

  /** calclCompile. */
  compile(language: C.CALlanguage, source: string, target: C.CALtarget): CALobject {
    checkText(source);
    const { CAL_LANGUAGE_IL: il, CAL_LANGUAGE_ISA: isa } = C;
    if (language !== il && language !== isa)
      throw invalid(`${shown(language)} is no language of the compiler; IL is ${il}, ISA ${isa}`);
    if (isIsaText(source) !== (language === isa))
      throw failed(`the text is not in ${language === isa ? 'clauses: it begins with .target' : 'IL'}`);
    return this.#add(source, target, true).handle;
  }

  /** calclAssembleObject. */
  assemble(type: C.CALCLprogramType, source: string, target: C.CALtarget): CALobject {
    if (type !== C.CAL_PROGRAM_TYPE_PS && type !== C.CAL_PROGRAM_TYPE_CS)
      throw invalid(`${shown(type)} is no type of programs`);
    checkText(source);
    const object = this.#add(source, target, false);
    const { shader } = object.content.encoding;
    if ((shader === 'cs') === (type === C.CAL_PROGRAM_TYPE_CS)) return object.handle;
    this.#handles.remove(object);
    throw failed(`the text is a ${kindName(shader)} program`);
  }

  #add(text: string, target: C.CALtarget, isOptimised: boolean): CodeObject {
    if (targetName(target) === undefined) throw invalid(`${shown(target)} is no target`);
    // As an image has it: what is no text becomes some here already.
    const source = decoder.decode(encoder.encode(text));
    const diagnostics = new Diagnostics();
    const read = readText({ source }, diagnostics);
    const lowered = read && lowerIl(read.program, diagnostics);
    const said = renderDiagnostics(diagnostics.list);
    if (!read || !lowered) throw failed(said);
    const { program, clauses } = read;
    const chip = chipOf(target);
    if (clauses && clauses.chip !== chip)
      throw failed(
        `the program is in clauses of ${clauses.chip.name}, and the target runs those of ${chip?.name ?? targetName(target)}`,
      );
    const refused = refusedByTarget(lowered, target);
    if (refused !== undefined) throw failed(refused);
    this.errorText = said;
    // What was raised from clauses is as they are; it is IL only on its way, and not what anybody wrote.
    const encoding: Encoding = {
      target,
      shader: shaderOf(program),
      isOptimised: isOptimised || clauses !== undefined,
      source,
    };
    return this.#handles.add(new CodeObject({ encoding, program }));
  }

  /** calclLink: objects for different targets become one image. */
  link(objects: readonly CALobject[]): CALimage {
    if (objects.length === 0) throw invalid('an image needs objects');
    const contents = objects.map((handle) => this.#object(handle).content);
    const targets = new Set(contents.map(({ encoding }) => encoding.target));
    if (targets.size < contents.length) throw failed("'main' is there twice for one target");
    return this.#handles.add(new Image(contents)).handle;
  }

  freeObject(handle: CALobject): void {
    this.#handles.remove(this.#object(handle));
  }

  freeImage(handle: CALimage): void {
    this.#handles.remove(this.image(handle));
  }

  /** calclImageWrite into so many bytes. */
  imageToWrite(handle: CALimage, size: number): Uint8Array {
    const { bytes } = this.image(handle);
    if (!(size >= bytes.length))
      throw failed(`the image has ${bytes.length} bytes, and there is room for ${size}`);
    return bytes;
  }

  imageBytes(handle: CALimage): Uint8Array {
    return this.image(handle).bytes;
  }

  /** calImageRead. */
  readImage(bytes: Uint8Array): CALimage {
    return this.#handles.add(new Image(readImage(bytes))).handle;
  }

  disassembleObject(handle: CALobject, log: CALLogFunction): void {
    const { content } = this.#object(handle);
    checkLog(log);
    disassemble(content, log);
  }

  disassembleImage(handle: CALimage, log: CALLogFunction): void {
    const { contents } = this.image(handle);
    checkLog(log);
    for (const content of contents) disassemble(content, log);
  }

  /** @throws CalError CAL_RESULT_ERROR */
  image(handle: CALimage): Image {
    return known(() => this.#handles.find(Image, handle, 'image'));
  }

  #object(handle: CALobject): CodeObject {
    return known(() => this.#handles.find(CodeObject, handle, 'object'));
  }
}

/** Functions of the compiler have no other code for a wrong object than CAL_RESULT_ERROR. */
function known<T extends CalObject>(find: () => T): T {
  try {
    return find();
  } catch (error) {
    throw error instanceof CalError ? failed(error.message) : error;
  }
}

function kindName(shader: Encoding['shader']): string {
  return shader === 'ps' ? 'pixel' : 'compute';
}

/** A listing that calclCompile and calclAssembleObject read again: in clauses, or in IL if these cannot say all of the program. */
function disassemble(
  { encoding, program }: { encoding: Encoding; program: Program },
  log: CALLogFunction,
): void {
  const { text, refused } = clausesOf(encoding);
  const kind = kindName(encoding.shader);
  log(`; ${kind} program for ${targetName(encoding.target)}${refused ? ' in IL' : ''}\n`);
  if (refused) log(`; no clauses: ${refused}\n`);
  const items = program.items.filter((item) => item.kind !== 'comment');
  const lines = text ?? printIl({ ...program, items });
  for (const line of lines.split('\n')) if (line !== '') log(`${line}\n`);
}

function checkLog(log: CALLogFunction): void {
  if (typeof log !== 'function') throw invalid(`${shown(log)} is no function`);
}

function checkText(source: unknown): void {
  if (typeof source !== 'string') throw invalid(`${shown(source)} is no text of a program`);
}
