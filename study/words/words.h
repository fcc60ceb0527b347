/* SPDX-License-Identifier: BSD-3-Clause
 * Texts for people, in their language.  Only what a person reads is translated,
 * and only where a tool prints it: what is stored, or written for programs,
 * stays English. */
#ifndef HPM_STUDY_WORDS_WORDS_H
#define HPM_STUDY_WORDS_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mark.h"

/* Marks a constant text for translation. */
#ifndef _ /* GLib programs define it themselves, for the same catalogue */
#define _(text) hpm_words_get(text)
#endif

/* Use the language given by LANGUAGE, LC_ALL, LC_MESSAGES and LANG, where there
 * is a translation into it.  Before this call, and in a program that never
 * calls it, all texts are English.  If the variables ask for English or
 * nothing, the cost is four look-ups in the environment.  The locale of the
 * process does not change. */
void hpm_words_begin(void);

bool hpm_words_are_translated(void);

/* With true, all texts are English until the call with false: for a page that
 * is English as a whole. */
void hpm_words_pause(bool is_paused);

/* The translation of a whole text of N_() or of a definition of metrics; the
 * text itself where there is none, NULL for NULL. */
const char *hpm_words_get(const char *text) __attribute__((format_arg(1)));

/* The translation of the singular or the plural, by n. */
const char *hpm_words_of(const char *one, const char *several, size_t n)
    __attribute__((format_arg(1), format_arg(2)));

/* The translation of a system error's text (strerror). */
const char *hpm_words_of_system(const char *text);

/* The path of the translations in use; NULL where there is none.  Free it. */
char *hpm_words_file(void);

#endif
