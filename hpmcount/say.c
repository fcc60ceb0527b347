/* SPDX-License-Identifier: BSD-3-Clause
 * hpmcount's messages on standard error. */
#include "hpmcount/say.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/string.h"
#include "host/write.h"
#include "study/words/sentence.h"
#include "study/words/words.h"

static bool is_waiting;
static struct hpm_string waiting;

/* Waiting messages are in English, because a report for programs may include
 * them. */
static void
write_lines(const char *text, size_t length)
{
    struct hpm_string lines = {0}, shown = {0};

    if (hpm_words_are_translated()) {
        hpm_string_add_bytes(&lines, text, length);
        hpm_sentence_add_lines(&shown, hpm_string_text(&lines), "hpmcount: ");
    }
    if (shown.length > 0 && !shown.failed)
        hpm_write_all(STDERR_FILENO, hpm_string_text(&shown), shown.length);
    else
        hpm_write_all(STDERR_FILENO, text, length);
    hpm_string_free(&lines);
    hpm_string_free(&shown);
}

/* A message that cannot be kept is printed at once. */
void
say_text(const char *text, size_t length)
{
    size_t before = waiting.length;

    if (is_waiting)
        hpm_string_add_bytes(&waiting, text, length);
    if (!is_waiting || waiting.length != before + length)
        write_lines(text, length);
}

void
say(const char *format, ...)
{
    struct hpm_string line = {0}, sentence = {0};
    va_list arguments;

    va_start(arguments, format);
    hpm_string_add_arguments(&sentence, format, arguments);
    va_end(arguments);
    hpm_string_add(&line, "hpmcount: ");
    hpm_string_add_safe(&line, hpm_string_text(&sentence));
    hpm_string_add_char(&line, '\n');
    say_text(hpm_string_text(&line), line.length);
    hpm_string_free(&line);
    hpm_string_free(&sentence);
}

void
say_lines(struct hpm_string *lines)
{
    char *rest = NULL;

    for (char *line = lines->text != NULL ? strtok_r(lines->text, "\n", &rest)
                                          : NULL;
         line != NULL; line = strtok_r(NULL, "\n", &rest))
        say("%s", line);
    hpm_string_free(lines);
}

void
say_wait(void)
{
    is_waiting = true;
}

const char *
say_waiting(void)
{
    return waiting.length > 0 ? hpm_string_text(&waiting) : "";
}

void
say_forget(void)
{
    is_waiting = false;
    hpm_string_free(&waiting);
}

void
say_waited(void)
{
    if (waiting.length > 0)
        write_lines(hpm_string_text(&waiting), waiting.length);
    say_forget();
}
