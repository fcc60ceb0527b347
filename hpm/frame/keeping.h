/* SPDX-License-Identifier: BSD-3-Clause
 * Storing what hpm doctor found out about this machine (source/machine/kept.h
 * reads the file). */
#ifndef HPM_KEEPING_H
#define HPM_KEEPING_H

#include "base/error.h"
#include "base/string.h"

/* Replace the facts that begin with `prefix` ("WRONG:") by those in `facts`, a
 * line each; keep the others.  Appends the file's path to `path`. */
bool keeping_write(const char *prefix, const char *facts,
                   struct hpm_string *path, struct hpm_error *err);

#endif
