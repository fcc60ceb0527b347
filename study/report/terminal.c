/* SPDX-License-Identifier: BSD-3-Clause
 * What a stream can display. */
#include "study/report/terminal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/string.h"

enum { USUAL_WIDTH = 80, LEAST_WIDTH = 40, MOST_WIDTH = 10000 };

static size_t
bounded(uint64_t width)
{
    if (width < LEAST_WIDTH)
        return LEAST_WIDTH;
    return width > MOST_WIDTH ? MOST_WIDTH : (size_t)width;
}

size_t
hpm_terminal_width(int fd)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size;
    uint64_t width;

    if (columns != NULL && hpm_string_to_count(columns, &width) && width > 0)
        return bounded(width);
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return bounded(size.ws_col);
    return USUAL_WIDTH;
}

bool
hpm_terminal_has_colours(int fd)
{
    const char *no_colour = getenv("NO_COLOR"); /* see no-color.org */
    const char *terminal = getenv("TERM");

    return isatty(fd) && terminal != NULL && terminal[0] != '\0' &&
           strcmp(terminal, "dumb") != 0 &&
           (no_colour == NULL || no_colour[0] == '\0');
}
