/* SPDX-License-Identifier: BSD-3-Clause
 * What a stream can display. */
#ifndef HPM_STUDY_REPORT_TERMINAL_H
#define HPM_STUDY_REPORT_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* Columns of an open file: COLUMNS where it is a number, else the terminal's
 * width, else 80. */
size_t hpm_terminal_width(int fd);

/* Is the open file a terminal with colours, and NO_COLOR not set? */
bool hpm_terminal_has_colours(int fd);

#endif
