/* The compiler of CAL for programs in C and C++ (ATI Stream guide, 3.2.2): from text in AMD IL to images, and back. */
#ifndef MILLRACE_CALCL_H
#define MILLRACE_CALCL_H

#include "cal.h"

#ifdef __cplusplus
extern "C" {
#endif

/* CAL_LANGUAGE_ISA, text as the disassemblers write it, is ours: the guide names it, the SDK's header does not. */
typedef enum CALlanguageEnum { CAL_LANGUAGE_IL = 1, CAL_LANGUAGE_ISA = 2 } CALlanguage;

typedef enum CALCLprogramTypeEnum { CAL_PROGRAM_TYPE_PS = 0, CAL_PROGRAM_TYPE_CS = 1 } CALCLprogramType;

/* Gets a line of a listing, with the character that ends it. */
typedef void (*CALLogFunction)(const CALchar *line);

CAL_FUNCTION(CALresult, calclGetVersion)(CALuint *major, CALuint *minor, CALuint *imp);
CAL_FUNCTION(CALresult, calclCompile)(CALobject *object, CALlanguage language, const CALchar *source, CALtarget target);
CAL_FUNCTION(CALresult, calclLink)(CALimage *image, CALobject *objects, CALuint objectCount);
CAL_FUNCTION(CALresult, calclFreeObject)(CALobject object);
CAL_FUNCTION(CALresult, calclFreeImage)(CALimage image);
CAL_FUNCTION(void, calclDisassembleImage)(const CALimage image, CALLogFunction log);
CAL_FUNCTION(CALresult, calclAssembleObject)
(CALobject *object, CALCLprogramType type, const CALchar *source, CALtarget target);
CAL_FUNCTION(void, calclDisassembleObject)(const CALobject object, CALLogFunction log);
CAL_FUNCTION(CALresult, calclImageGetSize)(CALuint *size, CALimage image);
CAL_FUNCTION(CALresult, calclImageWrite)(CALvoid *buffer, CALuint size, CALimage image);
CAL_FUNCTION(const CALchar *, calclGetErrorString)(void);

#ifdef __cplusplus
}
#endif

#endif
