/* SPDX-License-Identifier: BSD-3-Clause
 * Commands from a section to its next measurement: calls in the source. */
#ifndef HPMVIZ_SHELL_MEASURECOMMANDS_H
#define HPMVIZ_SHELL_MEASURECOMMANDS_H

#include "hpmviz/shell/parts.h"

/* Add the commands to the window's actions. */
void hpmviz_measurecommands_add(struct hpmviz_parts *parts);

/* Another source is shown, or its text changed. */
void hpmviz_measurecommands_update(const struct hpmviz_parts *parts);

#endif
