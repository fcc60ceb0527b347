/* SPDX-License-Identifier: BSD-3-Clause
 * What the subcommands that make one performance file of others share: their
 * options, and the file they make.
 */
#ifndef HPM_RESULT_H
#define HPM_RESULT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "hpm/frame/inputs.h"
#include "study/file/studyfile.h"

/* Options that only some of them take. */
enum {
    RESULT_FORCE = 1,     /* --force */
    RESULT_TOLERANCE = 2, /* --tolerance */
    RESULT_LABEL = 4,     /* --root, --remove: one of them */
    RESULT_ARCH = 8,      /* --arch: metrics are computed again */
    RESULT_SAMPLES = 32,  /* --by, --format: a report of samples instead */
    RESULT_RENEWED = 16,  /* what combines them has done that already */
};

#define RESULT_OPTIONS_HELP                                                    \
    "  -o, --output OUT      write OUT; packed by gzip where it ends in .gz; " \
    "- is standard\n"                                                          \
    "                        output; no file is ever replaced\n"               \
    "      --max-memory SIZE what a file, and the result, may take: 500M, "    \
    "2G (half of\n"                                                            \
    "                        the memory)\n"                                    \
    "      --threads N       read by N threads (as many as there are "         \
    "processors)\n"
#define RESULT_FORCE_HELP                                                      \
    "      --force           combine what does not look like going together\n"
#define RESULT_ARCH_HELP                                                       \
    "      --arch PMU        metrics as they are defined for this processor\n"
#define RESULT_STATUS_HELP                                                     \
    "Exit status: 0 good, 1 some files are bad, each is named, 2 wrong "       \
    "usage, 3 nothing\n"                                                       \
    "usable, 4 OUT cannot be written.\n"

/* What `by` and `format` are of RESULT_SAMPLES. */
enum { RESULT_BY_SECTION, RESULT_BY_FIRST_OF_SAMPLES };
enum { RESULT_FORMAT_TEXT, RESULT_FORMAT_CSV, RESULT_FORMAT_JSON };

struct result_options {
    const char *command;
    const char *output; /* OUT */
    bool is_forced;
    double tolerance; /* a part; 0: not said */
    const char *root, *removed;
    const char *arch;
    unsigned by, format; /* of RESULT_BY_..., RESULT_FORMAT_... */
    bool renews_metrics;
    size_t most_bytes;
    uint64_t n_threads;
    char *const *words; /* FILE... */
    size_t n_words;
};

/* The argument of --tolerance as a part; false, and why, where it is wrong. */
bool result_read_tolerance(const char *text, double *ret_part,
                           struct hpm_error *err);

/* Read the options of a subcommand that takes these of the above.  False when
 * one is wrong, or -o is missing. */
bool result_parse(struct result_options *ret_options, const char *command,
                  unsigned taken, int argc, char **argv, struct hpm_error *err);

/* Find the files of n words, of which OUT must not be one. */
bool result_find(const struct result_options *options, char *const *words,
                 size_t n, struct inputs *inputs, struct hpm_error *err);

/* Print `what` piece by piece; false, and why, where that fails. */
typedef bool result_print(const void *what, hpm_studyfile_put *put, void *owner,
                          struct hpm_error *err);

/* Write OUT, packed where its name says so; it is whole or not there, and
 * replaces nothing: where it is there already the file gets a number, which is
 * said.  *ret_shown is its path as the user would name it. */
bool result_write_file(const char *command, const char *output,
                       result_print *print, const void *what,
                       struct hpm_string *ret_shown, struct hpm_error *err);

/* Write all of the text to `output` like that, or to standard output where it is
 * NULL or "-", and free it: `otherwise`, or OUTPUT after saying why. */
enum status result_put(const char *command, const char *output,
                       struct hpm_string *text, enum status otherwise);

/* Compute the metrics again where `taken` had RESULT_ARCH, write OUT and say in
 * short what is in it.  `status` where that worked. */
enum status result_write(const struct result_options *options,
                         struct hpm_study *study, const struct inputs *inputs,
                         enum status status);

/* Compute the metrics of a study again, and say what is wrong with definitions.
 * False when there is no memory. */
bool result_renew(const struct result_options *options, struct hpm_study *study,
                  struct hpm_error *err);

/* The result of all studies; NULL, and why, where there is none.  The studies are
 * not used afterwards. */
typedef struct hpm_study *result_combine(const struct result_options *options,
                                         struct hpm_study *const *studies,
                                         size_t n, struct hpm_error *err);

/* All a subcommand does that reads its files, combines them and writes OUT. */
enum status result_run(const char *command, unsigned taken, int argc,
                       char **argv, result_combine *combine);

#endif
