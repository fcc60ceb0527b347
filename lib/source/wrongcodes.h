/* SPDX-License-Identifier: BSD-3-Clause
 * Events that libpfm4 is known to encode wrongly: a table that is shipped
 * (wrongcodes.txt describes its lines), and the file that HPM_WRONG_CODES
 * names. */
#ifndef HPM_SOURCE_WRONGCODES_H
#define HPM_SOURCE_WRONGCODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* The shipped lines, as text; made from wrongcodes.txt. */
extern const char hpm_wrongcodes_shipped[];

/* The numbers with which the kernel's raw event is opened. */
struct hpm_code {
    uint64_t config, config1;
};

/* One line; the texts live as long as the process. */
struct hpm_wrongcode {
    const char *pmu;   /* libpfm4's name, "icx" */
    const char *event; /* "TOPDOWN:BACKEND_BOUND_SLOTS" */
    struct hpm_code wrong, right;
    bool has_right; /* false: the vendor has no such event */
    const char *source;
};

/* All lines; the first call reads them; any thread.  NULL, and *ret_n 0, if
 * there are none. */
const struct hpm_wrongcode *hpm_wrongcodes_get(size_t *ret_n)
    __attribute__((cold));

/* The first fault of the user's file, FILE:LINE and what was expected, or why
 * the file cannot be read; false if there is none.  Lines without a fault are
 * used. */
bool hpm_wrongcodes_complain(struct hpm_error *ret_complaint)
    __attribute__((cold));

/* Does a name, "EVENT:MASK:MASK:c=1" without "PMU::" in front, mean this line's
 * event, in any case and any order of masks?  The PMU is not compared. */
bool hpm_wrongcode_is_in(const struct hpm_wrongcode *line, const char *name)
    __attribute__((cold));

/* Read "0x4c2" or "0x4c2+0x8"; false for any other text. */
bool hpm_code_read(const char *text, struct hpm_code *ret_code)
    __attribute__((cold));

bool hpm_code_is_same(struct hpm_code a, struct hpm_code b)
    __attribute__((cold));

/* Why the event is refused, in one sentence. */
void hpm_wrongcode_explain(const struct hpm_wrongcode *line,
                           struct hpm_error *ret_reason) __attribute__((cold));

#endif
