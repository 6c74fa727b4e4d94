/**
 * Walks one function with the rules about places: what is visible where, what may end a region, where a break may
 * lead, and what work-group form allows inside and outside work-item loops.
 */
import type { Span } from '../../source/span.ts';
import type * as ir from '../ir.ts';
import { isTerminator } from '../ir.ts';
import { Names, symbolText } from '../text/names.ts';
import { instructionText } from '../text/print-instruction.ts';
import { type IntType, type LaneCount, type Type, typeName, vectorisedType } from '../types.ts';
import type { CallFacts } from './call-facts.ts';
import { alignProblem, type Problem, typesProblem } from './demands.ts';
import { operandProblem } from './operand-rules.ts';

/** What surrounds a region. */
interface Place {
  /** The instruction that owns the region; undefined for a function's body. */
  readonly owner: ir.Structured | undefined;
  /** Blocks and loops that a break or continue here may name. */
  readonly targets: readonly (ir.Block | ir.Loop)[];
  readonly inItemLoop: boolean;
  /** In a vector region: how many work-items it is for. */
  readonly lanes: LaneCount | undefined;
  /** How many rows the region of a work-item loop is for. */
  readonly rows: number;
}

/** Where values are defined together, and whether they may be used: until the walk leaves that region. */
interface Scope {
  isOpen: boolean;
}

/** What the rules need to know of the module. */
export interface ModuleFacts {
  readonly addressType: IntType;
  readonly functions: ReadonlySet<ir.Function>;
  readonly globals: ReadonlySet<ir.GlobalVariable>;
  readonly calls: CallFacts;
  readonly isHosted: boolean;
}

/** A broken rule. */
export interface ModuleProblem {
  /** With the function and the instruction's text. */
  readonly text: string;
  /** For those who show the place themselves. */
  readonly message: string;
  /** Where the instruction is, or the function or variable, if that is known. */
  readonly span: Span | undefined;
}

/** No machine has registers for more. */
const mostRows = 8;

export class FunctionVerifier {
  readonly #fn: ir.Function;
  readonly #facts: ModuleFacts;
  readonly #problems: ModuleProblem[];
  readonly #most: number;
  #names: Names | undefined;
  /** Every value ever defined, and where. */
  readonly #defined = new Map<ir.Value, Scope>();
  readonly #contextArrays = new Set<ir.ContextArray>();
  readonly #perItem = new Set<ir.Value>();
  /** Those of them whose copies lie element by element. */
  readonly #byElement = new Set<ir.Value>();
  /** Instructions without operands that have been met. */
  readonly #seen = new Set<ir.Instruction>();
  /**
   * The others, by their lists of operands: passes change these in place, so no two instructions may have one in common. Tests
   * verify after every pass, and looking things up is most of it.
   */
  readonly #owners = new Map<readonly ir.Value[], ir.Instruction>();

  /** @param problems where complaints go, up to `most` */
  constructor(fn: ir.Function, facts: ModuleFacts, problems: ModuleProblem[], most: number) {
    this.#fn = fn;
    this.#facts = facts;
    this.#problems = problems;
    this.#most = most;
  }

  verify(): void {
    const fn = this.#fn;
    this.#signature();
    if (!fn.body) return;
    if (fn.body.parameters.length > 0) this.#report('the body has parameters');
    this.#region(fn.body, { owner: undefined, targets: [], inItemLoop: false, lanes: undefined, rows: 1 });
  }

  #signature(): void {
    const { kind, form, result, attributes, parameters } = this.#fn;
    const scope: Scope = { isOpen: true };
    if (kind === 'kernel' && result) this.#report(`a kernel returns ${typeName(result)}`);
    if (kind === 'function' && attributes) this.#report('only kernels have attributes');
    if (kind === 'function' && form === 'work-group') this.#report('only kernels have work-group form');
    for (const { value, aggregate, info } of parameters) {
      if (this.#defined.has(value)) this.#report('a parameter occurs twice');
      this.#defined.set(value, scope);
      if (info && kind !== 'kernel') this.#report('only parameters of kernels have an info');
      if (!aggregate) continue;
      const allowed = kind === 'kernel' ? ['private', 'constant'] : ['private'];
      if (value.type.kind !== 'pointer' || !allowed.includes(value.type.space)) {
        this.#report(`a parameter for a struct has type ${typeName(value.type)}`);
      }
      const problem = alignProblem(aggregate.align);
      if (problem) this.#report(problem);
    }
  }

  #region(region: ir.Region, place: Place): void {
    const scope: Scope = { isOpen: true };
    for (const parameter of region.parameters) {
      if (this.#defined.has(parameter)) this.#report('a body parameter is defined twice', place.owner);
      this.#defined.set(parameter, scope);
    }
    const last = region.instructions.at(-1);
    if (!last) this.#report('an empty region', place.owner);
    for (const instruction of region.instructions) {
      if (isTerminator(instruction) !== (instruction === last)) {
        this.#report(
          instruction === last
            ? 'a region must end in a terminator'
            : 'a terminator in the middle of a region',
          instruction,
        );
      }
      if (!this.#isNew(instruction)) {
        this.#report('the instruction occurs twice in the function', instruction);
        continue;
      }
      this.#instruction(instruction, place);
      for (const result of instruction.results) {
        if (this.#defined.has(result)) this.#report('a result is defined twice', instruction);
        this.#defined.set(result, scope);
      }
    }
    scope.isOpen = false;
  }

  /** Whether the instruction is met for the first time. */
  #isNew(instruction: ir.Instruction): boolean {
    const { operands } = instruction;
    if (operands.length === 0) {
      const { size } = this.#seen;
      return this.#seen.add(instruction).size > size;
    }
    const owner = this.#owners.get(operands);
    if (owner === instruction) return false;
    if (owner) this.#report('the list of operands is also that of another instruction', instruction);
    else this.#owners.set(operands, instruction);
    return true;
  }

  #instruction(instruction: ir.Instruction, place: Place): void {
    const { operands } = instruction;
    for (let index = 0; index < operands.length; index += 1) {
      const scope = this.#defined.get(operands[index]!);
      if (scope?.isOpen) continue;
      const why = scope ? 'is not visible here' : 'is used before its definition';
      this.#report(`operand ${index + 1} ${why}`, instruction);
    }
    const problem =
      operandProblem(instruction, this.#facts.addressType) ??
      this.#referenceProblem(instruction) ??
      this.#placeProblem(instruction, place) ??
      this.#formProblem(instruction, place);
    if (problem) this.#report(problem, instruction);

    if (instruction.regions.length === 0) return;
    const inner = this.#placeInside(instruction, place);
    if (!inner) return;
    instruction.regions.forEach((region, index) => {
      if (region.parameters.length > 0 && instruction.op !== 'loop') {
        this.#report('only bodies of loops have parameters', instruction);
      }
      if (instruction.op !== 'work_item_loop' || index === 0) this.#region(region, inner);
      else {
        const { lanes, rows = 1, regions } = instruction;
        this.#region(region, { ...inner, lanes, rows: index === regions.length - 1 ? rows : 1 });
      }
    });
  }

  #placeInside(instruction: ir.Instruction, place: Place): Place | undefined {
    switch (instruction.op) {
      case 'block':
      case 'loop':
        return { ...place, owner: instruction, targets: [...place.targets, instruction] };
      case 'if':
      case 'switch':
        return { ...place, owner: instruction };
      case 'work_item_loop':
        return { owner: instruction, targets: [], inItemLoop: true, lanes: undefined, rows: 1 };
      default:
        return undefined;
    }
  }

  /** What an instruction names must belong to the module or function. */
  #referenceProblem(instruction: ir.Instruction): Problem {
    switch (instruction.op) {
      case 'call':
        if (this.#facts.functions.has(instruction.callee)) return undefined;
        return 'calls a function that is not in the module';
      case 'function_address':
        if (!this.#facts.isHosted && !instruction.callee.attributes?.isBlock)
          return 'a pointer to a function outside a program for the host';
        return this.#facts.functions.has(instruction.callee)
          ? undefined
          : 'a pointer to a function that is not in the module';
      case 'call_indirect':
        return this.#facts.isHosted ? undefined : 'a call through a pointer outside a program for the host';
      case 'global_address':
        return this.#facts.globals.has(instruction.global) ? undefined : 'a global that is not in the module';
      case 'context_read':
      case 'context_write':
        return this.#contextArrays.has(instruction.contextArray)
          ? undefined
          : 'a context array that is not defined before';
      default:
        return undefined;
    }
  }

  /** Terminators: what they end and where they lead. */
  #placeProblem(instruction: ir.Instruction, place: Place): Problem {
    const { operands } = instruction;
    switch (instruction.op) {
      case 'yield':
        if (!place.owner) return 'a body ends in return, not in yield';
        if (place.owner.op === 'loop') return 'the body of a loop ends in break or continue, not in yield';
        return typesProblem('operand', operands, `results of ${place.owner.op}`, place.owner.results);
      case 'break':
      case 'continue': {
        const { target } = instruction;
        if (!place.targets.includes(target)) {
          return place.inItemLoop
            ? 'the target does not enclose it within items'
            : 'the target does not enclose it';
        }
        // What the reader makes may be of any kind.
        if (instruction.op === 'continue' && (target as ir.Block | ir.Loop).op !== 'loop')
          return 'continues what is no loop';
        return instruction.op === 'break'
          ? typesProblem('operand', operands, 'results of its target', target.results)
          : typesProblem('operand', operands, 'parameters of its loop', target.regions[0]?.parameters ?? []);
      }
      case 'return': {
        if (place.inItemLoop) return 'a return inside work_item_loop';
        const { result } = this.#fn;
        return typesProblem('operand', operands, 'results of the function', result ? [{ type: result }] : []);
      }
      default:
        return undefined;
    }
  }

  /** Work-item and work-group form. */
  #formProblem(instruction: ir.Instruction, place: Place): Problem {
    const { inItemLoop } = place;
    const workGroup = this.#fn.form === 'work-group';
    this.#recordPerItem(instruction);
    const misuse =
      this.#perItem.size > 0 && instruction.operands.some((operand) => this.#perItem.has(operand));
    if (misuse && instruction.op !== 'item_address' && instruction.op !== 'copies_address')
      return 'a per-item variable is only reached by item_address';
    switch (instruction.op) {
      case 'work_item_loop':
        if (!workGroup) return 'work_item_loop outside work-group form';
        if (instruction.rows !== undefined && !(instruction.rows >= 2 && instruction.rows <= mostRows)) {
          return `${instruction.rows} rows`;
        }
        return inItemLoop ? 'work_item_loop inside work_item_loop' : undefined;
      case 'context_array':
        this.#contextArrays.add(instruction);
        if (!workGroup) return 'a context array outside work-group form';
        return place.owner ? 'a context array belongs at the top of the body' : undefined;
      case 'context_read':
      case 'context_write': {
        if (instruction.contextArray.combine && instruction.op === 'context_read') {
          if (inItemLoop) return 'a cell of all work-items is read outside work_item_loop';
        } else if (!inItemLoop) return `${instruction.op} outside work_item_loop`;
        if (instruction.op === 'context_write' && instruction.scan)
          return scanProblem(instruction, place.rows);
        const isRead = instruction.op === 'context_read';
        const cell = isRead ? instruction.results[0]! : instruction.operands[0]!;
        const what = isRead ? 'the result' : 'operand 1';
        return (
          rowProblem(instruction, place.rows) ??
          this.#cellProblem(what, cell.type, instruction.contextArray.type, place.lanes)
        );
      }
      case 'item_address':
        if (!this.#perItem.has(instruction.operands[0]!)) return 'the operand is no per-item variable';
        if (!inItemLoop) return 'item_address outside work_item_loop';
        return (
          rowProblem(instruction, place.rows) ??
          this.#cellProblem(
            'the result',
            instruction.results[0]!.type,
            instruction.operands[0]!.type,
            this.#byElement.has(instruction.operands[0]!) ? undefined : place.lanes,
          )
        );
      case 'copies_address':
        if (!this.#byElement.has(instruction.operands[0]!)) return 'the operand does not lie by elements';
        return inItemLoop ? 'copies_address inside work_item_loop' : undefined;
      case 'masked_load':
      case 'masked_store':
      case 'gather':
      case 'scatter':
        return place.lanes === undefined ? `${instruction.op} outside a vector region` : undefined;
      case 'variable':
        if (!instruction.perItem) return undefined;
        if (!workGroup) return 'a per-item variable outside work-group form';
        return inItemLoop ? 'a per-item variable inside work_item_loop' : undefined;
      case 'barrier':
        return inItemLoop ? 'a barrier inside work_item_loop' : undefined;
      case 'collective':
        return workGroup ? 'a collective in work-group form' : undefined;
      case 'query': {
        const perItem = ['local_id', 'global_id', 'linear_local_id'].includes(instruction.fn);
        return workGroup && !inItemLoop && perItem ? `${instruction.fn} outside work_item_loop` : undefined;
      }
      case 'call':
        return this.#callProblem(instruction, inItemLoop);
      default:
        return undefined;
    }
  }

  /** A cell as a work-item sees it, or the cells of a vector. */
  #cellProblem(what: string, type: Type, cell: Type, lanes: LaneCount | undefined): Problem {
    const expected = lanes === undefined ? cell : vectorisedType(cell, lanes, this.#facts.addressType);
    if (expected === undefined) return `cells of type ${typeName(cell)} in a vector region`;
    return type === expected
      ? undefined
      : `${what} has type ${typeName(type)}, expected ${typeName(expected)}`;
  }

  #recordPerItem(instruction: ir.Instruction): void {
    if (instruction.op === 'variable' && instruction.perItem) {
      for (const result of instruction.results) {
        this.#perItem.add(result);
        if (instruction.elementSize !== undefined) this.#byElement.add(result);
      }
    }
  }

  #callProblem({ callee }: ir.Call, inItemLoop: boolean): Problem {
    const { calls, isHosted } = this.#facts;
    const name = symbolText(callee.name);
    if (callee.form === 'work-group') return `calls ${name}, which is in work-group form`;
    if (!isHosted && calls.areCircular(callee, this.#fn)) return `calls ${name}, which comes back here`;
    if (inItemLoop && calls.hasBarrier(callee))
      return `calls ${name}, which has a barrier, inside work_item_loop`;
    const outside = this.#fn.form === 'work-group' && !inItemLoop;
    return outside && calls.asksWho(callee)
      ? `calls ${name}, which asks for ids of a work-item, outside work_item_loop`
      : undefined;
  }

  #report(message: string, instruction?: ir.Instruction): void {
    if (this.#problems.length >= this.#most) return;
    const place = `${this.#fn.kind} ${symbolText(this.#fn.name)}: `;
    if (!instruction) {
      this.#problems.push({ text: place + message, message: place + message, span: this.#fn.span });
      return;
    }
    this.#names ??= new Names(this.#fn);
    const text = `${place}${instructionText(instruction, this.#names)}: ${message}`;
    this.#problems.push({ text, message, span: instruction.span });
  }
}

function rowProblem({ row = 0 }: ir.ContextRead | ir.ContextWrite | ir.ItemAddress, rows: number): Problem {
  return row >= 0 && row < rows ? undefined : `row ${row} of ${rows}`;
}

/** A scan goes from one work-item, or one vector, to the next, so its values are those of one. */
function scanProblem({ contextArray, operands, results }: ir.ContextWrite, rows: number): Problem {
  if (!contextArray.combine) return 'a scan in cells of single work-items';
  if (rows > 1) return 'a scan in several rows at once';
  const isSame = operands[0]!.type === contextArray.type && results[0]!.type === contextArray.type;
  return isSame ? undefined : `a scan of values that are no ${typeName(contextArray.type)}`;
}
