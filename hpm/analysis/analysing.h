/* SPDX-License-Identifier: BSD-3-Clause
 * Parts shared by the subcommands that analyse the points of a section:
 * options, and writing of results. */
#ifndef HPM_ANALYSING_H
#define HPM_ANALYSING_H

#include "hpm/analysis/pointing.h"
#include "study/analysis/observations.h"

/* Indices in analysing_formats; a subcommand may have more formats after
 * these. */
enum analysing_format { ANALYSING_TEXT, ANALYSING_CSV, ANALYSING_JSON };

#define ANALYSING_FORMATS "text", "csv", "json"

struct analysing_options {
    struct pointing_options points;
    unsigned format, scaling;
    const char *table; /* for CSV */
};

extern const char *const analysing_scalings[];

#define ANALYSING_OPTIONS(type, member)                                        \
    POINTING_OPTIONS(type, member.points),                                     \
    {                                                                          \
        0, "table", HPM_OPTION_WORD(type, member.table)                        \
    }

/* For subcommands to whose results the scale matters. */
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

/* False, with the reason, where options cannot be combined. */
bool analysing_check(const struct analysing_options *options,
                     struct hpm_error *err);

/* Write the result: as text for people, as JSON, or as CSV the table named by
 * --table, without that `usual`.  Returns `otherwise` where this worked. */
enum status analysing_put(const char *command,
                          const struct analysing_options *options,
                          struct hpm_account *account, const char *usual,
                          enum status otherwise);

/* What a subcommand computes, and what it needs. */
struct analysing_method {
    const char *command, *usual_table;
    size_t least_rows, least_columns;
    bool (*describe)(const void *owner,
                     const struct hpm_observations *observations,
                     struct hpm_account *account, struct hpm_error *err);
    const void *owner;
};

/* Do all: read the files of n words, compute, write. */
enum status analysing_run(const struct analysing_method *method,
                          const struct analysing_options *options,
                          char *const *words, size_t n);

/* The width for text. */
size_t analysing_width(void);

#endif
