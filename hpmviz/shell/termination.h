/* SPDX-License-Identifier: BSD-3-Clause
 * When the viewer is ended from outside, what was not saved is kept.
 */
#ifndef HPMVIZ_SHELL_TERMINATION_H
#define HPMVIZ_SHELL_TERMINATION_H

/* From now on: where the X server goes away all modified sources are kept as
 * drafts, one line says so, and the process exits with status 3.  SIGHUP,
 * SIGINT and SIGTERM keep them, too, before they end it.  After gtk_init.
 *
 * GDK leaves no such moment where a Wayland compositor goes away: then what was
 * typed in the last HPMVIZ_DRAFT_SECONDS is lost. */
void hpmviz_termination_prepare(void);

#endif
