/* SPDX-License-Identifier: BSD-3-Clause
 * Parts shared by all subcommands: messages and output. */
#include "hpm/frame/subcommand.h"

#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "host/write.h"
#include "study/words/sentence.h"

/* Used where there is no memory for a message; one line is enough. */
static void
say_no_memory(void)
{
    static const char line[] = "hpm: out of memory\n";
    static bool is_said;

    if (!is_said)
        hpm_write_all(STDERR_FILENO, line, strlen(line));
    is_said = true;
}

void
subcommand_say(const char *name, const char *format, ...)
{
    struct hpm_string line = {0}, sentence = {0}, shown = {0};
    va_list arguments;

    hpm_string_add_format(&line, "hpm%s%s: ", name[0] != '\0' ? " " : "", name);
    va_start(arguments, format);
    hpm_string_add_arguments(&sentence, format, arguments);
    va_end(arguments);
    hpm_sentence_add(&shown, hpm_string_text(&sentence));
    hpm_string_add_safe(&line, hpm_string_text(&shown));
    hpm_string_add_char(&line, '\n');
    hpm_string_finish(&sentence, &line.failed);
    hpm_string_finish(&shown, &line.failed);
    if (line.failed)
        say_no_memory();
    else
        hpm_write_all(STDERR_FILENO, hpm_string_text(&line), line.length);
    hpm_string_free(&line);
}

void
subcommand_say_lines(const char *name, const char *lines)
{
    while (*lines != '\0') {
        size_t length = strcspn(lines, "\n");
        struct hpm_string line = {0};

        hpm_string_add_bytes(&line, lines, length);
        if (line.failed)
            say_no_memory();
        else
            subcommand_say(name, "%s", hpm_string_text(&line));
        hpm_string_free(&line);
        lines += length + (lines[length] == '\n');
    }
}

enum status
subcommand_fail(const char *name, const struct hpm_error *err,
                enum status status)
{
    struct hpm_error no_memory;

    hpm_error_no_memory(&no_memory);
    subcommand_say(name, "%s", err->text);
    return status == USAGE && strcmp(err->text, no_memory.text) == 0 ? NOTHING
                                                                     : status;
}

enum status
subcommand_print(const char *name, struct hpm_string *text,
                 enum status otherwise)
{
    struct hpm_error err = {"out of memory; nothing is printed"};
    int error = 0;

    if (!text->failed)
        error =
            hpm_write_all(STDOUT_FILENO, hpm_string_text(text), text->length);
    if (error != 0)
        hpm_error_set(&err, "cannot write to standard output: %s",
                      strerror(error));
    if (text->failed || error != 0)
        otherwise = subcommand_fail(name, &err, OUTPUT);
    hpm_string_free(text);
    return otherwise;
}
