/**
 * The functions of MPI that Millrace calls, with what their parameters are. All give an error code but for the two clocks.
 *
 *     buf               an address of data, or MPI_BOTTOM or MPI_IN_PLACE
 *     int aint          numbers
 *     rank tag root     numbers of which some have a meaning (MPI_ANY_SOURCE)
 *     comm type op ...  handles
 *     +comm             where a new handle goes
 *     *comm             where a handle is that the call takes, and may change
 *     types             many handles
 *     requests          many handles, which the call takes and may change
 *     status statuses   where they go, or MPI_STATUS_IGNORE
 *     instatus          a status that the call reads
 *     splittype order keyval     numbers with a meaning, too
 *     ptr               any other address: numbers of 32 bits, texts
 *     aints             addresses or sizes, in or out: numbers as wide as an address
 *     function          an address of code
 *     bool              where 0 or 1 goes
 *     outrank outcompare outtopology     where a number with a meaning goes
 *
 * C programs in WebAssembly get nearly all of them by this table alone (c/).
 */
const text = `
MPI_Init ptr ptr
MPI_Init_thread ptr ptr int ptr
MPI_Initialized bool
MPI_Finalize
MPI_Finalized bool
MPI_Query_thread ptr
MPI_Is_thread_main bool
MPI_Abort comm int
MPI_Get_version ptr ptr
MPI_Get_library_version ptr ptr
MPI_Get_processor_name ptr ptr
MPI_Error_string int ptr ptr
MPI_Error_class int ptr

MPI_Send buf int type rank tag comm
MPI_Ssend buf int type rank tag comm
MPI_Bsend buf int type rank tag comm
MPI_Rsend buf int type rank tag comm
MPI_Recv buf int type rank tag comm status
MPI_Isend buf int type rank tag comm +request
MPI_Issend buf int type rank tag comm +request
MPI_Ibsend buf int type rank tag comm +request
MPI_Irsend buf int type rank tag comm +request
MPI_Irecv buf int type rank tag comm +request
MPI_Send_init buf int type rank tag comm +request
MPI_Ssend_init buf int type rank tag comm +request
MPI_Bsend_init buf int type rank tag comm +request
MPI_Rsend_init buf int type rank tag comm +request
MPI_Recv_init buf int type rank tag comm +request
MPI_Sendrecv buf int type rank tag buf int type rank tag comm status
MPI_Sendrecv_replace buf int type rank tag rank tag comm status
MPI_Probe rank tag comm status
MPI_Iprobe rank tag comm bool status
MPI_Mprobe rank tag comm +message status
MPI_Improbe rank tag comm bool +message status
MPI_Mrecv buf int type *message status
MPI_Imrecv buf int type *message +request
MPI_Buffer_attach buf int
MPI_Buffer_detach ptr ptr
MPI_Start *request
MPI_Startall int requests
MPI_Wait *request status
MPI_Test *request bool status
MPI_Waitall int requests statuses
MPI_Testall int requests bool statuses
MPI_Waitany int requests ptr status
MPI_Testany int requests ptr bool status
MPI_Waitsome int requests ptr ptr statuses
MPI_Testsome int requests ptr ptr statuses
MPI_Request_free *request
MPI_Request_get_status request bool status
MPI_Cancel *request
MPI_Test_cancelled instatus bool
MPI_Get_count instatus type ptr
MPI_Get_elements instatus type ptr

MPI_Barrier comm
MPI_Bcast buf int type root comm
MPI_Gather buf int type buf int type root comm
MPI_Gatherv buf int type buf ptr ptr type root comm
MPI_Scatter buf int type buf int type root comm
MPI_Scatterv buf ptr ptr type buf int type root comm
MPI_Allgather buf int type buf int type comm
MPI_Allgatherv buf int type buf ptr ptr type comm
MPI_Alltoall buf int type buf int type comm
MPI_Alltoallv buf ptr ptr type buf ptr ptr type comm
MPI_Alltoallw buf ptr ptr types buf ptr ptr types comm
MPI_Reduce buf buf int type op root comm
MPI_Allreduce buf buf int type op comm
MPI_Reduce_scatter buf buf ptr type op comm
MPI_Reduce_scatter_block buf buf int type op comm
MPI_Scan buf buf int type op comm
MPI_Exscan buf buf int type op comm
MPI_Reduce_local buf buf int type op
MPI_Ibarrier comm +request
MPI_Ibcast buf int type root comm +request
MPI_Igather buf int type buf int type root comm +request
MPI_Igatherv buf int type buf ptr ptr type root comm +request
MPI_Iscatter buf int type buf int type root comm +request
MPI_Iscatterv buf ptr ptr type buf int type root comm +request
MPI_Iallgather buf int type buf int type comm +request
MPI_Iallgatherv buf int type buf ptr ptr type comm +request
MPI_Ialltoall buf int type buf int type comm +request
MPI_Ialltoallv buf ptr ptr type buf ptr ptr type comm +request
MPI_Ireduce buf buf int type op root comm +request
MPI_Iallreduce buf buf int type op comm +request
MPI_Ireduce_scatter buf buf ptr type op comm +request
MPI_Ireduce_scatter_block buf buf int type op comm +request
MPI_Iscan buf buf int type op comm +request
MPI_Iexscan buf buf int type op comm +request
MPI_Op_create function int +op
MPI_Op_free *op
MPI_Op_commutative op bool

MPI_Comm_size comm ptr
MPI_Comm_rank comm outrank
MPI_Comm_compare comm comm outcompare
MPI_Comm_dup comm +comm
MPI_Comm_create comm group +comm
MPI_Comm_create_group comm group int +comm
MPI_Comm_split comm int int +comm
MPI_Comm_split_type comm splittype int info +comm
MPI_Comm_free *comm
MPI_Comm_group comm +group
MPI_Comm_set_name comm ptr
MPI_Comm_get_name comm ptr ptr
MPI_Comm_get_attr comm keyval ptr bool
MPI_Comm_set_errhandler comm errhandler
MPI_Comm_get_errhandler comm +errhandler
MPI_Comm_call_errhandler comm int
MPI_Comm_test_inter comm bool
MPI_Errhandler_free *errhandler
MPI_Group_size group ptr
MPI_Group_rank group outrank
MPI_Group_translate_ranks group int ptr group ptr
MPI_Group_compare group group outcompare
MPI_Group_union group group +group
MPI_Group_intersection group group +group
MPI_Group_difference group group +group
MPI_Group_incl group int ptr +group
MPI_Group_excl group int ptr +group
MPI_Group_range_incl group int ptr +group
MPI_Group_range_excl group int ptr +group
MPI_Group_free *group
MPI_Info_create +info
MPI_Info_set info ptr ptr
MPI_Info_free *info

MPI_Dims_create int int ptr
MPI_Cart_create comm int ptr ptr int +comm
MPI_Cart_coords comm int int ptr
MPI_Cart_rank comm ptr outrank
MPI_Cart_shift comm int int outrank outrank
MPI_Cart_sub comm ptr +comm
MPI_Cart_get comm int ptr ptr ptr
MPI_Cartdim_get comm ptr
MPI_Topo_test comm outtopology
MPI_Dist_graph_create_adjacent comm int ptr ptr int ptr ptr info int +comm
MPI_Dist_graph_neighbors_count comm ptr ptr bool
MPI_Neighbor_allgather buf int type buf int type comm
MPI_Neighbor_allgatherv buf int type buf ptr ptr type comm
MPI_Neighbor_alltoall buf int type buf int type comm
MPI_Neighbor_alltoallv buf ptr ptr type buf ptr ptr type comm
MPI_Ineighbor_allgather buf int type buf int type comm +request
MPI_Ineighbor_alltoall buf int type buf int type comm +request

MPI_Type_contiguous int type +type
MPI_Type_vector int int int type +type
MPI_Type_create_hvector int int aint type +type
MPI_Type_indexed int ptr ptr type +type
MPI_Type_create_hindexed int ptr aints type +type
MPI_Type_create_indexed_block int int ptr type +type
MPI_Type_create_struct int ptr aints types +type
MPI_Type_create_subarray int ptr ptr ptr order type +type
MPI_Type_create_resized type aint aint +type
MPI_Type_dup type +type
MPI_Type_commit *type
MPI_Type_free *type
MPI_Type_size type ptr
MPI_Type_get_extent type aints aints
MPI_Type_get_true_extent type aints aints
MPI_Type_set_name type ptr
MPI_Type_get_name type ptr ptr
MPI_Pack buf int type ptr int ptr comm
MPI_Unpack ptr int ptr buf int type comm
MPI_Pack_size int type comm ptr
`;

/** What a parameter is, in the words of the table. */
export type Parameter = string;

export const signatures: ReadonlyMap<string, readonly Parameter[]> = new Map(
  text
    .trim()
    .split(/\n+/)
    .map((line) => {
      const [name, ...parameters] = line.split(' ') as [string, ...string[]];
      return [name, parameters];
    }),
);

const handleKinds = new Set(['comm', 'type', 'op', 'group', 'request', 'info', 'errhandler', 'message']);
const wholeNumbers = new Set(['int', 'rank', 'tag', 'root', 'splittype', 'order', 'keyval']);

/** The type of C for a parameter. */
export function typeOf(parameter: Parameter, handleType: string): string {
  if (handleKinds.has(parameter)) return handleType;
  if (wholeNumbers.has(parameter)) return 'int32_t';
  return parameter === 'aint' ? 'intptr_t' : 'uintptr_t';
}

export const isHandleKind = (word: string): boolean => handleKinds.has(word);
