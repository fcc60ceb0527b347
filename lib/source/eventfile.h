/* SPDX-License-Identifier: BSD-3-Clause
 * The file libHPM_events: the events to count, as IBM's HPM Toolkit read it.
 *
 *     0 cycles             counter and event, one line each; here the
 *     1 instructions       counter's number has no meaning
 *
 *     branches             or, on a single line, the name of a set
 *
 * Blank lines, and text after a '#', are ignored. */
#ifndef HPM_SOURCE_EVENTFILE_H
#define HPM_SOURCE_EVENTFILE_H

#include "base/error.h"
#include "base/string.h"

#define HPM_EVENTFILE_NAME "libHPM_events"

enum hpm_eventfile {
    HPM_EVENTFILE_NONE,   /* there is no such file */
    HPM_EVENTFILE_EVENTS, /* *list has the events, with commas between */
    HPM_EVENTFILE_SET,    /* *list has the name of a set */
    HPM_EVENTFILE_BAD,    /* see err, which names the line */
};

/* Read the file `path`.  The caller frees `list` in any case. */
enum hpm_eventfile hpm_eventfile_read(const char *path, struct hpm_string *list,
                                      struct hpm_error *err)
    __attribute__((cold));

#endif
