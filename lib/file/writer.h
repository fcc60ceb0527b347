/* SPDX-License-Identifier: BSD-3-Clause
 * Writes an experiment as a performance file (xsd/hpm.xsd). */
#ifndef HPM_FILE_WRITER_H
#define HPM_FILE_WRITER_H

#include "base/string.h"
#include "file/output.h"
#include "metric/derived.h"
#include "model/experiment.h"

/* Write the whole experiment to the output, which the caller commits; with each
 * record the metrics derived from it, unless `derived` is NULL.  False when
 * memory runs out; hpm_output_commit reports failures of the disk. */
bool hpm_writer_write(const struct hpm_experiment *experiment,
                      struct hpm_derived *derived, struct hpm_output *output,
                      struct hpm_error *err);

/* Write the same bytes to memory. */
void hpm_writer_print(const struct hpm_experiment *experiment,
                      struct hpm_derived *derived, struct hpm_string *string);

/* Append `text` as the value of an attribute between double quotes.  XML cannot
 * hold every byte: a byte it cannot hold becomes \xHH, and a backslash \\, so
 * that the text can be restored. */
void hpm_writer_add_escaped(struct hpm_string *string, const char *text);

#endif
