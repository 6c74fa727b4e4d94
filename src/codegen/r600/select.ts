/**
 * Selection: from a kernel in work-item form, simplified, to operations of the R600 family. Vectors become words, region results
 * registers that several operations write, structured control flow the marks that clauses are formed from. What the chip
 * has no instructions for is an R600Error with its place.
 */
import type * as ir from '../../ir/ir.ts';
import type { Chip } from './chips.ts';
import { Computation } from './computation.ts';
import { type AtEnd, ControlFlow } from './control-flow.ts';
import { Emitter } from './emitter.ts';
import { R600Error } from './error.ts';
import { hardwareCall } from './library-calls.ts';
import { Memory } from './memory.ts';
import { opcode } from './opcodes.ts';
import type { Source, VirtualProgram } from './operations.ts';
import { Outputs } from './outputs.ts';
import { launchConstants } from './parameters.ts';
import { Pictures } from './pictures.ts';
import { Scope, type ScopeOptions } from './scope.ts';

/** Selects a kernel. @throws R600Error for what the chip cannot do */
export function select(fn: ir.Function, chip: Chip, options: ScopeOptions): VirtualProgram {
  return new Selection(fn, chip, options).run();
}

class Selection {
  readonly #fn: ir.Function;
  readonly #chip: Chip;
  readonly #emitter = new Emitter();
  readonly #scope: Scope;
  readonly #outputs: Outputs;
  readonly #memory: Memory;
  readonly #pictures: Pictures;
  readonly #computation: Computation;
  readonly #control: ControlFlow;

  constructor(fn: ir.Function, chip: Chip, options: ScopeOptions) {
    this.#fn = fn;
    this.#chip = chip;
    this.#scope = new Scope(fn, chip, options, this.#emitter);
    this.#outputs = new Outputs(this.#emitter);
    this.#memory = new Memory(this.#scope, this.#emitter, chip, this.#outputs);
    this.#pictures = new Pictures(this.#scope, this.#emitter, this.#outputs);
    this.#computation = new Computation(this.#scope, this.#emitter);
    this.#control = new ControlFlow(this.#scope, this.#emitter, {
      region: (region, atEnd) => this.#region(region, atEnd),
      instruction: (instruction) => this.#instruction(instruction),
    });
  }

  run(): VirtualProgram {
    const { body } = this.#fn;
    if (!body) throw new R600Error(`'${this.#fn.name}' has no body`);
    this.#control.body(body);
    this.#outputs.finish();
    return {
      items: this.#emitter.items,
      localBytes: this.#memory.localBytes,
      scratchBytes: this.#memory.scratchBytes,
      isCompute: this.#scope.isCompute,
      notes: this.#scope.notes,
    };
  }

  /** Selects a region; `atEnd` says what its `yield`, `return` or `continue` to the loop around does, with the operands. */
  #region(region: ir.Region, atEnd: AtEnd): void {
    for (const instruction of region.instructions) {
      this.#emitter.span = instruction.span ?? this.#emitter.span;
      switch (instruction.op) {
        case 'yield':
          atEnd(instruction.operands);
          break;
        case 'return':
          this.#control.return(atEnd);
          break;
        case 'break':
          this.#control.break(instruction);
          break;
        case 'continue':
          this.#control.continue(instruction, atEnd);
          break;
        case 'unreachable':
          break;
        default:
          this.#instruction(instruction);
      }
    }
  }

  #instruction(instruction: ir.Instruction): void {
    const scope = this.#scope;
    const { operands, results } = instruction;
    switch (instruction.op) {
      case 'if':
        this.#control.if(instruction);
        break;
      case 'switch':
        this.#control.switch(instruction);
        break;
      case 'block':
        this.#control.block(instruction);
        break;
      case 'loop':
        this.#control.loop(instruction);
        break;
      case 'call': {
        const args = operands.map((operand) => scope.word(operand));
        const result = hardwareCall(this.#emitter, instruction.callee, args, this.#chip);
        if (!result) throw new R600Error(`the call of '${instruction.callee.name}'`, instruction.span);
        scope.set(results[0]!, [[result]]);
        break;
      }
      case 'query':
        scope.set(results[0]!, [[this.#query(instruction)]]);
        break;
      case 'fence':
        break;
      case 'barrier':
        this.#requireCompute('barriers', instruction);
        this.#emitter.block.operations.push({
          kind: 'alu',
          opcode: opcode('GROUP_BARRIER'),
          targets: [],
          sources: [],
          span: instruction.span,
        });
        break;
      case 'image_read':
      case 'image_write':
      case 'image_query':
        this.#pictures.select(instruction);
        break;
      default:
        if (this.#memory.select(instruction)) break;
        this.#computation.select(instruction);
    }
  }

  #query(query: ir.Query): Source {
    const { fn, dimension } = query;
    const scope = this.#scope;
    if (fn === 'global_id') return scope.position(dimension);
    this.#requireCompute(`'${fn}'`, query);
    const launch = (index: number, axis: 0 | 1 | 2): Source => scope.launch(index, axis);
    switch (fn) {
      case 'local_id':
        return scope.local(dimension);
      case 'group_id':
        return scope.group(dimension);
      case 'global_size':
        return launch(launchConstants.globalSize, dimension);
      case 'local_size':
      case 'enqueued_local_size':
        return launch(launchConstants.localSize, dimension);
      case 'num_groups':
        return launch(launchConstants.groups, dimension);
      case 'global_offset':
        return launch(launchConstants.offset, dimension);
      case 'work_dim':
        return launch(launchConstants.dimensions, 0);
      case 'linear_local_id':
        return scope.flatLocal();
    }
  }

  #requireCompute(what: string, { span }: ir.Instruction): void {
    if (this.#scope.isCompute) return;
    throw new R600Error(
      `${what} need${what.startsWith("'") ? 's' : ''} groups of threads, which ${
        this.#chip.hasCompute ? 'kernels that write images or outputs have not' : `${this.#chip.name} has not`
      }`,
      span,
    );
  }
}
