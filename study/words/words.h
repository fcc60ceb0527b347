/* SPDX-License-Identifier: BSD-3-Clause
 * Texts for people, in their language.  Only what a person reads is translated,
 * and only where a tool prints it: what is kept or written for programs stays
 * English. */
#ifndef HPM_STUDY_WORDS_WORDS_H
#define HPM_STUDY_WORDS_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mark.h"

/* A constant text. */
#ifndef _ /* a program of GLib has its own, of the same catalogue */
#define _(text) hpm_words_get(text)
#endif

/* Use the language that LANGUAGE, LC_ALL, LC_MESSAGES and LANG ask for, where
 * there is a translation into it.  Before, and in a program that never calls this,
 * all texts are English.  Costs four looks at the environment where that asks
 * for English or nothing.  The locale of the process stays as it is. */
void hpm_words_begin(void);

bool hpm_words_are_translated(void);

/* All texts are English until it is called with false: for a page that is
 * English as a whole. */
void hpm_words_pause(bool is_paused);

/* The translation of a text that N_() or a definition of metrics has whole; the
 * text itself where there is none, NULL for NULL. */
const char *hpm_words_get(const char *text) __attribute__((format_arg(1)));

/* That of one or of several, by n. */
const char *hpm_words_of(const char *one, const char *several, size_t n)
    __attribute__((format_arg(1), format_arg(2)));

/* What the system says of an error (strerror). */
const char *hpm_words_of_system(const char *text);

/* The file of translations in use; NULL where there is none.  Belongs to the
 * caller. */
char *hpm_words_file(void);

#endif
