/* SPDX-License-Identifier: BSD-3-Clause
 * Text with a length and no NUL at its end, as Fortran hands it over. */
#ifndef HPM_BASE_TEXT_H
#define HPM_BASE_TEXT_H

#include <stddef.h>

/* What a caller gave: `length` bytes, padded with blanks.  A length that no
 * text can have (a negative one, passed on as unsigned) is 0, as is NULL. */
struct hpm_counted {
    const char *bytes;
    size_t length;
};

enum { HPM_TEXT_ROOM = 256 };

/* The same as C has it, without the blanks at the end. */
struct hpm_text {
    char *text;
    char room[HPM_TEXT_ROOM]; /* where it is, unless it is longer */
};

/* Never fails: without memory a long text is cut to the room there is.  Ends
 * at a NUL, for some programs add one. */
void hpm_text_init(struct hpm_text *text, struct hpm_counted counted);
void hpm_text_clear(struct hpm_text *text);

#endif
