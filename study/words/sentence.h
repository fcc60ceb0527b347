/* SPDX-License-Identifier: BSD-3-Clause
 * Finished sentences in another language. */
#ifndef HPM_STUDY_WORDS_SENTENCE_H
#define HPM_STUDY_WORDS_SENTENCE_H

#include "base/string.h"

/* Append the translation of a sentence that is already put together: an error,
 * the reason for a missing count, a note read from a file.  The catalogue's text
 * that the sentence was made from is found by its words ("cannot open '%s': %s");
 * what stands for %s is translated in its turn where it is a sentence.  Appends
 * the sentence itself where nothing is found. */
void hpm_sentence_add(struct hpm_string *string, const char *text);

/* The same for lines, each a sentence behind what the line may begin with. */
void hpm_sentence_add_lines(struct hpm_string *string, const char *lines,
                            const char *beginning);

#endif
