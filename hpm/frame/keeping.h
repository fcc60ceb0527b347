/* SPDX-License-Identifier: BSD-3-Clause
 * Writing down what hpm doctor has found out about this machine
 * (source/machine/kept.h reads it). */
#ifndef HPM_KEEPING_H
#define HPM_KEEPING_H

#include "base/error.h"
#include "base/string.h"

/* Replace the facts that begin with `prefix` ("WRONG:") by those of `facts`, a
 * line each; others stay.  The path is appended to `path`. */
bool keeping_write(const char *prefix, const char *facts,
                   struct hpm_string *path, struct hpm_error *err);

#endif
