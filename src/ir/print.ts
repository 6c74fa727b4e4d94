/**
 * The text form of modules and functions: what `--emit ir` shows and tests compare. parse.ts reads it back; docs/ir.md
 * explains it. Everything is written but spans and what passes noted, so that equal programs print equally wherever
 * they came from.
 */
import type * as ir from './ir.ts';
import { Names, symbolText } from './text/names.ts';
import { instructionText } from './text/print-instruction.ts';
import { typeName } from './types.ts';
import { formOf } from './work-item-loops.ts';

/** The text of a whole module, ending with a line feed. */
export function printModule(module: ir.Module): string {
  const parts = [`module address=${module.addressBits}${module.isHosted ? ' hosted' : ''}\n`];
  if (module.globals.length > 0) parts.push(module.globals.map(globalText).join(''));
  for (const fn of module.functions) parts.push(printFunction(fn));
  return parts.join('\n');
}

/** The text of one function, ending with a line feed. */
export function printFunction(fn: ir.Function): string {
  const names = new Names(fn);
  const lines: string[] = [];
  const signature = `${fn.kind} ${symbolText(fn.name)}${parametersText(fn, names)}${attributesText(fn)}`;
  if (fn.body) {
    lines.push(`${signature} {`);
    printRegion(fn.body, names, '  ', lines);
    lines.push('}');
  } else {
    lines.push(signature);
  }
  return `${lines.join('\n')}\n`;
}

function printRegion(region: ir.Region, names: Names, indent: string, lines: string[]): void {
  for (const instruction of region.instructions) printInstruction(instruction, names, indent, lines);
}

function printInstruction(instruction: ir.Instruction, names: Names, indent: string, lines: string[]): void {
  const text = indent + instructionText(instruction, names);
  const { regions } = instruction;
  if (regions.length === 0) {
    lines.push(text);
    return;
  }
  lines.push(`${text} {`);
  const inner = `${indent}  `;
  if (instruction.op === 'switch') {
    regions.forEach((region, index) => {
      const values = instruction.cases[index];
      lines.push(values ? `${inner}case ${values.join(', ')} {` : `${inner}default {`);
      printRegion(region, names, `${inner}  `, lines);
      lines.push(`${inner}}`);
    });
  } else {
    regions.forEach((region, index) => {
      if (index > 0) {
        const form = instruction.op === 'work_item_loop' ? formOfItems(instruction, index) : 'else';
        lines.push(`${indent}} ${form} {`);
      }
      printRegion(region, names, inner, lines);
    });
  }
  lines.push(`${indent}}`);
}

/** How the region of a work-item loop begins that comes second or third. */
function formOfItems(loop: ir.WorkItemLoop, index: number): string {
  return formOf(loop, index) === 'vector' ? `vector ${loop.lanes}` : `coarse ${loop.rows}`;
}

function globalText(global: ir.GlobalVariable): string {
  const { name, space, size, align, bytes, relocations } = global;
  const zero = bytes.every((byte) => byte === 0) ? 'zero' : `hex"${hexText(bytes)}"`;
  const content = global.isDeclared ? 'declared' : zero;
  const linkage = `${global.linkage ? ` ${global.linkage}` : ''}${global.isThreadLocal ? ' thread' : ''}`;
  const places = relocations.map(({ offset, target, addend }) => {
    const plus = addend === 0 ? '' : addend < 0 ? ` - ${-addend}` : ` + ${addend}`;
    return ` reloc(${offset}: ${symbolText(target.name)}${plus})`;
  });
  for (const { offset, target } of global.functions ?? []) {
    places.push(` function_at(${offset}: ${symbolText(target.name)})`);
  }
  return `${space} ${symbolText(name)} size=${size} align=${align}${linkage} = ${content}${places.join('')}\n`;
}

function hexText(bytes: Uint8Array): string {
  let text = '';
  bytes.forEach((byte, index) => {
    if (index > 0 && index % 4 === 0) text += ' ';
    text += byte.toString(16).padStart(2, '0');
  });
  return text;
}

/** All on one line, or a line each when there is more to say than the types. */
function parametersText(fn: ir.Function, names: Names): string {
  const texts = fn.parameters.map((parameter) => parameterText(parameter, names));
  if (fn.parameters.some((parameter) => parameter.info !== undefined))
    return `(\n  ${texts.join(',\n  ')}\n)`;
  return `(${texts.join(', ')})`;
}

function parameterText(parameter: ir.Parameter, names: Names): string {
  const { value, aggregate, info } = parameter;
  let text = `${names.value(value)}: ${typeName(value.type)}`;
  if (aggregate) text += ` aggregate(${aggregate.size}, ${aggregate.align})`;
  if (parameter.isConst) text += ' const';
  if (parameter.isRestrict) text += ' restrict';
  if (parameter.isVolatile) text += ' volatile';
  if (parameter.readableBytes) text += ` readable(${parameter.readableBytes})`;
  if (info) text += ` info(${infoText(info)})`;
  return text;
}

function infoText(info: ir.ParameterInfo): string {
  const parts = [JSON.stringify(info.name), JSON.stringify(info.typeName)];
  if (info.accessQualifier) parts.push(info.accessQualifier);
  if (info.handle) parts.push(handleText(info.handle));
  parts.push(...info.typeQualifiers);
  if (info.layout) parts.push(`layout ${layoutText(info.layout)}`);
  if (info.pointee) parts.push(`pointee ${layoutText(info.pointee)}`);
  return parts.join(', ');
}

/** `sampler`, `image image2d_t read_only`, `packets 16 read_only`. */
function handleText(handle: ir.HandleInfo): string {
  switch (handle.kind) {
    case 'sampler':
    case 'queue':
      return handle.kind;
    case 'image':
      return `image ${handle.type} ${handle.access}`;
    case 'pipe':
      return `packets ${handle.packetBytes} ${handle.access}`;
  }
}

/** `u4`, `f8`, `vector(f4, 3, 16)`, `array(i1, 10, 10)`, `struct("point", 8, 4, "x" 0 f4, "y" 4 f4)`. */
function layoutText(layout: ir.HostLayout): string {
  switch (layout.kind) {
    case 'integer':
      return `${layout.signed ? 'i' : 'u'}${layout.size}`;
    case 'float':
      return `f${layout.size}`;
    case 'vector':
      return `vector(${layoutText(layout.element)}, ${layout.lanes}, ${layout.size})`;
    case 'array':
      return `array(${layoutText(layout.element)}, ${layout.length}, ${layout.size})`;
    case 'struct': {
      const parts = [JSON.stringify(layout.name), layout.size, layout.align];
      for (const field of layout.fields) {
        parts.push(`${JSON.stringify(field.name)} ${field.offset} ${layoutText(field.layout)}`);
      }
      return `struct(${parts.join(', ')})`;
    }
  }
}

function attributesText(fn: ir.Function): string {
  let text = fn.result ? ` -> ${typeName(fn.result)}` : '';
  if (fn.linkage) text += ` ${fn.linkage}`;
  const { requiredWorkGroupSize, workGroupSizeHint, vectorTypeHint, mayCutGroups, isBlock, interchange } =
    fn.attributes ?? {};
  if (requiredWorkGroupSize) text += ` reqd_work_group_size(${requiredWorkGroupSize.join(', ')})`;
  if (workGroupSizeHint) text += ` work_group_size_hint(${workGroupSizeHint.join(', ')})`;
  if (vectorTypeHint !== undefined) text += ` vec_type_hint(${JSON.stringify(vectorTypeHint)})`;
  if (mayCutGroups) text += ' cut_groups';
  if (isBlock) text += ' block';
  if (interchange) text += interchange === 'done' ? ' interchanged' : ' better_interchanged';
  if (fn.imported) {
    text += ` imported(${JSON.stringify(fn.imported.module)}, ${JSON.stringify(fn.imported.name)})`;
  }
  if (fn.isOutlined) text += ' outlined';
  if (fn.isCold) text += ' cold';
  if (fn.serves) text += ` serves(${fn.serves})`;
  if (fn.form === 'work-group') text += ' work-group';
  return text;
}
