/** Every function of the OpenCL host API to 3.0, and where it is in `millrace/opencl`. */

export interface ApiFunction {
  readonly name: string;
  /** `Class.method`, or the name of an exported function; undefined if there is none. */
  readonly place?: string;
  /** How a test calls it, where the method's name says too little. */
  readonly call?: RegExp;
  readonly remark?: string;
}

export interface ApiSection {
  readonly title: string;
  /** Of OpenCL 2.0 to 3.0, and not of 1.2. */
  readonly isLater?: true;
  readonly functions: readonly ApiFunction[];
}

const retain = (type: string, className: string): ApiFunction[] => [
  { name: `clRetain${type}`, place: `${className}.retain`, call: new RegExp(`clRetain${type}\\b`) },
  { name: `clRelease${type}`, place: `${className}.release`, call: new RegExp(`clRelease${type}\\b`) },
];

/** `queries` are names that only this function takes. */
const info = (name: string, place: string, queries: string): ApiFunction => ({
  name,
  place,
  call: new RegExp(`CL\\.(?:${queries})\\b`),
});

const inPages = 'in pages, with WebGL 2 ([gl-sharing.md](gl-sharing.md))';
const notHere = 'for systems on which JavaScript does not run';

export const sections: readonly ApiSection[] = [
  {
    title: 'Platforms and devices (4.1 to 4.3)',
    functions: [
      { name: 'clGetPlatformIDs', place: 'getPlatforms', remark: 'the list itself' },
      info('clGetPlatformInfo', 'CLPlatform.getInfo', 'PLATFORM_(?:PROFILE|VERSION|NAME|VENDOR|EXTENSIONS)'),
      { name: 'clGetDeviceIDs', place: 'CLPlatform.getDevices', remark: 'the list itself' },
      info('clGetDeviceInfo', 'CLDevice.getInfo', 'DEVICE_(?:NAME|MAX_\\w+|IMAGE\\w+|EXTENSIONS)'),
      {
        name: 'clCreateSubDevices',
        place: 'CLDevice.createSubDevices',
        remark: "a compute unit of our device is a thread; drivers' devices are divided by their drivers",
      },
      ...retain('Device', 'CLDevice'),
    ],
  },
  {
    title: 'Contexts (4.4)',
    functions: [
      {
        name: 'clCreateContext',
        place: 'createContext',
        remark: '`properties` and `notify` (pfn_notify) are fields of the last parameter',
      },
      {
        name: 'clCreateContextFromType',
        place: 'createContext',
        call: /createContext\((?:CL\.DEVICE_TYPE|platform!?, CL)/,
        remark: 'with a type, or a platform and a type',
      },
      ...retain('Context', 'CLContext'),
      info('clGetContextInfo', 'CLContext.getInfo', 'CONTEXT_(?:REFERENCE_COUNT|NUM_DEVICES|DEVICES)'),
    ],
  },
  {
    title: 'Command queues (5.1, 5.13)',
    functions: [
      {
        name: 'clCreateCommandQueue',
        place: 'CLContext.createCommandQueue',
        remark: 'a further parameter gives launches a time-out',
      },
      ...retain('CommandQueue', 'CLCommandQueue'),
      info(
        'clGetCommandQueueInfo',
        'CLCommandQueue.getInfo',
        'QUEUE_(?:CONTEXT|DEVICE|REFERENCE_COUNT|PROPERTIES)',
      ),
      { name: 'clFlush', place: 'CLCommandQueue.flush' },
      {
        name: 'clFinish',
        place: 'CLCommandQueue.finish',
        remark:
          'throws what a command failed with; with a callback it does not block; `finished()` is a promise',
      },
    ],
  },
  {
    title: 'Buffers (5.2)',
    functions: [
      {
        name: 'clCreateBuffer',
        place: 'CLContext.createBuffer',
        remark: 'host pointers are typed arrays; one in place of the size is copied',
      },
      {
        name: 'clCreateSubBuffer',
        place: 'CLBuffer.createSubBuffer',
        remark: 'flags, origin, size: BUFFER_CREATE_TYPE_REGION is the only type',
      },
      { name: 'clEnqueueReadBuffer', place: 'CLCommandQueue.enqueueReadBuffer' },
      { name: 'clEnqueueWriteBuffer', place: 'CLCommandQueue.enqueueWriteBuffer' },
      { name: 'clEnqueueReadBufferRect', place: 'CLCommandQueue.enqueueReadBufferRect' },
      { name: 'clEnqueueWriteBufferRect', place: 'CLCommandQueue.enqueueWriteBufferRect' },
      { name: 'clEnqueueCopyBuffer', place: 'CLCommandQueue.enqueueCopyBuffer' },
      { name: 'clEnqueueCopyBufferRect', place: 'CLCommandQueue.enqueueCopyBufferRect' },
      { name: 'clEnqueueFillBuffer', place: 'CLCommandQueue.enqueueFillBuffer' },
      {
        name: 'clEnqueueMapBuffer',
        place: 'CLCommandQueue.enqueueMapBuffer',
        remark: "a typed array over the buffer's own bytes",
      },
    ],
  },
  {
    title: 'Images (5.3)',
    functions: [
      { name: 'clCreateImage', place: 'CLContext.createImage' },
      { name: 'clGetSupportedImageFormats', place: 'CLContext.getSupportedImageFormats' },
      { name: 'clEnqueueReadImage', place: 'CLCommandQueue.enqueueReadImage' },
      { name: 'clEnqueueWriteImage', place: 'CLCommandQueue.enqueueWriteImage' },
      { name: 'clEnqueueCopyImage', place: 'CLCommandQueue.enqueueCopyImage' },
      { name: 'clEnqueueFillImage', place: 'CLCommandQueue.enqueueFillImage' },
      { name: 'clEnqueueCopyImageToBuffer', place: 'CLCommandQueue.enqueueCopyImageToBuffer' },
      { name: 'clEnqueueCopyBufferToImage', place: 'CLCommandQueue.enqueueCopyBufferToImage' },
      {
        name: 'clEnqueueMapImage',
        place: 'CLCommandQueue.enqueueMapImage',
        remark: 'pitches are written to the first elements of arrays',
      },
      { name: 'clGetImageInfo', place: 'CLImage.getImageInfo' },
    ],
  },
  {
    title: 'Memory objects (5.4)',
    functions: [
      ...retain('MemObject', 'CLBuffer'),
      { name: 'clSetMemObjectDestructorCallback', place: 'CLBuffer.setDestructorCallback' },
      { name: 'clEnqueueUnmapMemObject', place: 'CLCommandQueue.enqueueUnmapMemObject' },
      {
        name: 'clEnqueueMigrateMemObjects',
        place: 'CLCommandQueue.enqueueMigrateMemObjects',
        remark: "a hint: devices share the context's memory, or bring their copies up to date themselves",
      },
      info(
        'clGetMemObjectInfo',
        'CLBuffer.getInfo',
        'MEM_(?:TYPE|SIZE|FLAGS|HOST_PTR|MAP_COUNT|REFERENCE_COUNT|OFFSET)',
      ),
    ],
  },
  {
    title: 'Samplers (5.5)',
    functions: [
      { name: 'clCreateSampler', place: 'CLContext.createSampler' },
      ...retain('Sampler', 'CLSampler'),
      info('clGetSamplerInfo', 'CLSampler.getInfo', 'SAMPLER_\\w+'),
    ],
  },
  {
    title: 'Programs (5.6)',
    functions: [
      {
        name: 'clCreateProgramWithSource',
        place: 'CLContext.createProgram',
        remark: 'several strings are joined',
      },
      { name: 'clCreateProgramWithBinary', place: 'CLContext.createProgramWithBinary' },
      { name: 'clCreateProgramWithBuiltInKernels', place: 'CLContext.createProgramWithBuiltInKernels' },
      ...retain('Program', 'CLProgram'),
      { name: 'clBuildProgram', place: 'CLProgram.build' },
      { name: 'clCompileProgram', place: 'CLProgram.compile' },
      { name: 'clLinkProgram', place: 'CLContext.linkProgram' },
      {
        name: 'clUnloadPlatformCompiler',
        place: 'CLPlatform.unloadCompiler',
        remark: 'a hint without effect',
      },
      info(
        'clGetProgramInfo',
        'CLProgram.getInfo',
        'PROGRAM_(?:SOURCE|BINARIES|NUM_KERNELS|KERNEL_NAMES|DEVICES|REFERENCE_COUNT)',
      ),
      { name: 'clGetProgramBuildInfo', place: 'CLProgram.getBuildInfo' },
    ],
  },
  {
    title: 'Kernels (5.7, 5.8)',
    functions: [
      { name: 'clCreateKernel', place: 'CLProgram.createKernel' },
      { name: 'clCreateKernelsInProgram', place: 'CLProgram.createKernelsInProgram' },
      ...retain('Kernel', 'CLKernel'),
      {
        name: 'clSetKernelArg',
        place: 'CLKernel.setArg',
        remark: 'with a size as in C, or without; numbers and objects for structs too',
      },
      info(
        'clGetKernelInfo',
        'CLKernel.getInfo',
        'KERNEL_(?:FUNCTION_NAME|NUM_ARGS|ATTRIBUTES|REFERENCE_COUNT)',
      ),
      { name: 'clGetKernelWorkGroupInfo', place: 'CLKernel.getWorkGroupInfo' },
      { name: 'clGetKernelArgInfo', place: 'CLKernel.getArgInfo' },
      { name: 'clEnqueueNDRangeKernel', place: 'CLCommandQueue.enqueueNDRangeKernel' },
      { name: 'clEnqueueTask', place: 'CLCommandQueue.enqueueTask' },
      {
        name: 'clEnqueueNativeKernel',
        place: 'CLCommandQueue.enqueueNativeKernel',
        remark: 'a function of JavaScript, called on the host thread',
      },
    ],
  },
  {
    title: 'Events (5.9 to 5.12)',
    functions: [
      { name: 'clCreateUserEvent', place: 'CLContext.createUserEvent' },
      { name: 'clSetUserEventStatus', place: 'CLUserEvent.setStatus' },
      {
        name: 'clWaitForEvents',
        place: 'waitForEvents',
        remark: 'with a callback it does not block; `event.done` is a promise',
      },
      info('clGetEventInfo', 'CLEvent.getInfo', 'EVENT_\\w+'),
      { name: 'clSetEventCallback', place: 'CLEvent.setCallback', remark: 'SUBMITTED, RUNNING, COMPLETE' },
      ...retain('Event', 'CLEvent'),
      { name: 'clEnqueueMarkerWithWaitList', place: 'CLCommandQueue.enqueueMarkerWithWaitList' },
      { name: 'clEnqueueBarrierWithWaitList', place: 'CLCommandQueue.enqueueBarrierWithWaitList' },
      { name: 'clGetEventProfilingInfo', place: 'CLEvent.getProfilingInfo', remark: 'bigint, nanoseconds' },
    ],
  },
  {
    title: 'Pipes (2.0, 5.4)',
    isLater: true,
    functions: [
      { name: 'clCreatePipe', place: 'CLContext.createPipe', remark: '[pipes.md](pipes.md)' },
      info('clGetPipeInfo', 'CLPipe.getPipeInfo', 'PIPE_(?:PACKET_SIZE|MAX_PACKETS)'),
    ],
  },
  {
    title: 'Objects made with properties (2.0, 3.0)',
    isLater: true,
    functions: [
      {
        name: 'clCreateCommandQueueWithProperties',
        place: 'CLContext.createCommandQueueWithProperties',
        remark: 'lists end with 0, as in C',
      },
      {
        name: 'clSetDefaultDeviceCommandQueue',
        place: 'CLContext.setDefaultDeviceCommandQueue',
        remark: '2.1',
      },
      { name: 'clCreateSamplerWithProperties', place: 'CLContext.createSamplerWithProperties' },
      { name: 'clCreateBufferWithProperties', place: 'CLContext.createBufferWithProperties', remark: '3.0' },
      { name: 'clCreateImageWithProperties', place: 'CLContext.createImageWithProperties', remark: '3.0' },
    ],
  },
  {
    title: 'Shared virtual memory (2.0, 5.6)',
    isLater: true,
    functions: [
      {
        name: 'clSVMAlloc',
        place: 'CLContext.svmAlloc',
        remark:
          'an object with its address and views; pointers are numbers or typed arrays ([opencl-2.md](opencl-2.md))',
      },
      { name: 'clSVMFree', place: 'CLContext.svmFree' },
      { name: 'clEnqueueSVMFree', place: 'CLCommandQueue.enqueueSVMFree' },
      {
        name: 'clEnqueueSVMMemcpy',
        place: 'CLCommandQueue.enqueueSVMMemcpy',
        remark: 'with typed arrays, too',
      },
      { name: 'clEnqueueSVMMemFill', place: 'CLCommandQueue.enqueueSVMMemFill' },
      { name: 'clEnqueueSVMMap', place: 'CLCommandQueue.enqueueSVMMap', remark: 'gives the bytes' },
      { name: 'clEnqueueSVMUnmap', place: 'CLCommandQueue.enqueueSVMUnmap' },
      {
        name: 'clEnqueueSVMMigrateMem',
        place: 'CLCommandQueue.enqueueSVMMigrateMem',
        remark: "2.1; a hint: devices work in the context's memory",
      },
      { name: 'clSetKernelArgSVMPointer', place: 'CLKernel.setArgSVMPointer' },
      { name: 'clSetKernelExecInfo', place: 'CLKernel.setExecInfo' },
    ],
  },
  {
    title: 'Other functions of OpenCL 2.1 to 3.0',
    isLater: true,
    functions: [
      { name: 'clCloneKernel', place: 'CLKernel.clone' },
      { name: 'clGetKernelSubGroupInfo', place: 'CLKernel.getSubGroupInfo' },
      {
        name: 'clGetDeviceAndHostTimer',
        place: 'CLDevice.getDeviceAndHostTimer',
        remark: 'bigint, nanoseconds',
      },
      { name: 'clGetHostTimer', place: 'CLDevice.getHostTimer', remark: 'bigint, nanoseconds' },
      {
        name: 'clCreateProgramWithIL',
        place: 'CLContext.createProgramWithIL',
        remark: 'CL_INVALID_OPERATION: no device takes an intermediate language',
      },
      {
        name: 'clSetProgramSpecializationConstant',
        place: 'CLProgram.setSpecializationConstant',
        remark: 'CL_INVALID_OPERATION, as there is no intermediate language',
      },
      {
        name: 'clSetProgramReleaseCallback',
        place: 'CLProgram.setReleaseCallback',
        remark: 'CL_INVALID_OPERATION, as OpenCL C has no destructors',
      },
      {
        name: 'clSetContextDestructorCallback',
        place: 'CLContext.setDestructorCallback',
        call: /other\.setDestructorCallback/,
      },
    ],
  },
  {
    title: 'Functions of OpenCL 1.0 and 1.1',
    functions: [
      { name: 'clCreateImage2D', place: 'CLContext.createImage2D' },
      { name: 'clCreateImage3D', place: 'CLContext.createImage3D' },
      { name: 'clEnqueueMarker', place: 'CLCommandQueue.enqueueMarker' },
      { name: 'clEnqueueBarrier', place: 'CLCommandQueue.enqueueBarrier' },
      { name: 'clEnqueueWaitForEvents', place: 'CLCommandQueue.enqueueWaitForEvents' },
      { name: 'clUnloadCompiler', place: 'unloadCompiler', remark: 'a hint without effect' },
      {
        name: 'clGetExtensionFunctionAddress',
        place: 'getExtensionFunctionAddress',
        remark: 'null: see below',
      },
      {
        name: 'clSetCommandQueueProperty',
        place: 'CLCommandQueue.setProperty',
        remark: 'CL_INVALID_OPERATION, as OpenCL 1.1 took it back',
      },
    ],
  },
  {
    title: 'Extensions (OpenCL 1.2 extension specification)',
    functions: [
      {
        name: 'clGetExtensionFunctionAddressForPlatform',
        place: 'CLPlatform.getExtensionFunctionAddress',
        remark: 'null for every name: functions of extensions are methods like the others',
      },
      {
        name: 'clIcdGetPlatformIDsKHR',
        remark: 'for loaders; getPlatforms() finds the platforms of drivers itself',
      },
      {
        name: 'clTerminateContextKHR',
        remark: 'cl_khr_terminate_context is not there; `releaseAll()` does as much',
      },
      { name: 'clCreateFromGLBuffer', place: 'CLContext.createFromGLBuffer', remark: inPages },
      { name: 'clCreateFromGLTexture', place: 'CLContext.createFromGLTexture', remark: inPages },
      { name: 'clCreateFromGLRenderbuffer', place: 'CLContext.createFromGLRenderbuffer', remark: inPages },
      { name: 'clGetGLObjectInfo', place: 'CLBuffer.getGLObjectInfo', remark: inPages },
      { name: 'clGetGLTextureInfo', place: 'CLImage.getGLTextureInfo', remark: inPages },
      { name: 'clEnqueueAcquireGLObjects', place: 'CLCommandQueue.enqueueAcquireGLObjects', remark: inPages },
      { name: 'clEnqueueReleaseGLObjects', place: 'CLCommandQueue.enqueueReleaseGLObjects', remark: inPages },
      { name: 'clGetGLContextInfoKHR', place: 'getGLContextInfoKHR', remark: inPages },
      {
        name: 'clCreateEventFromGLsyncKHR',
        place: 'CLContext.createEventFromGLsyncKHR',
        remark: 'without the rest of cl_khr_gl_event ([gl-sharing.md](gl-sharing.md))',
      },
      { name: 'clGetDeviceIDsFromD3D10KHR and the others of cl_khr_d3d10_sharing', remark: notHere },
      { name: 'clGetDeviceIDsFromD3D11KHR and the others of cl_khr_d3d11_sharing', remark: notHere },
      {
        name: 'clGetDeviceIDsFromDX9MediaAdapterKHR and the others of cl_khr_dx9_media_sharing',
        remark: notHere,
      },
    ],
  },
];
