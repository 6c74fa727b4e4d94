/*
 * The extensions of CAL for programs in C and C++ (ATI Stream guide, B.4). Programs ask calExtGetProc for their functions and keep
 * them in variables of the types below, often under the functions' own names; so the names themselves are declared for those alone
 * who define CAL_EXT_PROTOTYPES before.
 */
#ifndef MILLRACE_CAL_EXT_H
#define MILLRACE_CAL_EXT_H

#include "cal.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum CALextidEnum {
  CAL_EXT_D3D9 = 0x1001,
  CAL_EXT_OPENGL = 0x1002,
  CAL_EXT_D3D10 = 0x1003,
  CAL_EXT_COUNTERS = 0x1004,
  CAL_EXT_DOMAIN_PARAMS = 0x1005,
  CAL_EXT_RES_CREATE = 0x1006,
  CAL_EXT_COMPUTE_SHADER = 0x1007,
  CAL_EXT_SAMPLER_PARAM = 0x1008,
  /* calCtxWaitForEvents, whose type programs declare themselves: the SDK's header has none. */
  CAL_EXT_WAIT_FOR_EVENTS = 0x8009
} CALextid;

typedef CALvoid *CALextproc;

CAL_FUNCTION(CALresult, calExtSupported)(CALextid extid);
CAL_FUNCTION(CALresult, calExtGetVersion)(CALuint *major, CALuint *minor, CALextid extid);

/* Counters */

typedef CALuint CALcounter;

typedef enum CALcountertypeEnum { CAL_COUNTER_IDLE = 0, CAL_COUNTER_INPUT_CACHE_HIT_RATE = 1 } CALcountertype;

typedef CALresult(CALAPIENTRYP PFNCALCTXCREATECOUNTER)(CALcounter *counter, CALcontext ctx, CALcountertype type);
typedef CALresult(CALAPIENTRYP PFNCALCTXDESTROYCOUNTER)(CALcontext ctx, CALcounter counter);
typedef CALresult(CALAPIENTRYP PFNCALCTXBEGINCOUNTER)(CALcontext ctx, CALcounter counter);
typedef CALresult(CALAPIENTRYP PFNCALCTXENDCOUNTER)(CALcontext ctx, CALcounter counter);
typedef CALresult(CALAPIENTRYP PFNCALCTXGETCOUNTER)(CALfloat *result, CALcontext ctx, CALcounter counter);

/* Resources in memory of the program */

typedef CALresult(CALAPIENTRYP PFNCALRESCREATE2D)(CALresource *res, CALdevice device, CALvoid *mem, CALuint width,
                                                  CALuint height, CALformat format, CALuint size, CALuint flags);
typedef CALresult(CALAPIENTRYP PFNCALRESCREATE1D)(CALresource *res, CALdevice device, CALvoid *mem, CALuint width,
                                                  CALformat format, CALuint size, CALuint flags);

/* Compute programs */

typedef CALresult(CALAPIENTRYP PFNCALCTXRUNPROGRAMGRID)(CALevent *event, CALcontext ctx, CALprogramGrid *grid);
typedef CALresult(CALAPIENTRYP PFNCALCTXRUNPROGRAMGRIDARRAY)(CALevent *event, CALcontext ctx, CALprogramGridArray *array);
typedef CALresult(CALAPIENTRYP PFNCALMODULEGETFUNCINFO)(CALfuncInfo *info, CALcontext ctx, CALmodule module, CALfunc func);

/* Samplers. Values are floats: one of a parameter, four of the border's colour, nine of CAL_SAMPLER_PARAM_DEFAULT. */

typedef enum calSamplerParameterEnum {
  CAL_SAMPLER_PARAM_FETCH4 = 0,
  CAL_SAMPLER_PARAM_DEFAULT = 0,
  CAL_SAMPLER_PARAM_MIN_FILTER = 1,
  CAL_SAMPLER_PARAM_MAG_FILTER = 2,
  CAL_SAMPLER_PARAM_WRAP_S = 3,
  CAL_SAMPLER_PARAM_WRAP_T = 4,
  CAL_SAMPLER_PARAM_WRAP_R = 5,
  CAL_SAMPLER_PARAM_BORDER_COLOR = 6,
  CAL_SAMPLER_PARAM_LAST = 7
} CALsamplerParameter;

typedef enum calSamplerParamMinFilter {
  CAL_SAMPLER_MIN_LINEAR = 0,
  CAL_SAMPLER_MIN_NEAREST = 1,
  CAL_SAMPLER_MIN_NEAREST_MIPMAP_NEAREST = 2,
  CAL_SAMPLER_MIN_NEAREST_MIPMAP_LINEAR = 3,
  CAL_SAMPLER_MIN_LINEAR_MIPMAP_NEAREST = 4,
  CAL_SAMPLER_MIN_LINEAR_MIPMAP_LINEAR = 5,
  CAL_SAMPLER_MIN_LINEAR_FOUR_SAMPLE = 7,
  CAL_SAMPLER_MIN_LINEAR_FOUR_SAMPLE_MIPMAP_NEAREST = 8
} CALsamplerParamMinFilter;

typedef enum calSamplerParamMagFilter {
  CAL_SAMPLER_MAG_NEAREST = 0,
  CAL_SAMPLER_MAG_LINEAR = 1,
  CAL_SAMPLER_MAG_LINEAR_FOUR_SAMPLE = 4
} CALsamplerParamMagFilter;

typedef enum calSamplerParamWrapMode {
  CAL_SAMPLER_WRAP_REPEAT = 0,
  CAL_SAMPLER_WRAP_MIRRORED_REPEAT = 1,
  CAL_SAMPLER_WRAP_CLAMP_TO_EDGE = 2,
  CAL_SAMPLER_WRAP_MIRROR_CLAMP_TO_EDGE_EXT = 3,
  CAL_SAMPLER_WRAP_CLAMP = 4,
  CAL_SAMPLER_WRAP_MIRROR_CLAMP_EXT = 5,
  CAL_SAMPLER_WRAP_CLAMP_TO_BORDER = 6,
  CAL_SAMPLER_WRAP_MIRROR_CLAMP_TO_BORDER_EXT = 7
} CALsamplerParamWrapMode;

typedef CALresult(CALAPIENTRYP PFNCALSETSAMPLERPARAMS)(CALcontext ctx, CALname name, CALsamplerParameter param,
                                                       CALvoid *vals);
typedef CALresult(CALAPIENTRYP PFNCALGETSAMPLERPARAMS)(CALcontext ctx, CALname name, CALsamplerParameter param,
                                                       CALvoid *vals);

/* The functions, as calExtGetProc finds them. */
#define CAL_EXT_FUNCTION(name) extern CAL_IMPORT(name) CALresult __##name
CAL_EXT_FUNCTION(calCtxCreateCounter)(CALcounter *counter, CALcontext ctx, CALcountertype type);
CAL_EXT_FUNCTION(calCtxDestroyCounter)(CALcontext ctx, CALcounter counter);
CAL_EXT_FUNCTION(calCtxBeginCounter)(CALcontext ctx, CALcounter counter);
CAL_EXT_FUNCTION(calCtxEndCounter)(CALcontext ctx, CALcounter counter);
CAL_EXT_FUNCTION(calCtxGetCounter)(CALfloat *result, CALcontext ctx, CALcounter counter);
CAL_EXT_FUNCTION(calResCreate2D)
(CALresource *res, CALdevice device, CALvoid *mem, CALuint width, CALuint height, CALformat format, CALuint size,
 CALuint flags);
CAL_EXT_FUNCTION(calResCreate1D)
(CALresource *res, CALdevice device, CALvoid *mem, CALuint width, CALformat format, CALuint size, CALuint flags);
CAL_EXT_FUNCTION(calCtxSetSamplerParams)(CALcontext ctx, CALname name, CALsamplerParameter param, CALvoid *vals);
CAL_EXT_FUNCTION(calCtxGetSamplerParams)(CALcontext ctx, CALname name, CALsamplerParameter param, CALvoid *vals);
CAL_EXT_FUNCTION(calCtxWaitForEvents)(CALcontext ctx, CALevent *events, CALuint count, CALuint flags);
CAL_EXT_FUNCTION(calCtxRunProgramGrid)(CALevent *event, CALcontext ctx, CALprogramGrid *grid);
CAL_EXT_FUNCTION(calCtxRunProgramGridArray)(CALevent *event, CALcontext ctx, CALprogramGridArray *array);
CAL_EXT_FUNCTION(calModuleGetFuncInfo)(CALfuncInfo *info, CALcontext ctx, CALmodule module, CALfunc func);

/* The place of a function among those of calExtGetProc. */
extern CAL_IMPORT(calExtGetProc) CALresult __calExtFind(CALuint *place, CALextid extid, const CALchar *procname);

static inline CALresult calExtGetProc(CALextproc *proc, CALextid extid, const CALchar *procname) {
  CALuint place = 0;
  CALresult result = __calExtFind(proc ? &place : (CALuint *)0, extid, procname);
  if (!proc) return result;
  switch (place) {
  case 1: *proc = (CALextproc)__calCtxCreateCounter; break;
  case 2: *proc = (CALextproc)__calCtxDestroyCounter; break;
  case 3: *proc = (CALextproc)__calCtxBeginCounter; break;
  case 4: *proc = (CALextproc)__calCtxEndCounter; break;
  case 5: *proc = (CALextproc)__calCtxGetCounter; break;
  case 6: *proc = (CALextproc)__calResCreate1D; break;
  case 7: *proc = (CALextproc)__calResCreate2D; break;
  case 8: *proc = (CALextproc)__calCtxRunProgramGrid; break;
  case 9: *proc = (CALextproc)__calCtxRunProgramGridArray; break;
  case 10: *proc = (CALextproc)__calModuleGetFuncInfo; break;
  case 11: *proc = (CALextproc)__calCtxSetSamplerParams; break;
  case 12: *proc = (CALextproc)__calCtxGetSamplerParams; break;
  case 13: *proc = (CALextproc)__calCtxWaitForEvents; break;
  default: *proc = (CALextproc)0;
  }
  return result;
}

#ifdef CAL_EXT_PROTOTYPES
#define calCtxCreateCounter __calCtxCreateCounter
#define calCtxDestroyCounter __calCtxDestroyCounter
#define calCtxBeginCounter __calCtxBeginCounter
#define calCtxEndCounter __calCtxEndCounter
#define calCtxGetCounter __calCtxGetCounter
#define calResCreate2D __calResCreate2D
#define calResCreate1D __calResCreate1D
#define calCtxSetSamplerParams __calCtxSetSamplerParams
#define calCtxGetSamplerParams __calCtxGetSamplerParams
#define calCtxWaitForEvents __calCtxWaitForEvents

/* Direct3D, which answers CAL_RESULT_NOT_SUPPORTED: pointers to its objects, and handles. */
CAL_FUNCTION(CALresult, calD3D9Associate)(CALdevice device, CALvoid *d3dDevice);
CAL_FUNCTION(CALresult, calD3D9MapSurface)(CALresource *res, CALdevice device, CALvoid *surface, CALvoid *shareHandle);
CAL_FUNCTION(CALresult, calD3D10Associate)(CALdevice device, CALvoid *d3dDevice);
CAL_FUNCTION(CALresult, calD3D10MapResource)(CALresource *res, CALdevice device, CALvoid *resource, CALvoid *shareHandle);
#endif

#ifdef __cplusplus
}
#endif

#endif
