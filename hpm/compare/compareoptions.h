/* SPDX-License-Identifier: BSD-3-Clause
 * The options of hpm compare. */
#ifndef HPM_COMPAREOPTIONS_H
#define HPM_COMPAREOPTIONS_H

#include "hpm/compare/comparing.h"
#include "hpm/compare/storedruns.h"
#include "study/compare/gate.h"

enum compareoptions_format { COMPARE_TEXT, COMPARE_JSON, COMPARE_MARKDOWN };

/* A parameter of a command, and its values. */
struct compareoptions_sweep {
    char *name; /* NULL: no sweep */
    char *values[HPM_SAMPLES_MOST_SIDES];
    size_t n_values;
    struct storedruns_side command; /* as the user typed it */
};

struct compareoptions {
    struct comparing_options comparing;
    uint64_t n_rounds; /* 0: not given */
    double until;      /* a part; 0: not given */
    bool has_seed;
    bool is_forced; /* use runs that failed, too */
    unsigned format;
    struct hpm_gate limits;
    const char *baseline; /* a file, or NULL */
    bool renews;          /* write the baseline again */
    struct compareoptions_sweep sweep;
    const char *svg; /* a file for the sweep's plot, or NULL */

    /* what to compare: commands to run, or files of runs */
    struct comparing_command commands[HPM_SAMPLES_MOST_SIDES];
    size_t n_commands;
    struct storedruns_side files[HPM_SAMPLES_MOST_SIDES];
    size_t n_files;
    char **spread; /* the command line that these point into */
    char **words;  /* of the commands of a sweep */
};

/* Fill the options, which begin as {0}, from a command line; false, with the
 * reason, where it is wrong. */
bool compareoptions_parse(struct compareoptions *options, int argc, char **argv,
                          struct hpm_error *err);
void compareoptions_clear(struct compareoptions *options);

#define COMPAREOPTIONS_HELP                                                    \
    "  -r, --runs N         run each command N times (10; with --until at "    \
    "most 300)\n"                                                              \
    "      --until PERCENT  stop as soon as a difference is found, or one of " \
    "so much would\n"                                                          \
    "                       have been, or it cannot be hoped for\n"            \
    "      --warmup N       first run each command N times uncounted\n"        \
    "      --prepare LINE   have the shell run LINE before each run\n"         \
    "  -e, --events LIST    count these events (instructions, cycles, "        \
    "page-faults)\n"                                                           \
    "      --sections       the commands measure themselves, by libhpm\n"      \
    "      --only LIST      compare only these metrics\n"                      \
    "      --section GLOB   compare only sections of such a path or label\n"   \
    "      --functions      of files with samples: their functions, too\n"     \
    "      --any-program    files may be of programs of different names\n"     \
    "      --force          take files of runs that failed, too\n"             \
    "      --show-output    let the commands print\n"                          \
    "  -i, --ignore-status  go on when a command fails\n"                      \
    "      --folder NAME    keep the performance files of all runs in a new "  \
    "folder\n"                                                                 \
    "      --fail-if LIMIT... exit status 1 where such a limit is crossed: "   \
    "'TIME > +3 %',\n"                                                         \
    "                       '*@solve: INSTRUCTIONS > +1 %'\n"                  \
    "      --baseline FILE  A is what FILE has of earlier runs\n"              \
    "      --renew          write the runs of the last command to FILE\n"      \
    "      --sweep NAME=V,V... run one command with {NAME}, and the variable " \
    "NAME, of\n"                                                               \
    "                       each value: table and plot of the speed-up\n"      \
    "      --svg FILE       draw the plot of --sweep\n"                        \
    "      --format FORMAT  text, json or markdown\n"                          \
    "      --seed N         of the order of the runs\n"

#endif
