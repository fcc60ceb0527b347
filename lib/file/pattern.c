/* SPDX-License-Identifier: BSD-3-Clause
 * Names of output files, made from a pattern. */
#include "file/pattern.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/string.h"
#include "host/path.h"

/* How many bytes of a word are kept, without cutting a UTF-8 character: a file
 * name has at most 255 bytes, and numbers and an end follow the word. */
static size_t
length_kept(const char *word)
{
    enum { MOST = 200 };
    size_t length = strnlen(word, MOST + 1);

    if (length <= MOST)
        return length;
    length = MOST;
    while (length > MOST - 4 && ((unsigned char)word[length] & 0xc0) == 0x80)
        length--;
    return length;
}

/* A program or job may have any name, but must give one file name: '/' becomes
 * '_'. */
static void
add_word(struct hpm_string *name, const char *word)
{
    size_t length = length_kept(word != NULL ? word : "");

    for (size_t i = 0; i < length; i++)
        hpm_string_add_char(name, word[i] == '/' ? '_' : word[i]);
}

static bool
add_field(struct hpm_string *name, char letter, const struct hpm_run *run)
{
    char host[HOST_NAME_MAX + 1] = "";

    switch (letter) {
    case 'n':
        add_word(name, run->program);
        return true;
    case 'r':
        if (run->task == HPM_ALL_TASKS)
            hpm_string_add(name, "all");
        else
            hpm_string_add_format(name, "%04d", run->task);
        return true;
    case 'p':
        hpm_string_add_format(name, "%ld", run->pid);
        return true;
    case 'i':
        hpm_string_add_char(name, '1');
        return true;
    case 'h':
        gethostname(host, sizeof host - 1);
        add_word(name, host);
        return true;
    case 'j':
        add_word(name, run->job);
        return true;
    case '%':
        hpm_string_add_char(name, '%');
        return true;
    default:
        return false;
    }
}

char *
hpm_pattern_expand(const char *pattern, const struct hpm_run *run,
                   struct hpm_error *err)
{
    struct hpm_string name = {0};

    hpm_string_add(&name, "");
    for (const char *c = pattern; *c != '\0'; c++) {
        if (*c != '%') {
            hpm_string_add_char(&name, *c);
        } else if (add_field(&name, c[1], run)) {
            c++;
        } else {
            hpm_error_set(err,
                          "output name '%s': '%%%.1s' is unknown; "
                          "expected %%n %%r %%p %%i %%h %%j or %%%%",
                          pattern, c + 1);
            hpm_string_free(&name);
            return NULL;
        }
    }
    if (name.failed) {
        hpm_error_no_memory(err);
        hpm_string_free(&name);
        return NULL;
    }
    return name.text;
}

/* ---- children -------------------------------------------------------- */

static bool
has_process_id(const char *pattern)
{
    for (const char *c = pattern; *c != '\0'; c++) {
        if (c[0] == '%' && c[1] == 'p')
            return true;
        if (c[0] == '%' && c[1] != '\0')
            c++;
    }
    return false;
}

/* Length of the name without its end, which is ".hpm.xml" or begins at the last
 * point. */
static size_t
length_of_stem(const char *name)
{
    static const char whole[] = ".hpm.xml";
    size_t length = strlen(name), n = sizeof whole - 1;
    const char *point = strrchr(name, '.');

    if (length > n && strcmp(name + length - n, whole) == 0)
        return length - n;
    return point != NULL && point != name ? (size_t)(point - name) : length;
}

char *
hpm_pattern_for_child(const char *pattern)
{
    const char *name = hpm_path_base_name(pattern);
    size_t stem = (size_t)(name - pattern) + length_of_stem(name);
    struct hpm_string longer = {0};

    hpm_string_add_bytes(&longer, pattern, stem);
    if (!has_process_id(pattern))
        hpm_string_add(&longer, "_%p");
    hpm_string_add(&longer, pattern + stem);
    if (longer.failed)
        hpm_string_free(&longer);
    return longer.text;
}
