/* SPDX-License-Identifier: BSD-3-Clause
 * What the library says to the user of a measured program. */
#include "base/message.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/memory.h"
#include "host/write.h"

/* These are global because a process has one standard error. */
static dev_t stderr_device;
static ino_t stderr_inode;
static enum { ASKED, TRUSTED, LOST } stderr_state;

void
hpm_message_init(void)
{
    struct stat status;

    if (fstat(STDERR_FILENO, &status) == 0) {
        stderr_device = status.st_dev;
        stderr_inode = status.st_ino;
    }
}

/* The program may have closed standard error and opened a file of its own with
 * the same number: write only to the file that standard error was at the
 * start. */
static bool
is_stderr_still(void)
{
    struct stat status;

    if (stderr_state != ASKED)
        return stderr_state == TRUSTED;
    return fstat(STDERR_FILENO, &status) == 0 &&
           status.st_dev == stderr_device && status.st_ino == stderr_inode;
}

void
hpm_message_trust(void)
{
    stderr_state = is_stderr_still() ? TRUSTED : LOST;
}

void
hpm_message_write(const char *text, size_t length)
{
    if (is_stderr_still())
        hpm_write_all(STDERR_FILENO, text, length);
}

/* Needs no memory: replaces each character that is not printable ASCII by a
 * question mark, and cuts a long line. */
static void
say_plainly(const char *sentence)
{
    char line[512] = "hpm: ";
    size_t n = strlen(line);

    for (const char *c = sentence; *c != '\0' && n < sizeof line - 1; c++)
        line[n++] = *c >= ' ' && *c <= '~' ? *c : '?';
    line[n++] = '\n';
    hpm_message_write(line, n);
}

void
hpm_message_say(const char *sentence)
{
    struct hpm_string line = {0};

    hpm_string_add(&line, "hpm: ");
    hpm_string_add_safe(&line, sentence);
    hpm_string_add_char(&line, '\n');
    if (line.failed)
        say_plainly(sentence);
    else
        hpm_message_write(hpm_string_text(&line), line.length);
    hpm_string_free(&line);
}

void
hpm_message_say_format(const char *format, ...)
{
    char sentence[1024];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    hpm_message_say(sentence);
}

void
hpm_message_say_lines(const struct hpm_string *lines)
{
    char *copy = hpm_memory_copy_text(hpm_string_text(lines));
    char *rest = NULL;

    for (char *line = copy != NULL ? strtok_r(copy, "\n", &rest) : NULL;
         line != NULL; line = strtok_r(NULL, "\n", &rest))
        hpm_message_say(line);
    hpm_memory_free(copy);
}
