/* SPDX-License-Identifier: BSD-3-Clause
 * What the subcommands share: saying what is wrong, printing what was asked. */
#include "hpm/subcommand.h"

#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/string.h"
#include "host/write.h"

void
subcommand_say(const char *name, const char *sentence)
{
    struct hpm_string line = {0};

    hpm_string_add_format(&line, "hpm%s%s: ", name[0] != '\0' ? " " : "", name);
    hpm_string_add_safe(&line, sentence);
    hpm_string_add_char(&line, '\n');
    hpm_write_all(STDERR_FILENO, hpm_string_text(&line), line.length);
    hpm_string_free(&line);
}

enum status
subcommand_print(const char *name, const struct hpm_string *text,
                 enum status otherwise)
{
    struct hpm_error err;
    int error;

    if (text->failed) {
        subcommand_say(name, "out of memory; nothing is printed");
        return OUTPUT;
    }
    error = hpm_write_all(STDOUT_FILENO, hpm_string_text(text), text->length);
    if (error == 0)
        return otherwise;
    hpm_error_set(&err, "cannot write to standard output: %s", strerror(error));
    subcommand_say(name, err.text);
    return OUTPUT;
}
