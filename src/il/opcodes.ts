/**
 * The instructions of IL by family: which operands each takes, and which modifiers may follow its name.
 *
 * Operands are described by a letter each: `d` a destination, `s` a source, `i` an integer, `n` a number, `r` a register that is declared,
 * `w` a word, `a` arguments of a macro in parentheses. A question mark makes an operand optional, a star lets it come any
 * number of times.
 */
import { type ModifierName, writeModifiers } from './modifiers.ts';

export type Family =
  | 'declaration'
  | 'flow'
  | 'macro'
  | 'float'
  | 'integer'
  | 'double'
  | 'long'
  | 'bits'
  | 'convert'
  | 'move'
  | 'texture'
  | 'lds'
  | 'gds'
  | 'uav'
  | 'fence';

export type OperandKind = 'd' | 's' | 'i' | 'n' | 'r' | 'w' | 'a';

export interface OperandRule {
  readonly kind: OperandKind;
  readonly isOptional: boolean;
  readonly isRepeated: boolean;
}

export interface Opcode {
  readonly name: string;
  readonly family: Family;
  readonly operands: readonly OperandRule[];
  readonly modifiers: ReadonlySet<ModifierName>;
}

const table = new Map<string, Opcode>();

/** Adds instructions of one shape, whose names are in one string. */
function add(family: Family, shape: string, names: string, modifiers: readonly ModifierName[] = []): void {
  const operands = words(shape).map((text) => ({
    kind: text.charAt(0) as OperandKind,
    isOptional: text.endsWith('?') || text.endsWith('*'),
    isRepeated: text.endsWith('*'),
  }));
  const writes = operands[0]?.kind === 'd' && family !== 'declaration';
  const all = new Set([...modifiers, ...(writes ? writeModifiers : [])]);
  for (const name of words(names)) table.set(name, { name, family, operands, modifiers: all });
}

const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

/** All instructions, in the order of this file. */
export function allOpcodes(): readonly Opcode[] {
  return [...table.values()];
}

// declarations
add('declaration', 'd', 'dcl_input', [
  'usage',
  'interp',
  'generic',
  'position',
  'color',
  'fog',
  'pos',
  'wincoord',
  'vprim',
  'isfrontface',
  'vertexid',
  'primitiveid',
  'instanceid',
]);
add('declaration', 'd', 'dcl_output', ['usage', 'generic', 'position', 'color', 'depth', 'pos']);
add('declaration', 'r n*', 'dcl_cb');
add('declaration', 'r n n n n', 'dcl_literal def');
add('declaration', 'r n', 'defb');
add('declaration', 'r', 'dcl_indexed_temp_array dcl_shared_temp');
add('declaration', '', 'dcl_resource', ['id', 'type', 'fmtx', 'fmty', 'fmtz', 'fmtw']);
add('declaration', '', 'dcl_odepth dcl_vprim init_shared_registers');
add('declaration', 'w*', 'dcl_global_flags');
add(
  'declaration',
  'i i? i?',
  'dcl_num_thread_per_group dcl_num_thread_per_blk dcl_max_thread_per_group dcl_total_num_thread_group',
);
add('declaration', 'i', 'dcl_lds_size_per_thread');
add('declaration', '', 'dcl_lds_sharing_mode', ['wavefrontRel', 'wavefrontAbs']);
add('declaration', 'i', 'dcl_lds dcl_gds', ['id']);
add('declaration', 'i i', 'dcl_struct_lds dcl_struct_gds', ['id']);
add('declaration', '', 'dcl_uav dcl_typed_uav', ['id', 'type', 'fmtx', 'fmty', 'fmtz', 'fmtw', 'access']);
add('declaration', '', 'dcl_raw_uav dcl_arena_uav dcl_raw_srv', ['id']);
add('declaration', 'i', 'dcl_struct_uav dcl_struct_srv', ['id']);
add('declaration', '', 'dcl_typeless_uav', ['id', 'stride', 'length', 'access']);

// flow control
add('flow', '', 'nop else endif whileloop endloop break continue endswitch default');
add('flow', '', 'endmain end endfunc ret ret_dyn');
add(
  'flow',
  's',
  'ifnz if_logicalnz if_logicalz break_logicalnz break_logicalz continue_logicalnz continue_logicalz',
);
add('flow', 's', 'ret_logicalnz ret_logicalz discard_logicalnz discard_logicalz switch');
add('flow', 's s', 'ifc breakc continuec', ['relop']);
add('flow', 's', 'loop', ['repeat']);
add('flow', 'i', 'func call case');
add('flow', 's i', 'callnz call_logicalnz call_logicalz');
add('flow', 's', 'kill', ['stage', 'sample']);

// macros
add('macro', '', 'mdef', ['', 'out', 'in', 'outline']);
add('macro', '', 'mend');
add('macro', 'a a', 'mcall', ['']);

// moves and choices
add('move', 'd s', 'mov invariant_move');
add('move', 'd s', 'mova', ['round']);
add('move', 'd s s s', 'cmov_logical');
add('move', 'd s s', 'cmov');
add('move', 'd s s s', 'cmp', ['relop', 'cmpval']);

// float
add(
  'float',
  'd s',
  'abs acos asin atan clg colorclamp cos cos_vec det exn exp exp_vec expp flr frc fwidth len lit log_vec',
);
add(
  'float',
  'd s',
  'pireduce rnd round_nearest round_neginf round_posinf round_plusinf round_z rsq_vec sgn sin sin_vec',
);
add('float', 'd s', 'sincos sqrt sqrt_vec tan trc transpose');
add('float', 'd s', 'ln log logp nrm rcp rcp_vec rsq', ['zeroop']);
add('float', 'd s', 'dsx dsy', ['centroid', 'fine']);
add('float', 'd s', 'noise', ['type']);
add('float', 'd s s', 'add sub eq ge lt ne mod pow crs dist dst');
add('float', 'd s s', 'mul max min dp2 dp3 dp4', ['ieee']);
add('float', 'd s s', 'div', ['zeroop']);
add('float', 'd s s', 'set', ['relop']);
add('float', 'd s s', 'mmul', ['matrix']);
add('float', 'd s s', 'reflect', ['normalize']);
add('float', 'd s s s', 'mad dp2add', ['ieee']);
add('float', 'd s s s', 'fma clamp lrp dxsincos faceforward');

// integer; and, or, xor and not are older names of iand and its kin
add('integer', 'd s', 'inot inegate not');
add('integer', 'd s s', 'iand ior ixor and or xor iadd isub imax imin imul imul_high imul24 imul24_high');
add(
  'integer',
  'd s s',
  'icarry iborrow ieq ige ilt ine ishl ishr ushr udiv umod umax umin uge ult umul umul_high umul24 umul24_high',
);
add('integer', 'd s s s', 'imad umad imad24 umad24');
add('bits', 'd s', 'icbits ffb_hi ffb_lo ffb_shi ubit_reverse');
add('bits', 'd s s s', 'ibit_extract ubit_extract bfi bitalign bytealign sad sad4 sadhi u4lerp');
add('bits', 'd s s', 'bfm');
add('bits', 'd s s s s', 'ibit_insert ubit_insert');
add('long', 'd s', 'i64negate i64not');
add(
  'long',
  'd s s',
  'i64add i64sub i64eq i64ge i64lt i64ne i64max i64min i64mul i64shl i64shr i64div i64mod',
);
add('long', 'd s s', 'u64ge u64lt u64max u64min u64mul u64shr u64div u64mod');

// double: a value takes two components
add('double', 'd s', 'dabs dmov dsqrt drsq dfrac dfrexp');
add('double', 'd s', 'drcp', ['zeroop']);
add('double', 'd s s', 'dadd dsub dmul deq dge dlt dne dmax dmin dldexp');
add('double', 'd s s', 'ddiv', ['zeroop']);
add('double', 'd s s s', 'dmad dfma dmovc');

add(
  'convert',
  'd s',
  'ftoi ftou itof utof d2f f2d dtoi dtou itod utod f_2_u4 f2f16 f162f unpack0 unpack1 unpack2 unpack3',
);

// images
add('texture', 'd s s?', 'sample', ['resource', 'sampler', 'coordtype', 'aoffimmi', 'ext']);
add('texture', 'd s s', 'sample_b sample_l sample_c sample_c_lz', [
  'resource',
  'sampler',
  'coordtype',
  'aoffimmi',
]);
add('texture', 'd s s s', 'sample_g sample_c_l sample_c_b', ['resource', 'sampler', 'coordtype', 'aoffimmi']);
add('texture', 'd s s s s', 'sample_c_g', ['resource', 'sampler', 'coordtype', 'aoffimmi']);
add('texture', 'd s', 'load', ['resource', 'sampler', 'aoffimmi', 'ext']);
add('texture', 'd s', 'load_fptr', ['resource']);
add('texture', 'd s', 'fetch4', ['resource', 'sampler', 'coordtype', 'aoffimmi', 'compselect']);
add('texture', 'd s s', 'fetch4_c fetch4_po', ['resource', 'sampler', 'coordtype', 'aoffimmi', 'compselect']);
add('texture', 'd s s s', 'fetch4_po_c', ['resource', 'sampler', 'coordtype', 'compselect']);
add('texture', 'd s', 'resinfo sampleinfo samplepos bufinfo', ['resource', 'uint']);
add('texture', 'd s', 'lod', ['resource', 'sampler', 'stage']);
add('texture', 'd s', 'memimport', ['elem']);
add('texture', 's s', 'memexport', ['stream', 'offset']);

// memories of a group (lds), of the device (gds) and of buffers (uav)
const atomics = [
  'add',
  'sub',
  'rsub',
  'inc',
  'dec',
  'uinc',
  'udec',
  'min',
  'max',
  'umin',
  'umax',
  'and',
  'or',
  'xor',
];
for (const memory of ['lds', 'gds', 'uav'] as const) {
  const names = (prefix: string, list: readonly string[]) =>
    list.map((name) => `${memory}_${prefix}${name}`).join(' ');
  add(memory, 's s', names('', atomics), ['id', 'resource']);
  add(memory, 's s s', names('', ['cmp', 'mskor']), ['id', 'resource']);
  add(memory, 'd s s', names('read_', [...atomics, 'xchg']), ['id', 'resource']);
  add(memory, 'd s s s', names('read_', ['cmp_xchg', 'mskor']), ['id', 'resource']);
  add(memory, 's s', names('store', ['', '_byte', '_short']), ['id', 'resource']);
  add(memory, 'd s', names('load', ['', '_byte', '_ubyte', '_short', '_ushort']), [
    'id',
    'resource',
    'cached',
  ]);
}
add('lds', 'd s s', 'lds_load_vec', ['id', 'resource']);
add('lds', 'd s s s', 'lds_store_vec', ['id', 'resource']);
add('lds', 'd s', 'lds_read_vec', ['neighborExch', 'sharingMode']);
add('lds', 'd s', 'lds_write_vec', ['lOffset', 'sharingMode']);
add('uav', 'd s', 'uav_raw_load uav_struct_load', ['id', 'cached', 'aligned']);
add('uav', 'd s', 'uav_byte_load uav_ubyte_load uav_short_load uav_ushort_load', ['id', 'cached']);
add('uav', 'd s', 'uav_arena_load', ['id', 'size', 'cached']);
add('uav', 'd s s', 'uav_raw_store uav_struct_store', ['id']);
add('uav', 's s', 'uav_byte_store uav_short_store', ['id']);
add('uav', 's s', 'uav_arena_store', ['id', 'size']);
add('uav', 'd s', 'srv_raw_load srv_struct_load', ['id', 'ext']);
add('uav', 'd', 'append_buf_alloc append_buf_consume', ['id']);
add('fence', '', 'fence', ['threads', 'lds', 'memory', 'sr', 'mem_write_only', 'mem_read_only', 'gds']);

const longestName = Math.max(...[...table.keys()].map((name) => name.length));

/** The instruction whose name begins a mnemonic, the longest that does: of `sample_l_resource(0)`, sample_l. */
export function opcodeAt(mnemonic: string): Opcode | undefined {
  for (let length = Math.min(mnemonic.length, longestName); length > 0; length -= 1) {
    const next = mnemonic.charAt(length);
    if (next !== '' && next !== '_') continue;
    const opcode = table.get(mnemonic.slice(0, length));
    if (opcode !== undefined) return opcode;
  }
  return undefined;
}
