/* SPDX-License-Identifier: BSD-3-Clause
 * What the subcommands share that find something in the points of a section:
 * options, and how what they have found is written. */
#ifndef HPM_ANALYSING_H
#define HPM_ANALYSING_H

#include "hpm/analysis/pointing.h"
#include "study/analysis/observations.h"

/* Places in analysing_formats; a subcommand may have more behind them. */
enum analysing_format { ANALYSING_TEXT, ANALYSING_CSV, ANALYSING_JSON };

#define ANALYSING_FORMATS "text", "csv", "json"

struct analysing_options {
    struct pointing_options points;
    unsigned format, scaling;
    const char *table; /* of CSV */
};

extern const char *const analysing_scalings[];

#define ANALYSING_OPTIONS(type, member)                                        \
    POINTING_OPTIONS(type, member.points),                                     \
    {                                                                          \
        0, "table", HPM_OPTION_WORD(type, member.table)                        \
    }

/* Where the scale matters. */
#define ANALYSING_SCALE(type, member)                                          \
    {                                                                          \
        0, "scale", HPM_OPTION_NAME(type, member.scaling, analysing_scalings)  \
    }

#define ANALYSING_HELP                                                         \
    "      --section LABEL   the section (the one with the most "              \
    "time)\n" POINTING_COLUMNS_HELP                                            \
    "      --table NAME      csv: another table than the usual one\n"

#define ANALYSING_SCALE_HELP                                                   \
    "      --scale HOW       z (the default): each column less its mean, by "  \
    "its deviation;\n"                                                         \
    "                        range: from 0 to 1; robust: by medians; none\n"

/* False, and why, where options do not go together. */
bool analysing_check(const struct analysing_options *options,
                     struct hpm_error *err);

/* Write what was found: as text for people, as JSON, or the table named
 * `usual`, or by --table, as CSV. */
enum status analysing_put(const char *command,
                          const struct analysing_options *options,
                          struct hpm_account *account, const char *usual,
                          enum status otherwise);

/* What a subcommand finds, and what that takes. */
struct analysing_method {
    const char *command, *usual_table;
    size_t least_rows, least_columns;
    bool (*describe)(const void *owner,
                     const struct hpm_observations *observations,
                     struct hpm_account *account, struct hpm_error *err);
    const void *owner;
};

/* All of it: read the files of n words, find it, write it. */
enum status analysing_run(const struct analysing_method *method,
                          const struct analysing_options *options,
                          char *const *words, size_t n);

/* How wide text may be. */
size_t analysing_width(void);

#endif
