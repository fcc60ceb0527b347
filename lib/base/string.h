/* SPDX-License-Identifier: BSD-3-Clause
 * Text that grows, numbers as text, and the few string questions we ask.
 * Nothing here depends on the locale. */
#ifndef HPM_BASE_STRING_H
#define HPM_BASE_STRING_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A growing text.  Start from {0}.  When memory runs out `failed` is set, the
 * text stays as it is and further additions do nothing: check once, at the
 * end. */
struct hpm_string {
    char *text; /* NULL while nothing was added; else ends in NUL */
    size_t length;
    size_t capacity;
    bool failed;
};

void hpm_string_free(struct hpm_string *string);

/* Free a text that something was made of, and say in *failed if that is not
 * whole for want of memory. */
void hpm_string_finish(struct hpm_string *string, bool *failed);

/* Empty the text but keep its memory. */
void hpm_string_clear(struct hpm_string *string);

/* Have memory for that many bytes in all, so that the text need not move while
 * they are added. */
void hpm_string_reserve(struct hpm_string *string, size_t length);

void hpm_string_add(struct hpm_string *string, const char *text);
void hpm_string_add_bytes(struct hpm_string *string, const char *bytes,
                          size_t length);
void hpm_string_add_char(struct hpm_string *string, char c);

/* Blanks from column `used` up to `width`. */
void hpm_string_add_blanks(struct hpm_string *string, size_t used,
                           size_t width);

/* The text of `more`, which is freed. */
void hpm_string_add_string(struct hpm_string *string, struct hpm_string *more);

/* Take blanks off the end. */
void hpm_string_trim(struct hpm_string *string);

/* printf.  Not for floating point: its decimal point is the locale's. */
void hpm_string_add_format(struct hpm_string *string, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void hpm_string_add_arguments(struct hpm_string *string, const char *format,
                              va_list arguments)
    __attribute__((format(printf, 2, 0)));

/* A decimal, as short as 15, 16 or 17 digits can be, that reads back as exactly
 * `value`; from 2^53 on, where a double may have been rounded, with an exponent.
 * NAN and the infinities are the caller's mistake: nothing is added. */
void hpm_string_add_real(struct hpm_string *string, double value);

/* `value` with that many decimals; from 2^53 on as above. */
void hpm_string_add_fixed(struct hpm_string *string, double value,
                          int decimals);

/* `value` with a comma between groups of three digits, for people. */
void hpm_string_add_grouped(struct hpm_string *string, uint64_t value);

/* `text` with characters that cannot be seen made visible as \xHH: no proper
 * ones (see hpm_string_character), those that begin a line, and those that turn
 * the direction of what is around them. */
void hpm_string_add_safe(struct hpm_string *string, const char *text);

/* The text, "" when nothing was added. */
const char *hpm_string_text(const struct hpm_string *string);

/* Equal, upper and lower case of ASCII letters alike. */
bool hpm_string_same_word(const char *a, const char *b);

/* Whole text as a decimal, or with 0x hexadecimal, number. */
bool hpm_string_to_count(const char *text, uint64_t *ret_value);

/* Edits (insert, delete, change, swap a letter) from a to b, at most
 * `limit`, which is also returned for longer words (over 63 bytes). */
unsigned hpm_string_distance(const char *a, const char *b, unsigned limit);

/* Bytes of the UTF-8 character at `text`, 0 if there is none that XML may
 * hold: malformed, over-long, surrogate, U+FFFE, U+FFFF, or a control
 * character other than tab, newline and carriage return. */
size_t hpm_string_character(const char *text);

/* As strcmp, but either may be NULL, which comes before every text. */
int hpm_string_compare(const char *a, const char *b);

#endif
