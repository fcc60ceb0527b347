/* SPDX-License-Identifier: BSD-3-Clause
 * Which texts of the library a tool may show in another language. */
#ifndef HPM_BASE_MARK_H
#define HPM_BASE_MARK_H

/* N_() marks a text for translators and changes nothing.  Translators get the
 * texts in N_() and the formats of errors (hpm_error_set).  A measured program
 * and every file keep the English text; a tool translates where it prints
 * (study/words/words.h). */
#ifndef N_ /* GLib defines its own */
#define N_(text) text
#endif

#endif
