/*
 * MPI for programs in C and C++: handles, numbers and functions, with the values of the standard ABI of MPI 5. docs/mpi.md tells what is here,
 * docs/c-hosts.md how to compile a program for WebAssembly and run it. The machine's own MPI does the work.
 */
#ifndef MILLRACE_MPI_H
#define MILLRACE_MPI_H

#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In WebAssembly a function of MPI is an import that Millrace fills in when it runs the program. */
#if defined(__wasm__)
#define MPI_IMPORT(name) __attribute__((import_module("MPI"), import_name(#name)))
#else
#define MPI_IMPORT(name)
#endif

/* Declares a function that Millrace has: MPI_FUNCTION(MPI_Finalize)(void); */
#define MPI_FUNCTION(name) extern MPI_IMPORT(name) int name

/* What all functions here are of; MPI_Get_version says what the engine has. */
#define MPI_VERSION 3
#define MPI_SUBVERSION 1

typedef long MPI_Aint;
typedef long long MPI_Offset;
typedef long long MPI_Count;

typedef struct {
  int MPI_SOURCE;
  int MPI_TAG;
  int MPI_ERROR;
  int mpi_abi_private[5];
} MPI_Status;

typedef struct MPI_ABI_Comm *MPI_Comm;
#define MPI_COMM_NULL ((MPI_Comm)0x100)
#define MPI_COMM_WORLD ((MPI_Comm)0x101)
#define MPI_COMM_SELF ((MPI_Comm)0x102)

typedef struct MPI_ABI_Group *MPI_Group;
#define MPI_GROUP_NULL ((MPI_Group)0x108)
#define MPI_GROUP_EMPTY ((MPI_Group)0x109)

typedef struct MPI_ABI_Datatype *MPI_Datatype;
#define MPI_DATATYPE_NULL ((MPI_Datatype)0x200)
#define MPI_AINT ((MPI_Datatype)0x201)
#define MPI_COUNT ((MPI_Datatype)0x202)
#define MPI_OFFSET ((MPI_Datatype)0x203)
#define MPI_PACKED ((MPI_Datatype)0x207)
#define MPI_SHORT ((MPI_Datatype)0x208)
#define MPI_INT ((MPI_Datatype)0x209)
#define MPI_LONG ((MPI_Datatype)0x20a)
#define MPI_LONG_LONG ((MPI_Datatype)0x20b)
#define MPI_UNSIGNED_SHORT ((MPI_Datatype)0x20c)
#define MPI_UNSIGNED ((MPI_Datatype)0x20d)
#define MPI_UNSIGNED_LONG ((MPI_Datatype)0x20e)
#define MPI_UNSIGNED_LONG_LONG ((MPI_Datatype)0x20f)
#define MPI_FLOAT ((MPI_Datatype)0x210)
#define MPI_C_FLOAT_COMPLEX ((MPI_Datatype)0x212)
#define MPI_CXX_FLOAT_COMPLEX ((MPI_Datatype)0x213)
#define MPI_DOUBLE ((MPI_Datatype)0x214)
#define MPI_C_DOUBLE_COMPLEX ((MPI_Datatype)0x216)
#define MPI_CXX_DOUBLE_COMPLEX ((MPI_Datatype)0x217)
#define MPI_FLOAT_INT ((MPI_Datatype)0x228)
#define MPI_DOUBLE_INT ((MPI_Datatype)0x229)
#define MPI_LONG_INT ((MPI_Datatype)0x22a)
#define MPI_2INT ((MPI_Datatype)0x22b)
#define MPI_SHORT_INT ((MPI_Datatype)0x22c)
#define MPI_C_BOOL ((MPI_Datatype)0x238)
#define MPI_CXX_BOOL ((MPI_Datatype)0x239)
#define MPI_WCHAR ((MPI_Datatype)0x23c)
#define MPI_INT8_T ((MPI_Datatype)0x240)
#define MPI_UINT8_T ((MPI_Datatype)0x241)
#define MPI_CHAR ((MPI_Datatype)0x243)
#define MPI_SIGNED_CHAR ((MPI_Datatype)0x244)
#define MPI_UNSIGNED_CHAR ((MPI_Datatype)0x245)
#define MPI_BYTE ((MPI_Datatype)0x247)
#define MPI_INT16_T ((MPI_Datatype)0x248)
#define MPI_UINT16_T ((MPI_Datatype)0x249)
#define MPI_INT32_T ((MPI_Datatype)0x250)
#define MPI_UINT32_T ((MPI_Datatype)0x251)
#define MPI_INT64_T ((MPI_Datatype)0x258)
#define MPI_UINT64_T ((MPI_Datatype)0x259)
#define MPI_LONG_LONG_INT MPI_LONG_LONG
#define MPI_C_COMPLEX MPI_C_FLOAT_COMPLEX

typedef struct MPI_ABI_Op *MPI_Op;
#define MPI_OP_NULL ((MPI_Op)0x20)
#define MPI_SUM ((MPI_Op)0x21)
#define MPI_MIN ((MPI_Op)0x22)
#define MPI_MAX ((MPI_Op)0x23)
#define MPI_PROD ((MPI_Op)0x24)
#define MPI_BAND ((MPI_Op)0x28)
#define MPI_BOR ((MPI_Op)0x29)
#define MPI_BXOR ((MPI_Op)0x2a)
#define MPI_LAND ((MPI_Op)0x30)
#define MPI_LOR ((MPI_Op)0x31)
#define MPI_LXOR ((MPI_Op)0x32)
#define MPI_MINLOC ((MPI_Op)0x38)
#define MPI_MAXLOC ((MPI_Op)0x39)
#define MPI_REPLACE ((MPI_Op)0x3c)
#define MPI_NO_OP ((MPI_Op)0x3d)

typedef struct MPI_ABI_Request *MPI_Request;
#define MPI_REQUEST_NULL ((MPI_Request)0x180)

typedef struct MPI_ABI_Message *MPI_Message;
#define MPI_MESSAGE_NULL ((MPI_Message)0x128)
#define MPI_MESSAGE_NO_PROC ((MPI_Message)0x129)

typedef struct MPI_ABI_Info *MPI_Info;
#define MPI_INFO_NULL ((MPI_Info)0x130)

typedef struct MPI_ABI_Errhandler *MPI_Errhandler;
#define MPI_ERRHANDLER_NULL ((MPI_Errhandler)0x140)
#define MPI_ERRORS_ARE_FATAL ((MPI_Errhandler)0x141)
#define MPI_ERRORS_RETURN ((MPI_Errhandler)0x143)

enum {
  MPI_SUCCESS = 0,
  MPI_ERR_BUFFER = 1,
  MPI_ERR_COUNT = 2,
  MPI_ERR_TYPE = 3,
  MPI_ERR_TAG = 4,
  MPI_ERR_COMM = 5,
  MPI_ERR_RANK = 6,
  MPI_ERR_REQUEST = 7,
  MPI_ERR_ROOT = 8,
  MPI_ERR_GROUP = 9,
  MPI_ERR_OP = 10,
  MPI_ERR_TOPOLOGY = 11,
  MPI_ERR_DIMS = 12,
  MPI_ERR_ARG = 13,
  MPI_ERR_UNKNOWN = 14,
  MPI_ERR_TRUNCATE = 15,
  MPI_ERR_OTHER = 16,
  MPI_ERR_INTERN = 17,
  MPI_ERR_PENDING = 18,
  MPI_ERR_IN_STATUS = 19,
  MPI_ERR_ACCESS = 20,
  MPI_ERR_AMODE = 21,
  MPI_ERR_ASSERT = 22,
  MPI_ERR_BAD_FILE = 23,
  MPI_ERR_BASE = 24,
  MPI_ERR_CONVERSION = 25,
  MPI_ERR_DISP = 26,
  MPI_ERR_DUP_DATAREP = 27,
  MPI_ERR_FILE_EXISTS = 28,
  MPI_ERR_FILE_IN_USE = 29,
  MPI_ERR_FILE = 30,
  MPI_ERR_INFO_KEY = 31,
  MPI_ERR_INFO_NOKEY = 32,
  MPI_ERR_INFO_VALUE = 33,
  MPI_ERR_INFO = 34,
  MPI_ERR_IO = 35,
  MPI_ERR_KEYVAL = 36,
  MPI_ERR_LOCKTYPE = 37,
  MPI_ERR_NAME = 38,
  MPI_ERR_NO_MEM = 39,
  MPI_ERR_NOT_SAME = 40,
  MPI_ERR_NO_SPACE = 41,
  MPI_ERR_NO_SUCH_FILE = 42,
  MPI_ERR_PORT = 43,
  MPI_ERR_QUOTA = 44,
  MPI_ERR_READ_ONLY = 45,
  MPI_ERR_RMA_ATTACH = 46,
  MPI_ERR_RMA_CONFLICT = 47,
  MPI_ERR_RMA_RANGE = 48,
  MPI_ERR_RMA_SHARED = 49,
  MPI_ERR_RMA_SYNC = 50,
  MPI_ERR_SERVICE = 51,
  MPI_ERR_SIZE = 52,
  MPI_ERR_SPAWN = 53,
  MPI_ERR_UNSUPPORTED_DATAREP = 54,
  MPI_ERR_UNSUPPORTED_OPERATION = 55,
  MPI_ERR_WIN = 56,
  MPI_ERR_RMA_FLAVOR = 57,
  MPI_ERR_PROC_ABORTED = 58,
  MPI_ERR_VALUE_TOO_LARGE = 59,
  MPI_ERR_SESSION = 60,
  MPI_ERR_ERRHANDLER = 61,
  MPI_ERR_ABI = 62,
  MPI_ERR_LASTCODE = 16383
};

enum {
  MPI_ANY_SOURCE = -1,
  MPI_ANY_TAG = -2,
  MPI_PROC_NULL = -3,
  MPI_ROOT = -4,
  MPI_UNDEFINED = -32766,
  MPI_THREAD_SINGLE = 0,
  MPI_THREAD_FUNNELED = 1024,
  MPI_THREAD_SERIALIZED = 2048,
  MPI_THREAD_MULTIPLE = 4096,
  MPI_ORDER_C = 0xc,
  MPI_ORDER_FORTRAN = 0xf,
  MPI_IDENT = 201,
  MPI_CONGRUENT = 202,
  MPI_SIMILAR = 203,
  MPI_UNEQUAL = 204,
  MPI_CART = 211,
  MPI_GRAPH = 212,
  MPI_DIST_GRAPH = 213,
  MPI_COMM_TYPE_SHARED = 221,
  MPI_TAG_UB = 501,
  MPI_IO = 502,
  MPI_HOST = 503,
  MPI_WTIME_IS_GLOBAL = 504,
  MPI_APPNUM = 505,
  MPI_UNIVERSE_SIZE = 507
};

#define MPI_BOTTOM ((void *)0)
#define MPI_IN_PLACE ((void *)1)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)

#define MPI_MAX_ERROR_STRING 512
#define MPI_MAX_LIBRARY_VERSION_STRING 8192
#define MPI_MAX_OBJECT_NAME 128
#define MPI_MAX_PROCESSOR_NAME 256
#define MPI_BSEND_OVERHEAD 512

typedef void MPI_User_function(void *invec, void *inoutvec, int *len, MPI_Datatype *datatype);

/* The environment */
MPI_FUNCTION(MPI_Init)(int *argc, char ***argv);
MPI_FUNCTION(MPI_Init_thread)(int *argc, char ***argv, int required, int *provided);
MPI_FUNCTION(MPI_Initialized)(int *flag);
MPI_FUNCTION(MPI_Finalize)(void);
MPI_FUNCTION(MPI_Finalized)(int *flag);
MPI_FUNCTION(MPI_Query_thread)(int *provided);
MPI_FUNCTION(MPI_Is_thread_main)(int *flag);
MPI_FUNCTION(MPI_Abort)(MPI_Comm comm, int errorcode);
MPI_FUNCTION(MPI_Get_version)(int *version, int *subversion);
MPI_FUNCTION(MPI_Get_library_version)(char *version, int *resultlen);
MPI_FUNCTION(MPI_Get_processor_name)(char *name, int *resultlen);
MPI_FUNCTION(MPI_Error_string)(int errorcode, char *string, int *resultlen);
MPI_FUNCTION(MPI_Error_class)(int errorcode, int *errorclass);

/* Messages */
MPI_FUNCTION(MPI_Send)(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
MPI_FUNCTION(MPI_Ssend)(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
MPI_FUNCTION(MPI_Bsend)(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
MPI_FUNCTION(MPI_Rsend)(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
MPI_FUNCTION(MPI_Recv)(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status *status);
MPI_FUNCTION(MPI_Isend)(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request);
MPI_FUNCTION(MPI_Issend)(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request);
MPI_FUNCTION(MPI_Ibsend)(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request);
MPI_FUNCTION(MPI_Irsend)(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request);
MPI_FUNCTION(MPI_Irecv)(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request);
MPI_FUNCTION(MPI_Send_init)(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request);
MPI_FUNCTION(MPI_Ssend_init)(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request);
MPI_FUNCTION(MPI_Bsend_init)(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request);
MPI_FUNCTION(MPI_Rsend_init)(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request);
MPI_FUNCTION(MPI_Recv_init)(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request);
MPI_FUNCTION(MPI_Sendrecv)(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status *status);
MPI_FUNCTION(MPI_Sendrecv_replace)(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag, MPI_Comm comm, MPI_Status *status);
MPI_FUNCTION(MPI_Probe)(int source, int tag, MPI_Comm comm, MPI_Status *status);
MPI_FUNCTION(MPI_Iprobe)(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status);
MPI_FUNCTION(MPI_Mprobe)(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status);
MPI_FUNCTION(MPI_Improbe)(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status);
MPI_FUNCTION(MPI_Mrecv)(void *buf, int count, MPI_Datatype datatype, MPI_Message *message, MPI_Status *status);
MPI_FUNCTION(MPI_Imrecv)(void *buf, int count, MPI_Datatype datatype, MPI_Message *message, MPI_Request *request);
MPI_FUNCTION(MPI_Buffer_attach)(void *buffer, int size);
MPI_FUNCTION(MPI_Buffer_detach)(void *buffer_addr, int *size);
MPI_FUNCTION(MPI_Start)(MPI_Request *request);
MPI_FUNCTION(MPI_Startall)(int count, MPI_Request array_of_requests[]);
MPI_FUNCTION(MPI_Wait)(MPI_Request *request, MPI_Status *status);
MPI_FUNCTION(MPI_Test)(MPI_Request *request, int *flag, MPI_Status *status);
MPI_FUNCTION(MPI_Waitall)(int count, MPI_Request array_of_requests[], MPI_Status *array_of_statuses);
MPI_FUNCTION(MPI_Testall)(int count, MPI_Request array_of_requests[], int *flag, MPI_Status *array_of_statuses);
MPI_FUNCTION(MPI_Waitany)(int count, MPI_Request array_of_requests[], int *indx, MPI_Status *status);
MPI_FUNCTION(MPI_Testany)(int count, MPI_Request array_of_requests[], int *indx, int *flag, MPI_Status *status);
MPI_FUNCTION(MPI_Waitsome)(int incount, MPI_Request array_of_requests[], int *outcount, int array_of_indices[], MPI_Status *array_of_statuses);
MPI_FUNCTION(MPI_Testsome)(int incount, MPI_Request array_of_requests[], int *outcount, int array_of_indices[], MPI_Status *array_of_statuses);
MPI_FUNCTION(MPI_Request_free)(MPI_Request *request);
MPI_FUNCTION(MPI_Request_get_status)(MPI_Request request, int *flag, MPI_Status *status);
MPI_FUNCTION(MPI_Cancel)(MPI_Request *request);
MPI_FUNCTION(MPI_Test_cancelled)(const MPI_Status *status, int *flag);
MPI_FUNCTION(MPI_Get_count)(const MPI_Status *status, MPI_Datatype datatype, int *count);
MPI_FUNCTION(MPI_Get_elements)(const MPI_Status *status, MPI_Datatype datatype, int *count);

/* Collective communication */
MPI_FUNCTION(MPI_Barrier)(MPI_Comm comm);
MPI_FUNCTION(MPI_Bcast)(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);
MPI_FUNCTION(MPI_Gather)(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
MPI_FUNCTION(MPI_Gatherv)(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm);
MPI_FUNCTION(MPI_Scatter)(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
MPI_FUNCTION(MPI_Scatterv)(const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
MPI_FUNCTION(MPI_Allgather)(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm);
MPI_FUNCTION(MPI_Allgatherv)(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm);
MPI_FUNCTION(MPI_Alltoall)(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm);
MPI_FUNCTION(MPI_Alltoallv)(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm);
MPI_FUNCTION(MPI_Alltoallw)(const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm);
MPI_FUNCTION(MPI_Reduce)(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm);
MPI_FUNCTION(MPI_Allreduce)(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
MPI_FUNCTION(MPI_Reduce_scatter)(const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
MPI_FUNCTION(MPI_Reduce_scatter_block)(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
MPI_FUNCTION(MPI_Scan)(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
MPI_FUNCTION(MPI_Exscan)(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
MPI_FUNCTION(MPI_Reduce_local)(const void *inbuf, void *inoutbuf, int count, MPI_Datatype datatype, MPI_Op op);
MPI_FUNCTION(MPI_Ibarrier)(MPI_Comm comm, MPI_Request *request);
MPI_FUNCTION(MPI_Ibcast)(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request *request);
MPI_FUNCTION(MPI_Igather)(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request);
MPI_FUNCTION(MPI_Igatherv)(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request);
MPI_FUNCTION(MPI_Iscatter)(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request);
MPI_FUNCTION(MPI_Iscatterv)(const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request);
MPI_FUNCTION(MPI_Iallgather)(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request);
MPI_FUNCTION(MPI_Iallgatherv)(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request);
MPI_FUNCTION(MPI_Ialltoall)(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request);
MPI_FUNCTION(MPI_Ialltoallv)(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request);
MPI_FUNCTION(MPI_Ireduce)(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Request *request);
MPI_FUNCTION(MPI_Iallreduce)(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request);
MPI_FUNCTION(MPI_Ireduce_scatter)(const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request);
MPI_FUNCTION(MPI_Ireduce_scatter_block)(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request);
MPI_FUNCTION(MPI_Iscan)(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request);
MPI_FUNCTION(MPI_Iexscan)(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request);
MPI_FUNCTION(MPI_Op_create)(MPI_User_function *user_fn, int commute, MPI_Op *op);
MPI_FUNCTION(MPI_Op_free)(MPI_Op *op);
MPI_FUNCTION(MPI_Op_commutative)(MPI_Op op, int *commute);

/* Communicators, groups, information */
MPI_FUNCTION(MPI_Comm_size)(MPI_Comm comm, int *size);
MPI_FUNCTION(MPI_Comm_rank)(MPI_Comm comm, int *rank);
MPI_FUNCTION(MPI_Comm_compare)(MPI_Comm comm1, MPI_Comm comm2, int *result);
MPI_FUNCTION(MPI_Comm_dup)(MPI_Comm comm, MPI_Comm *newcomm);
MPI_FUNCTION(MPI_Comm_create)(MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm);
MPI_FUNCTION(MPI_Comm_create_group)(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm);
MPI_FUNCTION(MPI_Comm_split)(MPI_Comm comm, int color, int key, MPI_Comm *newcomm);
MPI_FUNCTION(MPI_Comm_split_type)(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm);
MPI_FUNCTION(MPI_Comm_free)(MPI_Comm *comm);
MPI_FUNCTION(MPI_Comm_group)(MPI_Comm comm, MPI_Group *group);
MPI_FUNCTION(MPI_Comm_set_name)(MPI_Comm comm, const char *comm_name);
MPI_FUNCTION(MPI_Comm_get_name)(MPI_Comm comm, char *comm_name, int *resultlen);
MPI_FUNCTION(MPI_Comm_get_attr)(MPI_Comm comm, int comm_keyval, void *attribute_val, int *flag);
MPI_FUNCTION(MPI_Comm_set_errhandler)(MPI_Comm comm, MPI_Errhandler errhandler);
MPI_FUNCTION(MPI_Comm_get_errhandler)(MPI_Comm comm, MPI_Errhandler *errhandler);
MPI_FUNCTION(MPI_Comm_call_errhandler)(MPI_Comm comm, int errorcode);
MPI_FUNCTION(MPI_Comm_test_inter)(MPI_Comm comm, int *flag);
MPI_FUNCTION(MPI_Errhandler_free)(MPI_Errhandler *errhandler);
MPI_FUNCTION(MPI_Group_size)(MPI_Group group, int *size);
MPI_FUNCTION(MPI_Group_rank)(MPI_Group group, int *rank);
MPI_FUNCTION(MPI_Group_translate_ranks)(MPI_Group group1, int n, const int ranks1[], MPI_Group group2, int ranks2[]);
MPI_FUNCTION(MPI_Group_compare)(MPI_Group group1, MPI_Group group2, int *result);
MPI_FUNCTION(MPI_Group_union)(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup);
MPI_FUNCTION(MPI_Group_intersection)(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup);
MPI_FUNCTION(MPI_Group_difference)(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup);
MPI_FUNCTION(MPI_Group_incl)(MPI_Group group, int n, const int ranks[], MPI_Group *newgroup);
MPI_FUNCTION(MPI_Group_excl)(MPI_Group group, int n, const int ranks[], MPI_Group *newgroup);
MPI_FUNCTION(MPI_Group_range_incl)(MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup);
MPI_FUNCTION(MPI_Group_range_excl)(MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup);
MPI_FUNCTION(MPI_Group_free)(MPI_Group *group);
MPI_FUNCTION(MPI_Info_create)(MPI_Info *info);
MPI_FUNCTION(MPI_Info_set)(MPI_Info info, const char *key, const char *value);
MPI_FUNCTION(MPI_Info_free)(MPI_Info *info);

/* Grids and graphs */
MPI_FUNCTION(MPI_Dims_create)(int nnodes, int ndims, int dims[]);
MPI_FUNCTION(MPI_Cart_create)(MPI_Comm comm_old, int ndims, const int dims[], const int periods[], int reorder, MPI_Comm *comm_cart);
MPI_FUNCTION(MPI_Cart_coords)(MPI_Comm comm, int rank, int maxdims, int coords[]);
MPI_FUNCTION(MPI_Cart_rank)(MPI_Comm comm, const int coords[], int *rank);
MPI_FUNCTION(MPI_Cart_shift)(MPI_Comm comm, int direction, int disp, int *rank_source, int *rank_dest);
MPI_FUNCTION(MPI_Cart_sub)(MPI_Comm comm, const int remain_dims[], MPI_Comm *newcomm);
MPI_FUNCTION(MPI_Cart_get)(MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[]);
MPI_FUNCTION(MPI_Cartdim_get)(MPI_Comm comm, int *ndims);
MPI_FUNCTION(MPI_Topo_test)(MPI_Comm comm, int *status);
MPI_FUNCTION(MPI_Dist_graph_create_adjacent)(MPI_Comm comm_old, int indegree, const int sources[], const int sourceweights[], int outdegree, const int destinations[], const int destweights[], MPI_Info info, int reorder, MPI_Comm *comm_dist_graph);
MPI_FUNCTION(MPI_Dist_graph_neighbors_count)(MPI_Comm comm, int *indegree, int *outdegree, int *weighted);
MPI_FUNCTION(MPI_Neighbor_allgather)(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm);
MPI_FUNCTION(MPI_Neighbor_allgatherv)(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm);
MPI_FUNCTION(MPI_Neighbor_alltoall)(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm);
MPI_FUNCTION(MPI_Neighbor_alltoallv)(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm);
MPI_FUNCTION(MPI_Ineighbor_allgather)(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request);
MPI_FUNCTION(MPI_Ineighbor_alltoall)(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request);

/* Datatypes */
MPI_FUNCTION(MPI_Type_contiguous)(int count, MPI_Datatype oldtype, MPI_Datatype *newtype);
MPI_FUNCTION(MPI_Type_vector)(int count, int blocklength, int stride, MPI_Datatype oldtype, MPI_Datatype *newtype);
MPI_FUNCTION(MPI_Type_create_hvector)(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype *newtype);
MPI_FUNCTION(MPI_Type_indexed)(int count, const int array_of_blocklengths[], const int array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype);
MPI_FUNCTION(MPI_Type_create_hindexed)(int count, const int array_of_blocklengths[], const MPI_Aint array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype);
MPI_FUNCTION(MPI_Type_create_indexed_block)(int count, int blocklength, const int array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype);
MPI_FUNCTION(MPI_Type_create_struct)(int count, const int array_of_blocklengths[], const MPI_Aint array_of_displacements[], const MPI_Datatype array_of_types[], MPI_Datatype *newtype);
MPI_FUNCTION(MPI_Type_create_subarray)(int ndims, const int array_of_sizes[], const int array_of_subsizes[], const int array_of_starts[], int order, MPI_Datatype oldtype, MPI_Datatype *newtype);
MPI_FUNCTION(MPI_Type_create_resized)(MPI_Datatype oldtype, MPI_Aint lb, MPI_Aint extent, MPI_Datatype *newtype);
MPI_FUNCTION(MPI_Type_dup)(MPI_Datatype oldtype, MPI_Datatype *newtype);
MPI_FUNCTION(MPI_Type_commit)(MPI_Datatype *datatype);
MPI_FUNCTION(MPI_Type_free)(MPI_Datatype *datatype);
MPI_FUNCTION(MPI_Type_size)(MPI_Datatype datatype, int *size);
MPI_FUNCTION(MPI_Type_get_extent)(MPI_Datatype datatype, MPI_Aint *lb, MPI_Aint *extent);
MPI_FUNCTION(MPI_Type_get_true_extent)(MPI_Datatype datatype, MPI_Aint *true_lb, MPI_Aint *true_extent);
MPI_FUNCTION(MPI_Type_set_name)(MPI_Datatype datatype, const char *type_name);
MPI_FUNCTION(MPI_Type_get_name)(MPI_Datatype datatype, char *type_name, int *resultlen);
MPI_FUNCTION(MPI_Pack)(const void *inbuf, int incount, MPI_Datatype datatype, void *outbuf, int outsize, int *position, MPI_Comm comm);
MPI_FUNCTION(MPI_Unpack)(const void *inbuf, int insize, int *position, void *outbuf, int outcount, MPI_Datatype datatype, MPI_Comm comm);
MPI_FUNCTION(MPI_Pack_size)(int incount, MPI_Datatype datatype, MPI_Comm comm, int *size);

extern MPI_IMPORT(MPI_Wtime) double MPI_Wtime(void);
extern MPI_IMPORT(MPI_Wtick) double MPI_Wtick(void);

/* Addresses, and memory, are the program's own. */
static inline int MPI_Get_address(const void *location, MPI_Aint *address) {
  *address = (MPI_Aint)location;
  return MPI_SUCCESS;
}
static inline MPI_Aint MPI_Aint_add(MPI_Aint base, MPI_Aint disp) { return base + disp; }
static inline MPI_Aint MPI_Aint_diff(MPI_Aint addr1, MPI_Aint addr2) { return addr1 - addr2; }
static inline int MPI_Alloc_mem(MPI_Aint size, MPI_Info info, void *baseptr) {
  (void)info;
  *(void **)baseptr = malloc((size_t)size);
  return *(void **)baseptr || size == 0 ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}
static inline int MPI_Free_mem(void *base) {
  free(base);
  return MPI_SUCCESS;
}

#ifdef __cplusplus
}
#endif

#endif
