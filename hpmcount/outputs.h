/* SPDX-License-Identifier: BSD-3-Clause
 * Where the report and the performance file go. */
#ifndef HPMCOUNT_OUTPUTS_H
#define HPMCOUNT_OUTPUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/string.h"
#include "file/output.h"
#include "hpmcount/options.h"
#include "metric/derived.h"
#include "model/experiment.h"

struct outputs {
    const struct options *options;
    struct hpm_destination file; /* of several runs, the first's */
    struct hpm_destination log, page;
    char *file_pattern;
    int file_fd; /* if has_file_fd: a named pipe, in place of the file */
    int log_fd; /* if has_log_fd: a copy of the program's descriptor, or a named
                  * pipe, in place of the log */
    char *file_name, *log_name; /* of these pipes; NULL: none */
    bool has_file, has_file_fd, has_log, has_log_fd, has_page;
};

/* Fix where they go, before the program starts.  False when one cannot be
 * written there. */
bool outputs_fix(struct outputs *ret_outputs, const struct options *options,
                 const struct hpm_run *run, struct hpm_error *err);

/* Write the performance file of a run, the first being 1, with the metrics, if
 * one is wanted, and say so where it got another name than asked for. */
void outputs_write_file(const struct outputs *outputs,
                        const struct hpm_experiment *experiment,
                        struct hpm_derived *derived, uint64_t run);

/* Write the report: to the log, or where that is not wanted or fails to
 * standard error, for a run is not repeated for a full disk. */
void outputs_write_report(const struct outputs *outputs,
                          const struct hpm_string *text);

/* Write lines that come before the report, while the program runs, to where the
 * report goes.  The first `header_length` bytes are a heading, which a file that has
 * it already does not get again. */
void outputs_stream(const struct outputs *outputs,
                    const struct hpm_string *text, size_t header_length);

/* What was said until now, as lines of such a table: not for a file of its own,
 * where it is said to the user. */
void outputs_stream_messages(const struct outputs *outputs);

/* What a pattern for the name of a file means for this run of so many; NULL when
 * it cannot be said. */
char *outputs_expand(const char *pattern, uint64_t run_number, uint64_t n_runs,
                     const struct hpm_run *run, struct hpm_error *err);

/* Write a performance file. */
bool outputs_write_experiment(const struct hpm_destination *destination,
                              const struct hpm_experiment *experiment,
                              struct hpm_derived *derived,
                              struct hpm_error *err);

/* Write the HTML page; false when that failed, which was said. */
bool outputs_write_page(const struct outputs *outputs,
                        const struct hpm_string *text);

void outputs_clear(struct outputs *outputs);

#endif
