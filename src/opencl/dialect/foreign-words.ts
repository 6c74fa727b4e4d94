/**
 * Words of CUDA, GLSL, HLSL, Metal and C++ that people bring along, and what OpenCL C has for them. A program that declares such a
 * name itself may use it: the words are looked for only where a name means nothing.
 */
import type { ForeignWord } from '../../c/dialect.ts';

/** Words that stand for one of ours, which is read in their place. */
const same: Readonly<Record<string, string>> = {
  CUDA: `__shared__=local __constant__=constant`,
  GLSL: `vec2=float2 vec3=float3 vec4=float4 ivec2=int2 ivec3=int3 ivec4=int4 uvec2=uint2 uvec3=uint3 uvec4=uint4
    bvec2=int2 bvec3=int3 bvec4=int4 dvec2=double2 dvec3=double3 dvec4=double4 shared=local`,
  HLSL: `groupshared=local min16float=half dword=uint`,
  Metal: `device=global threadgroup=local`,
};

/** Words that OpenCL C can do without; they are passed over, with what they have in parentheses. */
const needless: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  CUDA: {
    __global__: "did you mean 'kernel'? Its pointers to buffers are 'global'",
    __device__: 'functions need no word for it in OpenCL C',
    __host__: 'a program in OpenCL C has functions for the device alone',
    __forceinline__: "did you mean 'inline'?",
    __noinline__: 'functions need no word for it in OpenCL C',
    __managed__: 'memory that host and device share is made by clSVMAlloc',
    __launch_bounds__: "did you mean '__attribute__((reqd_work_group_size(x, y, z)))'?",
  },
  GLSL: {
    in: 'parameters are passed by value, and need no word for it',
    out: 'results are stored through a pointer',
    inout: 'results are stored through a pointer',
    highp: 'types have their precision, and need no word for it',
    mediump: 'types have their precision, and need no word for it',
    lowp: 'types have their precision, and need no word for it',
    coherent: "did you mean 'volatile'?",
    readonly: "did you mean 'const'?",
    writeonly: 'pointers need no word for it in OpenCL C',
  },
  HLSL: {
    globallycoherent: "did you mean 'volatile'?",
    row_major: 'OpenCL C has no matrices',
    column_major: 'OpenCL C has no matrices',
  },
  Metal: { thread: "did you mean 'private'?" },
  'C++': {
    constexpr: "did you mean 'constant'?",
    mutable: 'structures need no word for it in OpenCL C',
    typename: 'OpenCL C has no templates',
  },
};

const ofKernel = 'values and buffers are parameters of the kernel';
const asMatrix = 'OpenCL C has no matrices';
const asImage = "did you mean 'read_only image2d_t'? It is a parameter of the kernel";

/** Words that begin what OpenCL C has nothing like; all of it is passed over. */
const lost: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  GLSL: {
    layout:
      "did you mean '__attribute__((reqd_work_group_size(x, y, z)))'? Buffers are parameters of the kernel",
    uniform: ofKernel,
    buffer: ofKernel,
    varying: ofKernel,
    precision: 'types have their precision',
    sampler2D: asImage,
    sampler3D: "did you mean 'read_only image3d_t'? It is a parameter of the kernel",
    image2D: asImage,
    mat2: asMatrix,
    mat3: asMatrix,
    mat4: asMatrix,
  },
  HLSL: {
    cbuffer: ofKernel,
    StructuredBuffer: "did you mean 'global const T *'? It is a parameter of the kernel",
    RWStructuredBuffer: "did you mean 'global T *'? It is a parameter of the kernel",
    Buffer: "did you mean 'global const T *'? It is a parameter of the kernel",
    RWBuffer: "did you mean 'global T *'? It is a parameter of the kernel",
    ByteAddressBuffer: "did you mean 'global const uchar *'? It is a parameter of the kernel",
    RWByteAddressBuffer: "did you mean 'global uchar *'? It is a parameter of the kernel",
    Texture2D: asImage,
    RWTexture2D: "did you mean 'write_only image2d_t'? It is a parameter of the kernel",
    Texture3D: "did you mean 'read_only image3d_t'? It is a parameter of the kernel",
    SamplerState: "did you mean 'sampler_t'?",
    float2x2: asMatrix,
    float3x3: asMatrix,
    float4x4: asMatrix,
  },
  'C++': {
    template: 'OpenCL C has no templates',
    class: "did you mean 'struct'?",
    namespace: 'OpenCL C has no namespaces',
    using: "did you mean 'typedef'?",
    std: 'OpenCL C has no standard library of C++',
    thrust: 'OpenCL C has no standard library of C++',
    metal: 'OpenCL C has no standard library of C++',
  },
};

/** Values and functions: what to write instead. Where there are commas in it, a row of its own. */
const values: Readonly<Record<string, string>> = {
  CUDA: `threadIdx=get_local_id(0) blockIdx=get_group_id(0) blockDim=get_local_size(0) gridDim=get_num_groups(0)
    __syncthreads=barrier(CLK_LOCAL_MEM_FENCE) __threadfence=mem_fence(CLK_GLOBAL_MEM_FENCE)
    __threadfence_block=mem_fence(CLK_LOCAL_MEM_FENCE) __syncwarp=barrier(CLK_LOCAL_MEM_FENCE)
    atomicAdd=atomic_add atomicSub=atomic_sub atomicExch=atomic_xchg atomicMin=atomic_min atomicMax=atomic_max
    atomicAnd=atomic_and atomicOr=atomic_or atomicXor=atomic_xor atomicCAS=atomic_cmpxchg
    __fdividef=native_divide __expf=native_exp __logf=native_log __sinf=native_sin __cosf=native_cos __powf=native_powr
    __popc=popcount __clz=clz __mul24=mul24 __umul24=mul24 __mulhi=mul_hi __umulhi=mul_hi __fmaf_rn=fma
    __float_as_int=as_int __float_as_uint=as_uint __int_as_float=as_float __uint_as_float=as_float
    __float2int_rn=convert_int_rte __float2int_rz=convert_int_rtz __int2float_rn=convert_float_rte
    __ldg=*p __saturatef=clamp(x,0.0f,1.0f) tex1Dfetch=read_imagef tex2D=read_imagef tex3D=read_imagef`,
  GLSL: `gl_GlobalInvocationID=get_global_id(0) gl_LocalInvocationID=get_local_id(0) gl_WorkGroupID=get_group_id(0)
    gl_WorkGroupSize=get_local_size(0) gl_NumWorkGroups=get_num_groups(0)
    gl_LocalInvocationIndex=get_local_id(0)+get_local_size(0)*get_local_id(1)
    inversesqrt=rsqrt mod=fmod memoryBarrierShared=mem_fence(CLK_LOCAL_MEM_FENCE)
    memoryBarrierBuffer=mem_fence(CLK_GLOBAL_MEM_FENCE) memoryBarrier=mem_fence(CLK_GLOBAL_MEM_FENCE)
    groupMemoryBarrier=mem_fence(CLK_LOCAL_MEM_FENCE) floatBitsToInt=as_int floatBitsToUint=as_uint
    intBitsToFloat=as_float uintBitsToFloat=as_float bitCount=popcount texture=read_imagef texture2D=read_imagef
    texelFetch=read_imagef imageLoad=read_imagef imageStore=write_imagef atomicCompSwap=atomic_cmpxchg`,
  HLSL: `SV_DispatchThreadID=get_global_id(0) SV_GroupThreadID=get_local_id(0) SV_GroupID=get_group_id(0)
    SV_GroupIndex=get_local_id(0)+get_local_size(0)*get_local_id(1)
    numthreads=__attribute__((reqd_work_group_size(x,y,z)))
    GroupMemoryBarrierWithGroupSync=barrier(CLK_LOCAL_MEM_FENCE) GroupMemoryBarrier=mem_fence(CLK_LOCAL_MEM_FENCE)
    DeviceMemoryBarrierWithGroupSync=barrier(CLK_GLOBAL_MEM_FENCE)
    AllMemoryBarrierWithGroupSync=barrier(CLK_LOCAL_MEM_FENCE|CLK_GLOBAL_MEM_FENCE)
    lerp=mix saturate=clamp(x,0.0f,1.0f) frac=x-floor(x) rcp=native_recip asfloat=as_float asint=as_int asuint=as_uint
    countbits=popcount InterlockedAdd=atomic_add InterlockedMin=atomic_min InterlockedMax=atomic_max
    InterlockedAnd=atomic_and InterlockedOr=atomic_or InterlockedXor=atomic_xor InterlockedExchange=atomic_xchg
    InterlockedCompareExchange=atomic_cmpxchg`,
  Metal: `threadgroup_barrier=barrier(CLK_LOCAL_MEM_FENCE) thread_position_in_grid=get_global_id(0)
    thread_position_in_threadgroup=get_local_id(0) threadgroup_position_in_grid=get_group_id(0)
    threads_per_threadgroup=get_local_size(0) thread_index_in_threadgroup=get_local_id(0)`,
  'C++': `nullptr=NULL static_cast=(T)(x) reinterpret_cast=(T)(x) const_cast=(T)(x)`,
};

let table: ReadonlyMap<string, ForeignWord> | undefined;

/** What a word is in another language, if OpenCL C has not got it. */
export function foreignWord(word: string): ForeignWord | undefined {
  table ??= makeTable();
  return table.get(word) ?? madeVector(word);
}

function makeTable(): ReadonlyMap<string, ForeignWord> {
  const made = new Map<string, ForeignWord>();
  for (const [language, word, ours] of pairs(same)) {
    const values = /[234]$/.test(ours) ? ` Its values are written '(${ours})(...)'` : '';
    made.set(word, { language, advice: `did you mean '${ours}'?${values}`, as: ours });
  }
  for (const [language, word, ours] of pairs(values)) {
    made.set(word, { language, advice: `did you mean '${ours.replaceAll(',', ', ')}'?` });
  }
  for (const [language, words] of Object.entries(needless)) {
    for (const [word, advice] of Object.entries(words)) made.set(word, { language, advice, as: '' });
  }
  for (const [language, words] of Object.entries(lost)) {
    for (const [word, advice] of Object.entries(words))
      made.set(word, { language, advice, beginsOther: true });
  }
  return made;
}

function* pairs(rows: Readonly<Record<string, string>>): Iterable<readonly [string, string, string]> {
  for (const [language, words] of Object.entries(rows)) {
    for (const pair of words.split(/\s+/)) {
      const at = pair.indexOf('=');
      yield [language, pair.slice(0, at), pair.slice(at + 1)];
    }
  }
}

/** CUDA's `make_float4`. */
function madeVector(word: string): ForeignWord | undefined {
  const type = /^make_((?:u?(?:char|short|int|long)|float|double)[234])$/.exec(word)?.[1];
  return type === undefined ? undefined : { language: 'CUDA', advice: `did you mean '(${type})(...)'?` };
}
