/* SPDX-License-Identifier: BSD-3-Clause
 * The targets of the report and the performance file. */
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
    struct hpm_destination file; /* of several runs: the first one's file */
    struct hpm_destination log, page;
    char *file_pattern;
    int file_fd; /* if has_file_fd: a named pipe instead of the file */
    int log_fd;  /* if has_log_fd: a copy of the descriptor, or a named pipe,
                  * instead of the log */
    char *file_name, *log_name; /* names of these pipes, or NULL */
    bool has_file, has_file_fd, has_log, has_log_fd, has_page;
};

/* Fix the targets before the program starts.  False when one of them cannot be
 * written. */
bool outputs_fix(struct outputs *ret_outputs, const struct options *options,
                 const struct hpm_run *run, struct hpm_error *err);

/* Write the performance file of a run (the first is 1) with the metrics, if a
 * file is wanted, and report where its name is not the wanted one. */
void outputs_write_file(const struct outputs *outputs,
                        const struct hpm_experiment *experiment,
                        struct hpm_derived *derived, uint64_t run);

/* Append the path of that file as a value of HPM_OUTPUT_NAME, for a program that is to
 * write it.  Only if has_file.  False, with the reason, on failure. */
bool outputs_add_path(const struct outputs *outputs, const struct hpm_run *run,
                      uint64_t run_number, struct hpm_string *string,
                      struct hpm_error *err);

/* Write the report to the log; where no log is wanted or writing fails, to
 * standard error: a full disk must not lose a run. */
void outputs_write_report(const struct outputs *outputs,
                          const struct hpm_string *text);

/* Write lines that come before the report, while the program runs, to the same
 * target.  The first `header_length` bytes are a heading, which is left out
 * where the file has it already. */
void outputs_stream(const struct outputs *outputs,
                    const struct hpm_string *text, size_t header_length);

/* Write the messages so far as lines of such a table.  Not to a file of its
 * own: then the user sees them. */
void outputs_stream_messages(const struct outputs *outputs);

/* The file name of a pattern for one of n_runs runs; NULL, with the reason. */
char *outputs_expand(const char *pattern, uint64_t run_number, uint64_t n_runs,
                     const struct hpm_run *run, struct hpm_error *err);

/* Write a performance file. */
bool outputs_write_experiment(const struct hpm_destination *destination,
                              const struct hpm_experiment *experiment,
                              struct hpm_derived *derived,
                              struct hpm_error *err);

/* Write the HTML page; false after reporting a failure. */
bool outputs_write_page(const struct outputs *outputs,
                        const struct hpm_string *text);

void outputs_clear(struct outputs *outputs);

#endif
