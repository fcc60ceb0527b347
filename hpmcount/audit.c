/* SPDX-License-Identifier: BSD-3-Clause
 * hpmcount --audit. */
#include "hpmcount/audit.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/string.h"
#include "host/memory.h"

/* Append the folder of this program with "/" at the end, or "" if not known. */
static void
add_own_folder(struct hpm_string *path)
{
    char own[4096];
    ssize_t n = readlink("/proc/self/exe", own, sizeof own);

    while (n > 0 && own[n - 1] != '/')
        n--;
    if (n > 0)
        hpm_string_add_bytes(path, own, (size_t)n);
}

static char **
make_words(const struct options *options)
{
    const char *const front[] = {"hpm", "audit", "-e", options->events, "--"};
    const size_t n_front = sizeof front / sizeof *front;
    size_t n = 0;
    char **words;

    while (options->command[n] != NULL)
        n++;
    words = hpm_memory_new(n_front + n + 1, sizeof *words);
    for (size_t i = 0; words != NULL && i < n_front; i++)
        words[i] = (char *)front[i];
    for (size_t i = 0; words != NULL && i < n; i++)
        words[n_front + i] = options->command[i];
    return words;
}

/* hpm is installed beside hpmcount, or built in a folder beside its own. */
void
audit_become(const struct options *options, struct hpm_error *err)
{
    static const char *const places[] = {"../hpm/hpm", "hpm"};
    char **words;

    if (options->events == NULL) {
        hpm_error_set(err, "--audit: expected the events to compare; name them "
                           "with -e");
        return;
    }
    words = make_words(options);
    for (size_t i = 0; words != NULL && i < 2; i++) {
        struct hpm_string path = {0};

        add_own_folder(&path);
        hpm_string_add(&path, places[i]);
        if (!path.failed && access(path.text, X_OK) == 0)
            execv(path.text, words);
        hpm_string_free(&path);
    }
    if (words != NULL)
        execvp("hpm", words);
    hpm_error_set(err, "--audit: cannot run hpm: %s", strerror(errno));
    hpm_memory_free(words);
}
