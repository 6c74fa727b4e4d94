/**
 * Copies of regions, functions and modules, in which every value, target and context array that the copied part defines is
 * a new object, and everything it only refers to is shared. Inlining, unrolling, linking and tests build on it.
 */
import type * as ir from './ir.ts';

type Relocation = ir.GlobalVariable['relocations'][number];
type FunctionPlace = NonNullable<ir.GlobalVariable['functions']>[number];

/**
 * What the copy uses in place of the original's objects. Callers may fill it beforehand, to bind parameters to
 * arguments say; afterwards it holds everything the copied part defined.
 */
export interface CloneMaps {
  readonly values: Map<ir.Value, ir.Value>;
  /** Blocks and loops (for `break` and `continue`) and context arrays. */
  readonly instructions: Map<ir.Instruction, ir.Instruction>;
  /** For copies from one module into another. */
  readonly functions?: ReadonlyMap<ir.Function, ir.Function> | undefined;
  readonly globals?: ReadonlyMap<ir.GlobalVariable, ir.GlobalVariable> | undefined;
}

/**
 * A copy of a region with new values. Operands in `values` are replaced; others, defined outside, stay the same.
 * @param values filled with what the region defines
 * @param instructions replacements of outer targets and context arrays; filled with those that the region defines
 */
export function cloneRegion(
  region: ir.Region,
  values: Map<ir.Value, ir.Value>,
  instructions: Map<ir.Instruction, ir.Instruction> = new Map(),
): ir.Region {
  return copyRegion(region, { values, instructions });
}

/** A copy of one instruction and its regions; see {@link cloneRegion}. */
export function cloneInstruction(
  instruction: ir.Instruction,
  values: Map<ir.Value, ir.Value>,
  instructions: Map<ir.Instruction, ir.Instruction> = new Map(),
): ir.Instruction {
  return copyInstruction(instruction, { values, instructions });
}

/** A copy of a function with new parameters and body. Functions that it calls and globals are shared. */
export function cloneFunction(fn: ir.Function): ir.Function {
  const maps: CloneMaps = { values: new Map(), instructions: new Map() };
  const copy = copySignature(fn, maps);
  copy.body = fn.body && copyRegion(fn.body, maps);
  return copy;
}

/** A copy of a module that shares nothing with it that may change. */
export function cloneModule(module: ir.Module): ir.Module {
  const globals = new Map<ir.GlobalVariable, ir.GlobalVariable>();
  const relocations = new Map<ir.GlobalVariable, Relocation[]>();
  const places = new Map<ir.GlobalVariable, FunctionPlace[]>();
  for (const global of module.globals) {
    const list: Relocation[] = [];
    relocations.set(global, list);
    const functionList: FunctionPlace[] = [];
    places.set(global, functionList);
    const ofFunctions = global.functions ? { functions: functionList } : {};
    globals.set(global, { ...global, bytes: global.bytes.slice(), relocations: list, ...ofFunctions });
  }
  for (const [global, list] of relocations) {
    for (const { offset, target, addend } of global.relocations) {
      list.push({ offset, target: globals.get(target) ?? target, addend });
    }
  }

  const functions = new Map<ir.Function, ir.Function>();
  const values = new Map<ir.Value, ir.Value>();
  const maps: CloneMaps = { values, instructions: new Map(), functions, globals };
  for (const fn of module.functions) functions.set(fn, copySignature(fn, maps));
  for (const [global, list] of places) {
    for (const { offset, target } of global.functions ?? []) {
      list.push({ offset, target: functions.get(target) ?? target });
    }
  }
  for (const [fn, copy] of functions) copy.body = fn.body && copyRegion(fn.body, maps);
  return { ...module, globals: [...globals.values()], functions: [...functions.values()] };
}

function copySignature(fn: ir.Function, maps: CloneMaps): ir.Function {
  const parameters = fn.parameters.map((parameter) => ({
    ...parameter,
    value: define(parameter.value, maps),
  }));
  return { ...fn, parameters, body: undefined };
}

function define(value: ir.Value, maps: CloneMaps): ir.Value {
  const copy = { ...value };
  maps.values.set(value, copy);
  return copy;
}

/** The general form, for callers that also move code to another module. */
export function copyRegion(region: ir.Region, maps: CloneMaps): ir.Region {
  const parameters = region.parameters.map((parameter) => define(parameter, maps));
  const instructions: ir.Instruction[] = [];
  for (const instruction of region.instructions) instructions.push(copyInstruction(instruction, maps));
  return { parameters, instructions };
}

function copyInstruction(instruction: ir.Instruction, maps: CloneMaps): ir.Instruction {
  const copy = copyReferences(instruction, maps);
  copy.operands = instruction.operands.map((operand) => maps.values.get(operand) ?? operand);
  // The copy must be known before its regions are copied: they may break to it.
  if (copy.op === 'block' || copy.op === 'loop' || copy.op === 'context_array') {
    maps.instructions.set(instruction, copy);
  }
  copy.regions = instruction.regions.map((region) => copyRegion(region, maps));
  copy.results = instruction.results.map((result) => define(result, maps));
  return copy;
}

/** The instruction again, with what it names (a target, a context array, a function, a global) replaced. */
function copyReferences(instruction: ir.Instruction, maps: CloneMaps): ir.Instruction {
  const { instructions } = maps;
  switch (instruction.op) {
    case 'break':
      return {
        ...instruction,
        target: (instructions.get(instruction.target) ?? instruction.target) as ir.Block | ir.Loop,
      };
    case 'continue':
      return {
        ...instruction,
        target: (instructions.get(instruction.target) ?? instruction.target) as ir.Loop,
      };
    case 'context_read':
    case 'context_write':
      return {
        ...instruction,
        contextArray: (instructions.get(instruction.contextArray) ??
          instruction.contextArray) as ir.ContextArray,
      };
    case 'call':
    case 'function_address':
      return { ...instruction, callee: maps.functions?.get(instruction.callee) ?? instruction.callee };
    case 'global_address':
      return { ...instruction, global: maps.globals?.get(instruction.global) ?? instruction.global };
    default:
      return { ...instruction };
  }
}
