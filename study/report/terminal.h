/* SPDX-License-Identifier: BSD-3-Clause
 * What a stream can show. */
#ifndef HPM_STUDY_REPORT_TERMINAL_H
#define HPM_STUDY_REPORT_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* Characters a line of an open file: COLUMNS where it is a number, else the
 * terminal's width, else 80. */
size_t hpm_terminal_width(int fd);

/* Is an open file a terminal that has colours, and NO_COLOR not set? */
bool hpm_terminal_has_colours(int fd);

#endif
