/* SPDX-License-Identifier: BSD-3-Clause
 * Sentences as lines of limited width. */
#ifndef HPM_REPORT_PROSE_H
#define HPM_REPORT_PROSE_H

#include "base/string.h"

/* Lines no longer than this, where words allow it. */
enum { HPM_PROSE_WIDTH = 80 };

/* Append the lines
 *
 *     `indent` blanks, `word`, blanks up to `column`, `text`
 *     further text, below the first
 *
 * broken at blanks.  What could drive a terminal is made visible.  Without a
 * word the text begins in its column. */
void hpm_prose_add(struct hpm_string *string, size_t indent, const char *word,
                   size_t column, const char *text);

#endif
