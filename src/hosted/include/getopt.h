/* Options of a command line (POSIX, and GNU's long ones). */
#ifndef MILLRACE_GETOPT_H
#define MILLRACE_GETOPT_H

extern char *optarg;
extern int optind;
extern int opterr;
extern int optopt;

struct option {
  const char *name;
  int has_arg;
  int *flag;
  int val;
};
#define no_argument 0
#define required_argument 1
#define optional_argument 2

int getopt(int argc, char *const argv[], const char *options);
int getopt_long(int argc, char *const argv[], const char *options, const struct option *long_options, int *index);

#endif
