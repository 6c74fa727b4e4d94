// Which overload a call means. What is expected was taken from clang 14 with its own header of the built-in
// functions (-cl-std=CL1.2 -finclude-default-header): the same calls, the same answers.
import { describe, expect, it } from 'vitest';
import {
  type AddressSpace,
  type ArithmeticName,
  arithmeticTypes,
  type CType,
  type QualifiedType,
  unqualified,
  type VectorType,
  vectorType,
} from '../../src/c/types.ts';
import { builtinNames, isBuiltinName, resolveBuiltin } from '../../src/opencl/builtins/resolve.ts';
import { isLowered } from '../../src/opencl/lower/dialect.ts';

function type(name: string): QualifiedType {
  const pointer = /^(global|local|private|constant) (const )?(\w+)\*$/.exec(name);
  if (pointer) {
    const pointee = {
      ...type(pointer[3]!),
      space: pointer[1] as AddressSpace,
      isConst: pointer[2] !== undefined,
    };
    return unqualified({ kind: 'pointer', pointee });
  }
  const vector = /^([a-z]+)(\d+)$/.exec(name);
  if (!vector) return unqualified(arithmeticTypes[name as ArithmeticName]);
  const element = arithmeticTypes[vector[1] as ArithmeticName];
  return unqualified(vectorType(element, Number(vector[2]) as VectorType['lanes']));
}

function show(shown: CType): string {
  if (shown.kind === 'arithmetic') return shown.name;
  if (shown.kind === 'vector') return `${shown.element.name}${shown.lanes}`;
  if (shown.kind === 'pointer') return `${shown.pointee.space} ${show(shown.pointee.type)}*`;
  return shown.kind;
}

/** The overload as text, or why there is none. */
function resolve(call: string): string {
  const [name = '', list = ''] = call.slice(0, -1).split('(');
  const found = resolveBuiltin(name, list === '' ? [] : list.split(', ').map(type));
  if (found.kind !== 'found') return found.kind;
  return `${show(found.result.type)}(${found.parameters.map((each) => show(each.type)).join(', ')})`;
}

describe('overloads as clang chooses them', () => {
  it.each([
    ['sqrt(int)', 'ambiguous'],
    ['sqrt(float)', 'float(float)'],
    ['sqrt(double3)', 'double3(double3)'],
    ['pow(float, int)', 'float(float, float)'],
    ['pow(int, int)', 'ambiguous'],
    ['atan2(float, double)', 'ambiguous'],
    ['fma(int, int, float)', 'float(float, float, float)'],
    ['max(float, int)', 'ambiguous'],
    ['max(uint, int)', 'ambiguous'],
    ['max(uint, uint)', 'uint(uint, uint)'],
    ['max(uchar, uchar)', 'uchar(uchar, uchar)'],
    ['max(uint4, int)', 'uint4(uint4, uint)'],
    ['min(int, float)', 'ambiguous'],
    ['min(int, int)', 'int(int, int)'],
    ['fmax(float4, int)', 'float4(float4, float)'],
    ['fmax(float4, double)', 'float4(float4, float)'],
    ['fmax(float4, float4)', 'float4(float4, float4)'],
    ['mad(float4, float, float4)', 'float4(float4, float4, float4)'],
    ['mix(float4, float4, float)', 'float4(float4, float4, float)'],
    ['mix(float4, float, float)', 'float4(float4, float4, float)'],
    ['clamp(float4, int, int)', 'float4(float4, float, float)'],
    ['clamp(float, int, int)', 'ambiguous'],
    ['clamp(int, float, float)', 'ambiguous'],
    ['step(int, float)', 'float(float, float)'],
    ['pown(float, uint)', 'float(float, int)'],
    ['ldexp(float, uint)', 'float(float, int)'],
    ['select(float, float, uint)', 'float(float, float, uint)'],
    ['select(float, float, int)', 'float(float, float, int)'],
    ['select(float, float, char)', 'ambiguous'],
    ['rotate(uint, int)', 'ambiguous'],
    ['mul24(uint, int)', 'ambiguous'],
    ['abs(char)', 'uchar(char)'],
    ['popcount(bool)', 'int(int)'],
    ['upsample(uint, int)', 'ulong(uint, uint)'],
    ['isnan(int)', 'ambiguous'],
    ['isnan(double2)', 'long2(double2)'],
    ['dot(float, float)', 'float(float, float)'],
    ['length(float4)', 'float(float4)'],
    ['atomic_add(local uint*, int)', 'uint(local uint*, uint)'],
    ['atomic_add(global int*, float)', 'int(global int*, int)'],
    ['atomic_add(constant int*, int)', 'no-match'],
    ['vload4(int, global const uchar*)', 'uchar4(uint, global uchar*)'],
    ['vload4(int, global const uchar4*)', 'no-match'],
    ['vstore3(float3, uint, local float*)', 'void(float3, uint, local float*)'],
    ['vstore3(float3, uint, constant float*)', 'no-match'],
    ['sincos(float4, private float4*)', 'float4(float4, private float4*)'],
    ['frexp(double2, global int2*)', 'double2(double2, global int2*)'],
    ['shuffle(float4, uint8)', 'float8(float4, uint8)'],
    ['shuffle2(uchar2, uchar2, uchar16)', 'uchar16(uchar2, uchar2, uchar16)'],
    ['convert_int(bool)', 'int(bool)'],
    ['convert_uchar4_sat_rte(float4)', 'uchar4(float4)'],
    ['convert_uchar4(float3)', 'no-match'],
    ['convert_float4_sat(int4)', 'unknown'],
    ['get_global_id(int)', 'uint(uint)'],
    ['get_work_dim()', 'uint()'],
    ['barrier(int)', 'void(uint)'],
    ['barrier()', 'no-match'],
    ['sqrt(float, float)', 'no-match'],
    ['no_such_function(float)', 'unknown'],
  ])('%s', (call, expected) => {
    expect(resolve(call)).toBe(expected);
  });

  it('names the candidates', () => {
    expect(resolveBuiltin('sqrt', [type('int')])).toEqual({
      kind: 'ambiguous',
      candidates: ['float sqrt(float)', 'double sqrt(double)', 'half sqrt(half)'],
    });
    expect(resolveBuiltin('barrier', [])).toEqual({
      kind: 'no-match',
      candidates: ['void barrier(uint): requires 1 argument, but 0 were provided'],
    });
  });

  it('knows names', () => {
    expect(isBuiltinName('convert_char16_sat_rtp')).toBe(true);
    expect(isBuiltinName('convert_bool')).toBe(false);
    expect(isBuiltinName('native_exp')).toBe(true);
    expect(isBuiltinName('toString')).toBe(false);
    expect(resolveBuiltin('printf', [type('int')])).toEqual({
      kind: 'no-match',
      candidates: ['int printf(constant const char *, ...): the 1st argument does not fit'],
    });
  });

  it('lowers every function it knows', () => {
    expect(builtinNames().filter((name) => !isLowered(name))).toEqual([]);
  });
});
