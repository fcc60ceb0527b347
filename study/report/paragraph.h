/* SPDX-License-Identifier: BSD-3-Clause
 * Text for people, broken into lines. */
#ifndef HPM_STUDY_REPORT_PARAGRAPH_H
#define HPM_STUDY_REPORT_PARAGRAPH_H

#include "base/string.h"

/* Append a text, broken between words at `width` (0: not broken); lines after
 * the first begin with `indent` blanks.  Ends with a newline. */
void hpm_paragraph_add(struct hpm_string *string, const char *text,
                       size_t width, size_t indent);

/* The width where none is given. */
enum { HPM_PARAGRAPH_WIDTH = 80 };

/* Append, at most HPM_PARAGRAPH_WIDTH wide,
 *
 *     `indent` blanks, `word`, blanks up to `column`, `text`
 *     further text, below the first
 *
 * Without a word the text begins at `column`. */
void hpm_paragraph_add_entry(struct hpm_string *string, size_t indent,
                             const char *word, size_t column, const char *text);

/* The same, at most `width` wide. */
void hpm_paragraph_add_entry_in(struct hpm_string *string, size_t width,
                                size_t indent, const char *word, size_t column,
                                const char *text);

/* Append the finished line in the same way, and empty it. */
void hpm_paragraph_add_line(struct hpm_string *string, struct hpm_string *line,
                            size_t width);

#endif
