/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of text for people, as long as there is room.  What could drive a
 * terminal is made visible. */
#ifndef HPM_REPORT_PROSE_H
#define HPM_REPORT_PROSE_H

#include <stdbool.h>

#include "base/string.h"
#include "model/study.h"

/* Where nobody says how wide: lines no longer than this. */
enum { HPM_PROSE_WIDTH = 80 };

/* Append a text, broken between words at `width` (0: not at all); lines after
 * the first begin with `indent` blanks.  Ends with a newline. */
void hpm_prose_add(struct hpm_string *string, const char *text, size_t width,
                   size_t indent);

/* Append, at most HPM_PROSE_WIDTH wide,
 *
 *     `indent` blanks, `word`, blanks up to `column`, `text`
 *     further text, below the first
 *
 * Without a word the text begins in its column. */
void hpm_prose_add_entry(struct hpm_string *string, size_t indent,
                         const char *word, size_t column, const char *text);

/* Append the line that was put together as hpm_prose_add does, and empty it. */
void hpm_prose_add_line(struct hpm_string *string, struct hpm_string *line,
                        size_t width);

/* Append "tasks 0-3, 7" behind the words before; nothing where it is all of
 * them.  is_in is per task. */
void hpm_prose_add_tasks(struct hpm_string *line, const struct hpm_study *study,
                         const bool *is_in, const char *before);

#endif
