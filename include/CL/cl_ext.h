/*
 * Extensions of OpenCL: their numbers, types, and the types of their functions for what clGetExtensionFunctionAddress gives.
 * That a name stands here does not say that a device has the extension: ask for CL_DEVICE_EXTENSIONS.
 */
#ifndef MILLRACE_CL_EXT_H
#define MILLRACE_CL_EXT_H

#include <CL/cl.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Types. */
typedef cl_ulong cl_device_partition_property_ext;
typedef cl_bitfield cl_mem_migration_flags_ext;
typedef cl_bitfield cl_device_terminate_capability_khr;
typedef cl_properties cl_queue_properties_khr;
typedef cl_uint cl_queue_priority_khr;
typedef cl_uint cl_queue_throttle_khr;
typedef cl_uint cl_kernel_sub_group_info_khr;
typedef cl_uint cl_version_khr;
typedef cl_bitfield cl_device_integer_dot_product_capabilities_khr;
typedef cl_uint cl_external_memory_handle_type_khr;
typedef cl_uint cl_external_semaphore_handle_type_khr;
typedef cl_uint cl_semaphore_type_khr;
typedef cl_uint cl_semaphore_info_khr;
typedef cl_properties cl_semaphore_properties_khr;
typedef cl_ulong cl_semaphore_payload_khr;
typedef struct _cl_semaphore_khr *cl_semaphore_khr;
typedef cl_bitfield cl_device_command_buffer_capabilities_khr;
typedef struct _cl_command_buffer_khr *cl_command_buffer_khr;
typedef struct _cl_mutable_command_khr *cl_mutable_command_khr;
typedef cl_uint cl_sync_point_khr;
typedef cl_uint cl_command_buffer_info_khr;
typedef cl_uint cl_command_buffer_state_khr;
typedef cl_properties cl_command_buffer_properties_khr;
typedef cl_bitfield cl_command_buffer_flags_khr;
typedef cl_properties cl_ndrange_kernel_command_properties_khr;
typedef cl_uint cl_image_requirements_info_ext;

typedef struct _cl_name_version_khr {
  cl_version_khr version;
  char name[64];
} cl_name_version_khr;

typedef struct _cl_device_pci_bus_info_khr {
  cl_uint pci_domain;
  cl_uint pci_bus;
  cl_uint pci_device;
  cl_uint pci_function;
} cl_device_pci_bus_info_khr;

typedef struct _cl_device_integer_dot_product_acceleration_properties_khr {
  cl_bool signed_accelerated;
  cl_bool unsigned_accelerated;
  cl_bool mixed_signedness_accelerated;
  cl_bool accumulating_saturating_signed_accelerated;
  cl_bool accumulating_saturating_unsigned_accelerated;
  cl_bool accumulating_saturating_mixed_signedness_accelerated;
} cl_device_integer_dot_product_acceleration_properties_khr;

#define CL_VERSION_MAJOR_BITS_KHR 10
#define CL_VERSION_MINOR_BITS_KHR 10
#define CL_VERSION_PATCH_BITS_KHR 12
#define CL_VERSION_MAJOR_MASK_KHR ((1 << CL_VERSION_MAJOR_BITS_KHR) - 1)
#define CL_VERSION_MINOR_MASK_KHR ((1 << CL_VERSION_MINOR_BITS_KHR) - 1)
#define CL_VERSION_PATCH_MASK_KHR ((1 << CL_VERSION_PATCH_BITS_KHR) - 1)
#define CL_VERSION_MAJOR_KHR(version) ((version) >> (CL_VERSION_MINOR_BITS_KHR + CL_VERSION_PATCH_BITS_KHR))
#define CL_VERSION_MINOR_KHR(version) (((version) >> CL_VERSION_PATCH_BITS_KHR) & CL_VERSION_MINOR_MASK_KHR)
#define CL_VERSION_PATCH_KHR(version) ((version) & CL_VERSION_PATCH_MASK_KHR)
#define CL_MAKE_VERSION_KHR(major, minor, patch)                                                       \
  ((((major) & CL_VERSION_MAJOR_MASK_KHR) << (CL_VERSION_MINOR_BITS_KHR + CL_VERSION_PATCH_BITS_KHR)) | \
   (((minor) & CL_VERSION_MINOR_MASK_KHR) << CL_VERSION_PATCH_BITS_KHR) |                              \
   ((patch) & CL_VERSION_PATCH_MASK_KHR))

/* cl_khr_command_buffer */
#define CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR 0x12a9
#define CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR 0x12aa
#define CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR 1
#define CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR 2
#define CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR 4
#define CL_COMMAND_BUFFER_CAPABILITY_OUT_OF_ORDER_KHR 8
#define CL_COMMAND_BUFFER_FLAGS_KHR 0x1293
#define CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR 1
#define CL_INVALID_COMMAND_BUFFER_KHR (-1138)
#define CL_INVALID_SYNC_POINT_WAIT_LIST_KHR (-1139)
#define CL_INCOMPATIBLE_COMMAND_QUEUE_KHR (-1140)
#define CL_COMMAND_BUFFER_QUEUES_KHR 0x1294
#define CL_COMMAND_BUFFER_NUM_QUEUES_KHR 0x1295
#define CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR 0x1296
#define CL_COMMAND_BUFFER_STATE_KHR 0x1297
#define CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR 0x1298
#define CL_COMMAND_BUFFER_STATE_RECORDING_KHR 0
#define CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR 1
#define CL_COMMAND_BUFFER_STATE_PENDING_KHR 2
#define CL_COMMAND_BUFFER_STATE_INVALID_KHR 3
#define CL_COMMAND_COMMAND_BUFFER_KHR 0x12a8

/* cl_khr_command_buffer_mutable_dispatch */
#define CL_COMMAND_BUFFER_MUTABLE_KHR 2
#define CL_INVALID_MUTABLE_COMMAND_KHR (-1141)
#define CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR 0x12b0
#define CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR 0x12b1
#define CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR 1
#define CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR 2
#define CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR 4
#define CL_MUTABLE_DISPATCH_ARGUMENTS_KHR 8
#define CL_MUTABLE_DISPATCH_EXEC_INFO_KHR 0x10
#define CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR 0x12a0
#define CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR 0x12a1
#define CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR 0x12ad
#define CL_MUTABLE_DISPATCH_PROPERTIES_ARRAY_KHR 0x12a2
#define CL_MUTABLE_DISPATCH_KERNEL_KHR 0x12a3
#define CL_MUTABLE_DISPATCH_DIMENSIONS_KHR 0x12a4
#define CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR 0x12a5
#define CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR 0x12a6
#define CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR 0x12a7
#define CL_STRUCTURE_TYPE_MUTABLE_BASE_CONFIG_KHR 0
#define CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR 1

/* cl_khr_fp16 */
#define CL_DEVICE_HALF_FP_CONFIG 0x1033

/* cl_khr_icd */
#define CL_PLATFORM_ICD_SUFFIX_KHR 0x920
#define CL_PLATFORM_NOT_FOUND_KHR (-1001)

/* cl_khr_il_program */
#define CL_DEVICE_IL_VERSION_KHR 0x105b
#define CL_PROGRAM_IL_KHR 0x1169

/* cl_khr_image2d_from_buffer */
#define CL_DEVICE_IMAGE_PITCH_ALIGNMENT_KHR 0x104a
#define CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT_KHR 0x104b

/* cl_khr_initialize_memory */
#define CL_CONTEXT_MEMORY_INITIALIZE_KHR 0x2030

/* cl_khr_terminate_context */
#define CL_CONTEXT_TERMINATED_KHR (-1121)
#define CL_DEVICE_TERMINATE_CAPABILITY_KHR 0x2031
#define CL_CONTEXT_TERMINATE_KHR 0x2032

/* cl_khr_spir */
#define CL_DEVICE_SPIR_VERSIONS 0x40e0
#define CL_PROGRAM_BINARY_TYPE_INTERMEDIATE 0x40e1

/* cl_nv_device_attribute_query */
#define CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV 0x4000
#define CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV 0x4001
#define CL_DEVICE_REGISTERS_PER_BLOCK_NV 0x4002
#define CL_DEVICE_WARP_SIZE_NV 0x4003
#define CL_DEVICE_GPU_OVERLAP_NV 0x4004
#define CL_DEVICE_KERNEL_EXEC_TIMEOUT_NV 0x4005
#define CL_DEVICE_INTEGRATED_MEMORY_NV 0x4006

/* cl_amd_device_memory_flags */
#define CL_MEM_USE_PERSISTENT_MEM_AMD 0x40

/* cl_ext_atomic_counters_32 and _64 */
#define CL_DEVICE_MAX_ATOMIC_COUNTERS_EXT 0x4032

/* cl_amd_device_attribute_query */
#define CL_DEVICE_PROFILING_TIMER_OFFSET_AMD 0x4036
#define CL_DEVICE_TOPOLOGY_AMD 0x4037
#define CL_DEVICE_BOARD_NAME_AMD 0x4038
#define CL_DEVICE_GLOBAL_FREE_MEMORY_AMD 0x4039
#define CL_DEVICE_SIMD_PER_COMPUTE_UNIT_AMD 0x4040
#define CL_DEVICE_SIMD_WIDTH_AMD 0x4041
#define CL_DEVICE_SIMD_INSTRUCTION_WIDTH_AMD 0x4042
#define CL_DEVICE_WAVEFRONT_WIDTH_AMD 0x4043
#define CL_DEVICE_GLOBAL_MEM_CHANNELS_AMD 0x4044
#define CL_DEVICE_GLOBAL_MEM_CHANNEL_BANKS_AMD 0x4045
#define CL_DEVICE_GLOBAL_MEM_CHANNEL_BANK_WIDTH_AMD 0x4046
#define CL_DEVICE_LOCAL_MEM_SIZE_PER_COMPUTE_UNIT_AMD 0x4047
#define CL_DEVICE_LOCAL_MEM_BANKS_AMD 0x4048
#define CL_DEVICE_THREAD_TRACE_SUPPORTED_AMD 0x4049
#define CL_DEVICE_GFXIP_MAJOR_AMD 0x404a
#define CL_DEVICE_GFXIP_MINOR_AMD 0x404b
#define CL_DEVICE_AVAILABLE_ASYNC_QUEUES_AMD 0x404c
#define CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_AMD 0x4030
#define CL_DEVICE_MAX_WORK_GROUP_SIZE_AMD 0x4031
#define CL_DEVICE_PREFERRED_CONSTANT_BUFFER_SIZE_AMD 0x4033
#define CL_DEVICE_PCIE_ID_AMD 0x4034
#define CL_DEVICE_TOPOLOGY_TYPE_PCIE_AMD 1

/* cl_amd_offline_devices */
#define CL_CONTEXT_OFFLINE_DEVICES_AMD 0x403f

/* cl_ext_device_fission */
#define CL_DEVICE_PARTITION_EQUALLY_EXT 0x4050
#define CL_DEVICE_PARTITION_BY_COUNTS_EXT 0x4051
#define CL_DEVICE_PARTITION_BY_NAMES_EXT 0x4052
#define CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN_EXT 0x4053
#define CL_DEVICE_PARENT_DEVICE_EXT 0x4054
#define CL_DEVICE_PARTITION_TYPES_EXT 0x4055
#define CL_DEVICE_AFFINITY_DOMAINS_EXT 0x4056
#define CL_DEVICE_REFERENCE_COUNT_EXT 0x4057
#define CL_DEVICE_PARTITION_STYLE_EXT 0x4058
#define CL_DEVICE_PARTITION_FAILED_EXT (-1057)
#define CL_INVALID_PARTITION_COUNT_EXT (-1058)
#define CL_INVALID_PARTITION_NAME_EXT (-1059)
#define CL_AFFINITY_DOMAIN_L1_CACHE_EXT 1
#define CL_AFFINITY_DOMAIN_L2_CACHE_EXT 2
#define CL_AFFINITY_DOMAIN_L3_CACHE_EXT 3
#define CL_AFFINITY_DOMAIN_L4_CACHE_EXT 4
#define CL_AFFINITY_DOMAIN_NUMA_EXT 0x10
#define CL_AFFINITY_DOMAIN_NEXT_FISSIONABLE_EXT 0x100
#define CL_PROPERTIES_LIST_END_EXT ((cl_device_partition_property_ext)0)
#define CL_PARTITION_BY_COUNTS_LIST_END_EXT ((cl_device_partition_property_ext)0)
#define CL_PARTITION_BY_NAMES_LIST_END_EXT ((cl_device_partition_property_ext)(-1))

/* cl_ext_migrate_memobject */
#define CL_MIGRATE_MEM_OBJECT_HOST_EXT 1
#define CL_COMMAND_MIGRATE_MEM_OBJECT_EXT 0x4040

/* cl_ext_cxx_for_opencl */
#define CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT 0x4230

/* cl_khr_subgroups */
#define CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE_KHR 0x2033
#define CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE_KHR 0x2034

/* cl_khr_mipmap_image */
#define CL_SAMPLER_MIP_FILTER_MODE_KHR 0x1155
#define CL_SAMPLER_LOD_MIN_KHR 0x1156
#define CL_SAMPLER_LOD_MAX_KHR 0x1157

/* cl_khr_priority_hints */
#define CL_QUEUE_PRIORITY_KHR 0x1096
#define CL_QUEUE_PRIORITY_HIGH_KHR 1
#define CL_QUEUE_PRIORITY_MED_KHR 2
#define CL_QUEUE_PRIORITY_LOW_KHR 4

/* cl_khr_throttle_hints */
#define CL_QUEUE_THROTTLE_KHR 0x1097
#define CL_QUEUE_THROTTLE_HIGH_KHR 1
#define CL_QUEUE_THROTTLE_MED_KHR 2
#define CL_QUEUE_THROTTLE_LOW_KHR 4

/* cl_khr_subgroup_named_barrier */
#define CL_DEVICE_MAX_NAMED_BARRIER_COUNT_KHR 0x2035

/* cl_khr_extended_versioning */
#define CL_NAME_VERSION_MAX_NAME_SIZE_KHR 0x40
#define CL_PLATFORM_NUMERIC_VERSION_KHR 0x906
#define CL_PLATFORM_EXTENSIONS_WITH_VERSION_KHR 0x907
#define CL_DEVICE_NUMERIC_VERSION_KHR 0x105e
#define CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR 0x105f
#define CL_DEVICE_EXTENSIONS_WITH_VERSION_KHR 0x1060
#define CL_DEVICE_ILS_WITH_VERSION_KHR 0x1061
#define CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION_KHR 0x1062

/* cl_khr_device_uuid */
#define CL_UUID_SIZE_KHR 0x10
#define CL_LUID_SIZE_KHR 8
#define CL_DEVICE_UUID_KHR 0x106a
#define CL_DRIVER_UUID_KHR 0x106b
#define CL_DEVICE_LUID_VALID_KHR 0x106c
#define CL_DEVICE_LUID_KHR 0x106d
#define CL_DEVICE_NODE_MASK_KHR 0x106e

/* cl_khr_pci_bus_info */
#define CL_DEVICE_PCI_BUS_INFO_KHR 0x410f

/* cl_khr_integer_dot_product */
#define CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR 1
#define CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR 2
#define CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR 0x1073
#define CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR 0x1074
#define CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR 0x1075

/* cl_khr_external_memory */
#define CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR 0x2044
#define CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR 0x204f
#define CL_DEVICE_HANDLE_LIST_KHR 0x2051
#define CL_DEVICE_HANDLE_LIST_END_KHR 0
#define CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR 0x2047
#define CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR 0x2048

/* cl_khr_external_memory_dma_buf */
#define CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR 0x2067

/* cl_khr_external_memory_dx */
#define CL_EXTERNAL_MEMORY_HANDLE_D3D11_TEXTURE_KHR 0x2063
#define CL_EXTERNAL_MEMORY_HANDLE_D3D11_TEXTURE_KMT_KHR 0x2064
#define CL_EXTERNAL_MEMORY_HANDLE_D3D12_HEAP_KHR 0x2065
#define CL_EXTERNAL_MEMORY_HANDLE_D3D12_RESOURCE_KHR 0x2066

/* cl_khr_external_memory_opaque_fd */
#define CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR 0x2060

/* cl_khr_external_memory_win32 */
#define CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_WIN32_KHR 0x2061
#define CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_WIN32_KMT_KHR 0x2062

/* cl_khr_external_semaphore */
#define CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR 0x2037
#define CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR 0x2038
#define CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR 0x204d
#define CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR 0x204e
#define CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR 0x203f
#define CL_SEMAPHORE_EXPORT_HANDLE_TYPES_LIST_END_KHR 0

/* cl_khr_external_semaphore_dx_fence */
#define CL_SEMAPHORE_HANDLE_D3D12_FENCE_KHR 0x2059

/* cl_khr_external_semaphore_opaque_fd */
#define CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR 0x2055

/* cl_khr_external_semaphore_sync_fd */
#define CL_SEMAPHORE_HANDLE_SYNC_FD_KHR 0x2058

/* cl_khr_external_semaphore_win32 */
#define CL_SEMAPHORE_HANDLE_OPAQUE_WIN32_KHR 0x2056
#define CL_SEMAPHORE_HANDLE_OPAQUE_WIN32_KMT_KHR 0x2057

/* cl_khr_semaphore */
#define CL_SEMAPHORE_TYPE_BINARY_KHR 1
#define CL_PLATFORM_SEMAPHORE_TYPES_KHR 0x2036
#define CL_DEVICE_SEMAPHORE_TYPES_KHR 0x204c
#define CL_SEMAPHORE_CONTEXT_KHR 0x2039
#define CL_SEMAPHORE_REFERENCE_COUNT_KHR 0x203a
#define CL_SEMAPHORE_PROPERTIES_KHR 0x203b
#define CL_SEMAPHORE_PAYLOAD_KHR 0x203c
#define CL_SEMAPHORE_TYPE_KHR 0x203d
#define CL_COMMAND_SEMAPHORE_WAIT_KHR 0x2042
#define CL_COMMAND_SEMAPHORE_SIGNAL_KHR 0x2043
#define CL_INVALID_SEMAPHORE_KHR (-1142)

/* cl_ext_image_requirements_info */
#define CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT 0x1290
#define CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT 0x1292
#define CL_IMAGE_REQUIREMENTS_SIZE_EXT 0x12b2
#define CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT 0x12b3
#define CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT 0x12b4
#define CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT 0x12b5
#define CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT 0x12b6

/* cl_ext_image_from_buffer */
#define CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT 0x1291

/* cl_arm_printf */
#define CL_PRINTF_CALLBACK_ARM 0x40b0
#define CL_PRINTF_BUFFERSIZE_ARM 0x40b1

/* Functions, for pointers to them. */
typedef cl_int(CL_API_CALL *clIcdGetPlatformIDsKHR_fn)(cl_uint num_entries, cl_platform_id *platforms,
                                                       cl_uint *num_platforms);
typedef cl_int(CL_API_CALL *clTerminateContextKHR_fn)(cl_context context);
typedef cl_program(CL_API_CALL *clCreateProgramWithILKHR_fn)(cl_context context, const void *il, size_t length,
                                                             cl_int *errcode_ret);
typedef cl_command_queue(CL_API_CALL *clCreateCommandQueueWithPropertiesKHR_fn)(
    cl_context context, cl_device_id device, const cl_queue_properties_khr *properties, cl_int *errcode_ret);
typedef cl_int(CL_API_CALL *clGetKernelSubGroupInfoKHR_fn)(cl_kernel in_kernel, cl_device_id in_device,
                                                           cl_kernel_sub_group_info_khr param_name,
                                                           size_t input_value_size, const void *input_value,
                                                           size_t param_value_size, void *param_value,
                                                           size_t *param_value_size_ret);
typedef cl_int(CL_API_CALL *clGetKernelSuggestedLocalWorkSizeKHR_fn)(cl_command_queue command_queue, cl_kernel kernel,
                                                                   cl_uint work_dim, const size_t *global_work_offset,
                                                                   const size_t *global_work_size,
                                                                   size_t *suggested_local_work_size);
typedef cl_int(CL_API_CALL *clCreateSubDevicesEXT_fn)(cl_device_id in_device,
                                                      const cl_device_partition_property_ext *properties,
                                                      cl_uint num_entries, cl_device_id *out_devices,
                                                      cl_uint *num_devices);
typedef cl_int(CL_API_CALL *clRetainDeviceEXT_fn)(cl_device_id device);
typedef cl_int(CL_API_CALL *clReleaseDeviceEXT_fn)(cl_device_id device);
typedef cl_semaphore_khr(CL_API_CALL *clCreateSemaphoreWithPropertiesKHR_fn)(
    cl_context context, const cl_semaphore_properties_khr *sema_props, cl_int *errcode_ret);
typedef cl_int(CL_API_CALL *clEnqueueWaitSemaphoresKHR_fn)(cl_command_queue command_queue, cl_uint num_sema_objects,
                                                           const cl_semaphore_khr *sema_objects,
                                                           const cl_semaphore_payload_khr *sema_payload_list,
                                                           cl_uint num_events_in_wait_list,
                                                           const cl_event *event_wait_list, cl_event *event);
typedef clEnqueueWaitSemaphoresKHR_fn clEnqueueSignalSemaphoresKHR_fn;
typedef cl_int(CL_API_CALL *clGetSemaphoreInfoKHR_fn)(cl_semaphore_khr sema_object, cl_semaphore_info_khr param_name,
                                                      size_t param_value_size, void *param_value,
                                                      size_t *param_value_size_ret);
typedef cl_int(CL_API_CALL *clReleaseSemaphoreKHR_fn)(cl_semaphore_khr sema_object);
typedef cl_int(CL_API_CALL *clRetainSemaphoreKHR_fn)(cl_semaphore_khr sema_object);
typedef cl_int(CL_API_CALL *clGetImageRequirementsInfoEXT_fn)(
    cl_context context, const cl_mem_properties *properties, cl_mem_flags flags, const cl_image_format *image_format,
    const cl_image_desc *image_desc, cl_image_requirements_info_ext param_name, size_t param_value_size,
    void *param_value, size_t *param_value_size_ret);

#ifdef __cplusplus
}
#endif

#endif
