/*
 * Sharing with OpenGL (OpenCL 1.2 extension specification, 9.7). No device here has cl_khr_gl_sharing: a program that uses it
 * compiles, and each function gives CL_INVALID_OPERATION.
 */
#ifndef MILLRACE_CL_GL_H
#define MILLRACE_CL_GL_H

#include <CL/cl.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef cl_uint cl_gl_object_type;
typedef cl_uint cl_gl_texture_info;
typedef cl_uint cl_gl_platform_info;
typedef cl_uint cl_gl_context_info;
typedef struct __GLsync *cl_GLsync;

/* cl_gl_object_type */
#define CL_GL_OBJECT_BUFFER 0x2000
#define CL_GL_OBJECT_TEXTURE2D 0x2001
#define CL_GL_OBJECT_TEXTURE3D 0x2002
#define CL_GL_OBJECT_RENDERBUFFER 0x2003
#define CL_GL_OBJECT_TEXTURE2D_ARRAY 0x200e
#define CL_GL_OBJECT_TEXTURE1D 0x200f
#define CL_GL_OBJECT_TEXTURE1D_ARRAY 0x2010
#define CL_GL_OBJECT_TEXTURE_BUFFER 0x2011

/* cl_gl_texture_info */
#define CL_GL_TEXTURE_TARGET 0x2004
#define CL_GL_MIPMAP_LEVEL 0x2005
#define CL_GL_NUM_SAMPLES 0x2012

/* cl_gl_context_info */
#define CL_CURRENT_DEVICE_FOR_GL_CONTEXT_KHR 0x2006
#define CL_DEVICES_FOR_GL_CONTEXT_KHR 0x2007

/* cl_context_properties */
#define CL_GL_CONTEXT_KHR 0x2008
#define CL_EGL_DISPLAY_KHR 0x2009
#define CL_GLX_DISPLAY_KHR 0x200a
#define CL_WGL_HDC_KHR 0x200b
#define CL_CGL_SHAREGROUP_KHR 0x200c

#define CL_COMMAND_GL_FENCE_SYNC_OBJECT_KHR 0x200d
#define CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR (-1000)

CL_FUNCTION(cl_mem, clCreateFromGLBuffer)(cl_context context, cl_mem_flags flags, cl_GLuint bufobj,
                                          cl_int *errcode_ret);
CL_FUNCTION(cl_mem, clCreateFromGLTexture)(cl_context context, cl_mem_flags flags, cl_GLenum target, cl_GLint miplevel,
                                           cl_GLuint texture, cl_int *errcode_ret);
CL_FUNCTION(cl_mem, clCreateFromGLTexture2D)(cl_context context, cl_mem_flags flags, cl_GLenum target,
                                             cl_GLint miplevel, cl_GLuint texture, cl_int *errcode_ret);
CL_FUNCTION(cl_mem, clCreateFromGLTexture3D)(cl_context context, cl_mem_flags flags, cl_GLenum target,
                                             cl_GLint miplevel, cl_GLuint texture, cl_int *errcode_ret);
CL_FUNCTION(cl_mem, clCreateFromGLRenderbuffer)(cl_context context, cl_mem_flags flags, cl_GLuint renderbuffer,
                                                cl_int *errcode_ret);
CL_FUNCTION(cl_int, clGetGLObjectInfo)(cl_mem memobj, cl_gl_object_type *gl_object_type, cl_GLuint *gl_object_name);
CL_FUNCTION(cl_int, clGetGLTextureInfo)(cl_mem memobj, cl_gl_texture_info param_name, size_t param_value_size,
                                        void *param_value, size_t *param_value_size_ret);
CL_FUNCTION(cl_int, clEnqueueAcquireGLObjects)(cl_command_queue command_queue, cl_uint num_objects,
                                               const cl_mem *mem_objects, cl_uint num_events_in_wait_list,
                                               const cl_event *event_wait_list, cl_event *event);
CL_FUNCTION(cl_int, clEnqueueReleaseGLObjects)(cl_command_queue command_queue, cl_uint num_objects,
                                               const cl_mem *mem_objects, cl_uint num_events_in_wait_list,
                                               const cl_event *event_wait_list, cl_event *event);
CL_FUNCTION(cl_int, clGetGLContextInfoKHR)(const cl_context_properties *properties, cl_gl_context_info param_name,
                                           size_t param_value_size, void *param_value, size_t *param_value_size_ret);
CL_FUNCTION(cl_event, clCreateEventFromGLsyncKHR)(cl_context context, cl_GLsync sync, cl_int *errcode_ret);

typedef cl_int(CL_API_CALL *clGetGLContextInfoKHR_fn)(const cl_context_properties *properties,
                                                      cl_gl_context_info param_name, size_t param_value_size,
                                                      void *param_value, size_t *param_value_size_ret);

#ifdef __cplusplus
}
#endif

#endif
