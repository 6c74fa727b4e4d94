/**
 * Images: reads with a sampler are SAMPLE, those by integers LD, and what a kernel writes at its own position leaves as one of its
 * results, as nothing else can write to an image.
 */
import { type ImageInstruction, imageTypeFacts, samplerType } from '../../ir/images.ts';
import type * as ir from '../../ir/ir.ts';
import { elementOf } from '../../ir/types.ts';
import { type Emitter, registerSource } from './emitter.ts';
import { R600Error } from './error.ts';
import { type FetchName, newGroup, type Register, type Source } from './operations.ts';
import type { Outputs } from './outputs.ts';
import type { Scope } from './scope.ts';

/** CLK_NORMALIZED_COORDS_TRUE among the flags of a sampler. */
const normalised = 1;
/** Samplers that the kernel has itself come behind those that it is handed. */
const ownSamplers = 16;

export class Pictures {
  readonly #scope: Scope;
  readonly #emitter: Emitter;
  readonly #outputs: Outputs;
  readonly #own = new Map<number, number>();

  constructor(scope: Scope, emitter: Emitter, outputs: Outputs) {
    this.#scope = scope;
    this.#emitter = emitter;
    this.#outputs = outputs;
  }

  select(instruction: ImageInstruction): void {
    const image = instruction.operands[0]!;
    const facts = imageTypeFacts(image.type);
    const number = this.#resource(image, instruction.span);
    switch (instruction.op) {
      case 'image_read':
        this.#read(instruction, number, facts?.coordinates ?? 2);
        break;
      case 'image_write':
        this.#write(instruction, number);
        break;
      case 'image_query': {
        const lane = { width: 0, height: 1, depth: 2, array_size: 2 }[instruction.fn as string];
        if (lane === undefined)
          throw new R600Error(`the chips do not know an image's ${instruction.fn}`, instruction.span);
        const targets = newGroup(1);
        const sizes = Array.from({ length: lane + 1 }, (_, at) => (at === lane ? targets[0] : undefined));
        this.#fetch(instruction, 'GET_TEXTURE_RESINFO', sizes, [{ kind: 'literal', bits: 0 }], number);
        this.#scope.setWords(instruction.results[0]!, targets.map(registerSource));
      }
    }
  }

  #resource(image: ir.Value, span: ir.Instruction['span']): number {
    const index = this.#scope.parameters.byValue.get(image);
    if (index === undefined) throw new R600Error('an image or sampler that is not an argument', span);
    return this.#scope.parameters.places[index]!.resource;
  }

  #read(read: ir.ImageRead, number: number, count: number): void {
    const hasSampler = read.operands[1]!.type === samplerType;
    const at = read.operands.at(-1)!;
    const words = this.#scope.words(at).slice(0, count);
    const isWhole = elementOf(at.type).kind === 'int';
    const targets = newGroup(4);
    const sampler = hasSampler ? this.#sampler(read.operands[1]!, read.span) : undefined;
    const isNormalised = sampler?.isNormalised ?? false;
    this.#fetch(read, isWhole ? 'LD' : 'SAMPLE', targets, words, number, sampler?.number, isNormalised);
    this.#scope.setWords(read.results[0]!, targets.map(registerSource));
  }

  #sampler(sampler: ir.Value, span: ir.Instruction['span']): { number: number; isNormalised: boolean } {
    const made = this.#scope.definition(sampler);
    if (made?.op !== 'constant') return { number: this.#resource(sampler, span), isNormalised: false };
    const flags = Number(made.value);
    let number = this.#own.get(flags);
    if (number === undefined) {
      number = ownSamplers + this.#own.size;
      this.#own.set(flags, number);
    }
    return { number, isNormalised: (flags & normalised) !== 0 };
  }

  #fetch(
    instruction: ImageInstruction,
    name: FetchName,
    targets: readonly (Register | undefined)[],
    address: readonly Source[],
    resource: number,
    sampler?: number,
    isNormalised?: boolean,
  ): void {
    const emitter = this.#emitter;
    emitter.block.operations.push({
      kind: 'fetch',
      name,
      targets,
      address: emitter.together(address) as readonly Register[],
      resource,
      sampler,
      offset: 0,
      format: undefined,
      bytes: 16,
      isNormalised,
      isConstant: true,
      span: instruction.span,
    });
  }

  #write(write: ir.ImageWrite, number: number): void {
    const [, at, colour] = write.operands as [ir.Value, ir.Value, ir.Value];
    const isOwn = this.#scope
      .words(at)
      .slice(0, 2)
      .every((word, axis) => this.#scope.isPosition(word, axis));
    if (!isOwn) throw new R600Error('a write to an image at another place than the thread’s own', write.span);
    this.#outputs.write(number, this.#scope.words(colour), write.span);
  }
}
