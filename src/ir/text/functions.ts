/** The function names that are the first word of an instruction in the text form, by the kind of instruction. */
import type * as ir from '../ir.ts';

export const unaryFunctions: readonly ir.UnaryFunction[] = [
  'not',
  'clz',
  'ctz',
  'popcount',
  'fneg',
  'fabs',
  'fsqrt',
  'ffloor',
  'fceil',
  'ftrunc',
  'frint',
];

export const binaryFunctions: readonly ir.BinaryFunction[] = [
  'iadd',
  'isub',
  'imul',
  'sdiv',
  'udiv',
  'srem',
  'urem',
  'and',
  'or',
  'xor',
  'shl',
  'sshr',
  'ushr',
  'rotl',
  'smin',
  'smax',
  'umin',
  'umax',
  'smulhi',
  'umulhi',
  'fadd',
  'fsub',
  'fmul',
  'fdiv',
  'fmin',
  'fmax',
  'fcopysign',
];

export const compareFunctions: readonly ir.CompareFunction[] = [
  'eq',
  'ne',
  'slt',
  'sle',
  'sgt',
  'sge',
  'ult',
  'ule',
  'ugt',
  'uge',
  'feq',
  'fne',
  'flt',
  'fle',
  'fgt',
  'fge',
];

export const convertFunctions: readonly ir.ConvertFunction[] = [
  'sext',
  'zext',
  'trunc',
  'stof',
  'utof',
  'ftos',
  'ftou',
  'fwiden',
  'fnarrow',
  'bitcast',
  'ptoi',
  'itop',
  'space',
];

export const roundingModes: readonly ir.RoundingMode[] = ['rte', 'rtz', 'rtp', 'rtn'];

export const atomicFunctions: readonly ir.AtomicFunction[] = [
  'load',
  'store',
  'exchange',
  'add',
  'sub',
  'and',
  'or',
  'xor',
  'smin',
  'smax',
  'umin',
  'umax',
  'compare_exchange',
];

export const memoryOrders: readonly ir.MemoryOrder[] = [
  'relaxed',
  'acquire',
  'release',
  'acq_rel',
  'seq_cst',
];

export const memoryScopes: readonly ir.MemoryScope[] = [
  'work-item',
  'sub-group',
  'work-group',
  'device',
  'all-devices',
];

export const combineFunctions: readonly ir.CombineFunction[] = [
  'iadd',
  'fadd',
  'and',
  'or',
  'smin',
  'smax',
  'umin',
  'umax',
  'fmin',
  'fmax',
];

export const collectiveFunctions: readonly ir.Collective['fn'][] = [
  'reduce',
  'scan_inclusive',
  'scan_exclusive',
  'broadcast',
];

export const collectiveScopes: readonly ir.Collective['scope'][] = ['work-group', 'sub-group'];

export const testedSpaces: readonly ir.InSpace['space'][] = ['private', 'local', 'global'];

export const queryFunctions: readonly ir.QueryFunction[] = [
  'global_id',
  'local_id',
  'group_id',
  'global_size',
  'local_size',
  'num_groups',
  'global_offset',
  'work_dim',
  'linear_local_id',
  'enqueued_local_size',
];

export const imageChannels: readonly ir.ImageChannels[] = ['float', 'signed', 'unsigned'];

export const imageQueryFunctions: readonly ir.ImageQueryFunction[] = [
  'width',
  'height',
  'depth',
  'array_size',
  'channel_data_type',
  'channel_order',
];
