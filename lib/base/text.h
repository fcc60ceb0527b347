/* SPDX-License-Identifier: BSD-3-Clause
 * Text with a length and without a NUL at its end, as Fortran passes it. */
#ifndef HPM_BASE_TEXT_H
#define HPM_BASE_TEXT_H

#include <stddef.h>

/* A caller's text: `length` bytes, padded with blanks.  NULL is an empty text,
 * and so is a length that no text can have (a negative one, passed on as
 * unsigned). */
struct hpm_counted {
    const char *bytes;
    size_t length;
};

enum { HPM_TEXT_ROOM = 256 };

/* The same text for C: it ends in NUL and has no blanks at the end. */
struct hpm_text {
    char *text;
    char room[HPM_TEXT_ROOM]; /* holds the text, unless it is longer */
};

/* Never fails: if memory runs out, a long text is cut to HPM_TEXT_ROOM - 1
 * bytes.  The text ends at the first NUL, for some programs add one. */
void hpm_text_init(struct hpm_text *text, struct hpm_counted counted);
void hpm_text_clear(struct hpm_text *text);

#endif
