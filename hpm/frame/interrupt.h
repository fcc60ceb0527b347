/* SPDX-License-Identifier: BSD-3-Clause
 * A signal of the user (Ctrl+C, a closed terminal) while a file is written:
 * nothing of the file stays. */
#ifndef HPM_INTERRUPT_H
#define HPM_INTERRUPT_H

#include <stdbool.h>

#include "base/error.h"
#include "file/output.h"

/* As hpm_output_open.  Until interrupt_commit or interrupt_abandon, SIGINT,
 * SIGTERM, SIGHUP and SIGQUIT remove the unfinished file; then the program ends
 * by the signal, as it would have.  One file at a time. */
struct hpm_output *interrupt_open(const struct hpm_destination *destination,
                                  struct hpm_error *err);

/* As hpm_output_commit and hpm_output_abandon. */
bool interrupt_commit(struct hpm_output *output, bool is_synced,
                      char **ret_path, struct hpm_error *err);
void interrupt_abandon(struct hpm_output *output);

#endif
