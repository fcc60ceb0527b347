/* SPDX-License-Identifier: BSD-3-Clause
 * What hpmcount says on standard error besides its report. */
#include "hpmcount/say.h"

#include <string.h>
#include <unistd.h>

#include "base/write.h"

void
say(const char *sentence)
{
    struct hpm_string line = {0};

    hpm_string_add_format(&line, "hpmcount: %s\n", sentence);
    hpm_write_all(STDERR_FILENO, hpm_string_text(&line), line.length);
    hpm_string_free(&line);
}

void
say_lines(struct hpm_string *lines)
{
    char *rest = NULL;

    for (char *line = lines->text != NULL ? strtok_r(lines->text, "\n", &rest)
                                          : NULL;
         line != NULL; line = strtok_r(NULL, "\n", &rest))
        say(line);
    hpm_string_free(lines);
}
