/**
 * From a program in clauses to one in IL, which every device can run: general registers become registers of IL, clauses their
 * instructions one after another, JUMP and its kin blocks. What the instructions mean is what the simulator of codegen/r600 does.
 */

import type { Diagnostics } from '../../source/diagnostics.ts';
import type { Span } from '../../source/span.ts';
import type { ControlFlow, FetchInstruction, Program, WriteInstruction } from '../r600/program.ts';
import { constantResource, memoryResource } from '../r600/resources.ts';
import { IlWriter, mask, registers, source, target } from './il-writer.ts';
import type { IsaInterface } from './interface.ts';
import { AluRaiser } from './raise-alu.ts';

const letters = 'xyzw';

/** Raises a program that keeps the rules of the chip. Undefined if it uses what it does not declare, or jumps as no block does. */
export function raise(
  program: Program,
  declared: IsaInterface,
  whole: Span,
  diagnostics: Diagnostics,
): string | undefined {
  const before = diagnostics.errorCount;
  const text = new Raiser(program, declared, whole, diagnostics).run();
  return diagnostics.errorCount === before ? text : undefined;
}

/** A block of IL that is open, and the instruction that opened it. */
interface Open {
  readonly at: number;
  elseAt?: number;
}

type Branch = Extract<ControlFlow, { kind: 'branch' }>;

class Raiser {
  readonly #program: Program;
  readonly #declared: IsaInterface;
  readonly #whole: Span;
  readonly #diagnostics: Diagnostics;
  readonly #il = new IlWriter();
  readonly #alu = new AluRaiser(this.#il);
  readonly #open: Open[] = [];

  constructor(program: Program, declared: IsaInterface, whole: Span, diagnostics: Diagnostics) {
    this.#program = program;
    this.#declared = declared;
    this.#whole = whole;
    this.#diagnostics = diagnostics;
  }

  run(): string {
    const { controlFlow, kind } = this.#program;
    const il = this.#il;
    if (kind === 'pixel') il.line('mov r0.xy__, vWinCoord0.xyxx');
    else {
      il.line('mov r0.xyz_, vTidInGrp.xyzx');
      il.line('mov r0.___w, vTidInGrpFlat.x');
      il.line('mov r1.xyz_, vThreadGrpId.xyzx');
      il.line('mov r1.___w, vThreadGrpIdFlat.x');
    }
    for (const [index, one] of controlFlow.entries()) this.#instruction(one, index);
    for (const { at } of this.#open) this.#error(spanOf(controlFlow[at]!), 'nothing ends what begins here');
    return il.finish(this.#header());
  }

  #error(span: Span | undefined, message: string): void {
    this.#diagnostics.error(span ?? this.#whole, message);
  }

  #header(): readonly string[] {
    const { groupSize, resources, constants, outputs, localBytes, scratchElements } = this.#declared;
    const kinds = ['x', 'y', 'z', 'w'].map((letter) => `_fmt${letter}(float)`).join('');
    return [
      groupSize ? 'il_cs_2_0' : 'il_ps_2_0',
      ...(groupSize
        ? [`dcl_num_thread_per_group ${groupSize.join(', ')}`]
        : ['dcl_input_position_interp(linear_noperspective) vWinCoord0.xy__']),
      ...outputs.map((index) => `dcl_output_generic o${index}`),
      ...[...constants].map(([index, elements]) => `dcl_cb cb${index}[${elements}]`),
      ...[...resources].map(
        ([index, { dimensions, isUnnormalized }]) =>
          `dcl_resource_id(${index})_type(${dimensions}d${isUnnormalized ? ',unnorm' : ''})${kinds}`,
      ),
      ...(localBytes > 0 ? [`dcl_lds_id(0) ${localBytes}`] : []),
      ...(scratchElements > 0 ? [`dcl_indexed_temp_array x0[${scratchElements}]`] : []),
    ];
  }

  #instruction(one: ControlFlow, index: number): void {
    switch (one.kind) {
      case 'alu':
        for (const bundle of one.bundles) {
          for (const { sources, opcode, span } of bundle.instructions) {
            for (const operand of sources)
              if (operand.kind === 'constant') this.#requireConstant(operand.buffer, operand.index, span);
            if (opcode.name === 'KILLE' && this.#program.kind === 'compute')
              this.#error(span, 'compute programs have no results to leave out');
            if (opcode.name === 'GROUP_BARRIER' && this.#program.kind === 'pixel')
              this.#error(span, 'pixel programs have no groups of threads');
          }
          this.#alu.bundle(bundle);
        }
        if (one.name === 'ALU_BREAK') this.#inLoop(`break_logicalz ${this.#alu.predicate}`, one);
        if (one.name === 'ALU_POP_AFTER') this.#endIf(index + 1, one);
        break;
      case 'fetch':
        for (const fetch of one.fetches) this.#fetch(fetch);
        break;
      case 'write':
        this.#write(one.write);
        break;
      case 'branch':
        this.#branch(one, index);
    }
  }

  #branch(one: Branch, index: number): void {
    const il = this.#il;
    this.#alu.forget();
    switch (one.name) {
      case 'JUMP': {
        const last = this.#program.controlFlow[index - 1];
        if (last?.kind !== 'alu' || last.name !== 'ALU_PUSH_BEFORE')
          this.#error(one.span, 'JUMP stands behind an ALU_PUSH_BEFORE clause');
        il.line(`if_logicalnz ${this.#alu.predicate}`);
        this.#open.push({ at: index });
        break;
      }
      case 'ELSE': {
        const opened = this.#open.at(-1);
        const jump = opened && this.#branchAt(opened.at);
        if (!opened || jump?.name !== 'JUMP' || jump.to !== index || opened.elseAt !== undefined)
          this.#error(one.span, 'ELSE without a JUMP that leads to it');
        else opened.elseAt = index;
        il.line('else');
        break;
      }
      case 'POP':
        this.#endIf(index, one);
        break;
      case 'LOOP_DX10':
        il.line('whileloop');
        this.#open.push({ at: index });
        break;
      case 'ENDLOOP': {
        const opened = this.#open.pop();
        const loop = opened && this.#branchAt(opened.at);
        if (loop?.name !== 'LOOP_DX10' || one.to !== opened!.at + 1)
          this.#error(one.span, 'ENDLOOP without the LOOP_DX10 that it leads behind');
        else if (loop.to !== index + 1) this.#error(loop.span, `LOOP_DX10 leads behind its ENDLOOP`);
        il.line('endloop');
        break;
      }
      case 'BREAK':
        this.#inLoop('break', one);
        break;
      case 'CONTINUE':
        this.#inLoop('continue', one);
    }
  }

  #branchAt(index: number): Branch | undefined {
    const one = this.#program.controlFlow[index];
    return one?.kind === 'branch' ? one : undefined;
  }

  #inLoop(text: string, one: ControlFlow): void {
    const isInside = this.#open.some(({ at }) => this.#branchAt(at)?.name === 'LOOP_DX10');
    if (!isInside) this.#error(spanOf(one), 'there is no loop around this');
    this.#il.line(text);
  }

  /** Where a branch ends, its JUMP or ELSE leads; `to` is that place. */
  #endIf(to: number, one: ControlFlow): void {
    const opened = this.#open.pop();
    const skipping = opened && this.#branchAt(opened.elseAt ?? opened.at);
    if (!skipping || skipping.name === 'LOOP_DX10')
      this.#error(spanOf(one), 'there is no JUMP whose threads this switches on again');
    else if (skipping.to !== to)
      this.#error(skipping.span, `${skipping.name} leads to the end of its branch`);
    this.#alu.forget();
    this.#il.line('endif');
  }

  #requireConstant(buffer: number, index: number, span: Span | undefined): void {
    const elements = this.#declared.constants.get(buffer);
    if (elements === undefined) this.#error(span, `CB${buffer} is not declared: .constants ${buffer}`);
    else if (index >= elements) this.#error(span, `CB${buffer} has ${elements} elements`);
  }

  // ---------------------------------------------------------------------------------------------- memory

  #fetch(fetch: FetchInstruction): void {
    const il = this.#il;
    const { fetched } = registers;
    const [x = 0, y = x] = fetch.coordinates;
    const address = source(fetch.address, x);
    const { resource } = fetch;
    switch (fetch.name) {
      case 'SAMPLE':
      case 'LD':
      case 'GET_TEXTURE_RESINFO': {
        if (!this.#declared.resources.has(resource))
          this.#error(fetch.span, `t${resource} is not declared: .resource ${resource}`);
        const at = `r${fetch.address}.${letters[x]}${letters[y]}`;
        const kind = fetch.isNormalised ? 'normalized' : 'unnormalized';
        const name =
          fetch.name === 'SAMPLE'
            ? `sample_resource(${resource})_sampler(${fetch.sampler ?? 0})_coordtype(${kind})`
            : fetch.name === 'LD'
              ? `load_resource(${resource})`
              : `resinfo_resource(${resource})_uint`;
        il.line(`${name} r${fetched}, ${at}`);
        break;
      }
      case 'VFETCH':
        this.#vertexFetch(fetch, address);
        break;
      case 'LOCAL_DS_READ':
        this.#requireLocal(fetch.span);
        il.line(`ishl ${target(registers.address, 0)}, ${address}, ${il.literal(2)}`);
        il.line(`lds_load_vec_id(0) r${fetched}, ${source(registers.address, 0)}, ${il.literal(0)}`);
        break;
      case 'READ_SCRATCH':
        this.#requireScratch(fetch.offset, fetch.span);
        il.line(
          `mov r${fetched}, x0[${this.#scratchPlace(fetch.offset, fetch.coordinates.length > 0 ? address : undefined)}]`,
        );
    }
    for (const [channel, component] of fetch.components.entries()) {
      if (component === undefined) continue;
      il.line(`mov ${target(fetch.target, channel)}, ${source(fetched, component)}`);
      this.#alu.overwrite(fetch.target, channel);
    }
  }

  /** Words of the global buffer or of a constant buffer, by the address of their bytes. */
  #vertexFetch(fetch: FetchInstruction, address: string): void {
    const il = this.#il;
    const { resource, offset, format } = fetch;
    const buffer = resource - constantResource;
    const isConstants = buffer >= 0 && buffer < 16;
    if (isConstants) this.#requireConstant(buffer, 0, fetch.span);
    else if (resource !== memoryResource)
      this.#error(
        fetch.span,
        `fc${resource} is no buffer of the program: fc${memoryResource} is the global one`,
      );
    else this.#requireGlobal(fetch.span);
    if (!/^32(?:_32){0,3}_/.test(format ?? ''))
      this.#error(fetch.span, 'buffers are read as words here: FORMAT(32_...)');
    const memory = isConstants ? `cb${buffer}` : 'g';
    const place = registers.address;
    const isWhole = offset % 16 === 0 && this.#alu.isMultiple(fetch.address, fetch.coordinates[0] ?? 0, 4);
    if (isWhole) {
      il.line(`ushr ${target(place, 0)}, ${address}, ${il.literal(4)}`);
      il.line(`iadd ${target(place, 0)}, ${source(place, 0)}, ${il.literal(offset / 16)}`);
      il.line(`mov r${registers.fetched}, ${memory}[${source(place, 0)}]`);
      return;
    }
    il.line(`iadd ${target(place, 0)}, ${address}, ${il.literal(offset)}`);
    il.line(`ushr ${target(place, 0)}, ${source(place, 0)}, ${il.literal(2)}`);
    for (const word of new Set(fetch.components)) {
      if (word === undefined) continue;
      this.#wordPlace(word);
      il.line(`mov r${registers.element}, ${memory}[${source(registers.part, 0)}]`);
      for (const component of [1, 2, 3]) {
        const test = source(registers.part, 2);
        il.line(`ieq ${target(registers.part, 2)}, ${source(registers.part, 1)}, ${il.literal(component)}`);
        const [found, other] = [source(registers.element, component), source(registers.element, 0)];
        il.line(`cmov_logical ${target(registers.element, 0)}, ${test}, ${found}, ${other}`);
      }
      il.line(`mov ${target(registers.fetched, word)}, ${source(registers.element, 0)}`);
    }
  }

  /** Of a word so many behind the one whose number is known: its element, and which of its components it is. */
  #wordPlace(word: number): void {
    const il = this.#il;
    const { address, part } = registers;
    il.line(`iadd ${target(part, 0)}, ${source(address, 0)}, ${il.literal(word)}`);
    il.line(`iand ${target(part, 1)}, ${source(part, 0)}, ${il.literal(3)}`);
    il.line(`ushr ${target(part, 0)}, ${source(part, 0)}, ${il.literal(2)}`);
  }

  #write(write: WriteInstruction): void {
    const il = this.#il;
    const { channels, base, index } = write;
    const present = mask(channels);
    if (write.name === 'EXP') {
      if (!this.#declared.outputs.includes(base))
        this.#error(write.span, `o${base} is not declared: .output ${base}`);
      const swizzle = channels.map((channel) => letters[channel ?? 0]).join('');
      il.line(`mov o${base}.${present}, r${write.source}.${swizzle}`);
      return;
    }
    const at = source(index?.index ?? 0, index?.channel ?? 0);
    const place = registers.address;
    switch (write.name) {
      case 'LOCAL_DS_WRITE':
        this.#requireLocal(write.span);
        il.line(`ishl ${target(place, 0)}, ${at}, ${il.literal(2)}`);
        il.line(
          `lds_store_vec_id(0) mem.${present}, ${source(place, 0)}, ${il.literal(0)}, r${write.source}`,
        );
        break;
      case 'MEM_SCRATCH_WRITE_IND':
        this.#requireScratch(base, write.span);
        il.line(`mov x0[${this.#scratchPlace(base, index && at)}].${present}, r${write.source}`);
        break;
      default:
        this.#globalWrite(write, at, present);
    }
  }

  /** An element of scratch memory: one that is known, or so many behind what a register says. */
  #scratchPlace(element: number, at: string | undefined): string {
    if (at === undefined) {
      const { scratchElements } = this.#declared;
      // IL wants what is constant inside of the array; the mistake is told.
      return String(Math.min(element, Math.max(0, scratchElements - 1)));
    }
    const il = this.#il;
    il.line(`iadd ${target(registers.address, 0)}, ${at}, ${il.literal(element)}`);
    return source(registers.address, 0);
  }

  #globalWrite(
    { source: from, channels, base, index, span }: WriteInstruction,
    at: string,
    present: string,
  ): void {
    const il = this.#il;
    const place = registers.address;
    this.#requireGlobal(span);
    const isWhole = base % 4 === 0 && index && this.#alu.isMultiple(index.index, index.channel, 2);
    if (isWhole) {
      il.line(`ushr ${target(place, 0)}, ${at}, ${il.literal(2)}`);
      il.line(`iadd ${target(place, 0)}, ${source(place, 0)}, ${il.literal(base / 4)}`);
      il.line(`mov g[${source(place, 0)}].${present}, r${from}`);
      return;
    }
    il.line(`iadd ${target(place, 0)}, ${at}, ${il.literal(base)}`);
    for (const [word, channel] of channels.entries()) {
      if (channel === undefined) continue;
      this.#wordPlace(word);
      for (const component of [0, 1, 2, 3]) {
        il.line(`ieq ${target(registers.part, 2)}, ${source(registers.part, 1)}, ${il.literal(component)}`);
        il.line(`if_logicalnz ${source(registers.part, 2)}`);
        const written = [undefined, undefined, undefined, undefined].map((_, lane) =>
          lane === component ? lane : undefined,
        );
        il.line(`mov g[${source(registers.part, 0)}].${mask(written)}, ${source(from, channel)}`);
        il.line('endif');
      }
    }
  }

  #requireGlobal(span: Span | undefined): void {
    if (!this.#declared.usesGlobal) this.#error(span, 'the global buffer is not declared: .global');
  }

  #requireLocal(span: Span | undefined): void {
    if (this.#declared.localBytes === 0) this.#error(span, 'group memory is not declared: .local');
    else if (this.#program.kind === 'pixel') this.#error(span, 'pixel programs have no group memory');
  }

  #requireScratch(element: number, span: Span | undefined): void {
    const { scratchElements } = this.#declared;
    if (scratchElements === 0) this.#error(span, 'scratch memory is not declared: .scratch');
    else if (element >= scratchElements) this.#error(span, `scratch memory has ${scratchElements} elements`);
  }
}

function spanOf(one: ControlFlow): Span | undefined {
  if (one.kind === 'branch') return one.span;
  if (one.kind === 'write') return one.write.span;
  return one.kind === 'alu' ? one.bundles[0]?.instructions[0]?.span : one.fetches[0]?.span;
}
