/*
 * Breadth-first search of a graph, one vertex after another: what bench/device-enqueue.ts compares with. Its argument is a file
 * of 32-bit words: the number of vertices, of edges, where each vertex's edges begin (one more than there are vertices),
 * and where the edges lead. For each line of its input it searches from vertex 0 and prints the milliseconds, the
 * number of vertices found and the sum of their distances.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e3 + time.tv_nsec * 1e-6;
}

int main(int count, char **arguments) {
  FILE *file = count > 1 ? fopen(arguments[1], "rb") : NULL;
  int sizes[2];
  if (!file || fread(sizes, 4, 2, file) != 2) return 1;
  const size_t vertices = sizes[0], edges = sizes[1];
  int *first = malloc((vertices + 1) * 4), *to = malloc(edges * 4);
  int *distance = malloc(vertices * 4), *queue = malloc(vertices * 4);
  if (fread(first, 4, vertices + 1, file) != vertices + 1 || fread(to, 4, edges, file) != edges) return 1;
  while (getchar() != EOF) {
    const double start = now();
    memset(distance, -1, vertices * 4);
    size_t head = 0, tail = 0;
    distance[0] = 0;
    queue[tail++] = 0;
    while (head < tail) {
      const int vertex = queue[head++], next = distance[vertex] + 1;
      for (int edge = first[vertex]; edge < first[vertex + 1]; edge++) {
        const int other = to[edge];
        if (distance[other] >= 0) continue;
        distance[other] = next;
        queue[tail++] = other;
      }
    }
    const double took = now() - start;
    long long sum = 0;
    for (size_t i = 0; i < vertices; i++) sum += distance[i] < 0 ? 0 : distance[i];
    printf("%f %zu %lld\n", took, tail, sum);
    fflush(stdout);
  }
  return 0;
}
