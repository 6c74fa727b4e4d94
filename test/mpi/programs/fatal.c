/* Sends to a rank that is not there, with nobody who asks for the error. */
#include <mpi.h>
#include <stdio.h>

int main(void) {
  int value = 0, rank;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) {
    MPI_Send(&value, 1, MPI_INT, 77, 0, MPI_COMM_WORLD);
    printf("after it\n");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
