/** What the instructions of AMD IL do, in a line each (docs/il.md has the rest). */
import type { Opcode } from '../../../il/opcodes.ts';

const texts: Readonly<Record<string, string>> = {
  mov: 'Copies components.',
  mova: 'Copies to an address register.',
  cmov_logical:
    'Component by component the second source where the bits of the first are not zero, else the third.',
  cmov: 'Writes the second source where the first is not zero.',
  cmp: 'Compares with a constant and picks the second or third source.',
  add: 'Adds floats.',
  sub: 'Subtracts floats.',
  mul: 'Multiplies floats; `_ieee` makes 0 * infinity NaN, where it is 0 otherwise.',
  mad: 'Multiplies floats and adds.',
  div: 'Divides floats; `_zeroop` says what a division by zero gives.',
  max: 'The larger float.',
  min: 'The smaller float.',
  dp2: 'The sum of the products of two components, in all components.',
  dp3: 'The sum of the products of three components, in all components.',
  dp4: 'The sum of the products of four components, in all components.',
  dp2add: 'The sum of two products and of a component of the third source.',
  abs: 'Magnitude of floats.',
  frc: 'Fraction of floats.',
  flr: 'Rounds floats down.',
  clamp: 'Holds floats between two bounds.',
  lrp: 'Linear interpolation: `src0 * src1 + (1 - src0) * src2`.',
  mod: 'What is left of a division of floats.',
  pow: 'src0 to the power of src1, of the w components.',
  eq: 'All bits where the floats are equal, else zero.',
  ne: 'All bits where the floats differ, else zero.',
  ge: 'All bits where the first float is not below the second, else zero.',
  lt: 'All bits where the first float is below the second, else zero.',
  set: 'Compares floats by `_relop`: 1.0 or 0.0.',
  rcp: 'One divided by the w component.',
  rsq: 'One divided by the square root of the w component.',
  sqrt: 'Square root of the w component.',
  sqrt_vec: 'Square root of each component.',
  sin: 'Sine of the w component.',
  cos: 'Cosine of the w component.',
  sin_vec: 'Sine of each component.',
  cos_vec: 'Cosine of each component.',
  exp: '2 to the power of the w component.',
  exp_vec: '2 to the power of each component.',
  log: 'Logarithm to base 2 of the w component.',
  log_vec: 'Logarithm to base 2 of each component.',
  rnd: 'Rounds to the nearest whole number.',
  trc: 'Rounds towards zero.',
  sad: 'Sum of the absolute differences of four bytes.',
  crs: 'Cross product.',
  nrm: 'A vector of length 1.',
  len: 'Length of a vector.',
  dsx: 'How a value changes to the right neighbour.',
  dsy: 'How a value changes to the neighbour below.',
  iadd: 'Adds integers.',
  isub: 'Subtracts integers.',
  imul: 'The lower 32 bits of a product of integers.',
  imad: 'Multiplies integers and adds.',
  udiv: 'Divides unsigned integers; all bits where the divisor is zero.',
  umod: 'What is left of a division of unsigned integers.',
  ishl: 'Shifts left by the lowest five bits.',
  ishr: 'Shifts right and keeps the sign.',
  ushr: 'Shifts right and fills with zeros.',
  iand: 'And of bits.',
  ior: 'Or of bits.',
  ixor: 'Exclusive or of bits.',
  inot: 'Turns all bits.',
  inegate: 'Negates integers.',
  ieq: 'All bits where the integers are equal, else zero.',
  ine: 'All bits where the integers differ, else zero.',
  ilt: 'All bits where the first signed integer is smaller, else zero.',
  ige: 'All bits where the first signed integer is not smaller, else zero.',
  ult: 'All bits where the first unsigned integer is smaller, else zero.',
  uge: 'All bits where the first unsigned integer is not smaller, else zero.',
  ftoi: 'Float to signed integer, towards zero.',
  ftou: 'Float to unsigned integer, towards zero.',
  itof: 'Signed integer to float.',
  utof: 'Unsigned integer to float.',
  f2d: 'Float to double.',
  d2f: 'Double to float.',
  dadd: 'Adds doubles, which take two components each.',
  dmul: 'Multiplies doubles.',
  dmad: 'Multiplies doubles and adds, rounded once.',
  ddiv: 'Divides doubles.',
  drcp: 'One divided by a double.',
  dsqrt: 'Square root of a double.',
  sample: 'Reads an image by a sampler: coordinates as the image is declared, normalised or not.',
  sample_l: 'Reads an image at a level of detail.',
  sample_g: 'Reads an image with gradients.',
  load: 'Reads an element of an image by integer coordinates.',
  fetch4: 'Reads the same component of four neighbouring elements.',
  resinfo: 'Size of an image.',
  fence: 'Orders memory accesses; with `_threads` waits for the group, too.',
  lds_load: 'Reads memory of the group, by byte.',
  lds_store: 'Writes memory of the group, by byte.',
  lds_load_vec: "Reads up to four words of the group's memory.",
  lds_store_vec: "Writes up to four words of the group's memory.",
  lds_read_vec: 'Reads what another thread of the group wrote with `lds_write_vec`.',
  lds_write_vec: "Writes this thread's part of the group's memory.",
  uav_raw_load: 'Reads a buffer by byte.',
  uav_raw_store: 'Writes a buffer by byte.',
  uav_struct_load: 'Reads a buffer of structures: index and byte in it.',
  uav_struct_store: 'Writes a buffer of structures: index and byte in it.',
  uav_arena_load: 'Reads a buffer by byte; `_size` says how wide.',
  uav_arena_store: 'Writes a buffer by byte; `_size` says how wide.',
  memexport: 'Writes to a stream of memory.',
  memimport: 'Reads from a stream of memory.',
  ifnz: 'Runs the block where the component is not zero.',
  if_logicalnz: 'Runs the block where any bit of the component is set.',
  if_logicalz: 'Runs the block where the component is zero.',
  ifc: 'Runs the block where a comparison by `_relop` holds.',
  else: 'The other block of an `if`.',
  endif: 'Ends an `if`.',
  whileloop: 'Repeats to `endloop` until a `break`.',
  endloop: 'Ends a loop.',
  loop: 'Repeats as an integer constant says.',
  break: 'Leaves the loop.',
  break_logicalnz: 'Leaves the loop where any bit of the component is set.',
  break_logicalz: 'Leaves the loop where the component is zero.',
  continue: 'Goes on with the next turn of the loop.',
  switch: 'Runs the case with this value.',
  endmain: 'Ends the main program; functions follow.',
  end: 'Ends the text.',
  func: 'Begins a function.',
  call: 'Calls a function.',
  ret: 'Ends a function.',
  ret_dyn: 'Returns from a function, or ends the program.',
  mdef: 'Begins the definition of a macro.',
  mend: 'Ends the definition of a macro.',
  mcall: 'Puts a macro in here.',
  kill: 'Ends the thread where a component is negative.',
  discard_logicalnz: 'Ends the thread where any bit of the component is set.',
  discard_logicalz: 'Ends the thread where the component is zero.',
  dcl_input: 'Declares an input.',
  dcl_output: 'Declares an output.',
  dcl_cb: 'Declares a constant buffer with its size in vectors of four.',
  dcl_literal: 'Declares a vector of four constants.',
  dcl_indexed_temp_array: 'Declares an array of temporaries that can be indexed.',
  dcl_resource: 'Declares an image: number, dimensions, format.',
  dcl_num_thread_per_group: 'How many threads a group has.',
  dcl_max_thread_per_group: 'How many threads a group has at most.',
  dcl_lds_size_per_thread: "How many words of the group's memory a thread owns.",
  dcl_lds_sharing_mode: 'Whom the numbers of `lds_read_vec` count.',
  dcl_lds: 'Declares memory of the group, in bytes.',
  dcl_raw_uav: 'Declares a buffer that is read and written by byte.',
  dcl_struct_uav: 'Declares a buffer of structures.',
  dcl_arena_uav: 'Declares the buffer that holds all others.',
};

const families: Readonly<Record<Opcode['family'], string>> = {
  declaration: 'declaration',
  flow: 'flow control',
  macro: 'macros',
  float: 'float, 32 bits',
  integer: 'integer, 32 bits',
  double: 'double, two components a value',
  long: 'integer, 64 bits, two components a value',
  bits: 'bits',
  convert: 'conversion',
  move: 'moves',
  texture: 'images',
  lds: 'memory of the group',
  gds: 'memory of the device',
  uav: 'buffers',
  fence: 'order of memory',
};

const operandWords: Readonly<Record<Opcode['operands'][number]['kind'], string>> = {
  d: 'dst',
  s: 'src',
  i: 'integer',
  n: 'number',
  r: 'register',
  w: 'word',
  a: '(registers)',
};

/** `mad dst, src0, src1, src2` */
export function instructionHead({ name, operands }: Opcode): string {
  const sources = operands.filter(({ kind }) => kind === 's').length;
  let source = 0;
  const words = operands.map(({ kind, isOptional, isRepeated }) => {
    const word = kind === 's' && sources > 1 ? `src${source++}` : operandWords[kind];
    if (isRepeated) return `${word}...`;
    return isOptional ? `[${word}]` : word;
  });
  return `${name} ${words.join(', ')}`.trimEnd();
}

/** Head, what it does, and the modifiers that may follow its name. */
export function instructionText(opcode: Opcode): string {
  const own = Object.hasOwn(texts, opcode.name) ? texts[opcode.name] : undefined;
  const atomic = /^(lds|gds|uav)_(read_)?(\w+)$/.exec(opcode.name);
  const text = own ?? (atomic && !/load|store/.test(opcode.name) ? atomicText(atomic[2], atomic[3]!) : '');
  const modifiers = [...opcode.modifiers].filter((one) => one !== '').map((one) => `\`_${one}\``);
  const after = modifiers.length > 0 ? `Modifiers: ${modifiers.join(', ')}.` : '';
  const parts = [`\`\`\`\n${instructionHead(opcode)}\n\`\`\``, text, after, `*${families[opcode.family]}*`];
  return parts.filter((part) => part !== '').join('\n\n');
}

function atomicText(read: string | undefined, way: string): string {
  const what = `Combines memory with a value (${way}) in one step`;
  return read ? `${what} and gives the old value.` : `${what}.`;
}
