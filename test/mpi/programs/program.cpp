// MPI from a program in C++: each rank adds squares of its part, and the first prints what all have.
#include <mpi.h>

#include <cstdio>
#include <numeric>
#include <vector>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<long long> all(rank == 0 ? 300 : 0), part(300 / size);
  std::iota(all.begin(), all.end(), 1);
  const int count = static_cast<int>(part.size());
  MPI_Scatter(all.data(), count, MPI_LONG_LONG, part.data(), count, MPI_LONG_LONG, 0, MPI_COMM_WORLD);
  long long own = std::accumulate(part.begin(), part.end(), 0LL, [](long long sum, long long x) { return sum + x * x; });
  long long sum = 0;
  MPI_Reduce(&own, &sum, 1, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) std::printf("%lld\n", sum);
  MPI_Finalize();
}
