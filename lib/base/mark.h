/* SPDX-License-Identifier: BSD-3-Clause
 * Which texts of the library a tool may show in another language. */
#ifndef HPM_BASE_MARK_H
#define HPM_BASE_MARK_H

/* The text itself.  Translators get what stands in N_() or is the format of an
 * error (hpm_error_set); a measured program, and every file, has it in English,
 * and a tool translates where it prints (study/words/words.h). */
#ifndef N_ /* GLib has one for itself */
#define N_(text) text
#endif

#endif
