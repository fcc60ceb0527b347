/* SPDX-License-Identifier: BSD-3-Clause
 * The progress of long work. */
#include "hpm/frame/progress.h"

#include <time.h>
#include <unistd.h>

#include "base/string.h"
#include "host/write.h"
#include "study/words/words.h"

#define PATIENCE_NS UINT64_C(700000000)
#define PAUSE_NS UINT64_C(100000000)

static uint64_t
now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

void
progress_begin(struct progress *progress, const char *command, const char *what,
               size_t n)
{
    *progress = (struct progress){
        .command = command,
        .what = what,
        .n = n,
        .next_ns = isatty(STDERR_FILENO) == 1 ? now_ns() + PATIENCE_NS : 0};
}

static void
show(struct progress *progress)
{
    struct hpm_string line = {0};

    hpm_string_add_format(&line, "\rhpm %s: ", progress->command);
    hpm_string_add_grouped(&line, progress->n_done);
    hpm_string_add(&line, _(" of "));
    hpm_string_add_grouped(&line, progress->n);
    hpm_string_add_format(&line, " %s\033[K", _(progress->what));
    hpm_write_all(STDERR_FILENO, hpm_string_text(&line), line.length);
    hpm_string_free(&line);
    progress->is_shown = true;
}

void
progress_step(struct progress *progress)
{
    progress->n_done++;
    if (progress->next_ns == 0 || now_ns() < progress->next_ns)
        return;
    show(progress);
    progress->next_ns = now_ns() + PAUSE_NS;
}

void
progress_hide(struct progress *progress)
{
    static const char erase[] = "\r\033[K";

    if (progress->is_shown)
        hpm_write_all(STDERR_FILENO, erase, sizeof erase - 1);
    progress->is_shown = false;
}
