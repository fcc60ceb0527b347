/* SPDX-License-Identifier: BSD-3-Clause
 * Commands for sources: to go to, save and close them. */
#ifndef HPMVIZ_SHELL_SOURCECOMMANDS_H
#define HPMVIZ_SHELL_SOURCECOMMANDS_H

#include "hpmviz/shell/parts.h"

/* Add them to the window's actions. */
void hpmviz_sourcecommands_add(struct hpmviz_parts *parts);

/* Something is open, selected or changed that was not. */
void hpmviz_sourcecommands_update(const struct hpmviz_parts *parts);

#endif
