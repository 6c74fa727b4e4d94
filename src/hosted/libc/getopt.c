/* Options of a command line. */
#include <getopt.h>
#include <stdio.h>
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

int getopt(int argc, char *const argv[], const char *options) {
  optarg = NULL;
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

int getopt_long(int argc, char *const argv[], const char *options, const struct option *long_options, int *index) {
  if (*next_letter || optind >= argc || strncmp(argv[optind], "--", 2) != 0 || !argv[optind][2]) {
    return getopt(argc, argv, options);
  }
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
