/* SPDX-License-Identifier: BSD-3-Clause
 * Parts shared by the subcommands that analyse points (threads of a section, in
 * columns): their options, and the points. */
#ifndef HPM_POINTING_H
#define HPM_POINTING_H

#include "hpm/frame/inputs.h"
#include "hpm/frame/machine.h"
#include "study/points/points.h"
#include "study/tool/option.h"

struct pointing_options {
    const char *section, *metrics, *output, *arch;
    bool is_raw, is_exclusive, is_forced, is_of_calls;
    size_t most_bytes;
    uint64_t n_threads;
};

/* Lines of a table of options; `member` of the struct `type` is a struct
 * pointing_options. */
#define POINTING_OPTIONS(type, member)                                         \
    {0, "section", HPM_OPTION_WORD(type, member.section)},                     \
        {0, "metrics", HPM_OPTION_WORD(type, member.metrics)},                 \
        {0, "raw", HPM_OPTION_FLAG(type, member.is_raw)},                      \
        {0, "exclusive", HPM_OPTION_FLAG(type, member.is_exclusive)},          \
        {0, "calls", HPM_OPTION_FLAG(type, member.is_of_calls)},               \
        {'o', "output", HPM_OPTION_WORD(type, member.output)},                 \
        {0, "arch",                                                            \
         HPM_OPTION_CHECKED(type, member.arch, machine_check_arch)},           \
        {0, "force", HPM_OPTION_FLAG(type, member.is_forced)},                 \
        {0, "max-memory", HPM_OPTION_SIZE(type, member.most_bytes)},           \
    {                                                                          \
        0, "threads", HPM_OPTION_NUMBER(type, member.n_threads, 1, 1024)       \
    }

#define POINTING_COLUMNS_HELP                                                  \
    "      --metrics NAMES   columns: metrics, counters, IncSec, ExcSec, "     \
    "Count by name or\n"                                                       \
    "                        pattern: 'IPC, L1*' (all metrics)\n"              \
    "      --raw             counters instead of metrics\n"                    \
    "      --exclusive       what is the section's own, without sections "     \
    "inside it\n"                                                              \
    "      --calls           single calls (HPM_CALLS) instead of threads\n"

#define POINTING_FILES_HELP                                                    \
    "  -o, --output OUT      write OUT, which replaces nothing; - is "         \
    "standard output\n"                                                        \
    "      --arch PMU        metrics as they are defined for this "            \
    "processor\n"                                                              \
    "      --force           merge what does not look like one run\n"          \
    "      --max-memory SIZE what the files may take: 500M, 2G (half of "      \
    "the memory)\n"                                                            \
    "      --threads N       read by N threads (as many as there are "         \
    "processors)\n"                                                            \
    "\n"                                                                       \
    "Exit status: 0 good, 1 some files are bad, each is named, 2 wrong "       \
    "usage, 3 nothing\n"                                                       \
    "usable, 4 OUT cannot be written.\n"

struct pointing {
    const char *command;
    struct inputs inputs;
    struct hpm_study *study;
    struct hpm_callstudy calls; /* made of the study, where calls are the
                                 * points */
    struct hpm_survey *survey;
    struct hpm_points points;
};

/* Read the files of n words and take their points.  GOOD, SOME_BAD, or the
 * reason why there are no points, which was reported; close it in any case. */
enum status pointing_open(struct pointing *pointing, const char *command,
                          const struct pointing_options *options,
                          char *const *words, size_t n);

/* The same for one section: of those that --section names (without the option:
 * of all) the one with the most exclusive time.  Where there are several, a
 * line tells which was taken. */
enum status pointing_open_one(struct pointing *pointing, const char *command,
                              const struct pointing_options *options,
                              char *const *words, size_t n);
void pointing_close(struct pointing *pointing);

#endif
