/* SPDX-License-Identifier: BSD-3-Clause
 * Translation of finished sentences. */
#ifndef HPM_STUDY_WORDS_SENTENCE_H
#define HPM_STUDY_WORDS_SENTENCE_H

#include "base/string.h"

/* Append the translation of a finished sentence: an error, the reason for a
 * missing count, a note read from a file.  The catalogue's format that made the
 * sentence is found by its words ("cannot open '%s': %s"); an argument that is
 * itself a sentence is translated, too.  Appends the sentence itself where
 * nothing is found. */
void hpm_sentence_add(struct hpm_string *string, const char *text);

/* The same for several lines: each is a sentence, after `beginning` if the line
 * begins with it. */
void hpm_sentence_add_lines(struct hpm_string *string, const char *lines,
                            const char *beginning);

#endif
