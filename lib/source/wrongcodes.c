/* SPDX-License-Identifier: BSD-3-Clause
 * Events that libpfm4 is known to encode wrongly. */
#include "source/wrongcodes.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/env.h"
#include "base/string.h"
#include "host/memory.h"

enum { LARGEST_FILE = 1 << 20, N_FIELDS = 5 };

static struct {
    struct hpm_wrongcode *lines;
    size_t n_lines, capacity;
    struct hpm_error complaint;
    bool has_complaint;
} table;

/* Are the first `length` letters equal, ignoring case, in any locale? */
static bool
is_alike(const char *a, const char *b, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char x = (unsigned char)a[i], y = (unsigned char)b[i];

        x = (unsigned char)(x >= 'A' && x <= 'Z' ? x - 'A' + 'a' : x);
        y = (unsigned char)(y >= 'A' && y <= 'Z' ? y - 'A' + 'a' : y);
        if (x != y || x == '\0')
            return false;
    }
    return true;
}

/* ---- lines ----------------------------------------------------------- */

/* Cut off the next word; NULL at the end.  The last field is the rest of the
 * line. */
static char *
cut_word(char **rest, bool is_last)
{
    char *word = *rest + strspn(*rest, " \t\r");
    size_t length = is_last ? strlen(word) : strcspn(word, " \t\r");

    if (*word == '\0')
        return NULL;
    *rest = word + length;
    if (**rest != '\0')
        *(*rest)++ = '\0';
    return word;
}

bool
hpm_code_read(const char *word, struct hpm_code *ret_code)
{
    char *end;

    *ret_code = (struct hpm_code){0};
    if (!is_alike(word, "0x", 2))
        return false;
    errno = 0;
    ret_code->config = strtoull(word, &end, 16);
    if (*end == '+' && is_alike(end + 1, "0x", 2))
        ret_code->config1 = strtoull(end + 1, &end, 16);
    return *end == '\0' && errno == 0;
}

static bool
read_line(char *text, struct hpm_wrongcode *ret_line, struct hpm_error *err)
{
    char *fields[N_FIELDS];

    for (int i = 0; i < N_FIELDS; i++) {
        fields[i] = cut_word(&text, i == N_FIELDS - 1);
        if (fields[i] == NULL)
            return hpm_error_set(err, "expected PMU EVENT WRONG RIGHT SOURCE");
    }
    *ret_line = (struct hpm_wrongcode){.pmu = fields[0],
                                       .event = fields[1],
                                       .source = fields[4],
                                       .has_right = strcmp(fields[3], "-")};
    if (!hpm_code_read(fields[2], &ret_line->wrong))
        return hpm_error_set(err,
                             "'%.40s' is no code; expected a hexadecimal "
                             "number such as 0x2a4",
                             fields[2]);
    if (ret_line->has_right && !hpm_code_read(fields[3], &ret_line->right))
        return hpm_error_set(err,
                             "'%.40s' is no code; expected a hexadecimal "
                             "number such as 0x2a4, or '-'",
                             fields[3]);
    return true;
}

/* Only the first fault is kept. */
static void
complain(const char *file, int number, const struct hpm_error *why)
{
    if (table.has_complaint)
        return;
    table.has_complaint = true;
    if (number > 0)
        hpm_error_set(&table.complaint, "%.200s:%d: %.200s", file, number,
                      why->text);
    else
        hpm_error_set(&table.complaint, "%.200s: cannot be read: %.200s", file,
                      why->text);
}

/* Cuts `text` into lines and words, to which the table points from then on. */
static void
add_lines(const char *file, char *text)
{
    int number = 0;

    for (char *line = text, *next; line != NULL; line = next) {
        struct hpm_wrongcode found;
        struct hpm_error why;

        number++;
        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        line += strspn(line, " \t\r");
        if (*line == '\0' || *line == '#')
            continue;
        if (!read_line(line, &found, &why)) {
            complain(file, number, &why);
        } else if (hpm_memory_grow(&table.lines, &table.capacity,
                                   table.n_lines + 1, sizeof *table.lines)) {
            table.lines[table.n_lines++] = found;
        }
    }
}

/* ---- files ----------------------------------------------------------- */

static char *
read_file(const char *path, struct hpm_error *err)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct hpm_string text = {0};
    struct stat status;
    char buffer[4096];
    ssize_t n = 0;

    if (descriptor < 0) {
        hpm_error_set(err, "%s", strerror(errno));
        return NULL;
    }
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) ||
        status.st_size > LARGEST_FILE)
        hpm_error_set(err, "not a file of at most 1 MiB");
    else
        while ((n = read(descriptor, buffer, sizeof buffer)) > 0 &&
               text.length <= LARGEST_FILE)
            hpm_string_add_bytes(&text, buffer, (size_t)n);
    if (n < 0)
        hpm_error_set(err, "%s", strerror(errno));
    close(descriptor);
    if (n == 0 && text.text != NULL && !text.failed)
        return text.text;
    hpm_string_free(&text);
    return NULL;
}

/* The user's file adds to the shipped lines. */
static void
read_all(void)
{
    const char *path = hpm_env_get(HPM_VARIABLE_WRONG_CODES);
    char *text = hpm_memory_copy_text(hpm_wrongcodes_shipped);
    struct hpm_error why = {"it is empty"};

    if (text != NULL)
        add_lines("wrongcodes.txt", text);
    if (path == NULL)
        return;
    text = read_file(path, &why);
    if (text != NULL)
        add_lines(path, text);
    else
        complain(path, 0, &why);
}

const struct hpm_wrongcode *
hpm_wrongcodes_get(size_t *ret_n)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, read_all);
    *ret_n = table.n_lines;
    return table.lines;
}

bool
hpm_wrongcodes_complain(struct hpm_error *ret_complaint)
{
    size_t n;

    hpm_wrongcodes_get(&n);
    if (table.has_complaint)
        *ret_complaint = table.complaint;
    return table.has_complaint;
}

/* ---- names ----------------------------------------------------------- */

/* Is `part`, of that length, one of the parts of a name with colons or dots
 * between them? */
static bool
has_part(const char *name, const char *part, size_t length)
{
    while (*name != '\0') {
        size_t here = strcspn(name, ":.");

        if (here == length && is_alike(name, part, length))
            return true;
        name += here;
        name += strspn(name, ":.");
    }
    return false;
}

bool
hpm_wrongcode_is_in(const struct hpm_wrongcode *line, const char *name)
{
    size_t length = strcspn(line->event, ":");
    const char *part = line->event + length;

    if (strcspn(name, ":.") != length || !is_alike(name, line->event, length))
        return false;
    name += length;
    for (; *part == ':'; part += length) {
        length = strcspn(++part, ":");
        if (!has_part(name, part, length))
            return false;
    }
    return true;
}

bool
hpm_code_is_same(struct hpm_code a, struct hpm_code b)
{
    return a.config == b.config && a.config1 == b.config1;
}

void
hpm_wrongcode_explain(const struct hpm_wrongcode *line,
                      struct hpm_error *ret_reason)
{
    char right[64];

    if (!line->has_right)
        snprintf(right, sizeof right, "no such event");
    else if (line->right.config1 != 0)
        snprintf(right, sizeof right, "0x%" PRIx64 " with 0x%" PRIx64,
                 line->right.config, line->right.config1);
    else
        snprintf(right, sizeof right, "0x%" PRIx64, line->right.config);
    hpm_error_set(ret_reason,
                  "libpfm4 encodes '%.100s' wrongly, as 0x%" PRIx64
                  ", where the vendor has %s (%.100s): it would count "
                  "something else; a newer libpfm4 may know better",
                  line->event, line->wrong.config, right, line->source);
}
