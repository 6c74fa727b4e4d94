/** One instruction as one line of the text form, without the regions it owns. docs/ir.md shows the form. */
import type * as ir from '../ir.ts';
import { typeName } from '../types.ts';
import { constantText } from './constants.ts';
import { type Names, symbolText } from './names.ts';

/** `%2 = iadd %0, %1 : i32`; for an instruction with regions, what is before the first brace. */
export function instructionText(instruction: ir.Instruction, names: Names): string {
  const { results } = instruction;
  const left = results.length > 0 ? `${names.values(results)} = ` : '';
  const right = results.length > 0 ? ` : ${results.map((result) => typeName(result.type)).join(', ')}` : '';
  return left + middle(instruction, names) + right;
}

/** What is between the results and their types. */
function middle(instruction: ir.Instruction, names: Names): string {
  const operands = names.values(instruction.operands);
  switch (instruction.op) {
    case 'constant':
      return `constant ${constantValueText(instruction)}`;
    case 'undefined':
      return 'undefined';
    case 'unary':
    case 'compare':
      return `${instruction.fn} ${operands}`;
    case 'binary':
      return `${instruction.fn}${instruction.contract ? ' contract' : ''}${instruction.reassociate ? ' reassociate' : ''} ${operands}`;
    case 'fma':
    case 'select':
    case 'splat':
    case 'build':
    case 'offset':
    case 'copies_address':
      return `${instruction.op} ${operands}`;
    case 'item_address':
      return `item_address ${operands}${rowText(instruction)}`;
    case 'convert': {
      const rounding = instruction.rounding ? ` ${instruction.rounding}` : '';
      return `${instruction.fn}${rounding}${instruction.saturate ? ' saturate' : ''} ${operands}`;
    }
    case 'extract':
    case 'insert':
      return `${instruction.op} ${operands}, ${instruction.lane}`;
    case 'shuffle':
      return `shuffle ${operands} [${instruction.lanes.join(', ')}]`;
    case 'variable': {
      const { space, name, size, align, perItem, elementSize } = instruction;
      const copies = perItem ? ' per_item' : '';
      const elements = elementSize === undefined ? '' : ` element=${elementSize}`;
      return `variable ${space} ${JSON.stringify(name)} size=${size} align=${align}${copies}${elements}`;
    }
    case 'global_address':
      return `global_address ${symbolText(instruction.global.name)}`;
    case 'load':
    case 'store':
      return `${instruction.op} ${operands} align=${instruction.align}${instruction.volatile ? ' volatile' : ''}`;
    case 'masked_load':
    case 'masked_store':
    case 'gather':
    case 'scatter':
    case 'copy':
      return `${instruction.op} ${operands} align=${instruction.align}`;
    case 'test':
      return `${instruction.fn} ${operands}`;
    case 'fill':
      return `fill ${operands} byte=${instruction.byte} align=${instruction.align}`;
    case 'atomic':
      return `atomic ${instruction.fn} ${operands} ${instruction.order} ${instruction.scope}`;
    case 'fence':
      return `fence (${instruction.spaces.join(', ')}) ${instruction.order} ${instruction.scope}`;
    case 'barrier':
      return `barrier (${instruction.spaces.join(', ')})${instruction.scope ? ` ${instruction.scope}` : ''}`;
    case 'collective':
      return `collective ${instruction.fn} ${operands} ${instruction.combine} ${instruction.scope}`;
    case 'in_space':
      return `in_space ${operands} ${instruction.space}`;
    case 'printf':
      return `printf ${JSON.stringify(instruction.format)}${operands === '' ? '' : ` ${operands}`}`;
    case 'query':
      return hasDimension(instruction.fn)
        ? `query ${instruction.fn} ${instruction.dimension}`
        : `query ${instruction.fn}`;
    case 'image_read':
    case 'image_write':
      return `${instruction.op} ${instruction.channels} ${operands}`;
    case 'image_query':
      return `image_query ${instruction.fn} ${operands}`;
    case 'call':
      return `call ${symbolText(instruction.callee.name)}(${operands})`;
    case 'function_address':
      return `function_address ${symbolText(instruction.callee.name)}`;
    case 'call_indirect':
      return `call_indirect ${operands}`;
    case 'context_array':
      return `context_array ${names.contextArray(instruction)} : ${typeName(instruction.type)}${
        instruction.combine ? ` combine ${instruction.combine}` : ''
      }`;
    case 'context_read':
      return `context_read ${names.contextArray(instruction.contextArray)}${rowText(instruction)}`;
    case 'context_write':
      return `context_write ${names.contextArray(instruction.contextArray)}, ${operands}${instruction.scan ? ` ${instruction.scan}` : ''}${rowText(instruction)}`;
    case 'work_item_loop':
      return 'work_item_loop';
    case 'if':
    case 'switch':
      return `${instruction.op} ${operands}`;
    case 'block':
      return `block ${names.label(instruction)}`;
    case 'loop':
      return `loop ${names.label(instruction)} (${loopParameters(instruction, names)})${
        instruction.unroll === undefined ? '' : ` unroll=${instruction.unroll}`
      }`;
    case 'yield':
    case 'return':
      return operands === '' ? instruction.op : `${instruction.op} ${operands}`;
    case 'break':
    case 'continue': {
      const target = `${instruction.op} ${names.label(instruction.target)}`;
      return operands === '' ? target : `${target} ${operands}`;
    }
    case 'unreachable':
      return 'unreachable';
  }
}

/** Whether a query asks about one dimension. */
export function hasDimension(fn: ir.QueryFunction): boolean {
  return fn !== 'work_dim' && fn !== 'linear_local_id';
}

function constantValueText({ value, results }: ir.Constant): string {
  const type = results[0]?.type;
  if (type === undefined) return String(value);
  if (typeof value !== 'object') return constantText(value, type);
  return `[${value.map((lane) => constantText(lane, type)).join(', ')}]`;
}

/** `%i: i32 = %0, %s: f32 = %1`. */
function loopParameters(loop: ir.Loop, names: Names): string {
  const parameters = loop.regions[0]?.parameters ?? [];
  return parameters
    .map((parameter, index) => {
      const initial = loop.operands[index];
      return `${names.value(parameter)}: ${typeName(parameter.type)} = ${initial ? names.value(initial) : '%?'}`;
    })
    .join(', ');
}

function rowText({ row }: ir.ContextRead | ir.ContextWrite | ir.ItemAddress): string {
  return row ? ` row ${row}` : '';
}
