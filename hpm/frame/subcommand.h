/* SPDX-License-Identifier: BSD-3-Clause
 * What `hpm NAME` needs from each subcommand, and parts that they share. */
#ifndef HPM_SUBCOMMAND_H
#define HPM_SUBCOMMAND_H

#include "base/error.h"
#include "base/mark.h"
#include "base/string.h"

/* Exit statuses of hpm.  A subcommand may give GOOD and SOME_BAD other
 * meanings, which its manual page explains. */
enum status { GOOD = 0, SOME_BAD = 1, USAGE = 2, NOTHING = 3, OUTPUT = 4 };

/* One subcommand: its file, hpm/NAME.c, has one of these. */
struct subcommand {
    const char *name;
    const char *summary; /* for `hpm help`, lower case */
    const char *help;    /* all of `hpm help NAME`; ends with a newline */

    /* argv[0] is the name; returns the exit status. */
    enum status (*run)(int argc, char **argv);
};

/* All subcommands in the order of `hpm help`: those of every build, and those
 * that read performance files, which need libxml2. */
#define SUBCOMMANDS(DO)                                                        \
    DO(check)                                                                  \
    DO(doctor)                                                                 \
    DO(explain)                                                                \
    DO(functions) DO(import_definitions) DO(metrics) DO(plan) DO(probes)
#define FILE_SUBCOMMANDS(DO)                                                   \
    DO(report)                                                                 \
    DO(merge)                                                                  \
    DO(mean)                                                                   \
    DO(diff)                                                                   \
    DO(compare)                                                                \
    DO(integrate)                                                              \
    DO(campaign)                                                               \
    DO(audit)                                                                  \
    DO(cut)                                                                    \
    DO(points)                                                                 \
    DO(calls) DO(cluster) DO(components) DO(factors) DO(outliers) DO(recover)

#define SUBCOMMAND_DECLARE(name)                                               \
    extern const struct subcommand subcommand_##name;
SUBCOMMANDS(SUBCOMMAND_DECLARE)
FILE_SUBCOMMANDS(SUBCOMMAND_DECLARE)

/* Print a line on standard error: "hpm doctor: sentence"; for the name "":
 * "hpm: sentence". */
void subcommand_say(const char *name, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Print each line of a text as a line of its own. */
void subcommand_say_lines(const char *name, const char *lines);

/* Report why a subcommand fails.  Returns its exit status: `status`, but not
 * USAGE when memory ran out. */
enum status subcommand_fail(const char *name, const struct hpm_error *err,
                            enum status status);

/* Print the text to standard output, and free it: `otherwise`, or OUTPUT after
 * reporting why, where there was no memory for the text or it cannot be
 * written. */
enum status subcommand_print(const char *name, struct hpm_string *text,
                             enum status otherwise);

#endif
