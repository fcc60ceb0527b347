/* SPDX-License-Identifier: BSD-3-Clause
 * An experiment as a performance file (xsd/hpm.xsd). */
#ifndef HPM_FILE_WRITER_H
#define HPM_FILE_WRITER_H

#include "base/string.h"
#include "file/output.h"
#include "metric/derived.h"
#include "model/experiment.h"

/* Write the whole experiment to the output, which the caller commits, and with
 * each record the metrics derived from it, unless `derived` is NULL.  False
 * when there is no memory; failures of the disk are told by the commit. */
bool hpm_writer_write(const struct hpm_experiment *experiment,
                      struct hpm_derived *derived, struct hpm_output *output,
                      struct hpm_error *err);

/* The same bytes, to memory. */
void hpm_writer_print(const struct hpm_experiment *experiment,
                      struct hpm_derived *derived, struct hpm_string *string);

/* Append `text` as it stands in an attribute between double quotes.  XML
 * cannot hold every byte: one that it cannot becomes \xHH, and a backslash
 * \\, so that the text can be had back. */
void hpm_writer_add_escaped(struct hpm_string *string, const char *text);

#endif
