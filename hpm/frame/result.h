/* SPDX-License-Identifier: BSD-3-Clause
 * Parts shared by subcommands that make one performance file of several: their
 * options, and writing the file.
 */
#ifndef HPM_RESULT_H
#define HPM_RESULT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "hpm/frame/inputs.h"
#include "study/file/studyfile.h"

/* Options that only some subcommands take. */
enum {
    RESULT_FORCE = 1,     /* --force */
    RESULT_TOLERANCE = 2, /* --tolerance */
    RESULT_LABEL = 4,     /* --root, --remove: one of them */
    RESULT_ARCH = 8,      /* --arch: metrics are computed again */
    RESULT_SAMPLES = 32,  /* --by, --format: a report of samples instead */
    RESULT_SUMMARY = 64,  /* --summary */
    RESULT_RENEWED = 16,  /* `combine` has computed the metrics already */
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
#define RESULT_SUMMARY_HELP                                                    \
    "      --summary         for each section the totals, and how the values " \
    "of the tasks'\n"                                                          \
    "                        threads lie; nothing of single tasks\n"
#define RESULT_ARCH_HELP                                                       \
    "      --arch PMU        metrics as they are defined for this processor\n"
#define RESULT_STATUS_HELP                                                     \
    "Exit status: 0 good, 1 some files are bad, each is named, 2 wrong "       \
    "usage, 3 nothing\n"                                                       \
    "usable, 4 OUT cannot be written.\n"

/* The values of `by` and `format` for RESULT_SAMPLES. */
enum { RESULT_BY_SECTION, RESULT_BY_FIRST_OF_SAMPLES };
enum { RESULT_FORMAT_TEXT, RESULT_FORMAT_CSV, RESULT_FORMAT_JSON };

struct result_options {
    const char *command;
    const char *output; /* OUT */
    bool is_forced, is_summary;
    double tolerance; /* a part; 0: not given */
    const char *root, *removed;
    const char *arch;
    unsigned by, format; /* of RESULT_BY_..., RESULT_FORMAT_... */
    bool renews_metrics;
    size_t most_bytes;
    uint64_t n_threads;
    char *const *words; /* FILE... */
    size_t n_words;
};

/* Read the argument of --tolerance as a part; false, with the reason, where it
 * is wrong. */
bool result_read_tolerance(const char *text, double *ret_part,
                           struct hpm_error *err);

/* Read the options of a subcommand that takes the options in `taken`.  False
 * when one is wrong, or -o is missing. */
bool result_parse(struct result_options *ret_options, const char *command,
                  unsigned taken, int argc, char **argv, struct hpm_error *err);

/* Find the files of n words; OUT must not be one of them. */
bool result_find(const struct result_options *options, char *const *words,
                 size_t n, struct inputs *inputs, struct hpm_error *err);

/* Print `what` piece by piece; false, with the reason, on failure. */
typedef bool result_print(const void *what, hpm_studyfile_put *put, void *owner,
                          struct hpm_error *err);

/* Write OUT, packed where its name says so.  The file is written completely or
 * not at all, and replaces nothing: where the name is taken the file gets a
 * number, which is reported.  *ret_shown is its path as the user would write
 * it. */
bool result_write_file(const char *command, const char *output,
                       result_print *print, const void *what,
                       struct hpm_string *ret_shown, struct hpm_error *err);

/* Write the text to `output` in this way, or to standard output where `output`
 * is NULL or "-", and free it.  Returns `otherwise`, or OUTPUT after reporting
 * why. */
enum status result_put(const char *command, const char *output,
                       struct hpm_string *text, enum status otherwise);

/* Compute the metrics again where `taken` had RESULT_ARCH, write OUT, and
 * report a summary of it.  Returns `status` where this worked. */
enum status result_write(const struct result_options *options,
                         struct hpm_study *study, const struct inputs *inputs,
                         enum status status);

/* Compute the metrics of a study again, and report problems of definitions.
 * False when there is no memory. */
bool result_renew(const struct result_options *options, struct hpm_study *study,
                  struct hpm_error *err);

/* Combine all studies; NULL, with the reason, on failure.  The studies are not
 * used afterwards. */
typedef struct hpm_study *result_combine(const struct result_options *options,
                                         struct hpm_study *const *studies,
                                         size_t n, struct hpm_error *err);

/* A whole subcommand that reads its files, combines them and writes OUT. */
enum status result_run(const char *command, unsigned taken, int argc,
                       char **argv, result_combine *combine);

#endif
