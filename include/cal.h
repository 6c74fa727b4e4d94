/*
 * The runtime of the Compute Abstraction Layer (CAL) for programs in C and C++: types, numbers and functions (ATI Stream guide,
 * appendix B). docs/cal.md tells what they do, docs/c-hosts.md how to compile a program for WebAssembly and run it.
 */
#ifndef MILLRACE_CAL_H
#define MILLRACE_CAL_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * In WebAssembly a function of CAL is an import that Millrace fills in when it runs the program. Elsewhere they are ordinary
 * functions.
 */
#if defined(__wasm__)
#define CAL_IMPORT(name) __attribute__((import_module("CAL"), import_name(#name)))
#else
#define CAL_IMPORT(name)
#endif

/* Declares a function that Millrace has: CAL_FUNCTION(CALresult, calInit)(void); */
#define CAL_FUNCTION(result, name) extern CAL_IMPORT(name) result name

#define CALAPI extern
#define CALAPIENTRY
#define CALAPIENTRYP CALAPIENTRY *

typedef void CALvoid;
typedef char CALchar;
typedef signed char CALbyte;
typedef unsigned char CALubyte;
typedef signed short CALshort;
typedef unsigned short CALushort;
typedef signed int CALint;
typedef unsigned int CALuint;
typedef float CALfloat;
typedef double CALdouble;
typedef signed long CALlong;
typedef unsigned long CALulong;
typedef signed long long CALint64;
typedef unsigned long long CALuint64;

typedef enum CALbooleanEnum { CAL_FALSE = 0, CAL_TRUE = 1 } CALboolean;

typedef enum CALresultEnum {
  CAL_RESULT_OK = 0,
  CAL_RESULT_ERROR = 1,
  CAL_RESULT_INVALID_PARAMETER = 2,
  CAL_RESULT_NOT_SUPPORTED = 3,
  CAL_RESULT_ALREADY = 4,
  CAL_RESULT_NOT_INITIALIZED = 5,
  CAL_RESULT_BAD_HANDLE = 6,
  CAL_RESULT_BAD_NAME_TYPE = 7,
  CAL_RESULT_PENDING = 8,
  CAL_RESULT_BUSY = 9,
  CAL_RESULT_WARNING = 10,
  /* The guide's name for it at calGetVersion. */
  CAL_RESULT_BAD_PARAMETER = 2
} CALresult;

/*
 * Elements of resources: the type of a component and how many there are. To programs those of the first lines with 8 and 16 bits are
 * fractions of 1, the later ones integers, and those of 32 bits what they are.
 */
typedef enum CALformatEnum {
  CAL_FORMAT_UBYTE_1 = 0,
  CAL_FORMAT_UBYTE_2 = 1,
  CAL_FORMAT_UBYTE_4 = 2,
  CAL_FORMAT_USHORT_1 = 3,
  CAL_FORMAT_USHORT_2 = 4,
  CAL_FORMAT_USHORT_4 = 5,
  CAL_FORMAT_UINT_4 = 6,
  CAL_FORMAT_BYTE_4 = 7,
  CAL_FORMAT_SHORT_1 = 8,
  CAL_FORMAT_SHORT_2 = 9,
  CAL_FORMAT_SHORT_4 = 10,
  CAL_FORMAT_FLOAT_1 = 11,
  CAL_FORMAT_FLOAT_2 = 12,
  CAL_FORMAT_FLOAT_4 = 13,
  CAL_FORMAT_DOUBLE_1 = 14,
  CAL_FORMAT_DOUBLE_2 = 15,
  CAL_FORMAT_UINT_1 = 16,
  CAL_FORMAT_UINT_2 = 17,
  CAL_FORMAT_BYTE_1 = 18,
  CAL_FORMAT_BYTE_2 = 19,
  CAL_FORMAT_INT_1 = 20,
  CAL_FORMAT_INT_2 = 21,
  CAL_FORMAT_INT_4 = 22,
  CAL_FORMAT_UNSIGNED_INT8_1 = 23,
  CAL_FORMAT_UNSIGNED_INT8_2 = 24,
  CAL_FORMAT_UNSIGNED_INT8_4 = 25,
  CAL_FORMAT_SIGNED_INT8_1 = 26,
  CAL_FORMAT_SIGNED_INT8_2 = 27,
  CAL_FORMAT_SIGNED_INT8_4 = 28,
  CAL_FORMAT_UNSIGNED_INT16_1 = 29,
  CAL_FORMAT_UNSIGNED_INT16_2 = 30,
  CAL_FORMAT_UNSIGNED_INT16_4 = 31,
  CAL_FORMAT_SIGNED_INT16_1 = 32,
  CAL_FORMAT_SIGNED_INT16_2 = 33,
  CAL_FORMAT_SIGNED_INT16_4 = 34,
  CAL_FORMAT_UNSIGNED_INT32_1 = 35,
  CAL_FORMAT_UNSIGNED_INT32_2 = 36,
  CAL_FORMAT_UNSIGNED_INT32_4 = 37,
  CAL_FORMAT_SIGNED_INT32_1 = 38,
  CAL_FORMAT_SIGNED_INT32_2 = 39,
  CAL_FORMAT_SIGNED_INT32_4 = 40,
  CAL_FORMAT_UNORM_SHORT_565 = 41,
  CAL_FORMAT_UNORM_SHORT_555 = 42,
  CAL_FORMAT_UNORM_INT10_3 = 43,
  CAL_FORMAT_FLOAT16_1 = 44,
  CAL_FORMAT_FLOAT16_2 = 45,
  CAL_FORMAT_FLOAT16_4 = 46,
  /* What later headers of the SDK call the first ones. */
  CAL_FORMAT_UNORM_INT8_1 = 0,
  CAL_FORMAT_UNORM_INT8_2 = 1,
  CAL_FORMAT_UNORM_INT8_4 = 2,
  CAL_FORMAT_UNORM_INT16_1 = 3,
  CAL_FORMAT_UNORM_INT16_2 = 4,
  CAL_FORMAT_UNORM_INT16_4 = 5,
  CAL_FORMAT_UNORM_INT32_1 = 16,
  CAL_FORMAT_UNORM_INT32_2 = 17,
  CAL_FORMAT_UNORM_INT32_4 = 6,
  CAL_FORMAT_SNORM_INT8_1 = 18,
  CAL_FORMAT_SNORM_INT8_2 = 19,
  CAL_FORMAT_SNORM_INT8_4 = 7,
  CAL_FORMAT_SNORM_INT16_1 = 8,
  CAL_FORMAT_SNORM_INT16_2 = 9,
  CAL_FORMAT_SNORM_INT16_4 = 10,
  CAL_FORMAT_SNORM_INT32_1 = 20,
  CAL_FORMAT_SNORM_INT32_2 = 21,
  CAL_FORMAT_SNORM_INT32_4 = 22,
  CAL_FORMAT_FLOAT32_1 = 11,
  CAL_FORMAT_FLOAT32_2 = 12,
  CAL_FORMAT_FLOAT32_4 = 13,
  CAL_FORMAT_FLOAT64_1 = 14,
  CAL_FORMAT_FLOAT64_2 = 15,
  CAL_FORMAT_32BIT_TYPELESS = 35,
  CAL_FORMAT_LAST = 46
} CALformat;

typedef enum CALtargetEnum {
  CAL_TARGET_600 = 0,
  CAL_TARGET_610 = 1,
  CAL_TARGET_630 = 2,
  CAL_TARGET_670 = 3,
  CAL_TARGET_7XX = 4,
  CAL_TARGET_770 = 5,
  CAL_TARGET_710 = 6,
  CAL_TARGET_730 = 7,
  CAL_TARGET_CYPRESS = 8,
  CAL_TARGET_JUNIPER = 9,
  CAL_TARGET_REDWOOD = 10,
  CAL_TARGET_CEDAR = 11,
  CAL_TARGET_WRESTLER = 14,
  CAL_TARGET_CAYMAN = 15,
  CAL_TARGET_BARTS = 17
} CALtarget;

typedef enum CALresallocflagsEnum {
  CAL_RESALLOC_GLOBAL_BUFFER = 1,
  CAL_RESALLOC_CACHEABLE = 2
} CALresallocflags;

/* Objects: numbers that stand for them. */
typedef struct CALobjectRec *CALobject;
typedef struct CALimageRec *CALimage;
typedef CALuint CALdevice;
typedef CALuint CALcontext;
typedef CALuint CALresource;
typedef CALuint CALmem;
typedef CALuint CALfunc;
typedef CALuint CALname;
typedef CALuint CALmodule;
typedef CALuint CALevent;

/* Resources by their dimensions. */
typedef enum CALdimensionEnum {
  CAL_DIM_BUFFER = 0,
  CAL_DIM_1D = 1,
  CAL_DIM_2D = 2,
  CAL_DIM_3D = 3,
  CAL_DIM_CUBEMAP = 4,
  CAL_DIM_FIRST = 0,
  CAL_DIM_LAST = 4
} CALdimension;

/* The positions of the output that a program runs for. */
typedef struct CALdomainRec {
  CALuint x;
  CALuint y;
  CALuint width;
  CALuint height;
} CALdomain;

typedef struct CALdomain3DRec {
  CALuint width;
  CALuint height;
  CALuint depth;
} CALdomain3D;

typedef struct CALprogramGridRec {
  CALfunc func;
  CALdomain3D gridBlock; /* threads of a group */
  CALdomain3D gridSize;  /* groups */
  CALuint flags;
} CALprogramGrid;

typedef struct CALprogramGridArrayRec {
  CALprogramGrid *gridArray;
  CALuint num;
  CALuint flags;
} CALprogramGridArray;

typedef struct CALdeviceinfoRec {
  CALtarget target;
  CALuint maxResource1DWidth; /* in elements, as the others */
  CALuint maxResource2DWidth;
  CALuint maxResource2DHeight;
} CALdeviceinfo;

/* The caller sets struct_size. Memory is in megabytes, clocks in megahertz. */
typedef struct CALdeviceattribsRec {
  CALuint struct_size;
  CALtarget target;
  CALuint localRAM;
  CALuint uncachedRemoteRAM;
  CALuint cachedRemoteRAM;
  CALuint engineClock;
  CALuint memoryClock;
  CALuint wavefrontSize;
  CALuint numberOfSIMD;
  CALboolean doublePrecision;
  CALboolean localDataShare;
  CALboolean globalDataShare;
  CALboolean globalGPR;
  CALboolean computeShader;
  CALboolean memExport;
  CALuint pitch_alignment;   /* of calResCreate: in elements */
  CALuint surface_alignment; /* of calResCreate: in bytes */
  /* what later headers have behind that */
  CALuint numberOfUAVs;
  CALboolean bUAVMemExport;
  CALboolean b3dProgramGrid;
  CALuint numberOfShaderEngines;
  CALuint targetRevision;
  CALuint totalVisibleHeap;
  CALuint totalInvisibleHeap;
  CALuint totalDirectHeap;
  CALuint totalCoherentHeap;
  CALuint totalRemoteSharedHeap;
  CALuint totalCachedRemoteSharedHeap;
} CALdeviceattribs;

/* The caller sets struct_size. Megabytes. */
typedef struct CALdevicestatusRec {
  CALuint struct_size;
  CALuint availLocalRAM;
  CALuint availUncachedRemoteRAM;
  CALuint availCachedRemoteRAM;
  /* what later headers have behind that */
  CALuint availVisibleHeap;
  CALuint availInvisibleHeap;
  CALuint availDirectHeap;
  CALuint availCoherentHeap;
  CALuint availRemoteSharedHeap;
  CALuint availCachedRemoteSharedHeap;
  CALuint largestBlockVisibleHeap;
  CALuint largestBlockInvisibleHeap;
  CALuint largestBlockRemoteHeap;
  CALuint largestBlockCachedRemoteHeap;
  CALuint largestBlockDirectHeap;
  CALuint largestBlockCoherentHeap;
  CALuint largestBlockRemoteSharedHeap;
  CALuint largestBlockCachedRemoteSharedHeap;
} CALdevicestatus;

typedef struct CALfuncInfoRec {
  CALuint maxScratchRegsNeeded;
  CALuint numSharedGPRUser;
  CALuint numSharedGPRTotal;
  CALboolean eCsSetupMode;
  CALuint numThreadPerGroup;
  CALuint totalNumThreadGroup;
  CALuint wavefrontPerSIMD;
  CALuint numWavefrontPerSIMD;
  CALboolean isMaxNumWavePerSIMD;
  CALboolean setBufferForNumGroup;
} CALfuncInfo;

/* System (B.3.1) */
CAL_FUNCTION(CALresult, calInit)(void);
CAL_FUNCTION(CALresult, calShutdown)(void);
CAL_FUNCTION(CALresult, calGetVersion)(CALuint *major, CALuint *minor, CALuint *imp);
CAL_FUNCTION(const CALchar *, calGetErrorString)(void);

/* Devices (B.3.2) */
CAL_FUNCTION(CALresult, calDeviceGetCount)(CALuint *count);
CAL_FUNCTION(CALresult, calDeviceGetInfo)(CALdeviceinfo *info, CALuint ordinal);
CAL_FUNCTION(CALresult, calDeviceGetAttribs)(CALdeviceattribs *attribs, CALuint ordinal);
CAL_FUNCTION(CALresult, calDeviceGetStatus)(CALdevicestatus *status, CALdevice device);
CAL_FUNCTION(CALresult, calDeviceOpen)(CALdevice *device, CALuint ordinal);
CAL_FUNCTION(CALresult, calDeviceClose)(CALdevice device);

/* Memory (B.3.3) */
CAL_FUNCTION(CALresult, calResAllocLocal2D)
(CALresource *res, CALdevice device, CALuint width, CALuint height, CALformat format, CALuint flags);
CAL_FUNCTION(CALresult, calResAllocRemote2D)
(CALresource *res, CALdevice *devices, CALuint deviceCount, CALuint width, CALuint height, CALformat format, CALuint flags);
CAL_FUNCTION(CALresult, calResAllocLocal1D)
(CALresource *res, CALdevice device, CALuint width, CALformat format, CALuint flags);
CAL_FUNCTION(CALresult, calResAllocRemote1D)
(CALresource *res, CALdevice *devices, CALuint deviceCount, CALuint width, CALformat format, CALuint flags);
CAL_FUNCTION(CALresult, calResFree)(CALresource res);
CAL_FUNCTION(CALresult, calResMap)(CALvoid **pointer, CALuint *pitch, CALresource res, CALuint flags);
CAL_FUNCTION(CALresult, calResUnmap)(CALresource res);

/* Contexts (B.3.4) */
CAL_FUNCTION(CALresult, calCtxCreate)(CALcontext *ctx, CALdevice device);
CAL_FUNCTION(CALresult, calCtxDestroy)(CALcontext ctx);
CAL_FUNCTION(CALresult, calCtxGetMem)(CALmem *mem, CALcontext ctx, CALresource res);
CAL_FUNCTION(CALresult, calCtxReleaseMem)(CALcontext ctx, CALmem mem);
CAL_FUNCTION(CALresult, calCtxSetMem)(CALcontext ctx, CALname name, CALmem mem);

/* Programs (B.3.5) */
CAL_FUNCTION(CALresult, calImageRead)(CALimage *image, const CALvoid *buffer, CALuint size);
CAL_FUNCTION(CALresult, calImageFree)(CALimage image);
CAL_FUNCTION(CALresult, calModuleLoad)(CALmodule *module, CALcontext ctx, CALimage image);
CAL_FUNCTION(CALresult, calModuleUnload)(CALcontext ctx, CALmodule module);
CAL_FUNCTION(CALresult, calModuleGetEntry)(CALfunc *func, CALcontext ctx, CALmodule module, const CALchar *procName);
CAL_FUNCTION(CALresult, calModuleGetName)(CALname *name, CALcontext ctx, CALmodule module, const CALchar *symbolName);
CAL_FUNCTION(CALresult, calModuleGetFuncInfo)(CALfuncInfo *info, CALcontext ctx, CALmodule module, CALfunc func);

/* Computation (B.3.6) */
CAL_FUNCTION(CALresult, calCtxRunProgram)(CALevent *event, CALcontext ctx, CALfunc func, const CALdomain *domain);
CAL_FUNCTION(CALresult, calCtxRunProgramGrid)(CALevent *event, CALcontext ctx, CALprogramGrid *grid);
CAL_FUNCTION(CALresult, calCtxRunProgramGridArray)(CALevent *event, CALcontext ctx, CALprogramGridArray *array);
CAL_FUNCTION(CALresult, calMemCopy)(CALevent *event, CALcontext ctx, CALmem source, CALmem target, CALuint flags);
CAL_FUNCTION(CALresult, calCtxIsEventDone)(CALcontext ctx, CALevent event);
CAL_FUNCTION(CALresult, calCtxFlush)(CALcontext ctx);

#ifdef __cplusplus
}
#endif

#endif
