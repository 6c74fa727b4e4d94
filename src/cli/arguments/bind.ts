/**
 * From what a person asked for (`--arg`, `--image`) to the arguments of one kernel: explicit specifications
 * first, then what can be guessed from names and types, each guess reported. What cannot be guessed is an
 * error that says what to type.
 */
import type { KernelParameter, SamplerSettings } from 'millrace';
import { UsageError } from '../errors.ts';
import { counted } from './counted.ts';
import { type ElementShape, Elements, elementShape, valueBytes } from './elements.ts';
import type { ArgumentFiles } from './files.ts';
import { generate } from './generate.ts';
import { noParameter } from './no-parameter.ts';
import { emptyFile, readNpy } from './npy.ts';
import { fileEnding, isPictureName } from './picture.ts';
import { type PixelType, pictureToElements, pixelForm, pixelShape } from './pixels.ts';
import type {
  ArgumentSpecification,
  CountSpecification,
  NamedSpecification,
  PictureSize,
} from './specification.ts';

/** An argument ready to be passed, with what is needed to show it afterwards. */
export interface BoundArgument {
  readonly parameter: KernelParameter;
  readonly value:
    | { readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> }
    | { readonly kind: 'buffer'; readonly elements: Elements }
    /** Its pixels, each an element. */
    | { readonly kind: 'image'; readonly elements: Elements; readonly type: PixelType }
    | { readonly kind: 'sampler'; readonly settings: SamplerSettings }
    | { readonly kind: 'local'; readonly bytes: number }
    | { readonly kind: 'null' };
  /** Width and height, if the buffer is a picture or like one; always for an image. */
  readonly picture?: PictureSize | undefined;
  /** Set if nobody asked for this argument: what it was taken to be. */
  readonly guess?: string;
}

export interface BindOptions {
  /** The number of work-items, if `--global` was given. */
  readonly workItems: number | undefined;
  /** From `--image`: a picture for the first parameter that can take one. */
  readonly image?: string | undefined;
  readonly files: ArgumentFiles;
  /** Bytes of the largest buffer that the device can make. */
  readonly largestBuffer: number;
  /** Where all kinds of arguments are told, for who gave another one; default `see millrace run --help`. */
  readonly help?: string;
  /** The work-items as a picture, if `--global` was given in two dimensions. */
  readonly launchSize?: PictureSize | undefined;
  /** What kernels see of image parameters; default normalised bytes. */
  readonly pixels?: PixelType | undefined;
}

/** The elements of a buffer or an image; undefined for every other argument. */
export function elementsOf({ value }: BoundArgument): Elements | undefined {
  return value.kind === 'buffer' || value.kind === 'image' ? value.elements : undefined;
}

/** Binds every parameter of a kernel. Throws a {@link UsageError} that names the parameter. */
export function bindArguments(
  parameters: readonly KernelParameter[],
  given: readonly NamedSpecification[],
  options: BindOptions,
): BoundArgument[] {
  const specifications = assign(parameters, given);
  if (options.image !== undefined) assignImage(parameters, specifications, options.image, options.files);
  return new Binder(parameters, specifications, options).bindAll();
}

/** Distributes specifications over parameters: named ones by name, the others in order over what is left. */
function assign(
  parameters: readonly KernelParameter[],
  given: readonly NamedSpecification[],
): Map<KernelParameter, ArgumentSpecification> {
  const result = new Map<KernelParameter, ArgumentSpecification>();
  for (const { name, specification } of given) {
    if (name === undefined) continue;
    const parameter = parameters.find((candidate) => candidate.name === name);
    if (!parameter) throw new UsageError(noParameter(name, parameters));
    if (result.has(parameter)) throw new UsageError(`parameter '${name}' is given twice`);
    result.set(parameter, specification);
  }
  const rest = parameters.filter((parameter) => !result.has(parameter));
  const positional = given.filter(({ name }) => name === undefined);
  if (positional.length > rest.length) {
    throw new UsageError(
      `${counted(given.length, 'argument')} ${given.length === 1 ? 'was' : 'were'} given; the kernel takes ${parameters.length || 'none'}`,
    );
  }
  for (const [index, { specification }] of positional.entries()) result.set(rest[index]!, specification);
  return result;
}

function assignImage(
  parameters: readonly KernelParameter[],
  specifications: Map<KernelParameter, ArgumentSpecification>,
  path: string,
  files: ArgumentFiles,
): void {
  if (!isPictureName(path))
    throw new UsageError(`--image ${path}: write a .png, .jpg, .bmp, .pgm or .ppm file`);
  const free = parameters.filter(
    (parameter) => !specifications.has(parameter) && (isImage2d(parameter) || takesPixels(parameter)),
  );
  // The input before the output.
  const target =
    free.find((parameter) => parameter.isConst || parameter.image?.access === 'read_only') ?? free[0];
  if (!target) throw new UsageError('no parameter of the kernel can take the picture given by --image');
  if (!files.exists(path)) throw new UsageError(`--image ${path}: there is no such file`);
  specifications.set(target, { kind: 'file', path });
}

function isImage2d(parameter: KernelParameter): boolean {
  return parameter.image?.kind === 'image2d_t';
}

function takesPixels(parameter: KernelParameter): boolean {
  const isPointer = parameter.kind === 'global' || parameter.kind === 'constant';
  return isPointer && pixelForm(shapeOf(parameter)) !== undefined;
}

/** The elements that a pointer points to; of a value, itself. */
function shapeOf(parameter: KernelParameter): ElementShape {
  const layout =
    parameter.kind === 'value' || parameter.kind === 'aggregate' ? parameter.layout : parameter.pointee;
  return elementShape(layout, parameter.typeName.replace(/\s*\*$/, ''));
}

class Binder {
  readonly #bound = new Map<KernelParameter, BoundArgument>();
  readonly #underway = new Set<KernelParameter>();

  readonly #parameters: readonly KernelParameter[];
  readonly #specifications: ReadonlyMap<KernelParameter, ArgumentSpecification>;
  readonly #options: BindOptions;

  constructor(
    parameters: readonly KernelParameter[],
    specifications: ReadonlyMap<KernelParameter, ArgumentSpecification>,
    options: BindOptions,
  ) {
    this.#parameters = parameters;
    this.#specifications = specifications;
    this.#options = options;
  }

  bindAll(): BoundArgument[] {
    // What was asked for first: guesses look at it.
    for (const parameter of this.#parameters) if (this.#specifications.has(parameter)) this.#get(parameter);
    return this.#parameters.map((parameter) => this.#get(parameter));
  }

  #get(parameter: KernelParameter): BoundArgument {
    const done = this.#bound.get(parameter);
    if (done) return done;
    if (this.#underway.has(parameter)) {
      throw new UsageError(`parameter '${parameter.name}' is defined through itself`);
    }
    this.#underway.add(parameter);
    const specification = this.#specifications.get(parameter);
    const result = specification ? this.#bind(parameter, specification) : this.#guess(parameter);
    this.#bound.set(parameter, result);
    return result;
  }

  #byName(name: string): BoundArgument {
    const parameter = this.#parameters.find((candidate) => candidate.name === name);
    if (!parameter) throw new UsageError(`there is no parameter '${name}' to take a size from`);
    return this.#get(parameter);
  }

  #bind(parameter: KernelParameter, specification: ArgumentSpecification): BoundArgument {
    switch (parameter.kind) {
      case 'local':
        if (specification.kind !== 'local') {
          throw new UsageError(
            `parameter '${parameter.name}' points to local memory: write ${parameter.name}=local:BYTES`,
          );
        }
        return { parameter, value: { kind: 'local', bytes: specification.bytes } };
      case 'global':
      case 'constant':
        return this.#bindBuffer(parameter, specification);
      case 'image':
        return this.#bindImage(parameter, specification);
      case 'sampler':
        if (specification.kind !== 'sampler') {
          throw new UsageError(
            `parameter '${parameter.name}' is a sampler: write ${parameter.name}=sampler or sampler:linear`,
          );
        }
        return { parameter, value: specification };
      case 'pipe':
        throw new UsageError(`parameter '${parameter.name}' is a pipe, which the command line cannot make`);
      case 'queue':
        throw new UsageError(
          `parameter '${parameter.name}' is a queue of the device, which the command line cannot give`,
        );
      case 'value':
      case 'aggregate':
        return this.#bindValue(parameter, specification);
    }
  }

  #bindImage(parameter: KernelParameter, specification: ArgumentSpecification): BoundArgument {
    const { name, typeName } = parameter;
    if (!isImage2d(parameter)) {
      throw new UsageError(
        `parameter '${name}' is of type ${typeName}: the command line can give 2D images only`,
      );
    }
    const type = this.#options.pixels ?? 'unorm8';
    const shape = pixelShape(type);
    const image = (elements: Elements, picture: PictureSize): BoundArgument => ({
      parameter,
      value: { kind: 'image', elements, type },
      picture,
    });
    switch (specification.kind) {
      case 'file': {
        this.#checkFile(parameter, specification.path);
        if (!isPictureName(specification.path)) {
          throw new UsageError(
            `parameter '${name}' is an image: write a .png, .jpg, .bmp, .pgm or .ppm file, or zeros:640x480`,
          );
        }
        const { width, height, ...picture } = this.#options.files.picture(specification.path);
        const elements = pictureToElements({ width, height, ...picture }, shape, name);
        return image(elements, { width, height });
      }
      case 'like': {
        const { picture } = this.#byName(specification.argument);
        if (!picture) throw new UsageError(`parameter '${specification.argument}' is not a picture`);
        return image(this.#zeros(shape, picture.width * picture.height, parameter), picture);
      }
      case 'fill':
      case 'range':
      case 'random': {
        const picture = specification.count ? specification.count.picture : this.#options.launchSize;
        if (!picture) {
          throw new UsageError(`say how large the image '${name}' is, as in zeros:640x480`);
        }
        const elements = this.#zeros(shape, picture.width * picture.height, parameter);
        generate(elements, specification, name);
        return image(elements, picture);
      }
      default:
        throw new UsageError(`parameter '${name}' (${typeName}) takes a picture, or zeros:640x480`);
    }
  }

  #bindValue(parameter: KernelParameter, specification: ArgumentSpecification): BoundArgument {
    let texts: readonly string[];
    if (specification.kind === 'number') texts = [specification.text];
    else if (specification.kind === 'list') texts = specification.items;
    else if (specification.kind === 'dimension')
      texts = [String(this.#dimension(specification.which, specification.argument))];
    else {
      const what =
        specification.kind === 'file' ? `'${specification.path}' is not a number` : 'write a number';
      throw new UsageError(
        `parameter '${parameter.name}' (${parameter.typeName}) is passed by value: ${what}`,
      );
    }
    if (!parameter.layout) {
      throw new UsageError(
        `parameter '${parameter.name}': how a '${parameter.typeName}' is laid out is known only to the device's compiler`,
      );
    }
    return {
      parameter,
      value: { kind: 'bytes', bytes: valueBytes(shapeOf(parameter), texts, parameter.name) },
    };
  }

  #dimension(which: 'width' | 'height' | 'count', name: string): number {
    const source = this.#byName(name);
    const elements = elementsOf(source);
    if (!elements) throw new UsageError(`parameter '${name}' is not a buffer: it has no ${which}`);
    if (which === 'count') return elements.count;
    if (!source.picture) throw new UsageError(`parameter '${name}' is not a picture: it has no ${which}`);
    return source.picture[which];
  }

  #bindBuffer(parameter: KernelParameter, specification: ArgumentSpecification): BoundArgument {
    const shape = shapeOf(parameter);
    const buffer = (elements: Elements, picture?: PictureSize): BoundArgument => ({
      parameter,
      value: { kind: 'buffer', elements },
      picture,
    });
    switch (specification.kind) {
      case 'null':
        return { parameter, value: { kind: 'null' } };
      case 'file':
        return this.#bindFile(parameter, shape, specification.path);
      case 'number':
      case 'list': {
        const items = specification.kind === 'list' ? specification.items : [specification.text];
        const elements = this.#zeros(shape, Math.ceil(items.length / shape.places.length), parameter);
        elements.setTexts(items, parameter.name);
        return buffer(elements);
      }
      case 'fill':
      case 'range':
      case 'random': {
        const count = this.#count(specification.count, parameter);
        const elements = this.#zeros(shape, count.elements, parameter);
        generate(elements, specification, parameter.name);
        return buffer(elements, count.picture);
      }
      case 'like': {
        const source = this.#byName(specification.argument);
        const elements = elementsOf(source);
        if (!elements) throw new UsageError(`parameter '${specification.argument}' is not a buffer`);
        return buffer(this.#zeros(shape, elements.count, parameter), source.picture);
      }
      default:
        throw new UsageError(
          `parameter '${parameter.name}' (${parameter.typeName}) takes a buffer, such as ${parameter.name}=zeros:1024 or a file`,
        );
    }
  }

  #count(count: CountSpecification, parameter: KernelParameter): NonNullable<CountSpecification> {
    if (count) return count;
    const elements = this.#options.workItems;
    if (elements === undefined) {
      throw new UsageError(
        `say how many elements parameter '${parameter.name}' has, as in zeros:1024, or give --global`,
      );
    }
    return { elements, picture: undefined };
  }

  #zeros(shape: ElementShape, count: number, parameter: KernelParameter): Elements {
    const bytes = count * shape.size;
    if (bytes > this.#options.largestBuffer) {
      throw new UsageError(
        `parameter '${parameter.name}' would take ${bytes} bytes; the device's buffers have at most ${this.#options.largestBuffer}`,
      );
    }
    return Elements.zeros(shape, count);
  }

  #checkFile(parameter: KernelParameter, path: string): void {
    if (this.#options.files.exists(path)) return;
    throw new UsageError(
      `parameter '${parameter.name}': there is no file '${path}', and it is no other kind of argument (${this.#options.help ?? 'see millrace run --help'})`,
    );
  }

  #bindFile(parameter: KernelParameter, shape: ElementShape, path: string): BoundArgument {
    this.#checkFile(parameter, path);
    if (isPictureName(path)) {
      const { width, height, ...picture } = this.#options.files.picture(path);
      const elements = pictureToElements({ width, height, ...picture }, shape, parameter.name);
      return { parameter, value: { kind: 'buffer', elements }, picture: { width, height } };
    }
    const bytes = this.#options.files.bytes(path);
    if (fileEnding(path) === '.npy') {
      const { elements, picture } = readNpy(path, bytes.buffer, shape);
      return { parameter, value: { kind: 'buffer', elements }, picture };
    }
    if (bytes.length === 0) throw emptyFile(path, shape);
    if (bytes.length % shape.size !== 0) {
      throw new UsageError(
        `${path} has ${bytes.length} bytes, which is not a whole number of ${shape.name} elements (${shape.size} bytes each)`,
      );
    }
    return { parameter, value: { kind: 'buffer', elements: new Elements(shape, bytes) } };
  }

  /** What nobody said: an output like the input, sizes by their usual names. */
  #guess(parameter: KernelParameter): BoundArgument {
    const source = [...this.#bound.values()].find((argument) => argument.value.kind === 'buffer');
    const picture = [...this.#bound.values()].find((argument) => argument.picture);
    if (parameter.kind === 'sampler') {
      return { ...this.#bind(parameter, { kind: 'sampler', settings: {} }), guess: 'sampler' };
    }
    if (isImage2d(parameter) && parameter.image?.access !== 'read_only') {
      if (picture) {
        const argument = picture.parameter.name;
        return { ...this.#bind(parameter, { kind: 'like', argument }), guess: `like:${argument}` };
      }
      if (this.#options.launchSize) {
        return { ...this.#bind(parameter, { kind: 'fill', value: '0', count: undefined }), guess: 'zeros' };
      }
    }
    if (parameter.kind === 'global' && !parameter.isConst) {
      const model = picture ?? source;
      if (model)
        return {
          ...this.#bind(parameter, { kind: 'like', argument: model.parameter.name }),
          guess: `like:${model.parameter.name}`,
        };
      if (this.#options.workItems !== undefined) {
        return { ...this.#bind(parameter, { kind: 'fill', value: '0', count: undefined }), guess: 'zeros' };
      }
    }
    if (parameter.kind === 'value' && parameter.layout?.kind === 'integer') {
      const which = sizeName(parameter.name);
      const model = which === 'count' ? source : picture;
      if (which && model) {
        const specification = { kind: 'dimension', which, argument: model.parameter.name } as const;
        return { ...this.#bind(parameter, specification), guess: `${which}:${model.parameter.name}` };
      }
    }
    throw new UsageError(
      `parameter '${parameter.name}' (${parameter.typeName}) has no argument: add --arg ${parameter.name}=${example(parameter)}`,
    );
  }
}

/** What could be written for a parameter. */
function example(parameter: KernelParameter): string {
  if (parameter.kind === 'local') return 'local:BYTES';
  if (parameter.kind === 'image') return 'FILE or zeros:WIDTHxHEIGHT';
  if (parameter.kind === 'global' || parameter.kind === 'constant')
    return 'FILE or zeros:N or ... (see --help)';
  const { places } = shapeOf(parameter);
  return places.length === 1 ? 'NUMBER' : `'(${places.map((_, index) => index + 1).join(',')})'`;
}

/** Which size a parameter's name asks for, by the names people give them. */
function sizeName(name: string): 'width' | 'height' | 'count' | undefined {
  const word = name.toLowerCase().replace(/[^a-z]/g, '');
  if (/^(w|width|cols|columns|imagewidth|imgwidth|nx)$/.test(word)) return 'width';
  if (/^(h|height|rows|imageheight|imgheight|ny)$/.test(word)) return 'height';
  if (/^(n|count|length|len|size|num|total|elements|numelements)$/.test(word)) return 'count';
  return undefined;
}
