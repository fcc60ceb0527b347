/* SPDX-License-Identifier: BSD-3-Clause
 * Storing what hpm doctor found out about this machine. */
#include "hpm/frame/keeping.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/memory.h"
#include "host/write.h"
#include "source/machine/kept.h"
#include "source/machine/procfile.h"

enum { MOST_BYTES = 32768 };

/* Keep the lines of the existing file that are not replaced, if it is of this
 * processor. */
static bool
add_others(struct hpm_string *text, const char *path, const char *processor,
           const char *prefix)
{
    char *old = hpm_memory_new(MOST_BYTES, 1);
    size_t length = strlen(processor);

    if (old == NULL)
        return false;
    if (hpm_procfile_read(path, old, MOST_BYTES) > 0 &&
        strncmp(old, processor, length) == 0 && old[length] == '\n') {
        for (const char *line = old + length + 1; *line != '\0';) {
            size_t n = strcspn(line, "\n");

            if (strncmp(line, HPM_KEPT_FACT, strlen(HPM_KEPT_FACT)) == 0 &&
                strncmp(line + strlen(HPM_KEPT_FACT), prefix, strlen(prefix)) !=
                    0) {
                hpm_string_add_bytes(text, line, n);
                hpm_string_add_char(text, '\n');
            }
            line += n + (line[n] == '\n');
        }
    }
    hpm_memory_free(old);
    return true;
}

static void
add_new(struct hpm_string *text, const char *facts)
{
    while (*facts != '\0') {
        size_t n = strcspn(facts, "\n");

        hpm_string_add(text, HPM_KEPT_FACT);
        hpm_string_add_bytes(text, facts, n);
        hpm_string_add_char(text, '\n');
        facts += n + (facts[n] == '\n');
    }
}

/* Make each missing folder of the path. */
static void
make_folders(char *path)
{
    for (char *slash = path + 1; (slash = strchr(slash, '/')) != NULL;
         slash++) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
}

/* Written completely or not at all: programs may read the file at any time. */
static bool
write_whole(const char *path, const struct hpm_string *text,
            struct hpm_error *err)
{
    struct hpm_string aside = {0};
    int fd, why = 0;

    hpm_string_add_format(&aside, "%s.%ld", path, (long)getpid());
    if (aside.failed)
        return hpm_error_no_memory(err);
    fd = open(aside.text, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) {
        why = errno;
    } else {
        why = hpm_write_all(fd, text->text, text->length);
        if (close(fd) != 0 && why == 0)
            why = errno;
        if (why == 0 && rename(aside.text, path) != 0)
            why = errno;
        if (why != 0)
            unlink(aside.text);
    }
    hpm_string_free(&aside);
    return why == 0 ||
           hpm_error_set(err,
                         "cannot write '%.200s': %s; name another folder in "
                         "HPM_MACHINE",
                         path, strerror(why));
}

bool
keeping_write(const char *prefix, const char *facts, struct hpm_string *path,
              struct hpm_error *err)
{
    struct hpm_string text = {0}, processor = {0};
    bool is_good;

    if (!hpm_kept_add_path(path))
        return hpm_error_set(err, "no folder for what is found is known; name "
                                  "one in HPM_MACHINE");
    hpm_kept_add_processor(&processor);
    hpm_string_add_format(&text, "%s\n", hpm_string_text(&processor));
    is_good =
        (add_others(&text, path->text, hpm_string_text(&processor), prefix) &&
         !processor.failed) ||
        hpm_error_no_memory(err);
    add_new(&text, facts);
    if (is_good && text.failed)
        is_good = hpm_error_no_memory(err);
    if (is_good) {
        make_folders(path->text);
        is_good = write_whole(path->text, &text, err);
    }
    hpm_string_free(&processor);
    hpm_string_free(&text);
    return is_good;
}
