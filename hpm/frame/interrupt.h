/* SPDX-License-Identifier: BSD-3-Clause
 * A signal from the user (Ctrl+C, a closed terminal) while a file is being
 * written: nothing of the file is left. */
#ifndef HPM_INTERRUPT_H
#define HPM_INTERRUPT_H

#include <stdbool.h>

#include "base/error.h"
#include "file/output.h"

/* As hpm_output_open.  Until interrupt_commit or interrupt_abandon, SIGINT,
 * SIGTERM, SIGHUP and SIGQUIT remove the unfinished file; then the signal ends
 * the program as usual.  One file at a time. */
struct hpm_output *interrupt_open(const struct hpm_destination *destination,
                                  struct hpm_error *err);

/* As hpm_output_commit and hpm_output_abandon. */
bool interrupt_commit(struct hpm_output *output, bool is_synced,
                      char **ret_path, struct hpm_error *err);
void interrupt_abandon(struct hpm_output *output);

#endif
