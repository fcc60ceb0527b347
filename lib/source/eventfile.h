/* SPDX-License-Identifier: BSD-3-Clause
 * The file libHPM_events: what to count, as IBM's HPM Toolkit read it.
 *
 *     0 cycles             counter and event, a line each; here the number
 *     1 instructions       says nothing
 *
 *     branches             or, on a line alone, the name of a set
 *
 * Blank lines and what follows a '#' mean nothing. */
#ifndef HPM_SOURCE_EVENTFILE_H
#define HPM_SOURCE_EVENTFILE_H

#include "base/error.h"
#include "base/string.h"

#define HPM_EVENTFILE_NAME "libHPM_events"

enum hpm_eventfile {
    HPM_EVENTFILE_NONE,   /* there is no such file */
    HPM_EVENTFILE_EVENTS, /* *list has them, with commas between */
    HPM_EVENTFILE_SET,    /* *list has the name of one */
    HPM_EVENTFILE_BAD,    /* see err, which names the line */
};

/* Read the file of that name.  `list` is to be freed in any case. */
enum hpm_eventfile hpm_eventfile_read(const char *path, struct hpm_string *list,
                                      struct hpm_error *err)
    __attribute__((cold));

#endif
