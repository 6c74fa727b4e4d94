/* MPI from a program in C: each rank checks what it gets against what the ranks' numbers say, and ends the job if it is wrong. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                   \
  do {                                                                     \
    if (!(condition)) {                                                    \
      fprintf(stderr, "rank %d, line %d: %s\n", rank, __LINE__, #condition); \
      MPI_Abort(MPI_COMM_WORLD, 3);                                        \
    }                                                                      \
  } while (0)

typedef struct {
  char letter;
  double value;
  long number;
} record;

static int rank, size, calls;

/* The larger by its square; counts how often it is called. */
static void farther(void *in, void *inout, int *length, MPI_Datatype *type) {
  int *a = in, *b = inout;
  calls += *type == MPI_INT ? 1 : 1000;
  for (int i = 0; i < *length; i += 1)
    if (a[i] * a[i] > b[i] * b[i]) b[i] = a[i];
}

static void messages(void) {
  int next = (rank + 1) % size, before = (rank + size - 1) % size;
  double out[3] = {rank, rank + 0.5, -1}, in[4] = {9, 9, 9, 9};
  MPI_Status status;
  int count = -1;
  CHECK(MPI_Sendrecv(out, 3, MPI_DOUBLE, next, 4, in, 4, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status) == MPI_SUCCESS);
  CHECK(status.MPI_SOURCE == before && status.MPI_TAG == 4);
  MPI_Get_count(&status, MPI_DOUBLE, &count);
  CHECK(count == 3 && in[0] == before && in[1] == before + 0.5 && in[3] == 9);
  MPI_Get_count(&status, MPI_BYTE, &count);
  CHECK(count == 24);
  MPI_Get_elements(&status, MPI_LONG, &count);
  CHECK(count == 6);

  /* Many requests, in an order of their own. */
  enum { many = 12 };
  MPI_Request requests[2 * many];
  MPI_Status statuses[2 * many];
  long numbers[many], sent[many];
  for (int i = 0; i < many; i += 1) {
    sent[i] = 1000 * rank + i;
    MPI_Irecv(&numbers[i], 1, MPI_LONG, before, i, MPI_COMM_WORLD, &requests[i]);
  }
  for (int i = 0; i < many; i += 1)
    MPI_Isend(&sent[many - 1 - i], 1, MPI_LONG, next, many - 1 - i, MPI_COMM_WORLD, &requests[many + i]);
  MPI_Waitall(2 * many, requests, statuses);
  for (int i = 0; i < many; i += 1) {
    CHECK(numbers[i] == 1000 * before + i && statuses[i].MPI_TAG == i && statuses[i].MPI_SOURCE == before);
    CHECK(requests[i] == MPI_REQUEST_NULL);
  }

  /* One by one, with nobody waiting for the last. */
  MPI_Irecv(numbers, 1, MPI_LONG, before, 50, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(numbers + 1, 1, MPI_LONG, before, 51, MPI_COMM_WORLD, &requests[1]);
  MPI_Send(sent + 1, 1, MPI_LONG, next, 51, MPI_COMM_WORLD);
  int index = -1, flag = 1;
  MPI_Waitany(2, requests, &index, &status);
  CHECK(index == 1 && requests[1] == MPI_REQUEST_NULL && requests[0] != MPI_REQUEST_NULL);
  MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
  CHECK(!flag);
  MPI_Cancel(&requests[0]);
  MPI_Wait(&requests[0], &status);
  MPI_Test_cancelled(&status, &flag);
  CHECK(flag);
  MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
  CHECK(index == MPI_UNDEFINED);
  int some[2], amount = 0;
  MPI_Irecv(numbers, 1, MPI_LONG, before, 52, MPI_COMM_WORLD, &requests[0]);
  MPI_Send(sent, 1, MPI_LONG, next, 52, MPI_COMM_WORLD);
  MPI_Waitsome(2, requests, &amount, some, statuses);
  CHECK(amount == 1 && some[0] == 0 && statuses[0].MPI_TAG == 52);

  /* Persistent ones. */
  int token = 0, got = -1;
  MPI_Recv_init(&got, 1, MPI_INT, before, 6, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init(&token, 1, MPI_INT, next, 6, MPI_COMM_WORLD, &requests[1]);
  for (int round = 0; round < 4; round += 1) {
    token = 10 * rank + round;
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK(got == 10 * before + round && requests[0] != MPI_REQUEST_NULL);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  CHECK(requests[0] == MPI_REQUEST_NULL);

  /* Probes, matched ones too, and nobody. */
  MPI_Request sending;
  MPI_Isend(out, 2, MPI_DOUBLE, next, 8, MPI_COMM_WORLD, &sending);
  MPI_Message message;
  MPI_Mprobe(before, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
  CHECK(status.MPI_TAG == 8);
  MPI_Mrecv(in, 4, MPI_DOUBLE, &message, &status);
  CHECK(message == MPI_MESSAGE_NULL && in[0] == before);
  MPI_Wait(&sending, MPI_STATUS_IGNORE);
  MPI_Iprobe(MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  CHECK(!flag);
  MPI_Recv(in, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
  CHECK(status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);

  /* Through a buffer of the program's. */
  int bytes = 1000 + MPI_BSEND_OVERHEAD, taken = 0;
  void *buffer = malloc(bytes), *back = 0;
  MPI_Buffer_attach(buffer, bytes);
  MPI_Bsend(sent, 1, MPI_LONG, next, 9, MPI_COMM_WORLD);
  MPI_Recv(numbers, 1, MPI_LONG, before, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Buffer_detach(&back, &taken);
  CHECK(back == buffer && taken == bytes);
  free(buffer);
}

static void together(void) {
  int values[8], all[64], counts[8], places[8], total = 0;
  if (rank == 1) strcpy((char *)values, "from one");
  MPI_Bcast(values, 9, MPI_CHAR, 1, MPI_COMM_WORLD);
  CHECK(strcmp((char *)values, "from one") == 0);

  /* Rank r gives r + 1 values, with one place between them. */
  for (int i = 0; i < size; i += 1) {
    counts[i] = i + 1;
    places[i] = total;
    total += i + 2;
  }
  for (int i = 0; i < 64; i += 1) all[i] = -1;
  for (int i = 0; i <= rank; i += 1) values[i] = rank;
  MPI_Gatherv(values, rank + 1, MPI_INT, rank == 0 ? all : NULL, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0)
    for (int i = 0; i < size; i += 1) CHECK(all[places[i]] == i && all[places[i] + i] == i && all[places[i] + i + 1] == -1);
  MPI_Allgatherv(values, rank + 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; i += 1) CHECK(all[places[i] + i] == i);
  for (int i = 0; i < size; i += 1) values[i] = 10 * rank + i;
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; i += 1) CHECK(values[i] == 10 * i + rank);
  MPI_Scatter(all, 1, MPI_INT, rank == 0 ? MPI_IN_PLACE : (void *)values, 1, MPI_INT, 0, MPI_COMM_WORLD);

  long longs[2] = {rank + 1L, -rank}, sums[2];
  MPI_Allreduce(longs, sums, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sums[0] == size * (size + 1) / 2 && sums[1] == -size * (size - 1) / 2);
  MPI_Allreduce(MPI_IN_PLACE, longs, 2, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
  CHECK(longs[0] == size && longs[1] == 0);
  struct {
    double value;
    int place;
  } pair = {(rank * 5) % size, rank}, most;
  MPI_Reduce(&pair, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, size - 1, MPI_COMM_WORLD);
  if (rank == size - 1) CHECK(most.value == size - 1 && (most.place * 5) % size == size - 1);
  int sum = 0, one = rank + 1;
  MPI_Scan(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sum == (rank + 1) * (rank + 2) / 2);

  MPI_Request request;
  MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_PROD, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  int product = 1;
  for (int i = 1; i <= size; i += 1) product *= i;
  CHECK(sum == product);

  /* A function of the program, on more than fits into anything small. */
  enum { length = 3000 };
  static int given[length], result[length];
  for (int i = 0; i < length; i += 1) given[i] = (rank % 2 ? -1 : 1) * (rank * 10 + i % 7);
  MPI_Op op;
  MPI_Op_create(farther, 1, &op);
  MPI_Allreduce(given, result, length, MPI_INT, op, MPI_COMM_WORLD);
  int last = size - 1;
  for (int i = 0; i < length; i += 1) CHECK(result[i] == (last % 2 ? -1 : 1) * (last * 10 + i % 7));
  MPI_Op_free(&op);
  CHECK(op == MPI_OP_NULL && calls < 1000);
  int most_calls = 0;
  MPI_Allreduce(&calls, &most_calls, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  CHECK(size == 1 || most_calls > 0);
}

static void types(void) {
  int next = (rank + 1) % size, before = (rank + size - 1) % size;
  float matrix[20], plain[20];
  for (int i = 0; i < 20; i += 1) matrix[i] = 100 * rank + i;
  MPI_Datatype column, block, fitted, recorded;
  MPI_Type_vector(4, 1, 5, MPI_FLOAT, &column);
  MPI_Type_commit(&column);
  MPI_Sendrecv(matrix + 1, 1, column, next, 0, plain, 4, MPI_FLOAT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < 4; i += 1) CHECK(plain[i] == 100 * before + 5 * i + 1);
  int sizes[2] = {4, 5}, subsizes[2] = {2, 3}, starts[2] = {1, 2};
  MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_FLOAT, &block);
  MPI_Type_commit(&block);
  MPI_Sendrecv(matrix, 1, block, next, 0, plain, 6, MPI_FLOAT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < 6; i += 1) CHECK(plain[i] == 100 * before + 5 * (1 + i / 3) + 2 + i % 3);
  MPI_Aint lower = -1, extent = -1;
  MPI_Type_get_extent(block, &lower, &extent);
  int bytes = 0;
  MPI_Type_size(block, &bytes);
  CHECK(lower == 0 && extent == 80 && bytes == 24);

  /* Structures, by the places that their fields have in this program. */
  record mine = {'a' + rank, rank * 1.5, 7L * rank}, theirs;
  int lengths[3] = {1, 1, 1};
  MPI_Aint places[3], base;
  MPI_Datatype fields[3] = {MPI_CHAR, MPI_DOUBLE, MPI_LONG};
  MPI_Get_address(&mine, &base);
  MPI_Get_address(&mine.letter, &places[0]);
  MPI_Get_address(&mine.value, &places[1]);
  MPI_Get_address(&mine.number, &places[2]);
  for (int i = 0; i < 3; i += 1) places[i] = MPI_Aint_diff(places[i], base);
  MPI_Type_create_struct(3, lengths, places, fields, &fitted);
  MPI_Type_create_resized(fitted, 0, sizeof(record), &recorded);
  MPI_Type_free(&fitted);
  MPI_Type_commit(&recorded);
  MPI_Sendrecv(&mine, 1, recorded, next, 0, &theirs, 1, recorded, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(theirs.letter == 'a' + before && theirs.value == before * 1.5 && theirs.number == 7L * before);
  char packed[64];
  int position = 0;
  MPI_Pack(&mine, 1, recorded, packed, 64, &position, MPI_COMM_WORLD);
  CHECK(position == 1 + 8 + 4);
  position = 0;
  MPI_Unpack(packed, 64, &position, &theirs, 1, recorded, MPI_COMM_WORLD);
  CHECK(theirs.value == mine.value);
  MPI_Type_free(&column);
  CHECK(column == MPI_DATATYPE_NULL);
  MPI_Type_free(&block);
  MPI_Type_free(&recorded);
}

static void structure(void) {
  MPI_Comm half, grid, dup;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  int half_rank, half_size, compared;
  MPI_Comm_rank(half, &half_rank);
  MPI_Comm_size(half, &half_size);
  CHECK(half_size == 2 && half_rank == (rank < 2));
  MPI_Comm_dup(half, &dup);
  MPI_Comm_compare(half, dup, &compared);
  CHECK(compared == MPI_CONGRUENT);
  MPI_Comm_compare(half, half, &compared);
  CHECK(compared == MPI_IDENT);
  MPI_Comm_free(&dup);
  CHECK(dup == MPI_COMM_NULL);
  MPI_Comm none;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? 1 : MPI_UNDEFINED, 0, &none);
  CHECK((none == MPI_COMM_NULL) == (rank != 0));
  MPI_Group world, odd;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int members[2] = {1, 3}, in_world[2], in_odd[2] = {-9, -9}, odd_rank;
  MPI_Group_incl(world, 2, members, &odd);
  MPI_Group_rank(odd, &odd_rank);
  CHECK(odd_rank == (rank % 2 ? rank / 2 : MPI_UNDEFINED));
  in_world[0] = 3;
  in_world[1] = 2;
  MPI_Group_translate_ranks(world, 2, in_world, odd, in_odd);
  CHECK(in_odd[0] == 1 && in_odd[1] == MPI_UNDEFINED);
  MPI_Group_free(&odd);
  MPI_Group_free(&world);

  int dims[2] = {0, 0}, periods[2] = {0, 1}, at[2], topology, below, above;
  MPI_Dims_create(size, 2, dims);
  CHECK(dims[0] == 2 && dims[1] == 2);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Topo_test(grid, &topology);
  CHECK(topology == MPI_CART);
  MPI_Topo_test(MPI_COMM_WORLD, &topology);
  CHECK(topology == MPI_UNDEFINED);
  MPI_Cart_coords(grid, rank, 2, at);
  CHECK(at[0] == rank / 2 && at[1] == rank % 2);
  MPI_Cart_shift(grid, 0, 1, &below, &above);
  CHECK(below == (rank < 2 ? MPI_PROC_NULL : rank - 2) && above == (rank < 2 ? rank + 2 : MPI_PROC_NULL));
  int neighbours[4] = {-7, -7, -7, -7};
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, neighbours, 1, MPI_INT, grid);
  CHECK(neighbours[0] == (rank < 2 ? -7 : rank - 2) && neighbours[2] == (rank ^ 1));
  MPI_Comm_free(&grid);

  char name[MPI_MAX_OBJECT_NAME];
  int length;
  MPI_Comm_set_name(half, "half of the world");
  MPI_Comm_get_name(half, name, &length);
  CHECK(strcmp(name, "half of the world") == 0 && length == 17);
  MPI_Comm_free(&half);
  void *bound = 0;
  int flag = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &flag);
  CHECK(flag && *(int *)bound >= 32767);
}

static void errors(void) {
  MPI_Errhandler handler;
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
  CHECK(handler == MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
  CHECK(handler == MPI_ERRORS_RETURN);
  int value = 0, class = 0, length = 0;
  char text[MPI_MAX_ERROR_STRING];
  int code = MPI_Send(&value, 1, MPI_INT, size, 0, MPI_COMM_WORLD);
  MPI_Error_class(code, &class);
  CHECK(class == MPI_ERR_RANK);
  MPI_Error_string(code, text, &length);
  CHECK(length > 0 && (strstr(text, "rank") || strstr(text, "RANK")));
  MPI_Error_class(MPI_Send(&value, 1, (MPI_Datatype)0x999999, 0, 0, MPI_COMM_WORLD), &class);
  CHECK(class == MPI_ERR_TYPE);
  /* What is outside of the program's memory is no buffer. */
  MPI_Error_class(MPI_Send((void *)0xfffffff0, 100, MPI_INT, 0, 0, MPI_COMM_WORLD), &class);
  CHECK(class == MPI_ERR_BUFFER);
  MPI_Error_class(MPI_Bcast(&value, 0x7fffffff, MPI_DOUBLE, 0, MPI_COMM_WORLD), &class);
  CHECK(class == MPI_ERR_BUFFER);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv) {
  int provided = -1, flag = 1, version = 0, subversion = 0, length = 0;
  MPI_Initialized(&flag);
  if (flag) return 4;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(provided >= MPI_THREAD_SERIALIZED && size == 4 && argc == 2 && strcmp(argv[1], "word") == 0);
  MPI_Get_version(&version, &subversion);
  CHECK(version >= 3);
  char name[MPI_MAX_PROCESSOR_NAME];
  static char library[MPI_MAX_LIBRARY_VERSION_STRING];
  MPI_Get_processor_name(name, &length);
  CHECK(length > 0 && strlen(name) == (size_t)length);
  MPI_Get_library_version(library, &length);
  CHECK(strstr(library, "MPI"));
  double start = MPI_Wtime();
  CHECK(MPI_Wtick() > 0 && MPI_Wtick() < 1);
  messages();
  together();
  types();
  structure();
  errors();
  CHECK(MPI_Wtime() >= start);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  MPI_Finalized(&flag);
  CHECK(flag);
  printf("rank %d of %d: well\n", rank, size);
  return 0;
}
