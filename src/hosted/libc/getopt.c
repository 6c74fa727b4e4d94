/*
 * Options of a command line. As GNU's, the functions look behind arguments that are no options and move those to the end, unless the
 * letters begin with '+' or POSIXLY_CORRECT is in the environment.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *optarg;
int optind = 1;
int opterr = 1;
int optopt;

/* The next letter of an argument with several. */
static const char *next_letter = "";

static int complain(char *const argv[], const char *options, const char *text, const char *what, int length) {
  if (opterr && *options != ':') fprintf(stderr, "%s: %s -- '%.*s'\n", argv[0], text, length, what);
  return '?';
}

static int read_letter(int argc, char *const argv[], const char *options) {
  optarg = NULL;
  if (*options == '+') options++;
  if (!*next_letter) {
    if (optind >= argc || argv[optind][0] != '-' || !argv[optind][1]) return -1;
    if (strcmp(argv[optind], "--") == 0) {
      ++optind;
      return -1;
    }
    next_letter = argv[optind] + 1;
  }
  const char *letter = next_letter++;
  const char *known = *letter == ':' ? NULL : strchr(options, *letter);
  optopt = *letter;
  if (!known) {
    if (!*next_letter) ++optind;
    return complain(argv, options, "invalid option", letter, 1);
  }
  if (known[1] == ':') {
    if (*next_letter) optarg = (char *)next_letter;
    else if (known[2] != ':' && ++optind < argc) optarg = argv[optind];
    next_letter = "";
    ++optind;
    if (!optarg && known[2] != ':') {
      complain(argv, options, "option requires an argument", letter, 1);
      return *options == ':' ? ':' : '?';
    }
  } else if (!*next_letter) ++optind;
  return *letter;
}

static int read_option(
    int argc, char *const argv[], const char *options, const struct option *long_options, int *index) {
  if (!long_options || *next_letter || optind >= argc || strncmp(argv[optind], "--", 2) != 0 || !argv[optind][2]) {
    return read_letter(argc, argv, options);
  }
  if (*options == '+') options++;
  const char *name = argv[optind++] + 2;
  size_t length = strcspn(name, "=");
  const struct option *found = NULL;
  for (const struct option *one = long_options; one->name; ++one) {
    if (strncmp(one->name, name, length) != 0) continue;
    found = one;
    if (strlen(one->name) == length) break;
  }
  optarg = NULL;
  optopt = 0;
  if (!found) return complain(argv, options, "unrecognized option", name, length);
  if (name[length] == '=') {
    if (found->has_arg == no_argument) return complain(argv, options, "option takes no argument", name, length);
    optarg = (char *)name + length + 1;
  } else if (found->has_arg == required_argument) {
    if (optind >= argc) {
      complain(argv, options, "option requires an argument", name, length);
      return *options == ':' ? ':' : '?';
    }
    optarg = argv[optind++];
  }
  if (index) *index = found - long_options;
  if (!found->flag) return found->val;
  *found->flag = found->val;
  return 0;
}

/* The words of an option come before those that were skipped. */
static void move_to_front(char **argv, int skipped, int end, int count) {
  for (; count > 0; count--) {
    char *last = argv[end - 1];
    memmove(argv + skipped + 1, argv + skipped, (end - 1 - skipped) * sizeof *argv);
    argv[skipped] = last;
  }
}

int getopt_long(int argc, char *const argv[], const char *options, const struct option *long_options, int *index) {
  int skipped = optind;
  if (*options != '+' && !getenv("POSIXLY_CORRECT")) {
    int next = optind;
    while (next < argc && (argv[next][0] != '-' || !argv[next][1])) next++;
    if (next >= argc) return -1;
    optind = next;
  }
  int first = optind, found = read_option(argc, argv, options, long_options, index);
  if (first > skipped) {
    int count = optind - first;
    move_to_front((char **)argv, skipped, optind, count);
    optind = skipped + count;
  }
  return found;
}

int getopt(int argc, char *const argv[], const char *options) { return getopt_long(argc, argv, options, NULL, NULL); }
