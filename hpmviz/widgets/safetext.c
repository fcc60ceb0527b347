/* SPDX-License-Identifier: BSD-3-Clause
 * Text out of files for widgets. */
#include "hpmviz/widgets/safetext.h"

#include "base/string.h"

char *
hpmviz_safe_line(const char *text)
{
    struct hpm_string safe = {0};
    char *line;

    hpm_string_add_safe(&safe, text);
    line = g_strdup(hpm_string_text(&safe));
    hpm_string_free(&safe);
    return line;
}

static char *
safe_lines(const char *text)
{
    char **lines = g_strsplit(text, "\n", -1), *safe;

    for (char **line = lines; *line != NULL; line++) {
        char *raw = *line;

        *line = hpmviz_safe_line(raw);
        g_free(raw);
    }
    safe = g_strchomp(g_strjoinv("\n", lines));
    g_strfreev(lines);
    return safe;
}

char *
hpmviz_safe_take(struct hpm_string *text)
{
    char *safe = safe_lines(hpm_string_text(text));

    hpm_string_free(text);
    return safe;
}
