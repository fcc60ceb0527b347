/* SPDX-License-Identifier: BSD-3-Clause
 * Text that grows, numbers as text, and the few questions we ask about strings.
 * Nothing here depends on the locale. */
#ifndef HPM_BASE_STRING_H
#define HPM_BASE_STRING_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A growing text.  Start from {0}.  When memory runs out, `failed` is set, the
 * text stays unchanged and further additions do nothing: check once, at the
 * end. */
struct hpm_string {
    char *text; /* NULL while nothing was added; else ends in NUL */
    size_t length;
    size_t capacity;
    bool failed;
};

void hpm_string_free(struct hpm_string *string);

/* Free the text; set *failed if the text is incomplete because memory ran
 * out. */
void hpm_string_finish(struct hpm_string *string, bool *failed);

/* Empty the text but keep its memory. */
void hpm_string_clear(struct hpm_string *string);

/* Take memory for a text of `length` bytes, so that the text does not move
 * while it grows to that length. */
void hpm_string_reserve(struct hpm_string *string, size_t length);

void hpm_string_add(struct hpm_string *string, const char *text);
void hpm_string_add_bytes(struct hpm_string *string, const char *bytes,
                          size_t length);
void hpm_string_add_char(struct hpm_string *string, char c);

/* Add blanks from column `used` up to `width`. */
void hpm_string_add_blanks(struct hpm_string *string, size_t used,
                           size_t width);

/* Add the text of `more`, and free `more`. */
void hpm_string_add_string(struct hpm_string *string, struct hpm_string *more);

/* Remove blanks at the end. */
void hpm_string_trim(struct hpm_string *string);

/* Add as printf does.  Not for floating point: printf uses the locale's decimal
 * point. */
void hpm_string_add_format(struct hpm_string *string, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void hpm_string_add_arguments(struct hpm_string *string, const char *format,
                              va_list arguments)
    __attribute__((format(printf, 2, 0)));

/* Add the shortest decimal of 15, 16 or 17 digits that reads back as exactly
 * `value`; with an exponent from 2^53 on, where a double may have been rounded.
 * NAN and the infinities are the caller's mistake: nothing is added. */
void hpm_string_add_real(struct hpm_string *string, double value);

/* Add `value` with that many decimals; from 2^53 on as hpm_string_add_real
 * does.  What is rounded to zero has no sign. */
void hpm_string_add_fixed(struct hpm_string *string, double value,
                          int decimals);

/* Add `value` with a comma between groups of three digits, for people. */
void hpm_string_add_grouped(struct hpm_string *string, uint64_t value);

/* Add `text`, and write as \xHH each byte that is part of no proper character
 * (see hpm_string_character), of a line break or tab, or of a character that
 * changes the direction of the text around it. */
void hpm_string_add_safe(struct hpm_string *string, const char *text);

/* The text, "" when nothing was added. */
const char *hpm_string_text(const struct hpm_string *string);

/* Are the words equal, when upper and lower case of ASCII letters count as the
 * same? */
bool hpm_string_same_word(const char *a, const char *b);

/* Read the whole text as a decimal number, or with 0x as a hexadecimal one;
 * false if it is neither or too large. */
bool hpm_string_to_count(const char *text, uint64_t *ret_value);

/* The number of edits (insert, delete, change, swap a letter) from a to b, at
 * most `limit`.  Words of over 63 bytes give `limit`. */
unsigned hpm_string_distance(const char *a, const char *b, unsigned limit);

/* Bytes of the UTF-8 character at `text`; 0 if XML may not hold it: malformed,
 * over-long, surrogate, U+FFFE, U+FFFF, or a control character other than tab,
 * newline and carriage return. */
size_t hpm_string_character(const char *text);

/* Like strcmp, but either text may be NULL; NULL comes before every text. */
int hpm_string_compare(const char *a, const char *b);

#endif
