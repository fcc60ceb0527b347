/* SPDX-License-Identifier: BSD-3-Clause
 * Facts about this machine that hpm doctor has found and kept: events that
 * count wrongly. */
#ifndef HPM_SOURCE_MACHINE_KEPT_H
#define HPM_SOURCE_MACHINE_KEPT_H

#include "base/error.h"
#include "base/string.h"

/* Append the path of this machine's file: "HOST.machine" in the folder that
 * HPM_MACHINE names, else in $XDG_STATE_HOME/hpm-toolkit or
 * ~/.local/state/hpm-toolkit.  False if no folder is known. */
bool hpm_kept_add_path(struct hpm_string *path) __attribute__((cold));

/* Append the kept facts, each after a blank: "WRONG:L1D_CACHE".  Nothing if
 * there is no file, or it is of another processor. */
void hpm_kept_add_facts(struct hpm_string *facts) __attribute__((cold));

/* Append the line that names the file's processor. */
void hpm_kept_add_processor(struct hpm_string *text) __attribute__((cold));

/* Stands before each fact in the file. */
#define HPM_KEPT_FACT "fact "

#endif
