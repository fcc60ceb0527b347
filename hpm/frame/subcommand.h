/* SPDX-License-Identifier: BSD-3-Clause
 * What `hpm NAME` needs of each subcommand, and what the subcommands share. */
#ifndef HPM_SUBCOMMAND_H
#define HPM_SUBCOMMAND_H

#include "base/error.h"
#include "base/mark.h"
#include "base/string.h"

/* Exit statuses of hpm; a subcommand may give GOOD and SOME_BAD a meaning of
 * its own, which its manual page tells. */
enum status { GOOD = 0, SOME_BAD = 1, USAGE = 2, NOTHING = 3, OUTPUT = 4 };

/* One subcommand: its file, hpm/NAME.c, has one of these. */
struct subcommand {
    const char *name;
    const char *summary; /* a line of `hpm help`, lower case */
    const char *help;    /* all of `hpm help NAME`; ends with a newline */

    /* argv[0] is the name; returns the exit status. */
    enum status (*run)(int argc, char **argv);
};

/* All of them, in the order of `hpm help`: those of every build, and those that
 * read performance files, which need libxml2. */
#define SUBCOMMANDS(DO)                                                        \
    DO(check) DO(doctor) DO(explain) DO(import_definitions) DO(metrics) DO(plan)
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

/* One line on standard error: "hpm doctor: sentence"; with "" as the name of
 * the subcommand "hpm: sentence". */
void subcommand_say(const char *name, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Say each line of a text for itself. */
void subcommand_say_lines(const char *name, const char *lines);

/* Say why a subcommand fails; returns the status it ends with: `status`, but that
 * memory ran out is no wrong usage. */
enum status subcommand_fail(const char *name, const struct hpm_error *err,
                            enum status status);

/* All of the text to standard output, and free it: `otherwise`, or OUTPUT after
 * saying why where there was no memory for the text or it cannot be written. */
enum status subcommand_print(const char *name, struct hpm_string *text,
                             enum status otherwise);

#endif
