/*
 * What public programs take from POSIX besides files: numbers and addresses of the internet, memory by pages, times, options, folders.
 * It prints the same anywhere: posix.expected is what glibc's prints. It makes its folder and files itself, where it is run.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <byteswap.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static void network(void) {
  static const char *const texts[] = {"127.0.0.1", "1.2", "0x7f.1", "010.1.1.1", "256.1.1.1", "1.2.3.4.5", "4294967295", "1.2.3.65536", "", "1..2", "1.2.3.4x", "a.b"};
  uint32_t value = 0x12345678;
  unsigned char bytes[4];
  memcpy(bytes, &(uint32_t){htonl(value)}, 4);
  printf("%02x%02x%02x%02x %x %x %x %x\n", bytes[0], bytes[1], bytes[2], bytes[3], ntohl(value), htons(0x1234), ntohs(0xff00), bswap_32(value));
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct in_addr found, exact;
    int aton = inet_aton(texts[i], &found) != 0, pton = inet_pton(AF_INET, texts[i], &exact);
    char text[INET_ADDRSTRLEN];
    /* What is found where nothing is right is any library's own. */
    if (!aton) found.s_addr = 0;
    if (!pton) exact.s_addr = 0;
    printf("'%s' %d %s", texts[i], aton, inet_ntoa(found));
    printf(" %d %s %x\n", pton, inet_ntop(AF_INET, &exact, text, sizeof text), inet_addr(texts[i]));
  }
  char small[8];
  struct in_addr loopback = {htonl(INADDR_LOOPBACK)};
  printf("short %d", inet_ntop(AF_INET, &loopback, small, sizeof small) == NULL);
  printf(" %d\n", errno == ENOSPC);
}

static int by_name(const struct dirent *one) { return one->d_name[0] == 'f'; }

static void folders(void) {
  mkdir("posix-folder", 0755);
  for (int i = 0; i < 150; i++) {
    char name[80];
    sprintf(name, "posix-folder/%s-%03d-%s", i % 3 ? "file" : "other", i, "a-name-that-is-rather-long-for-one-buffer");
    FILE *file = fopen(name, "w");
    fprintf(file, "%d", i);
    fclose(file);
  }
  mkdir("posix-folder/inner", 0755);
  DIR *folder = opendir("posix-folder");
  int counts[3] = {0};
  for (int round = 0; round < 2; round++, rewinddir(folder)) {
    for (struct dirent *one; (one = readdir(folder)) != NULL;) {
      if (one->d_name[0] == '.') continue;
      counts[0]++;
      counts[1] += one->d_type == DT_REG;
      counts[2] += one->d_type == DT_DIR && strcmp(one->d_name, "inner") == 0;
    }
  }
  closedir(folder);
  printf("twice %d, files %d, folders %d\n", counts[0], counts[1], counts[2]);
  struct dirent **list = NULL;
  int count = scandir("posix-folder", &list, by_name, alphasort);
  printf("sorted %d %s %s\n", count, list[0]->d_name, list[count - 1]->d_name);
  for (int i = 0; i < count; i++) free(list[i]);
  free(list);
  printf("missing %d", opendir("posix-folder/nothing") == NULL);
  printf(" %d\n", errno == ENOENT);
  folder = opendir("posix-folder");
  for (struct dirent *one; (one = readdir(folder)) != NULL;) {
    char path[400];
    sprintf(path, "posix-folder/%s", one->d_name);
    if (one->d_name[0] != '.' && one->d_type == DT_REG) unlink(path);
  }
  closedir(folder);
  rmdir("posix-folder/inner");
  printf("emptied %d\n", rmdir("posix-folder"));
}

static void pages(void) {
  size_t page = sysconf(_SC_PAGESIZE);
  int *memory = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int sum = 0;
  for (size_t i = 0; i < 3 * page / sizeof *memory; i++) sum += memory[i];
  for (size_t i = 0; i < 3 * page / sizeof *memory; i += 100) memory[i] = 1;
  printf("aligned %d, zero %d\n", (uintptr_t)memory % page == 0, sum);
  printf("pages %d %d", mprotect(memory, page, PROT_READ | PROT_WRITE), madvise(memory, page, MADV_SEQUENTIAL));
  printf(" %d\n", munmap(memory, 3 * page));
  FILE *file = fopen("posix-file", "w");
  for (int i = 0; i < 5000; i++) fprintf(file, "%04d", i);
  fclose(file);
  int descriptor = open("posix-file", O_RDONLY);
  char *text = mmap(NULL, 20000, PROT_READ, MAP_PRIVATE, descriptor, 0);
  char *own = mmap(NULL, 20000, PROT_READ | PROT_WRITE, MAP_PRIVATE, descriptor, 0);
  close(descriptor);
  own[0] = 'x';
  printf("file %.4s %.4s %.4s %.4s\n", text, own, text + 400, text + 19996);
  printf("aligned %d, zero %d\n", (uintptr_t)own % page == 0, text[20000]);
  munmap(text, 20000);
  munmap(own, 20000);
  unlink("posix-file");
  printf("wrong %d", mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
  printf(" %d\n", errno == EINVAL);
}

static void times(void) {
  struct timeval now;
  struct timespec moment, before, after;
  struct rusage usage;
  gettimeofday(&now, NULL);
  clock_gettime(CLOCK_REALTIME, &moment);
  clock_gettime(CLOCK_MONOTONIC, &before);
  usleep(2000);
  clock_gettime(CLOCK_MONOTONIC, &after);
  double passed = (after.tv_sec - before.tv_sec) * 1e9 + after.tv_nsec - before.tv_nsec;
  printf("time %d %d %d %d\n", now.tv_sec > 1600000000 && now.tv_usec < 1000000, moment.tv_sec - now.tv_sec < 60, passed >= 2e6,
         getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_utime.tv_usec < 1000000);
}

static void options(void) {
  char *words[] = {"name", "-n", "12", "first", "--size=30", "-vq", "--verbose", "--", "-x", NULL};
  static int quiet;
  static const struct option longs[] = {
      {"size", required_argument, NULL, 's'}, {"verbose", no_argument, NULL, 'v'}, {"quiet", no_argument, &quiet, 1}, {NULL, 0, NULL, 0}};
  int option;
  optind = 1;
  while ((option = getopt_long(9, words, "n:vq", longs, NULL)) != -1) printf("%c%s ", option, optarg ? optarg : "");
  printf("left");
  for (; optind < 9; optind++) printf(" %s", words[optind]);
  printf("\n");
}

int main(void) {
  network();
  folders();
  pages();
  times();
  options();
  return 0;
}
