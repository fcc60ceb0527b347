/* SPDX-License-Identifier: BSD-3-Clause
 * How things are looked at: choices of the View menu, as actions with a state.
 */
#ifndef HPMVIZ_SHELL_VIEWCOMMANDS_H
#define HPMVIZ_SHELL_VIEWCOMMANDS_H

#include "hpmviz/shell/parts.h"

/* Add them to the window's actions; they follow the session's view and the
 * preferences. */
void hpmviz_viewcommands_add(struct hpmviz_parts *parts);

#endif
