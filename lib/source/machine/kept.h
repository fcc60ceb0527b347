/* SPDX-License-Identifier: BSD-3-Clause
 * What hpm doctor has found out about this machine once and kept: events that
 * count wrongly. */
#ifndef HPM_SOURCE_MACHINE_KEPT_H
#define HPM_SOURCE_MACHINE_KEPT_H

#include "base/error.h"
#include "base/string.h"

/* Append the path of this machine's file: "HOST.machine" in the folder that
 * HPM_MACHINE names, else in $XDG_STATE_HOME/hpm-toolkit or
 * ~/.local/state/hpm-toolkit.  False where no folder is known. */
bool hpm_kept_add_path(struct hpm_string *path) __attribute__((cold));

/* Append the kept facts, each after a blank: "WRONG:L1D_CACHE".  Nothing where there is no file, or it is of another
 * processor than this one. */
void hpm_kept_add_facts(struct hpm_string *facts) __attribute__((cold));

/* The line by which a file says of which processor it is. */
void hpm_kept_add_processor(struct hpm_string *text) __attribute__((cold));

/* As words among a machine's facts, and in front of each fact in the file. */
#define HPM_KEPT_FACT "fact "

#endif
