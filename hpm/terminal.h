/* SPDX-License-Identifier: BSD-3-Clause
 * What standard output can show. */
#ifndef HPM_TERMINAL_H
#define HPM_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* Characters a line: COLUMNS where it is a number, else the terminal's width,
 * else 80. */
size_t terminal_width(void);

/* Is standard output a terminal that has colours, and NO_COLOR not set? */
bool terminal_has_colours(void);

#endif
