/* SPDX-License-Identifier: BSD-3-Clause
 * What `hpm NAME` needs of each subcommand, and what the subcommands share. */
#ifndef HPM_SUBCOMMAND_H
#define HPM_SUBCOMMAND_H

#include "base/string.h"

/* Exit statuses of hpm; a subcommand may give GOOD and SOME_BAD a meaning of
 * its own, which its manual page tells. */
enum status { GOOD = 0, SOME_BAD = 1, USAGE = 2, NOTHING = 3, OUTPUT = 4 };

/* One subcommand: its file has one of these, main.c a table of all. */
struct subcommand {
    const char *name;
    const char *summary; /* a line of `hpm help`, lower case */
    const char *help;    /* all of `hpm help NAME`; ends with a newline */

    /* argv[0] is the name; returns the exit status. */
    enum status (*run)(int argc, char **argv);
};

extern const struct subcommand subcommand_check;
extern const struct subcommand subcommand_cut;
extern const struct subcommand subcommand_diff;
extern const struct subcommand subcommand_doctor;
extern const struct subcommand subcommand_explain;
extern const struct subcommand subcommand_integrate;
extern const struct subcommand subcommand_mean;
extern const struct subcommand subcommand_merge;
extern const struct subcommand subcommand_metrics;
extern const struct subcommand subcommand_plan;
extern const struct subcommand subcommand_recover;
extern const struct subcommand subcommand_report;

/* One line on standard error: "hpm doctor: sentence"; with "" as the name of
 * the subcommand "hpm: sentence". */
void subcommand_say(const char *name, const char *sentence);

/* All of the text to standard output: `otherwise`, or OUTPUT after saying why
 * where there was no memory for the text or it cannot be written. */
enum status subcommand_print(const char *name, const struct hpm_string *text,
                             enum status otherwise);

#endif
