/* SPDX-License-Identifier: BSD-3-Clause
 * Commands for performance files: open, add, reload, export. */
#ifndef HPMVIZ_SHELL_FILECOMMANDS_H
#define HPMVIZ_SHELL_FILECOMMANDS_H

#include "hpmviz/shell/parts.h"

/* Add them to the window's actions. */
void hpmviz_filecommands_add(struct hpmviz_parts *parts);

/* Keep the menu of files opened lately as they are. */
void hpmviz_filecommands_fill_recent(GMenu *menu);

/* What has been opened now belongs to them. */
void hpmviz_filecommands_add_recent(const struct hpmviz_parts *parts);

/* What was dropped on the window. */
void hpmviz_filecommands_drop(struct hpmviz_parts *parts,
                              GtkSelectionData *selection,
                              GdkDragContext *context, guint time);

#endif
